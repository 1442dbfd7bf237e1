/** Figures of one day, in UTC as the server counts; all days have the same ones in the same order. */
export interface DayFigures {
  readonly day: string;
  readonly values: readonly number[];
}

/** Figures of as many days as one bar of the chart stands for. */
export interface Bucket {
  readonly from: string;
  readonly to: string;
  readonly values: readonly number[];
}

const DAY_MS = 24 * 3600_000;
/** More bars than this are too thin to tell apart. */
const MOST_BARS = 60;

/** The day of a moment, in UTC. */
export function dayOf(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10);
}

/** The first day of a period that ends today; null for all time. */
export function firstDayOf(days: number | null, now: number): string | null {
  return days === null ? null : dayOf(now - (days - 1) * DAY_MS);
}

/** The figures of several days as those of one. */
function sumOf(days: readonly DayFigures[], count: number): readonly number[] {
  return Array.from({ length: count }, (_, figure) =>
    days.reduce((total, { values }) => total + (values[figure] ?? 0), 0),
  );
}

/**
 * All days from the first to the last one, those without anything included: in bars of one day, or of as many as it takes for
 * the chart to stay readable. The bars' figures add up to the days'.
 */
export function bucketsOf(
  days: readonly DayFigures[],
  figures: number,
  first: string | null,
  last: string,
): readonly Bucket[] {
  const start = Date.parse(first ?? days[0]?.day ?? last);
  // A day that has just begun elsewhere is not left out.
  const end = Math.max(Date.parse(last), Date.parse(days.at(-1)?.day ?? last));
  const count = Math.round((end - start) / DAY_MS) + 1;
  const step = Math.ceil(count / MOST_BARS);
  return Array.from({ length: Math.ceil(count / step) }, (_, index) => {
    const from = dayOf(start + index * step * DAY_MS);
    const to = dayOf(Math.min(end, start + ((index + 1) * step - 1) * DAY_MS));
    const within = days.filter(({ day }) => day >= from && day <= to);
    return { from, to, values: sumOf(within, figures) };
  });
}
