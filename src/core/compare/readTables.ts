import { extname } from 'node:path';
import Papa from 'papaparse';
import type { TextProblem } from '../../shared/model/documentText.ts';
import { decodeText } from '../extract/decodeText.ts';
import { type Archive, ArchiveLimitError, openArchive } from '../extract/formats/archive.ts';
import { listed, sharedStrings } from '../extract/formats/office.ts';
import { isEncryptedOpenDocument } from '../extract/formats/openDocument.ts';
import { parseXml } from '../extract/formats/xml.ts';
import { sniffFormat } from '../extract/formats.ts';
import type { ExtractLimits } from '../extract/types.ts';
import { createDateStyles } from './sheetDates.ts';

/** Cells as they are shown. Rows may be of different lengths, and those without cells are there too. */
export interface Table {
  /** Of the sheet; empty for a file that is one table. */
  readonly name: string;
  readonly rows: readonly (readonly string[])[];
}

/** The tables of a file, or why there are none. */
export type ReadTables =
  | { readonly ok: true; readonly tables: readonly Table[] }
  | { readonly ok: false; readonly code: TextProblem; readonly reason: string };

/** A sheet of nearly nothing can say that it has millions of rows, each with thousands of cells. */
const MAX_CELLS = 4_000_000;
const MAX_COLUMNS = 16_384;
const MAX_ROWS = 1_048_576;

class TableLimitError extends ArchiveLimitError {
  constructor() {
    super(`The tables hold more than the limit of ${MAX_CELLS} cells.`);
  }
}

/** Collects the cells of a table at their places, within the limits. */
function createGrid(name: string) {
  const rows: string[][] = [];
  let cells = 0;
  return {
    put(row: number, column: number, text: string): void {
      if (text === '' || row < 0 || row >= MAX_ROWS || column < 0 || column >= MAX_COLUMNS) return;
      while (rows.length <= row) rows.push([]);
      const own = rows[row] ?? [];
      cells += Math.max(0, column + 1 - own.length);
      if (cells + rows.length > MAX_CELLS) throw new TableLimitError();
      while (own.length < column) own.push('');
      own[column] = text;
    },
    table: (): Table => ({ name, rows }),
  };
}

function readText(text: string, delimiter: string): Table {
  // An empty line at the end would be a row of one cell, by which other separators are not found.
  const body = text.replace(/^\uFEFF/u, '').trimEnd();
  const rows = body === '' ? [] : Papa.parse<string[]>(body, { delimiter }).data;
  if (rows.reduce((sum, row) => sum + row.length, 0) > MAX_CELLS) throw new TableLimitError();
  return { name: '', rows };
}

/** `AB12` as row and column, from 0. */
function placeOf(reference: string): readonly [number, number] | null {
  const [, letters, digits] = /^([A-Z]{1,3})(\d{1,7})$/u.exec(reference) ?? [];
  if (letters === undefined) return null;
  const column = Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
  return [Number(digits) - 1, column - 1];
}

const BOOLEANS: Readonly<Record<string, string>> = { '0': 'FALSE', '1': 'TRUE' };

function readXlsx(archive: Archive): Table[] {
  const strings = sharedStrings(archive.read('xl/sharedStrings.xml'));
  const dates = createDateStyles(archive.read('xl/styles.xml'), archive.read('xl/workbook.xml'));
  return listed(archive, 'xl/workbook.xml', 'sheet').map(({ path, name }) => {
    const grid = createGrid(name);
    let [row, column] = [-1, -1];
    let [type, style, value] = ['', '', ''];
    let [inValue, inPhonetic] = [false, false];
    const shown = () => {
      if (type === 's') return strings[Number(value)] ?? '';
      if (type === 'b') return BOOLEANS[value] ?? value;
      return type === '' || type === 'n' ? dates.shown(value, style) : value;
    };
    parseXml(archive.read(path) ?? '', {
      open(element, { r, t, s }) {
        if (element === 'row') [row, column] = [r === undefined ? row + 1 : Number(r) - 1, -1];
        else if (element === 'c') {
          [row, column] = placeOf(r ?? '') ?? [row, column + 1];
          [type, style, value] = [t ?? '', s ?? '', ''];
        } else if (element === 'rPh') inPhonetic = true;
        else if (element === 'v' || element === 't') inValue = !inPhonetic;
      },
      close(element) {
        if (element === 'v' || element === 't') inValue = false;
        else if (element === 'rPh') inPhonetic = false;
        else if (element === 'c') grid.put(row, column, shown());
      },
      text(text) {
        if (inValue) value += text;
      },
    });
    return grid.table();
  });
}

