import Papa from 'papaparse';
import { cellsOf, rowCount, type Sheet } from './sheet.ts';

/** Rows that are looked at to tell how wide columns are and what they hold. */
const SAMPLE_ROWS = 400;
const NUMBER = /^[-+(]?\s*[\p{Sc}]?\s*\d[\d.,\u00A0\u202F' ]*(?:e[-+]?\d+)?\s*[%\p{Sc})]?$/iu;
const MOST_NUMERIC = 0.8;
const WIDEST = 48;
/** Names of columns are bold. */
const BOLD_WIDTH = 1.15;

function sampleRows(count: number): readonly number[] {
  const step = Math.max(1, Math.floor(count / SAMPLE_ROWS));
  return Array.from({ length: Math.min(count, SAMPLE_ROWS) }, (_, index) => index * step);
}

interface Shape {
  readonly widths: readonly number[];
  readonly numeric: readonly boolean[];
  readonly hasHeader: boolean;
}

function shapeOf(sheet: Sheet): Shape {
  const widths = new Array<number>(sheet.columns).fill(1);
  const filled = new Array<number>(sheet.columns).fill(0);
  const numbers = new Array<number>(sheet.columns).fill(0);
  const [first = 0, ...others] = sampleRows(rowCount(sheet));
  const measure = (cells: readonly string[], isCounted: boolean) => {
    for (const [column, cell] of cells.entries()) {
      const length = isCounted ? cell.length : cell.length * BOLD_WIDTH;
      widths[column] = Math.min(WIDEST, Math.max(widths[column] ?? 1, length));
      if (!isCounted || cell === '') continue;
      filled[column] = (filled[column] ?? 0) + 1;
      if (NUMBER.test(cell)) numbers[column] = (numbers[column] ?? 0) + 1;
    }
  };
  const head = cellsOf(sheet, first);
  measure(head, others.length === 0);
  for (const row of others) measure(cellsOf(sheet, row), true);
  const numeric = numbers.map((count, column) => count > 0 && count >= (filled[column] ?? 0) * MOST_NUMERIC);
  const namesAll = head.length === sheet.columns && head.every((cell) => cell.trim() !== '' && !NUMBER.test(cell));
  return { widths, numeric, hasHeader: namesAll && others.length > 0 && new Set(head).size === head.length };
}

/** A table of a text whose rows are known. */
export function makeSheet(sheet: Pick<Sheet, 'name' | 'text' | 'delimiter' | 'starts' | 'columns' | 'dates'>): Sheet {
  const bare: Sheet = { ...sheet, widths: [], numeric: [], hasHeader: false };
  return { ...bare, ...shapeOf(bare) };
}

const HEAD_ROWS = 100;
const HEAD_LENGTH = 256 * 1024;

/** A table of a text with a delimiter, which is found out. */
export function sheetOfText(text: string): Sheet {
  const starts = [0];
  let columns = 0;
  // By the first rows that are not empty, which would count as rows of one column.
  const { meta: head } = Papa.parse(text.slice(0, HEAD_LENGTH), { preview: HEAD_ROWS, skipEmptyLines: 'greedy' });
  const { delimiter } = head;
  Papa.parse<string[]>(text, {
    delimiter,
    step: ({ data, meta }) => {
      starts.push(meta.cursor);
      columns = Math.max(columns, data.length);
    },
  });
  // What follows the last line end is no row, and the last row ends where the text does.
  if (starts.length > 2 && (starts.at(-2) ?? 0) >= text.length) starts.pop();
  starts[starts.length - 1] = text.length;
  return makeSheet({ name: '', text, delimiter, starts: Uint32Array.from(starts), columns, dates: new Set() });
}

/** A cell of a workbook: what it stores as text, and whether it is a moment. */
export interface StoredCell {
  readonly text: string;
  readonly isDate: boolean;
}

const NEEDS_QUOTES = /["\t\r\n]/u;
const quoted = (text: string) => (NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** A table of cells, written as a text: a line a row, cells apart by tabs, as the index has it. */
export function sheetOfCells(name: string, rows: readonly (readonly StoredCell[])[]): Sheet {
  const parts: string[] = [];
  const starts = [0];
  const dates = new Set<number>();
  const columns = rows.reduce((most, row) => Math.max(most, row.length), 0);
  let length = 0;
  for (const [index, row] of rows.entries()) {
    const used = row.slice(0, row.findLastIndex(({ text }) => text !== '') + 1);
    // A row without cells takes no line.
    const line = used.length === 0 ? '' : `${used.map(({ text }) => quoted(text)).join('\t')}\n`;
    for (const [column, { isDate }] of used.entries()) if (isDate) dates.add(index * columns + column);
    parts.push(line);
    length += line.length;
    starts.push(length);
  }
  return makeSheet({ name, text: parts.join(''), delimiter: '\t', starts: Uint32Array.from(starts), columns, dates });
}
