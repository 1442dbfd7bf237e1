import Papa from 'papaparse';

/** One table as a text: what is searched, shown and copied all come from the same. */
export interface Sheet {
  /** Empty for the one table of a text file. */
  readonly name: string;
  readonly text: string;
  readonly delimiter: string;
  /** Where each row begins in the text, and where the last one ends. */
  readonly starts: Uint32Array;
  readonly columns: number;
  /** Characters that a column's longest cell takes, of those that were looked at. */
  readonly widths: readonly number[];
  /** Columns of numbers, which stand at the right. */
  readonly numeric: readonly boolean[];
  /** The first row names the columns. */
  readonly hasHeader: boolean;
  /** Cells whose number is a moment, as `row * columns + column`. */
  readonly dates: ReadonlySet<number>;
}

/** A cell's place in its sheet, from 0. */
export interface CellPlace {
  readonly row: number;
  readonly column: number;
}

export const rowCount = ({ starts }: Sheet): number => starts.length - 1;

const rowText = ({ text, starts }: Sheet, row: number): string => text.slice(starts[row], starts[row + 1]);

const parseRow = (text: string, delimiter: string): readonly string[] =>
  text === '' ? [] : (Papa.parse<string[]>(text, { delimiter }).data[0] ?? []);

/** The cells of a row as they are stored. */
export const cellsOf = (sheet: Sheet, row: number): readonly string[] => parseRow(rowText(sheet, row), sheet.delimiter);

/** The row that holds a place in the text. */
export function rowAt({ starts }: Sheet, offset: number): number {
  let low = 0;
  let high = Math.max(0, starts.length - 2);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The cell that holds a place in the text. */
export function cellAt(sheet: Sheet, offset: number): CellPlace {
  const row = rowAt(sheet, offset);
  const before = sheet.text.slice(sheet.starts[row], offset);
  return { row, column: Math.max(0, parseRow(before, sheet.delimiter).length - 1) };
}

/** The row on a line of the text, from 1; of workbooks lines are rows that are not empty, as in search results. */
export function rowOnLine(sheet: Sheet, line: number): number {
  let at = 0;
  for (let lines = 1; lines < line; lines += 1) {
    const next = sheet.text.indexOf('\n', at);
    if (next < 0) break;
    at = next + 1;
  }
  return rowAt(sheet, at);
}

const DAY_MS = 86_400_000;
/** Days from the epoch of spreadsheets, with the leap day of 1900 that never was, to that of computers. */
const EPOCH_DAYS = 25_569;

/** The number by which spreadsheets store a moment. */
export const serialOf = (moment: Date): number => moment.getTime() / DAY_MS + EPOCH_DAYS;

/** A stored moment as its reader writes it: the day, and the time where there is one. */
export function momentText(serial: string, locale: string): string {
  const number = Number(serial);
  if (serial === '' || !Number.isFinite(number)) return serial;
  const hasTime = Math.abs(number - Math.round(number)) > 1e-6;
  // A number within the first day is a time alone.
  const style =
    number < 1 ? { timeStyle: 'short' } : { dateStyle: 'medium', ...(hasTime ? { timeStyle: 'short' } : {}) };
  const moment = new Date(Math.round((number - EPOCH_DAYS) * DAY_MS));
  if (Number.isNaN(moment.getTime())) return serial;
  return moment.toLocaleString(locale, { ...style, timeZone: 'UTC' } as Intl.DateTimeFormatOptions);
}

/** The letters of a column: A to Z, then AA. */
export function columnLetters(column: number): string {
  let letters = '';
  for (let rest = column; rest >= 0; rest = Math.floor(rest / 26) - 1) {
    letters = String.fromCharCode(65 + (rest % 26)) + letters;
  }
  return letters;
}