function readOds(archive: Archive): Table[] {
  const grids: ReturnType<typeof createGrid>[] = [];
  let [row, column, rowsAlike, cellsAlike] = [0, 0, 1, 1];
  let cells: (readonly [number, string])[] = [];
  let text = '';
  let [paragraphs, notes] = [0, 0];
  const times = (repeated: string | undefined) => Math.max(1, Number(repeated ?? 1) || 1);
  const isCell = (name: string) => name === 'table:table-cell' || name === 'table:covered-table-cell';
  parseXml(archive.read('content.xml') ?? '', {
    open(name, attributes) {
      if (name === 'table:table') {
        grids.push(createGrid(attributes['table:name'] ?? ''));
        row = 0;
      } else if (name === 'table:table-row') {
        [column, rowsAlike, cells] = [0, times(attributes['table:number-rows-repeated']), []];
      } else if (isCell(name)) {
        [text, cellsAlike, paragraphs] = ['', times(attributes['table:number-columns-repeated']), 0];
      } else if (name === 'office:annotation') notes += 1;
      else if (name === 'text:p' && notes === 0) {
        text += paragraphs === 0 ? '' : '\n';
        paragraphs += 1;
      }
    },
    close(name) {
      if (name === 'office:annotation') notes -= 1;
      else if (isCell(name)) {
        // What is empty to the end of the sheet is told as one cell that repeats.
        for (let at = 0; text !== '' && at < cellsAlike && column + at < MAX_COLUMNS; at += 1) {
          cells.push([column + at, text]);
        }
        column += cellsAlike;
        paragraphs = 0;
      } else if (name === 'table:table-row') {
        for (let at = 0; cells.length > 0 && at < rowsAlike && row + at < MAX_ROWS; at += 1) {
          for (const [place, each] of cells) grids.at(-1)?.put(row + at, place, each);
        }
        row += rowsAlike;
      }
    },
    text(each) {
      if (paragraphs > 0 && notes === 0) text += each;
    },
  });
  return grids.map(({ table }) => table());
}

const WORKBOOKS: Readonly<Record<string, (archive: Archive) => Table[]>> = {
  '.xlsx': readXlsx,
  '.xlsm': readXlsx,
  '.ods': readOds,
};
/** Papa Parse finds out for itself what an empty one is. */
const DELIMITERS: Readonly<Record<string, string>> = { '.csv': '', '.tsv': '\t' };

const problem = (code: TextProblem, reason: string): ReadTables => ({ ok: false, code, reason });

/** Reads the tables of a file. It never throws for what a file holds. */
export function readTables(bytes: Uint8Array, fileName: string, limits: ExtractLimits): ReadTables {
  const extension = extname(fileName).toLowerCase();
  const [delimiter, readWorkbook] = [DELIMITERS[extension], WORKBOOKS[extension]];
  if (delimiter === undefined && readWorkbook === undefined) return problem('unsupported', 'No table.');
  if (sniffFormat(bytes) === 'ole2') return problem('password-protected', 'The document is protected by a password.');
  try {
    if (readWorkbook === undefined) {
      const decoded = decodeText(bytes);
      return decoded === null
        ? problem('binary', 'Not text.')
        : { ok: true, tables: [readText(decoded.text, delimiter ?? '')] };
    }
    const archive = openArchive(bytes, limits);
    if (isEncryptedOpenDocument(archive)) {
      return problem('password-protected', 'The document is protected by a password.');
    }
    const tables = readWorkbook(archive);
    return tables.length === 0
      ? problem('damaged', 'The document is damaged or is not what its name says.')
      : { ok: true, tables };
  } catch (error) {
    if (error instanceof ArchiveLimitError) return problem('limit-reached', error.message);
    // Whatever it met is the file's: what a parser throws has no common form.
    return problem('damaged', 'The document is damaged or is not what its name says.');
  }
}
