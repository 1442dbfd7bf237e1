import { lstatSync } from 'node:fs';
import { zstdDecompressSync } from 'node:zlib';
import type Database from 'better-sqlite3';
import { decodeAs, decodeText } from '../extract/decodeText.ts';
import { EXTRACT_LIMITS } from '../extract/types.ts';
import type { ByteScan } from './byteScan.ts';
import { sectionsOf } from './entry.ts';
import type { FileEntry } from './fileCorpus.ts';
import type { Sections } from './prepare.ts';
import { readExpected, readRegularFile } from './readRegularFile.ts';

/** The text that verification looks at. */
export interface CurrentText {
  /** Decodes it; what was read from disk is there until the next text is read. */
  readonly decode: () => string;
  readonly sections: Sections | null;
  /** Where it stands in the scan's buffer in a way that the scan can count in; null for what has to be decoded. */
  readonly scanned: { readonly size: number; readonly length: number } | null;
}

/** Gets the text of a file as it is now: a plain one from disk, any other as the index keeps it. */
export interface CurrentTexts {
  /** Null when there is none to search, or no longer. A file that is not what the index says is told to `onStale`. */
  read(entry: FileEntry, onStale: (path: string) => void): CurrentText | null;
}

/** Opens the texts of a shard, which are read into the buffer of `scan`. */
export function openCurrentTexts(database: Database.Database, scan: ByteScan): CurrentTexts {
  const bodyById = database.prepare<[number], Buffer | null>('SELECT body FROM texts WHERE id = ?').pluck();
  const { buffer } = scan;

  function kept(entry: FileEntry): CurrentText | null {
    const body = entry.textId === null ? null : bodyById.get(entry.textId);
    if (body === undefined || body === null) return null;
    return { decode: () => zstdDecompressSync(body).toString('utf8'), sections: sectionsOf(entry), scanned: null };
  }

  function plain(bytes: Buffer, encoding: string): CurrentText {
    const length = encoding === 'utf-8' && bytes.buffer === buffer.buffer ? scan.measure(bytes.length) : null;
    return {
      decode: () => decodeAs(bytes, encoding),
      sections: null,
      scanned: length === null ? null : { size: bytes.length, length },
    };
  }

  function fromDisk(entry: FileEntry, encoding: string, onStale: (path: string) => void): CurrentText | null {
    const { path } = entry;
    const expected = readExpected(path, entry.size, buffer);
    if (expected !== null) return plain(expected, encoding);
    const read = readRegularFile(path, EXTRACT_LIMITS.maxFileBytes, buffer);
    if (read.kind !== 'read') {
      onStale(path);
      return null;
    }
    if (read.size === entry.size && read.mtimeMs === entry.mtimeMs) return plain(read.bytes, encoding);
    onStale(path);
    const decoded = decodeText(read.bytes);
    return decoded === null ? null : { decode: () => decoded.text, sections: null, scanned: null };
  }

  return {
    read(entry, onStale) {
      if (entry.textId === null || entry.isSkipped) return null;
      if (entry.form === 'plain') return fromDisk(entry, entry.encoding ?? 'utf-8', onStale);
      const stats = lstatSync(entry.path, { throwIfNoEntry: false });
      if (stats?.size !== entry.size || stats.mtimeMs !== entry.mtimeMs) onStale(entry.path);
      return stats === undefined ? null : kept(entry);
    },
  };
}
