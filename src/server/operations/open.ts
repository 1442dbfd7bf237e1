import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { HandleEmptyInListsPlugin, Kysely, replaceWithNoncontingentExpression, SqliteDialect } from 'kysely';
import pg from 'pg';
import { AppError } from '../../shared/errors.ts';
import type { ServerConfig } from '../config.ts';
import { type Database, openDatabase } from '../database/connection.ts';
import { SCHEMA_VERSION } from '../database/migrations.ts';
import type { Tables } from '../database/tables.ts';
import { readServerKey } from '../serverKey.ts';
import type { BlobStore } from '../storage/blobStore.ts';
import { createFolderBlobStore } from '../storage/folderBlobStore.ts';
import { createS3BlobStore } from '../storage/s3BlobStore.ts';
import { createSignedUrls } from '../storage/signedUrls.ts';

/** Where a server's data is. */
export type DataConfig = Pick<ServerConfig, 'secret' | 'databaseUrl' | 's3'> & { readonly dataDir: string };

const databaseFile = (dataDir: string) => join(dataDir, 'armarium.db');

/** @throws AppError `not-found` for a folder that no server has worked on, rather than making an empty database there */
function refuseEmpty({ dataDir, databaseUrl }: DataConfig): void {
  if (databaseUrl === null && !existsSync(databaseFile(dataDir))) {
    throw new AppError('not-found', `${dataDir} holds no server's data; start the server there once, or name another`);
  }
}

/** What a command needs that changes a server's data, which it may do beside the server. */
export async function openData(config: DataConfig) {
  refuseEmpty(config);
  const { dataDir, secret, databaseUrl, s3 } = config;
  const key = readServerKey(dataDir, secret);
  const folder = () => createFolderBlobStore(dataDir, createSignedUrls(key.derive('storage urls'), Date.now));
  const database = await openDatabase({ dataDir, databaseUrl });
  return { key, database, blobs: s3 === null ? folder() : createS3BlobStore(s3) };
}

function refuseOtherSchema(found: number): void {
  if (found === SCHEMA_VERSION) return;
  throw new AppError(
    'unsupported',
    `the data is of schema ${found} and this program of ${SCHEMA_VERSION}: use the program that the server runs with`,
  );
}

function openReadOnly(dataDir: string): Database {
  const sqlite = new SqliteDatabase(databaseFile(dataDir), { readonly: true });
  try {
    refuseOtherSchema(Number(sqlite.prepare('SELECT MAX(version) FROM migrations').pluck().get()));
  } catch (error) {
    sqlite.close();
    throw error;
  }
  return new Kysely<Tables>({
    dialect: new SqliteDialect({ database: sqlite }),
    plugins: [new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression })],
  });
}

/** Asked before the database is opened, which would bring it forward. */
async function schemaOfPostgres(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  try {
    await client.connect();
    const { rows } = await client.query<{ version: number }>('SELECT MAX(version) AS version FROM migrations');
    return Number(rows[0]?.version);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new AppError('storage-unavailable', `the PostgreSQL database cannot be read: ${reason}`, { cause: error });
  } finally {
    await client.end();
  }
}

/**
 * A server's data to look at alone: nothing is made, brought forward or changed.
 * @throws AppError `not-found` without data, `unsupported` when it is of another version than this program
 */
export async function openToLook(config: DataConfig): Promise<{ database: Database; blobs: BlobStore }> {
  refuseEmpty(config);
  const { dataDir, databaseUrl, s3 } = config;
  if (databaseUrl !== null) refuseOtherSchema(await schemaOfPostgres(databaseUrl));
  const database = databaseUrl === null ? openReadOnly(dataDir) : await openDatabase({ dataDir, databaseUrl });
  // Nobody is given an address, so the key that would sign them may be any.
  const folder = () => createFolderBlobStore(dataDir, createSignedUrls(randomBytes(32), Date.now));
  return { database, blobs: s3 === null ? folder() : createS3BlobStore(s3) };
}
