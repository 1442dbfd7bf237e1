import { useMemo, useSyncExternalStore } from 'react';
import { formatDateTime, formatLongDate, formatSize, relativeTime } from '../../shared/rules/format.ts';
import { useTranslation } from '../i18n/useTranslation.ts';

const TICK_MS = 30_000;
const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | null = null;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === null) now = Date.now();
  timer ??= setInterval(() => {
    now = Date.now();
    for (const each of listeners) each();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0 && timer !== null) {
      clearInterval(timer);
      timer = null;
    }
  };
}

/** The present, moving on every half minute, so that relative times stay true. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}

export interface Formats {
  readonly locale: string;
  readonly size: (bytes: number) => string;
  readonly number: (value: number) => string;
  /** `MM-DD-YYYY HH:mm`. */
  readonly dateTime: (moment: string | null) => string;
  /** `MMM D, YYYY h:mm A`. */
  readonly longDate: (moment: string) => string;
  readonly relative: (moment: string, now: number) => string;
}

/** Sizes, numbers and dates in the interface's language. */
export function useFormats(): Formats {
  const { t, i18n } = useTranslation();
  const locale = i18n.language;
  return useMemo(() => {
    const words = {
      now: t('time.now'),
      past: t('time.past'),
      future: t('time.future'),
      minute: t('time.minute'),
      hour: t('time.hour'),
      day: t('time.day'),
      month: t('time.month'),
      year: t('time.year'),
    };
    const numbers = new Intl.NumberFormat(locale);
    return {
      locale,
      size: (bytes) => formatSize(bytes, locale),
      number: (value) => numbers.format(value),
      dateTime: (moment) => formatDateTime(moment, t('common.never')),
      longDate: (moment) => formatLongDate(moment, locale),
      relative: (moment, at) => relativeTime(moment, at, words),
    };
  }, [t, locale]);
}
