/** How sizes, dates, relative times and cut texts read (section 9 of both specifications). Pure: the moment "now" is passed in. */

import { LIMITS } from './limits.ts';

const UNITS = ['Bytes', 'KB', 'MB', 'GB', 'TB'] as const;
const STEP = 1024;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** Making a number format takes far longer than using it, and long lists are full of sizes. */
const numberFormats = new Map<string, Intl.NumberFormat>();

function numberFormat(locale: string, digits: number): Intl.NumberFormat {
  const key = `${locale} ${digits}`;
  const known = numberFormats.get(key) ?? new Intl.NumberFormat(locale, { maximumFractionDigits: digits });
  numberFormats.set(key, known);
  return known;
}

/** A size in Bytes, KB, MB, GB or TB, base 1024, with at most two decimals in the notation of `locale`. */
export function formatSize(bytes: number, locale = 'en'): string {
  if (!Number.isFinite(bytes) || bytes <= 0) return `0 ${UNITS[0]}`;
  let unit = 0;
  let value = bytes;
  // Rounding may reach the next unit: 1,048,575 bytes are 1 MB, not 1024 KB.
  while (unit < UNITS.length - 1 && Math.round(value * 100) / 100 >= STEP) {
    value /= STEP;
    unit += 1;
  }
  const number = numberFormat(locale, unit === 0 ? 0 : 2).format(value);
  return `${number} ${UNITS[unit]}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

function asDate(moment: string | number | Date): Date | null {
  const date = new Date(moment);
  return Number.isNaN(date.getTime()) ? null : date;
}

/** `MM-DD-YYYY HH:mm` in local time; `never` where there is no moment. */
export function formatDateTime(moment: string | number | Date | null | undefined, never = 'Never'): string {
  const date = moment === null || moment === undefined || moment === '' ? null : asDate(moment);
  if (date === null) return never;
  const day = `${two(date.getMonth() + 1)}-${two(date.getDate())}-${String(date.getFullYear()).padStart(4, '0')}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** `MMM D, YYYY h:mm A` in local time for English, and the like of it in other languages. Empty for what is no moment. */
export function formatLongDate(moment: string | number | Date, locale = 'en'): string {
  const date = asDate(moment);
  if (date === null) return '';
  if (!locale.startsWith('en')) {
    return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(date);
  }
  const hours = date.getHours();
  const clock = `${hours % 12 === 0 ? 12 : hours % 12}:${two(date.getMinutes())} ${hours < 12 ? 'AM' : 'PM'}`;
  return `${MONTHS[date.getMonth()]} ${date.getDate()}, ${date.getFullYear()} ${clock}`;
}

/** The first `max` characters and an ellipsis, or the whole text where it fits. Counts code points, never cutting one. */
export function truncate(text: string, max: number = LIMITS.truncateDefault): string {
  const characters = [...text];
  return characters.length <= max ? text : `${characters.slice(0, max).join('').trimEnd()}…`;
}

/** Both ends of a text with an ellipsis between, `max` characters in all: a file name keeps its extension. */
export function truncateMiddle(text: string, max = 20): string {
  const characters = [...text];
  if (characters.length <= max) return text;
  const kept = Math.max(max - 1, 0);
  const head = Math.ceil(kept / 2);
  const tail = kept - head;
  return `${characters.slice(0, head).join('')}…${tail === 0 ? '' : characters.slice(-tail).join('')}`;
}

/** The wording of relative times; `%s` stands for the amount with its unit. */
export interface RelativeTimeWords {
  readonly now: string;
  readonly past: string;
  readonly future: string;
  readonly minute: string;
  readonly hour: string;
  readonly day: string;
  readonly month: string;
  readonly year: string;
}

/** The specification's English wording. */
export const ENGLISH_RELATIVE_TIME: RelativeTimeWords = {
  now: 'Just now',
  past: '%s ago',
  future: 'in %s',
  minute: 'm',
  hour: 'h',
  day: 'd',
  month: 'M',
  year: 'y',
};

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MONTH = 30 * DAY;
const YEAR = 365 * DAY;

/** `Just now` within a minute, else the largest whole unit: `5m ago`, `in 3h`, `2M ago`. Empty for what is no moment. */
export function relativeTime(
  moment: string | number | Date,
  now: number,
  words: RelativeTimeWords = ENGLISH_RELATIVE_TIME,
): string {
  const date = asDate(moment);
  if (date === null) return '';
  const distance = Math.abs(date.getTime() - now);
  if (distance < MINUTE) return words.now;
  const steps = [
    [YEAR, words.year],
    [MONTH, words.month],
    [DAY, words.day],
    [HOUR, words.hour],
    [MINUTE, words.minute],
  ] as const;
  const [length, unit] = steps.find(([size]) => distance >= size) ?? [MINUTE, words.minute];
  const amount = Math.floor(distance / length);
  return (date.getTime() < now ? words.past : words.future).replace('%s', `${amount}${unit}`);
}

/** Under which heading of the search history a past query stands. */
export type DateGroup = 'today' | 'past7Days' | 'past30Days' | 'older';

/** Groups by local calendar days, so that last night's query is not of today. The future counts as today. */
export function dateGroup(moment: string | number | Date, now: number): DateGroup {
  const date = asDate(moment);
  if (date === null) return 'older';
  const today = new Date(now);
  const startOfDay = (daysAgo: number) =>
    new Date(today.getFullYear(), today.getMonth(), today.getDate() - daysAgo).getTime();
  if (date.getTime() >= startOfDay(0)) return 'today';
  if (date.getTime() >= startOfDay(7)) return 'past7Days';
  return date.getTime() >= startOfDay(30) ? 'past30Days' : 'older';
}

/** The local calendar day as `YYYY-MM-DD`, to group a timeline by. */
export function dayKey(moment: string | number | Date): string {
  const date = asDate(moment);
  return date === null ? '' : `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
