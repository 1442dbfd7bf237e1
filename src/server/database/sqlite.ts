import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { HandleEmptyInListsPlugin, Kysely, replaceWithNoncontingentExpression, SqliteDialect } from 'kysely';
import { AppError } from '../../shared/errors.ts';
import { migrate } from './migrations.ts';
import type { Tables } from './tables.ts';

/** Older releases can damage a database that two connections write and checkpoint at once (sqlite.org/wal.html#walresetbug). */
const OLDEST_SQLITE = [3, 51, 3] as const;

/** Whether a version of SQLite is one that the server trusts with its data. */
export function isSqliteSafe(version: string): boolean {
  const parts = version.split('.').map(Number);
  for (const [position, least] of OLDEST_SQLITE.entries()) {
    const part = parts[position] ?? 0;
    if (part !== least) return part > least;
  }
  return true;
}

/** A copy of the database as it stands, beside it, from before a migration. */
function backUp(sqlite: SqliteDatabase.Database, dataDir: string, version: number): void {
  const folder = join(dataDir, 'backups');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `armarium-schema-${version}.db`);
  const unfinished = `${file}.unfinished`;
  rmSync(unfinished, { force: true });
  sqlite.prepare('VACUUM INTO ?').run(unfinished);
  // A copy from an earlier try is of the same schema, and newer data is the better copy.
  if (existsSync(file)) rmSync(file);
  renameSync(unfinished, file);
}

/** Opens the embedded database: the truth, so every commit reaches the disk before it is answered (synchronous FULL). */
export async function openSqlite(dataDir: string): Promise<Kysely<Tables>> {
  mkdirSync(dataDir, { recursive: true });
  const sqlite = new SqliteDatabase(join(dataDir, 'armarium.db'));
  sqlite.pragma('journal_mode = WAL');
  sqlite.pragma('synchronous = FULL');
  sqlite.pragma('foreign_keys = ON');
  sqlite.pragma('busy_timeout = 5000');
  const database = new Kysely<Tables>({
    dialect: new SqliteDialect({ database: sqlite }),
    plugins: [new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression })],
  });
  try {
    const version = String(sqlite.prepare('SELECT sqlite_version()').pluck().get());
    if (!isSqliteSafe(version)) {
      throw new AppError('unsupported', `SQLite ${version} is older than ${OLDEST_SQLITE.join('.')}, which data needs`);
    }
    await migrate(database, { dialect: 'sqlite', beforeChange: (from) => backUp(sqlite, dataDir, from) });
  } catch (error) {
    await database.destroy();
    throw error;
  }
  return database;
}
