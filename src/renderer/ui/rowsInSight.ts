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
