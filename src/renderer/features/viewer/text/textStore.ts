import type { FindText } from '../../../../shared/rules/find.ts';
import { firstAbove } from '../ordered.ts';

/** A row of a text as it is shown: a line, or a part of a very long one. */
export interface TextRow {
  readonly text: string;
  /** Where it begins in the whole text. */
  readonly start: number;
  /** Number of the line that it begins, from 1; null for the further parts of a long line. */
  readonly line: number | null;
}

/** A text that comes in by and by, with an index of its rows. It is never joined: it may be longer than a string can be. */
export interface TextStore extends FindText {
  readonly isWhole: boolean;
  readonly rowCount: number;
  readonly lineCount: number;
  append(text: string): void;
  /** There is no more. */
  end(): void;
  rows(from: number, to: number): TextRow[];
  /** Row that a place of the text is in. */
  rowAt(position: number): number;
  /** The first row of a line; of the last where there are fewer. */
  rowOfLine(line: number): number;
}

/** A longer line is shown in parts: browsers lay out a row of megabytes for minutes. */
export const LONGEST_ROW = 2000;

const isWithinPair = (text: string) => /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/u.test(text);

/** Makes an empty store. */
export function createTextStore(): TextStore {
  const pieces: string[] = [];
  const pieceStarts: number[] = [];
  const continued: number[] = [];
  let starts = new Uint32Array(1024);
  let rowCount = 1;
  let length = 0;
  let isWhole = false;
  let lineEnd = '\n';

  function addRow(start: number): void {
    if (rowCount === starts.length) {
      const larger = new Uint32Array(starts.length * 2);
      larger.set(starts);
      starts = larger;
    }
    starts[rowCount] = start;
    rowCount += 1;
  }

  function slice(start: number, end: number): string {
    const last = Math.min(end, length);
    if (start >= last) return '';
    const parts: string[] = [];
    for (let at = firstAbove(pieceStarts, start) - 1; at < pieces.length; at += 1) {
      const from = pieceStarts[at] ?? 0;
      if (from >= last) break;
      parts.push((pieces[at] ?? '').slice(Math.max(0, start - from), last - from));
    }
    return parts.length === 1 ? (parts[0] ?? '') : parts.join('');
  }

  /** Begins rows within a line that reaches to `end`, so that none is too long. */
  function breakLine(end: number): void {
    for (let start = starts[rowCount - 1] ?? 0; end - start > LONGEST_ROW; ) {
      start += LONGEST_ROW;
      if (isWithinPair(slice(start - 1, start + 1))) start -= 1;
      continued.push(rowCount);
      addRow(start);
    }
  }

  const lineIndex = (row: number) => row - firstAbove(continued, row);

  return {
    get length() {
      return length;
    },
    get isWhole() {
      return isWhole;
    },
    get rowCount() {
      return rowCount;
    },
    get lineCount() {
      return rowCount - continued.length;
    },
    slice,
    append(text) {
      if (text === '') return;
      // Old texts end their lines with this alone.
      if (pieces.length === 0 && !text.includes('\n') && text.includes('\r')) lineEnd = '\r';
      const base = length;
      pieces.push(text);
      pieceStarts.push(base);
      length += text.length;
      for (let at = text.indexOf(lineEnd); at >= 0; at = text.indexOf(lineEnd, at + 1)) {
        breakLine(base + at);
        addRow(base + at + 1);
      }
      breakLine(length);
    },
    end() {
      isWhole = true;
      // What ends the last line begins none.
      if (rowCount > 1 && starts[rowCount - 1] === length) rowCount -= 1;
    },
    rows(from, to) {
      const rows: TextRow[] = [];
      for (let row = Math.max(0, from); row < Math.min(to, rowCount); row += 1) {
        const start = starts[row] ?? 0;
        const end = row + 1 < rowCount ? (starts[row + 1] ?? length) : length;
        const index = lineIndex(row);
        const isFurther = row > 0 && lineIndex(row - 1) === index;
        rows.push({ text: slice(start, end).replace(/[\r\n]+$/u, ''), start, line: isFurther ? null : index + 1 });
      }
      return rows;
    },
    rowAt: (position) => Math.max(0, firstAbove(starts.subarray(0, rowCount), position) - 1),
    rowOfLine(line) {
      let low = 0;
      let high = rowCount - 1;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (lineIndex(middle) >= line - 1) high = middle;
        else low = middle + 1;
      }
      return low;
    },
  };
}
