import { sep } from 'node:path';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type Database from 'better-sqlite3';
import { fold } from '../../shared/rules/fold.ts';
import type { KnownFile, PreparedFile, PreparedText, ShardCounts } from './shardProtocol.ts';
import type { VersionRecord } from './types.ts';

/**
 * Appended to every indexed text, so that its last two characters begin a trigram too: a query of two characters is answered
 * by the trigrams that begin with them.
 */
const SENTINEL = '\u0001\u0001';

/** The form in which a text goes into the trigram index: folded; NUL, at which the tokenizer would stop, replaced. */
export function indexedForm(text: string): Buffer {
  const folded = fold(text);
  return Buffer.from((folded.includes('\0') ? folded.replaceAll('\0', '\uFFFD') : folded) + SENTINEL, 'utf8');
}

/** All statements that change a shard or look something up by key. Each method is one transaction. */
export interface ShardStore {
  putFiles(files: readonly PreparedFile[]): void;
  putText(text: PreparedText): void;
  hasText(hash: Uint8Array): boolean;
  removeFiles(paths: readonly string[]): void;
  removeBelow(path: string): void;
  removeRootsExcept(roots: readonly string[]): void;
  listFiles(root: string): KnownFile[];
  hasFile(path: string): boolean;
  putVersions(records: readonly VersionRecord[]): void;
  versionIds(): string[];
  removeVersions(versionIds: readonly string[]): void;
  renameShelf(shelfId: string, libraryName: string, shelfName: string): void;
  skipped(): { path: string; reason: string }[];
  counts(): ShardCounts;
  indexedBytes(): number;
}

/** The text that the index keeps for a content. */
export function unpackBody(body: Buffer): string {
  return zstdDecompressSync(body).toString('utf8');
}

/** The least string after every path below `folder`. */
function afterBelow(folder: string): string {
  return `${folder}${sep}\u{10FFFF}`;
}

