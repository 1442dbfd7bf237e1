import { Pause, Play } from 'lucide-react';
import type { IndexStatus } from '../../shared/model/search.ts';
import { useTranslation } from '../i18n/useTranslation.ts';
import type { IndexCapability } from '../platform/types.ts';
import { notify } from './toast.ts';
import { useErrorText } from './useErrorText.ts';
import { useFormats } from './useFormats.ts';
import './indexProgress.css';

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** A time that is an estimate: in one unit, and the coarser one as soon as it says enough. */
function useTimeLeft(): (seconds: number) => string {
  const { t } = useTranslation();
  return (seconds) => {
    if (seconds < MINUTE) return t('indexing.seconds', { count: Math.ceil(seconds) });
    if (seconds < 1.5 * HOUR) return t('indexing.minutes', { count: Math.round(seconds / MINUTE) });
    return t('indexing.hours', { count: Math.round(seconds / HOUR) });
  };
}

/** Whether the index has work to do, which can be put off. */
export function isIndexBusy({ state }: IndexStatus): boolean {
  return state === 'scanning' || state === 'indexing' || state === 'paused';
}

export interface IndexProgressProps {
  readonly index: IndexCapability;
  readonly status: IndexStatus;
}

/** How far indexing is and how long it will take, with the button that puts it off. */
export function IndexProgress({ index, status }: IndexProgressProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const timeLeft = useTimeLeft();
  const errorText = useErrorText();
  const isPaused = status.state === 'paused';
  const total = status.done + status.pending;
  const counts = { done: formats.number(status.done), total: formats.number(total) };
  const toggle = () => {
    const asked = isPaused ? index.resume() : index.pause();
    asked.catch((error: unknown) => notify(errorText(error), 'error'));
  };
  function text(): string {
    if (isPaused) return status.pending === 0 ? t('indexing.paused') : t('indexing.pausedAt', counts);
    if (status.pending === 0) return t('indexing.looking');
    return status.secondsLeft === null
      ? t('indexing.progress', counts)
      : t('indexing.progressLeft', { ...counts, time: timeLeft(status.secondsLeft) });
  }
  return (
    <div className="index-progress">
      <span className="index-progress__text">{text()}</span>
      <button type="button" className="button button--small" onClick={toggle}>
        {isPaused ? <Play aria-hidden="true" /> : <Pause aria-hidden="true" />}
        {isPaused ? t('indexing.resume') : t('indexing.pause')}
      </button>
    </div>
  );
}
