import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import { AppError } from '../../shared/errors.ts';
import type { Tables } from './tables.ts';

/** One step forward. Steps are never changed once released; a mistake is mended by the next. */
interface Migration {
  readonly statements: readonly string[];
}

const MIGRATIONS: readonly Migration[] = [
  {
    statements: [
      `CREATE TABLE users (
        id TEXT PRIMARY KEY, email TEXT NOT NULL, email_key TEXT NOT NULL UNIQUE, username TEXT, name TEXT NOT NULL,
        user_image TEXT, plan_type INTEGER NOT NULL, user_type INTEGER NOT NULL, password_hash TEXT NOT NULL,
        default_library_id TEXT, created_at TEXT NOT NULL)`,
      `CREATE TABLE names (key TEXT PRIMARY KEY, kind TEXT NOT NULL, owner_id TEXT NOT NULL)`,
      `CREATE TABLE libraries (
        id TEXT PRIMARY KEY, name TEXT NOT NULL, name_key TEXT NOT NULL UNIQUE,
        owner_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE, archived INTEGER NOT NULL DEFAULT 0,
        created_at TEXT NOT NULL)`,
      `CREATE INDEX libraries_by_owner ON libraries (owner_id)`,
      `CREATE TABLE shelves (
        id TEXT PRIMARY KEY, library_id TEXT NOT NULL REFERENCES libraries (id) ON DELETE CASCADE, name TEXT NOT NULL,
        name_key TEXT NOT NULL, archived INTEGER NOT NULL DEFAULT 0, head_commit TEXT, created_at TEXT NOT NULL,
        updated_at TEXT NOT NULL, UNIQUE (library_id, name_key))`,
      `CREATE TABLE shelf_members (
        shelf_id TEXT NOT NULL REFERENCES shelves (id) ON DELETE CASCADE,
        user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE, role TEXT NOT NULL, PRIMARY KEY (shelf_id, user_id))`,
      `CREATE INDEX shelf_members_by_user ON shelf_members (user_id)`,
      `CREATE TABLE documents (
        id TEXT PRIMARY KEY, shelf_id TEXT NOT NULL REFERENCES shelves (id) ON DELETE CASCADE, name TEXT NOT NULL,
        name_key TEXT NOT NULL, original_filename TEXT NOT NULL, mime TEXT NOT NULL, current_version INTEGER NOT NULL,
        deleted INTEGER NOT NULL DEFAULT 0, UNIQUE (shelf_id, name_key))`,
      `CREATE TABLE commits (
        hash TEXT PRIMARY KEY, shelf_id TEXT NOT NULL REFERENCES shelves (id) ON DELETE CASCADE, sequence INTEGER NOT NULL,
        parent TEXT, message TEXT NOT NULL, author_id TEXT NOT NULL, created_at TEXT NOT NULL, UNIQUE (shelf_id, sequence))`,
      `CREATE TABLE versions (
        id TEXT PRIMARY KEY, document_id TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE, number INTEGER NOT NULL,
        name TEXT NOT NULL, sha256 TEXT NOT NULL, size BIGINT NOT NULL, mime TEXT NOT NULL, author_id TEXT NOT NULL,
        commit_hash TEXT NOT NULL REFERENCES commits (hash) ON DELETE CASCADE, created_at TEXT NOT NULL,
        UNIQUE (document_id, number))`,
      `CREATE INDEX versions_by_sha256 ON versions (sha256)`,
      `CREATE TABLE commit_changes (
        commit_hash TEXT NOT NULL REFERENCES commits (hash) ON DELETE CASCADE, position INTEGER NOT NULL, code TEXT NOT NULL,
        document_id TEXT NOT NULL, name TEXT NOT NULL, version_id TEXT, PRIMARY KEY (commit_hash, position))`,
      `CREATE TABLE blobs (sha256 TEXT PRIMARY KEY, size BIGINT NOT NULL, created_at TEXT NOT NULL)`,
      `CREATE TABLE uploads (
        id TEXT PRIMARY KEY, shelf_id TEXT NOT NULL REFERENCES shelves (id) ON DELETE CASCADE,
        user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE, message TEXT NOT NULL,
        reported INTEGER NOT NULL DEFAULT 0, commit_hash TEXT, created_at TEXT NOT NULL)`,
      `CREATE TABLE upload_files (
        upload_id TEXT NOT NULL REFERENCES uploads (id) ON DELETE CASCADE, position INTEGER NOT NULL, name TEXT NOT NULL,
        size BIGINT NOT NULL, sha256 TEXT NOT NULL, mime TEXT NOT NULL, base_version INTEGER NOT NULL, code TEXT NOT NULL,
        version_id TEXT UNIQUE, transfer TEXT NOT NULL, PRIMARY KEY (upload_id, position))`,
      `CREATE TABLE sign_ins (
        id TEXT PRIMARY KEY, uuid TEXT NOT NULL UNIQUE, client_id TEXT NOT NULL, source TEXT NOT NULL, redirect_uri TEXT NOT NULL,
        challenge TEXT NOT NULL, state TEXT NOT NULL, expires_ms BIGINT NOT NULL)`,
      `CREATE TABLE codes (
        hash TEXT PRIMARY KEY, sign_in_id TEXT NOT NULL REFERENCES sign_ins (id) ON DELETE CASCADE,
        user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE, expires_ms BIGINT NOT NULL, family_id TEXT)`,
      `CREATE TABLE token_families (
        id TEXT PRIMARY KEY, user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE, client_id TEXT NOT NULL,
        revoked INTEGER NOT NULL DEFAULT 0, created_ms BIGINT NOT NULL)`,
      `CREATE TABLE tokens (
        hash TEXT PRIMARY KEY, family_id TEXT NOT NULL REFERENCES token_families (id) ON DELETE CASCADE, kind TEXT NOT NULL,
        generation INTEGER NOT NULL, expires_ms BIGINT NOT NULL, used_ms BIGINT)`,
      `CREATE INDEX tokens_by_family ON tokens (family_id)`,
    ],
  },
];

/**
 * Brings a database forward to this version of the server, each step in a transaction of its own.
 * @throws AppError `unsupported` for a database that a newer server made: it is left as it is.
 */
export async function migrate(database: Kysely<Tables>): Promise<void> {
  await sql`CREATE TABLE IF NOT EXISTS migrations (version INTEGER PRIMARY KEY, applied_at TEXT NOT NULL)`.execute(
    database,
  );
  const row = await database
    .selectFrom('migrations')
    .select(({ fn }) => fn.max('version').as('version'))
    .executeTakeFirst();
  const at = row?.version ?? 0;
  if (at > MIGRATIONS.length) {
    throw new AppError(
      'unsupported',
      `the data was written by a newer version of the server (${at}, this one knows ${MIGRATIONS.length})`,
    );
  }
  for (const [index, { statements }] of MIGRATIONS.entries()) {
    if (index < at) continue;
    await database.transaction().execute(async (transaction) => {
      for (const statement of statements) await sql.raw(statement).execute(transaction);
      await transaction
        .insertInto('migrations')
        .values({ version: index + 1, applied_at: new Date().toISOString() })
        .execute();
    });
  }
}
