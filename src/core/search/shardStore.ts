import { basename, sep } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import type Database from 'better-sqlite3';
import { AppError } from '../../shared/errors.ts';
import { packKnownFiles } from '../watch/knownFiles.ts';
import type { PreparedText } from './prepare.ts';
import type { ShardPostings } from './shardPostings.ts';
import type { KnownFiles, SeenFile, ShardCounts } from './shardProtocol.ts';

/** A content by its hash and format. */
export interface ContentKey {
  readonly hash: Uint8Array;
  readonly format: string;
}

/** A file on its way into the shard that owns its content. */
export interface StoredFile {
  readonly file: SeenFile;
  /** When reading it began; 0 when that failed and may succeed another time. */
  readonly readMs: number;
  /** Null for what was not read; the file says why. */
  readonly content: (ContentKey & { readonly text: PreparedText | null }) | null;
}

/** All statements that change the files of a shard or look one up by key. Each method is one transaction. */
export interface ShardStore {
  /** The text of a content may be null when it is here already (`hasText`). */
  putFiles(files: readonly StoredFile[]): void;
  /** Whether a content's text, or the reason why it has none, is here. */
  hasText(key: ContentKey): boolean;
  removeFiles(paths: readonly string[]): void;
  removeBelow(paths: readonly string[]): void;
  removeRootsExcept(roots: readonly string[]): void;
  listFiles(root: string): KnownFiles;
  hasFile(path: string): boolean;
  skipped(): { path: string; reason: string }[];
  /** Forgets what stands against files without text: they have to be read again. */
  forgetSkipped(): void;
  counts(): ShardCounts;
  indexedBytes(): number;
}

/** The least string after every path below `folder`. */
function afterBelow(folder: string): string {
  return `${folder}${sep}\u{10FFFF}`;
}

