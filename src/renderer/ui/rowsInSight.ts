/** The rows to draw: from the first up to, without it, the end. */
export interface RowRange {
  readonly first: number;
  readonly end: number;
}

export const NO_ROWS: RowRange = { first: 0, end: 0 };

/** Which of `count` rows, all as tall as each other, are within the sight when their list begins `above` pixels over it. */
export function rowsInSight(above: number, height: number, sight: number, count: number, spare: number): RowRange {
  if (count === 0 || height <= 0) return NO_ROWS;
  const at = (pixels: number) => Math.max(0, Math.min(count, pixels));
  return { first: at(Math.floor(above / height) - spare), end: at(Math.ceil((above + sight) / height) + spare) };
}

/** Whether all rows of the one range are also in the other. */
export const isWithin = (inner: RowRange, outer: RowRange): boolean =>
  inner.first >= outer.first && inner.end <= outer.end;

/** How many rows two ranges share. */
export const sharedRows = (a: RowRange, b: RowRange): number =>
  Math.max(0, Math.min(a.end, b.end) - Math.max(a.first, b.first));

/** A range made larger by so many rows within another, downwards first; what lies outside of that is left out. */
export function widened(range: RowRange, within: RowRange, rows: number): RowRange {
  const isApart = sharedRows(range, within) === 0;
  const first = isApart ? within.first : Math.max(range.first, within.first);
  const before = isApart ? within.first : Math.min(range.end, within.end);
  const end = Math.min(before + rows, within.end);
  return { first: Math.max(within.first, first - (rows - (end - before))), end };
}
