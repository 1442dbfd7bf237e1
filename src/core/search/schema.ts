import { existsSync, renameSync, rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import { AppError } from '../../shared/errors.ts';

/** Raised by one whenever the tables or the fold change: an index of another version is built anew. */
const SCHEMA_VERSION = 1;

/** Below it, several connections to one WAL database can corrupt it (the WAL-reset bug). */
const OLDEST_SQLITE = [3, 51, 3] as const;

/** FTS5 without text and without positions: it only proposes; detail=none needs an eighth of the room of full positions. */
const trigramTable = (name: string) => `
CREATE VIRTUAL TABLE ${name} USING fts5 (
  body, tokenize = 'trigram case_sensitive 1', detail = none, content = '', contentless_delete = 1
);
CREATE VIRTUAL TABLE ${name}_terms USING fts5vocab (${name}, row);
`;

/*
 * texts: each distinct content once. The key is the SHA-256 of the bytes and the format by which they are read, since the same
 * bytes are one text as `.html` and another as `.txt`. Plain files are read again from disk for verification; text that had
 * to be taken out, and all history, is kept in `body` (zstd). `sections` is JSON [[label, start], …], null for plain text. A
 * content without text has the reason instead.
 * texts_fts, file_names and version_names hold the trigrams of folded texts, of file names, and of document names with
 * commit messages; their rowids are the ids in texts, files and versions.
 */
const SCHEMA = `
CREATE TABLE texts (
  id INTEGER PRIMARY KEY,
  key BLOB NOT NULL UNIQUE,
  encoding TEXT,
  sections TEXT,
  body BLOB,
  skip_code TEXT,
  skip_reason TEXT
);
CREATE TABLE files (
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,
  root TEXT NOT NULL,
  size INTEGER NOT NULL,
  mtime_ms REAL NOT NULL,
  ctime_ms REAL NOT NULL,
  text_id INTEGER REFERENCES texts (id),
  skip_code TEXT,
  skip_reason TEXT
);
CREATE INDEX files_by_text ON files (text_id);
CREATE INDEX files_by_time ON files (mtime_ms DESC, path);
CREATE TABLE versions (
  id INTEGER PRIMARY KEY,
  version_id TEXT NOT NULL UNIQUE,
  text_id INTEGER NOT NULL REFERENCES texts (id),
  document_id TEXT NOT NULL,
  shelf_id TEXT NOT NULL,
  library TEXT NOT NULL,
  shelf TEXT NOT NULL,
  name TEXT NOT NULL,
  number INTEGER NOT NULL,
  is_current INTEGER NOT NULL,
  size INTEGER NOT NULL,
  commit_hash TEXT NOT NULL,
  message TEXT NOT NULL,
  author TEXT NOT NULL,
  committed_at TEXT NOT NULL
);
CREATE INDEX versions_by_text ON versions (text_id);
CREATE INDEX versions_by_shelf ON versions (shelf_id);
${trigramTable('texts_fts')}
${trigramTable('file_names')}
${trigramTable('version_names')}
`;

function checkLibrary(database: Database.Database): void {
  const version = String(database.prepare('SELECT sqlite_version()').pluck().get());
  const parts = version.split('.').map(Number);
  for (const [position, least] of OLDEST_SQLITE.entries()) {
    const part = parts[position] ?? 0;
    if (part > least) return;
    if (part < least)
      throw new AppError('index-unavailable', `SQLite ${version} is older than ${OLDEST_SQLITE.join('.')}`);
  }
}

function open(file: string): Database.Database {
  const database = new Database(file);
  try {
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = NORMAL');
    database.pragma('cache_size = -32000');
    database.pragma('temp_store = MEMORY');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Whether the file is no database, or one that is damaged. */
export function isDamage(error: unknown): boolean {
  return error instanceof Database.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/u.test(error.code);
}

/** Sets a database aside under another name: what cannot be read may still be wanted for a look, the index is built anew. */
export function quarantine(file: string): void {
  for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true });
  rmSync(`${file}.damaged`, { force: true });
  if (existsSync(file)) renameSync(file, `${file}.damaged`);
}

/** Opens a shard's database; one of another schema is emptied, a damaged one set aside. Both are filled again by the next scan. */
export function openShardDatabase(file: string): Database.Database {
  let database: Database.Database;
  try {
    database = open(file);
    const version = database.pragma('user_version', { simple: true });
    if (version !== SCHEMA_VERSION && version !== 0) {
      database.close();
      quarantine(file);
      database = open(file);
    }
  } catch (error) {
    if (!isDamage(error)) throw error;
    quarantine(file);
    database = open(file);
  }
  checkLibrary(database);
  if (database.pragma('user_version', { simple: true }) === 0) {
    database.transaction(() => {
      database.exec(SCHEMA);
      database.pragma(`user_version = ${SCHEMA_VERSION}`);
    })();
  }
  return database;
}