/** Makes the store over a shard's database. */
export function createShardStore(database: Database.Database, postings: ShardPostings): ShardStore {
  const one = <T extends unknown[], R>(sql: string) => database.prepare<T, R>(sql);
  const textByKey = one<[ContentKey], number>(
    'SELECT id FROM texts WHERE substr(hash, 1, 8) = substr(:hash, 1, 8) AND hash = :hash AND format = :format',
  ).pluck();
  const insertText = one(
    `INSERT INTO texts (hash, format, form, encoding, sections, body, skip_code, skip_reason)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const textUsed = one<[number], number>('SELECT EXISTS (SELECT 1 FROM files WHERE text_id = ?)').pluck();
  const deleteText = one('DELETE FROM texts WHERE id = ?');
  const fileByPath = one<[string], { id: number; text_id: number | null }>(
    'SELECT id, text_id FROM files WHERE path = ?',
  );
  const insertFile = one(
    `INSERT INTO files (path, root, size, mtime_ms, ctime_ms, inode, read_ms, time, text_id, skip_code, skip_reason)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const updateFile = one(
    `UPDATE files SET root = ?, size = ?, mtime_ms = ?, ctime_ms = ?, inode = ?, read_ms = ?, time = ?, text_id = ?,
       skip_code = ?, skip_reason = ? WHERE id = ?`,
  );
  const deleteFile = one('DELETE FROM files WHERE id = ?');
  const filesBelow = one<[string, string, string], { path: string }>(
    'SELECT path FROM files WHERE path = ? OR (path >= ? AND path < ?)',
  );
  const rootsOfFiles = one<[], string>('SELECT DISTINCT root FROM files').pluck();
  const pathsOfRoot = one<[string], string>('SELECT path FROM files WHERE root = ?').pluck();
  const filesOfRoot = one<[string], [string, number, number, number, number, number]>(
    'SELECT path, size, mtime_ms, ctime_ms, inode, read_ms FROM files WHERE root = ?',
  ).raw();
  const skippedFiles = one<[], { path: string; reason: string }>(
    `SELECT f.path AS path, coalesce(f.skip_reason, t.skip_reason) AS reason FROM files f LEFT JOIN texts t ON t.id = f.text_id
     WHERE f.skip_code IS NOT NULL OR t.skip_code IS NOT NULL
     UNION ALL
     SELECT DISTINCT v.library || '/' || v.shelf || '/' || v.name, t.skip_reason
     FROM versions v JOIN version_texts t ON t.id = v.text_id WHERE t.skip_code IS NOT NULL`,
  );
  const forgetSkippedFiles = one(
    `UPDATE files SET read_ms = 0, text_id = NULL
     WHERE skip_code IS NOT NULL OR text_id IN (SELECT id FROM texts WHERE skip_code IS NOT NULL)`,
  );
  const forgetSkippedTexts = one('DELETE FROM texts WHERE skip_code IS NOT NULL');
  // A file has a reason of its own or a text, which may have one: each sum is over a small index.
  const counts = one<[], Omit<ShardCounts, 'indexed'>>(
    `SELECT (SELECT count(*) FROM files) AS files,
       (SELECT count(*) FROM files WHERE skip_code IS NOT NULL) +
         (SELECT count(*) FROM texts t JOIN files f ON f.text_id = t.id WHERE t.skip_code IS NOT NULL) AS skipped,
       (SELECT count(*) FROM versions) AS versions,
       (SELECT page_count * page_size FROM pragma_page_count, pragma_page_size) AS bytes`,
  );

  const indexedBytes = one<[], number>(
    'SELECT coalesce(sum(f.size), 0) FROM files f JOIN texts t ON t.id = f.text_id WHERE t.skip_code IS NULL',
  ).pluck();

  function collect(textId: number | null): void {
    if (textId === null || textUsed.get(textId) === 1) return;
    deleteText.run(textId);
  }

  function keepText(key: ContentKey, text: PreparedText | null): number {
    const known = textByKey.get(key);
    if (known !== undefined) return known;
    if (text === null) throw new AppError('internal', 'a text was taken out while a file was on its way to it');
    const { lastInsertRowid } = insertText.run(
      key.hash,
      key.format,
      text.form,
      text.encoding,
      text.sections === null ? null : JSON.stringify(text.sections),
      text.skip === null && text.form === 'container' ? zstdCompressSync(text.text) : null,
      text.skip?.code ?? null,
      text.skip?.reason ?? null,
    );
    if (text.skip === null) postings.texts.add(Number(lastInsertRowid), text.text);
    return Number(lastInsertRowid);
  }

  /** Returns the text that the file had before, which nobody may need any more. */
  function putFile({ file, readMs, content }: StoredFile): number | null {
    const { path, root, size, mtimeMs, ctimeMs, inode, skip } = file;
    const state = [root, size, mtimeMs, ctimeMs, inode, readMs, Math.trunc(mtimeMs)] as const;
    const before = fileByPath.get(path);
    const textId = content === null ? null : keepText(content, content.text);
    if (before === undefined) {
      const { lastInsertRowid } = insertFile.run(path, ...state, textId, skip?.code ?? null, skip?.reason ?? null);
      postings.fileNames.add(Number(lastInsertRowid), basename(path).normalize('NFC'));
      return null;
    }
    updateFile.run(...state, textId, skip?.code ?? null, skip?.reason ?? null, before.id);
    return before.text_id === textId ? null : before.text_id;
  }

  function removeFile(path: string): void {
    const known = fileByPath.get(path);
    if (known === undefined) return;
    deleteFile.run(known.id);
    collect(known.text_id);
  }

  return {
    putFiles: postings.writing((files: readonly StoredFile[]) => {
      // Collected at the end: of two files that changed places one needs what the other had.
      for (const textId of files.map(putFile)) collect(textId);
    }),
    hasText: (key) => textByKey.get(key) !== undefined,
    removeFiles: database.transaction((paths: readonly string[]) => {
      for (const path of paths) removeFile(path);
    }),
    removeBelow: database.transaction((paths: readonly string[]) => {
      for (const path of paths) {
        for (const file of filesBelow.all(path, path + sep, afterBelow(path))) removeFile(file.path);
      }
    }),
    removeRootsExcept: database.transaction((roots: readonly string[]) => {
      for (const root of rootsOfFiles.all().filter((each) => !roots.includes(each))) {
        for (const path of pathsOfRoot.all(root)) removeFile(path);
      }
    }),
    listFiles: (root) => packKnownFiles(filesOfRoot.all(root)),
    hasFile: (path) => fileByPath.get(path) !== undefined,
    skipped: () => skippedFiles.all(),
    forgetSkipped: database.transaction(() => {
      forgetSkippedFiles.run();
      forgetSkippedTexts.run();
    }),
    counts() {
      const found = counts.get();
      if (found === undefined) throw new AppError('internal', 'a shard was not counted');
      return { ...found, indexed: found.files - found.skipped };
    },
    indexedBytes: () => indexedBytes.get() ?? 0,
  };
}
