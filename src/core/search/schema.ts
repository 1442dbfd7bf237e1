import { existsSync, renameSync, rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import { AppError } from '../../shared/errors.ts';
import { postingsTables } from './postings.ts';

/** Raised by one whenever the tables or the fold change: an index of another version is built anew. */
const SCHEMA_VERSION = 8;

/** Below it, several connections to one WAL database can corrupt it (the WAL-reset bug). */
const OLDEST_SQLITE = [3, 51, 3] as const;

/*
 * texts: each distinct content of files once, by SHA-256 and the format that its name promises, since the same bytes are one text
 * as `.html` and another as `.txt`. Plain files are read again from disk for verification; text that had to be taken out (form
 * `container`) is kept in `body` (zstd). `sections` is JSON [[label, start, lines that are headings], …], null for one that is
 * all `Content` without headings. A content without text has the reason instead. `time`: milliseconds since the epoch. Hashes are
 * looked up by their first bytes: those of a batch fall anywhere in the index, and of a smaller one fewer pages are written.
 * files: what a file was when it was read, which began at read_ms; 0 where reading failed, so that it is tried again.
 *
 * version_texts: the same of versions, for the history needs its texts kept. The texts of a document's versions lie together in
 * packs (pack.ts), each at its `place`; one whose version is not there yet waits for it in a row of its own (zstd), which leaves
 * no gap where it was. `length` is in UTF-16 code units. A pack that gains or loses a text is written anew under another number.
 * `versions.pack_id` repeats what its text says, so that a search has all that it counts by from one index.
 *
 * The postings named text, file_name, pack and version_name (postings.ts) are of texts, files, packs and versions; those of a
 * version are of its document's name and its commit's message. Numbers are never used twice, since postings may still hold one
 * that is gone.
 */
const SCHEMA = `
CREATE TABLE texts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  hash BLOB NOT NULL,
  format TEXT NOT NULL,
  form TEXT,
  encoding TEXT,
  sections TEXT,
  body BLOB,
  skip_code TEXT,
  skip_reason TEXT
);
CREATE INDEX texts_by_hash ON texts (substr(hash, 1, 8));
CREATE TABLE files (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  path TEXT NOT NULL UNIQUE,
  root TEXT NOT NULL,
  size INTEGER NOT NULL,
  mtime_ms REAL NOT NULL,
  ctime_ms REAL NOT NULL,
  inode REAL NOT NULL,
  read_ms REAL NOT NULL,
  time INTEGER NOT NULL,
  text_id INTEGER,
  skip_code TEXT,
  skip_reason TEXT
);
CREATE INDEX files_by_text ON files (text_id);
CREATE TABLE packs (id INTEGER PRIMARY KEY AUTOINCREMENT, body BLOB NOT NULL);
CREATE TABLE version_texts (
  id INTEGER PRIMARY KEY,
  hash BLOB NOT NULL,
  format TEXT NOT NULL,
  sections TEXT,
  length INTEGER NOT NULL,
  pack_id INTEGER,
  place INTEGER,
  skip_code TEXT,
  skip_reason TEXT,
  UNIQUE (hash, format)
);
CREATE TABLE waiting_texts (id INTEGER PRIMARY KEY, body BLOB NOT NULL);
CREATE TABLE versions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  version_id TEXT NOT NULL UNIQUE,
  text_id INTEGER NOT NULL,
  pack_id INTEGER,
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
  time INTEGER NOT NULL
);
CREATE INDEX version_texts_by_pack ON version_texts (pack_id, place) WHERE pack_id IS NOT NULL;
CREATE INDEX version_texts_skipped ON version_texts (id) WHERE skip_code IS NOT NULL;
CREATE INDEX versions_by_text ON versions (text_id);
CREATE INDEX versions_by_shelf ON versions (shelf_id);
CREATE INDEX versions_by_document ON versions (document_id, number, pack_id);
CREATE INDEX versions_by_pack ON versions (pack_id, time, id, text_id, is_current, shelf_id);
CREATE INDEX files_skipped ON files (id) WHERE skip_code IS NOT NULL;
CREATE INDEX texts_skipped ON texts (id) WHERE skip_code IS NOT NULL;
CREATE INDEX files_by_time ON files (time, id, text_id);
${postingsTables('text')}
${postingsTables('file_name')}
${postingsTables('pack')}
${postingsTables('version_name')}
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
    // Of a new database only: room that merging has left is given back in steps.
    database.pragma('auto_vacuum = INCREMENTAL');
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = NORMAL');
    // In pages of 4 kB: what is written again soon goes into the file once.
    database.pragma('wal_autocheckpoint = 4000');
    database.pragma('cache_size = -8000');
    database.pragma('temp_store = MEMORY');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Whether the file is no database, or one that is damaged. */
export function isDamage(error: unknown): error is Error {
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