/** Makes the store over a shard's database. */
export function createShardStore(database: Database.Database): ShardStore {
  const one = <T extends unknown[], R>(sql: string) => database.prepare<T, R>(sql);
  const textByHash = one<[Uint8Array], { id: number; has_body: number }>(
    'SELECT id, body IS NOT NULL AS has_body FROM texts WHERE hash = ?',
  );
  const insertText = one(
    'INSERT INTO texts (hash, encoding, sections, body, skip_code, skip_reason) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const setBody = one('UPDATE texts SET body = ? WHERE id = ?');
  const insertTrigrams = one('INSERT INTO trigrams (rowid, body) VALUES (?, ?)');
  const deleteTrigrams = one('DELETE FROM trigrams WHERE rowid = ?');
  const textUsed = one<[number, number], number>(
    'SELECT EXISTS (SELECT 1 FROM files WHERE text_id = ?) OR EXISTS (SELECT 1 FROM versions WHERE text_id = ?)',
  ).pluck();
  const deleteText = one<[number], { skip_code: string | null }>('DELETE FROM texts WHERE id = ? RETURNING skip_code');
  const fileByPath = one<[string], { id: number; text_id: number | null }>(
    'SELECT id, text_id FROM files WHERE path = ?',
  );
  const upsertFile = one(
    `INSERT INTO files (path, root, size, mtime_ms, text_id, skip_code, skip_reason) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (path) DO UPDATE SET root = excluded.root, size = excluded.size, mtime_ms = excluded.mtime_ms,
       text_id = excluded.text_id, skip_code = excluded.skip_code, skip_reason = excluded.skip_reason`,
  );
  const deleteFile = one('DELETE FROM files WHERE id = ?');
  const filesBelow = one<[string, string, string], { path: string }>(
    'SELECT path FROM files WHERE path = ? OR (path >= ? AND path < ?)',
  );
  const rootsOfFiles = one<[], string>('SELECT DISTINCT root FROM files').pluck();
  const filesOfRoot = one<[string], { path: string; size: number; mtimeMs: number }>(
    'SELECT path, size, mtime_ms AS mtimeMs FROM files WHERE root = ?',
  );
  const upsertVersion = one(
    `INSERT INTO versions (version_id, text_id, document_id, shelf_id, library, shelf, name, number, is_current, size,
       commit_hash, message, author, committed_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (version_id) DO UPDATE SET text_id = excluded.text_id, library = excluded.library, shelf = excluded.shelf,
       name = excluded.name, is_current = excluded.is_current`,
  );
  const versionById = one<[string], { id: number; text_id: number }>(
    'SELECT id, text_id FROM versions WHERE version_id = ?',
  );
  const deleteVersion = one('DELETE FROM versions WHERE id = ?');
  const allVersionIds = one<[], string>('SELECT version_id FROM versions').pluck();
  const renameVersions = one('UPDATE versions SET library = ?, shelf = ? WHERE shelf_id = ?');
  const skippedFiles = one<[], { path: string; reason: string }>(
    `SELECT f.path AS path, coalesce(f.skip_reason, t.skip_reason) AS reason FROM files f LEFT JOIN texts t ON t.id = f.text_id
     WHERE f.skip_code IS NOT NULL OR t.skip_code IS NOT NULL
     UNION ALL
     SELECT DISTINCT v.library || '/' || v.shelf || '/' || v.name, t.skip_reason FROM versions v JOIN texts t ON t.id = v.text_id
     WHERE t.skip_code IS NOT NULL`,
  );
  const counts = one<[], ShardCounts>(
    `SELECT (SELECT count(*) FROM files) AS files,
       (SELECT count(*) FROM files f JOIN texts t ON t.id = f.text_id WHERE t.skip_code IS NULL) AS indexed,
       (SELECT count(*) FROM files f LEFT JOIN texts t ON t.id = f.text_id
         WHERE f.skip_code IS NOT NULL OR t.skip_code IS NOT NULL) AS skipped,
       (SELECT count(*) FROM versions) AS versions,
       (SELECT page_count * page_size FROM pragma_page_count, pragma_page_size) AS bytes`,
  );

  const indexedBytes = one<[], number>(
    'SELECT coalesce(sum(f.size), 0) FROM files f JOIN texts t ON t.id = f.text_id WHERE t.skip_code IS NULL',
  ).pluck();

  function collect(textId: number | null): void {
    if (textId === null || textUsed.get(textId, textId) === 1) return;
    if (deleteText.get(textId)?.skip_code === null) deleteTrigrams.run(textId);
  }

  function keepText(text: PreparedText): number {
    const known = textByHash.get(text.hash);
    if (known !== undefined) {
      if (text.keepBody && known.has_body === 0) setBody.run(zstdCompressSync(text.text), known.id);
      return known.id;
    }
    const { lastInsertRowid } = insertText.run(
      text.hash,
      text.encoding,
      text.sections === null ? null : JSON.stringify(text.sections),
      text.keepBody ? zstdCompressSync(text.text) : null,
      text.skip?.code ?? null,
      text.skip?.reason ?? null,
    );
    const id = Number(lastInsertRowid);
    if (text.skip === null) insertTrigrams.run(BigInt(id), indexedForm(text.text));
    return id;
  }

  function removeFile(path: string): void {
    const known = fileByPath.get(path);
    if (known === undefined) return;
    deleteFile.run(known.id);
    collect(known.text_id);
  }

  return {
    putFiles: database.transaction((files: readonly PreparedFile[]) => {
      for (const { file, text } of files) {
        const before = fileByPath.get(file.path);
        const unread = text.hash.length === 0;
        const textId = unread ? null : keepText(text);
        const skip = unread ? text.skip : null;
        upsertFile.run(file.path, file.root, file.size, file.mtimeMs, textId, skip?.code ?? null, skip?.reason ?? null);
        if (before !== undefined && before.text_id !== textId) collect(before.text_id);
      }
    }),
    putText: database.transaction((text: PreparedText) => {
      keepText(text);
    }),
    hasText: (hash) => {
      const known = textByHash.get(hash);
      return known !== undefined && known.has_body === 1;
    },
    removeFiles: database.transaction((paths: readonly string[]) => {
      for (const path of paths) removeFile(path);
    }),
    removeBelow: database.transaction((path: string) => {
      for (const file of filesBelow.all(path, path + sep, afterBelow(path))) removeFile(file.path);
    }),
    removeRootsExcept: database.transaction((roots: readonly string[]) => {
      for (const root of rootsOfFiles.all().filter((each) => !roots.includes(each))) {
        for (const { path } of filesOfRoot.all(root)) removeFile(path);
      }
    }),
    listFiles: (root) => filesOfRoot.all(root),
    hasFile: (path) => fileByPath.get(path) !== undefined,
    putVersions: database.transaction((records: readonly VersionRecord[]) => {
      for (const record of records) {
        const text = textByHash.get(Buffer.from(record.sha256, 'hex'));
        if (text === undefined) continue;
        upsertVersion.run(
          record.versionId,
          text.id,
          record.documentId,
          record.shelfId,
          record.libraryName,
          record.shelfName,
          record.documentName,
          record.number,
          record.isCurrent ? 1 : 0,
          record.size,
          record.commitHash,
          record.commitMessage,
          record.author,
          record.committedAt,
        );
      }
    }),
    versionIds: () => allVersionIds.all(),
    removeVersions: database.transaction((versionIds: readonly string[]) => {
      for (const versionId of versionIds) {
        const known = versionById.get(versionId);
        if (known === undefined) continue;
        deleteVersion.run(known.id);
        collect(known.text_id);
      }
    }),
    renameShelf: (shelfId, libraryName, shelfName) => {
      renameVersions.run(libraryName, shelfName, shelfId);
    },
    skipped: () => skippedFiles.all(),
    counts: () => counts.get() as ShardCounts,
    indexedBytes: () => indexedBytes.get() ?? 0,
  };
}
