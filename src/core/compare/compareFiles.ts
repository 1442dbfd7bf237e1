import type { TableComparison, TextComparison, Unavailable } from '../../shared/model/compare.ts';
import { extractText } from '../extract/extractText.ts';
import { EXTRACT_LIMITS, type Extraction, type ExtractLimits } from '../extract/types.ts';
import { compareTables, type TableLimits } from './compareTables.ts';
import { type CompareLimits, compareTexts } from './compareTexts.ts';
import { readTables } from './readTables.ts';

/** A file whose name tells how to read it. */
export interface ComparedFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly fileName: string;
}

/** Two files compared, or why they cannot be. */
export type Compared<T> = { readonly comparison: T } | { readonly unavailable: Unavailable };

/** Tighter than the index's: somebody waits for the answer. */
export const FILE_LIMITS: ExtractLimits = {
  ...EXTRACT_LIMITS,
  maxFileBytes: 64 * 1024 * 1024,
  maxTextLength: 8 * 1024 * 1024,
};

/** Plain files come whole, whatever the limit of text is. */
function limited(extraction: Extraction, { maxTextLength }: ExtractLimits): Extraction {
  if (!extraction.ok) return extraction;
  const length = extraction.sections.reduce((sum, { text }) => sum + text.length, 0);
  if (length <= maxTextLength) return extraction;
  return {
    ok: false,
    code: 'too-large',
    reason: `The document holds more text than the limit of ${maxTextLength} characters.`,
  };
}

/** What was read of a file, or why it was not. */
type Read<T> = (T & { readonly ok: true }) | (Omit<Unavailable, 'version'> & { readonly ok: false });

function compareRead<T, C>(older: Read<T>, newer: Read<T>, compare: (older: T, newer: T) => C): Compared<C> {
  if (!older.ok) {
    const isBoth = !newer.ok && newer.code === older.code;
    return { unavailable: { version: isBoth ? 'both' : 'base', code: older.code, reason: older.reason } };
  }
  if (!newer.ok) return { unavailable: { version: 'other', code: newer.code, reason: newer.reason } };
  return { comparison: compare(older, newer) };
}

/** Takes the texts out of two files and compares them, in this very thread. It never throws for what a file holds. */
export async function compareFiles(
  base: ComparedFile,
  other: ComparedFile,
  limits: Partial<CompareLimits> = {},
): Promise<Compared<TextComparison>> {
  const older = limited(await extractText(base.bytes, base.fileName, FILE_LIMITS), FILE_LIMITS);
  const newer = limited(await extractText(other.bytes, other.fileName, FILE_LIMITS), FILE_LIMITS);
  return compareRead(older, newer, (from, to) => compareTexts(from.sections, to.sections, limits));
}

/** Reads the tables of two files and compares them, in this very thread. It never throws for what a file holds. */
export function compareTableFiles(
  base: ComparedFile,
  other: ComparedFile,
  limits: Partial<TableLimits> = {},
): Compared<TableComparison> {
  const read = ({ bytes, fileName }: ComparedFile) => readTables(bytes, fileName, FILE_LIMITS);
  return compareRead(read(base), read(other), (from, to) => compareTables(from.tables, to.tables, limits));
}
