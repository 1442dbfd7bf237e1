/** A whole number as it is typed: empty for none, undefined for what is no number between the two. */
export function typedNumber(text: string, least: number, most: number): number | null | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  const value = Number(trimmed);
  return /^\d+$/u.test(trimmed) && value >= least && value <= most ? value : undefined;
}
