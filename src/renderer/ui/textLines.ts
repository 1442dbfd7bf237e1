import type { Range } from '../../shared/model/search.ts';
import { fold } from '../../shared/rules/fold.ts';

/** Where a text occurs in a line, by the fold of the search: the same marks as in the result that led here. */
export function findInLine(line: string, query: string): readonly Range[] {
  if (query === '') return [];
  const haystack = fold(line);
  const needle = fold(query);
  const ranges: Range[] = [];
  for (let at = haystack.indexOf(needle); at >= 0; at = haystack.indexOf(needle, at + needle.length)) {
    ranges.push([at, at + needle.length]);
  }
  return ranges;
}

/** The lines of a text, whatever ends them. */
export function splitLines(text: string): readonly string[] {
  const lines = text.split(/\r\n|\r|\n/u);
  if (lines.length > 1 && lines.at(-1) === '') lines.pop();
  return lines;
}

/** Decodes what has a byte order mark by it, UTF-8 where it is valid, and single bytes otherwise; null for binary content. */
export function decodeText(bytes: Uint8Array<ArrayBuffer>, isCut: boolean): string | null {
  const [a, b] = bytes;
  if (a === 0xff && b === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (a === 0xfe && b === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  if (bytes.includes(0)) return null;
  try {
    // A cut may fall within a character: what is pending at the end is left out.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut });
  } catch {
    // Not UTF-8, so single bytes: what remains readable of an older encoding is shown.
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
