import type { Range } from '../../shared/model/search.ts';

/** Cuts a text at its ranges. Ranges that overlap or leave the text are clipped, so that no input can break the list. */
export function splitByRanges(
  text: string,
  ranges: readonly Range[],
): readonly { readonly text: string; readonly marked: boolean; readonly at: number }[] {
  const pieces: { text: string; marked: boolean; at: number }[] = [];
  let at = 0;
  for (const [from, to] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const start = Math.min(Math.max(from, at), text.length);
    const end = Math.min(to, text.length);
    if (end <= start) continue;
    if (start > at) pieces.push({ text: text.slice(at, start), marked: false, at });
    pieces.push({ text: text.slice(start, end), marked: true, at: start });
    at = end;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), marked: false, at });
  return pieces;
}

/** The start of a long line is cut so that its first mark is in sight; ranges move along. */
export function snippetOf(
  text: string,
  ranges: readonly Range[],
  lead = 40,
  max = 320,
): { readonly text: string; readonly ranges: readonly Range[] } {
  const trimmed = text.length - text.trimStart().length;
  const first = ranges[0]?.[0] ?? 0;
  let from = Math.min(trimmed, first);
  if (first - from > lead) {
    const space = text.indexOf(' ', first - lead);
    from = space >= 0 && space < first ? space + 1 : first - lead;
  }
  // A surrogate pair is not cut in two.
  if (from > 0 && /[\uDC00-\uDFFF]/u.test(text.charAt(from))) from -= 1;
  const cut = from > trimmed;
  const prefix = cut ? '…' : '';
  const shift = from - prefix.length;
  return {
    text: prefix + text.slice(from, from + max).trimEnd(),
    ranges: ranges.map(([start, end]): Range => [Math.max(start - shift, 0), Math.max(end - shift, 0)]),
  };
}
