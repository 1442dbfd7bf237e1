import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Extractor } from '../extract/extractor.ts';
import { EXTRACT_LIMITS, type Extraction, type SkipCode } from '../extract/types.ts';
import type { PreparedFile, PreparedText, SeenFile } from './shardProtocol.ts';

/** A hash that no content has: for files whose content was not read. */
const UNREAD = new Uint8Array(0);

/** SHA-256 of a content. */
export function contentHash(bytes: Uint8Array): Uint8Array {
  return createHash('sha256').update(bytes).digest();
}

function unread(code: SkipCode, reason: string): PreparedText {
  return { hash: UNREAD, encoding: '', text: '', sections: null, keepBody: false, skip: { code, reason } };
}

/** The text of an extraction as the index keeps it: sections one after the other, with where each starts. */
export function preparedText(hash: Uint8Array, extraction: Extraction, keepBody: boolean): PreparedText {
  if (!extraction.ok) {
    const { code, reason } = extraction;
    return { hash, encoding: '', text: '', sections: null, keepBody: false, skip: { code, reason } };
  }
  const sections: [string, number][] = [];
  let start = 0;
  for (const { label, text } of extraction.sections) {
    sections.push([label, start]);
    start += text.length + 1;
  }
  const single = sections.length === 1 && sections[0]?.[0] === 'Content';
  return {
    hash,
    encoding: extraction.encoding,
    text: extraction.sections.map(({ text }) => text).join('\n'),
    sections: single ? null : sections,
    keepBody: keepBody || extraction.form === 'container',
    skip: null,
  };
}

const READ_FAILURES: Readonly<Record<string, readonly [SkipCode, string]>> = {
  EACCES: ['not-readable', 'You may not read the file.'],
  EPERM: ['not-readable', 'You may not read the file.'],
  EISDIR: ['not-a-file', 'Not a regular file.'],
  ENOENT: ['vanished', 'The file vanished while it was read.'],
  ENOTDIR: ['vanished', 'The file vanished while it was read.'],
};

/** Shortage of file descriptors is not the file's fault: the scan has to come back to it. */
function isShortage(error: NodeJS.ErrnoException): boolean {
  return error.code === 'EMFILE' || error.code === 'ENFILE';
}

/**
 * Reads a file and takes its text out; what cannot be read becomes a reason. Null when it is gone.
 * @throws what is not the file's fault, such as a shortage of file descriptors.
 */
export async function prepareFile(file: SeenFile, extractor: Extractor): Promise<PreparedFile | null> {
  if (file.skip !== undefined) return { file, text: unread(file.skip.code, file.skip.reason) };
  if (file.size > EXTRACT_LIMITS.maxFileBytes) {
    const limit = EXTRACT_LIMITS.maxFileBytes / 1024 / 1024;
    return { file, text: unread('too-large', `Larger than ${limit} MB; only its name is searched.`) };
  }
  let bytes: Uint8Array;
  try {
    bytes = await readFile(file.path);
  } catch (error) {
    const failure = error as NodeJS.ErrnoException;
    if (isShortage(failure)) throw error;
    if (failure.code === 'ENOENT' || failure.code === 'ENOTDIR') return null;
    const [code, reason] = READ_FAILURES[failure.code ?? ''] ?? ['not-readable', `Reading failed (${failure.code}).`];
    return { file, text: unread(code, reason) };
  }
  return { file, text: preparedText(contentHash(bytes), await extractor.extract(bytes, basename(file.path)), false) };
}
