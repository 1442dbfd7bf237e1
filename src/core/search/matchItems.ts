import type { MatchItem, Range } from '../../shared/model/search.ts';
import type { Sections } from './prepare.ts';

/** Longer lines are shown by windows around their matches. */
const LONG_LINE = 400;
const WINDOW = 120;

const WHOLE: Sections = [['Content', 0]];

/** A piece of a line, its matches moved along. */
function windowed(line: string, matches: readonly Range[]): { text: string; ranges: Range[] }[] {
  if (line.length <= LONG_LINE) return [{ text: line, ranges: [...matches] }];
  const pieces: { text: string; ranges: Range[] }[] = [];
  let index = 0;
  while (index < matches.length) {
    const [first] = matches[index] as Range;
    const start = Math.max(0, first - WINDOW);
    const end = Math.min(line.length, start + LONG_LINE);
    const inside: Range[] = [];
    while (index < matches.length) {
      const [from, to] = matches[index] as Range;
      if (from >= end) break;
      inside.push([from - start, Math.min(to, end) - start]);
      index += 1;
    }
    pieces.push({ text: line.slice(start, end), ranges: inside });
  }
  return pieces;
}

/** Items for the matches of a text: one a line, or one a piece of a long line, at most `limit` of them. */
export function matchItems(
  text: string,
  matches: readonly Range[],
  sections: Sections | null,
  limit: number,
): MatchItem[] {
  const items: MatchItem[] = [];
  const parts = sections ?? WHOLE;
  let section = 0;
  let line = 1;
  let counted = parts[0]?.[1] ?? 0;
  for (let index = 0; index < matches.length && items.length < limit; ) {
    const [start] = matches[index] as Range;
    while (section + 1 < parts.length && (parts[section + 1]?.[1] ?? 0) <= start) {
      section += 1;
      line = 1;
      counted = parts[section]?.[1] ?? 0;
    }
    for (let at = text.indexOf('\n', counted); at !== -1 && at < start; at = text.indexOf('\n', counted)) {
      line += 1;
      counted = at + 1;
    }
    const lineEnd = text.indexOf('\n', start);
    const end = lineEnd === -1 ? text.length : lineEnd;
    const shown = text.slice(counted, text.charCodeAt(end - 1) === 13 ? end - 1 : end);
    const first = index;
    const inLine: Range[] = [];
    while (index < matches.length && (matches[index] as Range)[0] <= end) {
      const [from, to] = matches[index] as Range;
      inLine.push([from - counted, Math.min(to - counted, shown.length)]);
      index += 1;
    }
    let number = first + 1;
    for (const piece of windowed(shown, inLine)) {
      if (items.length >= limit) break;
      items.push({ type: parts[section]?.[0] ?? 'Content', number, line, text: piece.text, ranges: piece.ranges });
      number += piece.ranges.length;
    }
  }
  return items;
}
