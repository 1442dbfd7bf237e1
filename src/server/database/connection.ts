import type { Kysely } from 'kysely';
import { openSqlite } from './sqlite.ts';
import type { Tables } from './tables.ts';

export type Database = Kysely<Tables>;

export interface DatabaseOptions {
  /** Where the embedded database stands. */
  readonly dataDir: string;
  /** Address of a PostgreSQL database (`postgres://user:password@host:port/name`), or null for the embedded one. */
  readonly databaseUrl?: string | null;
}

/**
 * Opens the server's database, brought forward to this version of the server.
 * @throws AppError `unsupported` for a database that this server cannot work with, `storage-unavailable` for one that it cannot reach.
 */
export async function openDatabase({ dataDir, databaseUrl = null }: DatabaseOptions): Promise<Database> {
  if (databaseUrl === null) return openSqlite(dataDir);
  const { openPostgres } = await import('./postgres.ts');
  return openPostgres(databaseUrl);
}
