import { expose, transfer } from 'comlink';
import readWorkbook from 'read-excel-file/universal';
import { type ErrorDetails, isAppError } from '../../../../shared/errors.ts';
import { refused } from '../kit/refusal.ts';
import { decodeWhole } from '../text/decoding.ts';
import { openParts } from '../zip/archive.ts';
import { type StoredCell, sheetOfCells, sheetOfText } from './makeSheet.ts';
import { openDocumentSheets } from './openDocumentSheets.ts';
import { type Sheet, serialOf } from './sheet.ts';

export type TableFormat = 'text' | 'xlsx' | 'ods';

/** Tables, or why there are none: errors lose their codes on the way between threads. */
export type TableAnswer = { readonly sheets: readonly Sheet[] } | { readonly refusal: ErrorDetails };

/** A number as it is stored, told from a text that looks like one. */
interface StoredNumber {
  readonly stored: string;
}

/** The shortest text of a stored number: floating point leaves noise behind that no application shows. */
function numberText(stored: string): string {
  const number = Number(stored);
  return /\.\d{12,}/u.test(stored) && Number.isFinite(number) ? String(Number(number.toPrecision(15))) : stored;
}

function storedCell(value: unknown): StoredCell {
  if (value instanceof Date) return { text: String(serialOf(value)), isDate: true };
  if (value === null || value === undefined) return { text: '', isDate: false };
  if (typeof value === 'object') return { text: numberText((value as StoredNumber).stored), isDate: false };
  if (typeof value === 'boolean') return { text: value ? 'TRUE' : 'FALSE', isDate: false };
  return { text: String(value).normalize('NFC'), isDate: false };
}

async function workbook(bytes: Uint8Array<ArrayBuffer>): Promise<readonly Sheet[]> {
  const parts = openParts(bytes);
  if (!parts.names.includes('xl/workbook.xml')) throw refused('damaged');
  const sheets = await readWorkbook(bytes.buffer, {
    trim: false,
    parseNumber: (stored): StoredNumber => ({ stored }),
  }).catch((error: unknown) => {
    throw refused('damaged', error);
  });
  return sheets.map(({ sheet, data }) =>
    sheetOfCells(
      sheet,
      data.map((row) => row.map(storedCell)),
    ),
  );
}

function openDocument(bytes: Uint8Array<ArrayBuffer>): readonly Sheet[] {
  const parts = openParts(bytes);
  if (/<manifest:encryption-data\b/u.test(parts.text('META-INF/manifest.xml') ?? '')) throw refused('encrypted');
  const xml = parts.text('content.xml');
  if (xml === null) throw refused('damaged');
  return openDocumentSheets(xml).map(({ name, rows }) => sheetOfCells(name, rows));
}

function delimited(bytes: Uint8Array<ArrayBuffer>): readonly Sheet[] {
  const text = decodeWhole(bytes);
  if (text === null) throw refused('damaged');
  return [sheetOfText(text.normalize('NFC'))];
}

const READERS = { text: delimited, xlsx: workbook, ods: openDocument };

const tables = {
  /** Reads the tables of a file. */
  async read(bytes: Uint8Array<ArrayBuffer>, format: TableFormat): Promise<TableAnswer> {
    try {
      const sheets = await READERS[format](bytes);
      return transfer(
        { sheets },
        sheets.map(({ starts }) => starts.buffer as ArrayBuffer),
      );
    } catch (error) {
      if (isAppError(error, 'unsupported') && error.details !== undefined) return { refusal: error.details };
      throw error;
    }
  },
};

export type Tables = typeof tables;
expose(tables);
