import { extname } from 'node:path';

/** A format whose text has to be taken out. Everything else is tried as plain text. */
export type ContainerFormat =
  | 'pdf'
  | 'docx'
  | 'pptx'
  | 'xlsx'
  | 'odt'
  | 'ods'
  | 'odp'
  | 'epub'
  | 'html'
  | 'rtf'
  | 'eml'
  | 'zip';

const BY_EXTENSION: Readonly<Record<string, ContainerFormat>> = {
  '.pdf': 'pdf',
  '.docx': 'docx',
  '.docm': 'docx',
  '.dotx': 'docx',
  '.pptx': 'pptx',
  '.pptm': 'pptx',
  '.ppsx': 'pptx',
  '.xlsx': 'xlsx',
  '.xlsm': 'xlsx',
  '.odt': 'odt',
  '.ott': 'odt',
  '.ods': 'ods',
  '.odp': 'odp',
  '.epub': 'epub',
  '.html': 'html',
  '.htm': 'html',
  '.xhtml': 'html',
  '.rtf': 'rtf',
  '.eml': 'eml',
  '.zip': 'zip',
};

const PDF_MAGIC = '%PDF-';
/** Old Office files, and new ones that are encrypted. */
const OLE2_MAGIC = 'd0cf11e0a1b11ae1';

/** The container format that a file's name promises, or null. */
export function containerFormat(fileName: string): ContainerFormat | null {
  return BY_EXTENSION[extname(fileName).toLowerCase()] ?? null;
}

/** Whether a file is read through the extraction thread rather than as plain text. */
export function isContainer(fileName: string): boolean {
  return containerFormat(fileName) !== null;
}

/** What a file's first bytes say it is, when they say anything. */
export function sniffFormat(bytes: Uint8Array): 'pdf' | 'ole2' | 'zip' | null {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1024));
  if (head.toString('latin1').includes(PDF_MAGIC)) return 'pdf';
  if (head.toString('hex', 0, 8) === OLE2_MAGIC) return 'ole2';
  return head.toString('latin1', 0, 4) === 'PK\u0003\u0004' ? 'zip' : null;
}
