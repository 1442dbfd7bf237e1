import type { MatchItem } from '../../shared/model/search.ts';
import { byteOrderMark, toNfc } from '../../shared/rules/textEncoding.ts';
import type { AsciiLiteral, ByteScan } from './byteScan.ts';
import type { Matcher } from './matcher.ts';
import { matchItems } from './matchItems.ts';
import { NO_RANGES } from './tally.ts';

const NEWLINE = 10;

/** What to look for in the bytes, and who judges the lines that have it. */
interface Sought {
  readonly literal: AsciiLiteral;
  readonly matcher: Matcher;
}

/**
 * What `matchItems` makes of the text in the scan's buffer, one that the scan can count in, when no match reaches across a line:
 * only the lines that are shown become strings.
 */
export function byteItems(scan: ByteScan, size: number, { literal, matcher }: Sought, limit: number): MatchItem[] {
  const { buffer } = scan;
  const items: MatchItem[] = [];
  let counted = byteOrderMark(buffer.subarray(0, Math.min(size, 4)))?.length ?? 0;
  let line = 1;
  let matches = 0;
  let at = scan.find(literal, counted, size);
  while (at !== -1 && items.length < limit) {
    line += scan.lines(counted, at);
    const start = Math.max(counted, buffer.lastIndexOf(NEWLINE, at) + 1);
    const newline = buffer.indexOf(NEWLINE, at);
    const end = newline === -1 || newline > size ? size : newline;
    const text = toNfc(buffer.toString('utf8', start, end));
    const ranges = matcher.findAll([text])[0] ?? NO_RANGES;
    for (const item of matchItems(text, ranges, null, limit - items.length)) {
      items.push({ ...item, line, number: matches + item.number });
    }
    matches += ranges.length;
    counted = end;
    at = scan.find(literal, end, size);
  }
  return items;
}
