import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import { migrate } from './migrations.ts';
import type { Tables } from './tables.ts';

export type Database = Kysely<Tables>;

/** Opens the embedded database: the truth, so every commit reaches the disk before it is answered (synchronous FULL). */
export async function openDatabase(dataDir: string): Promise<Database> {
  mkdirSync(dataDir, { recursive: true });
  const sqlite = new SqliteDatabase(join(dataDir, 'armarium.db'));
  sqlite.pragma('journal_mode = WAL');
  sqlite.pragma('synchronous = FULL');
  sqlite.pragma('foreign_keys = ON');
  sqlite.pragma('busy_timeout = 5000');
  const database = new Kysely<Tables>({ dialect: new SqliteDialect({ database: sqlite }) });
  try {
    await migrate(database);
  } catch (error) {
    await database.destroy();
    throw error;
  }
  return database;
}
