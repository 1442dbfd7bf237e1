import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import { AppError } from '../../shared/errors.ts';
import { nameOrder } from '../../shared/rules/names.ts';
import type { Tables } from './tables.ts';

/** One step forward. Steps are never changed once released; a mistake is mended by the next. */
interface Migration {
  /** In words that both databases understand. */
  readonly statements: readonly string[];
  /** What the two say differently, before the common statements. */
  readonly sqlite?: readonly string[];
  readonly postgres?: readonly string[];
  /** What is worked out from the rows that are there, after all statements. */
  readonly fill?: (database: Kysely<Tables>) => Promise<void>;
}

const FILLED_AT_ONCE = 500;

async function fillNameOrder(database: Kysely<Tables>): Promise<void> {
  for (let after = ''; ; ) {
    const rows = await database
      .selectFrom('documents')
      .select(['id', 'name'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(FILLED_AT_ONCE)
      .execute();
    for (const { id, name } of rows) {
      await database
        .updateTable('documents')
        .set({ name_order: nameOrder(name) })
        .where('id', '=', id)
        .execute();
    }
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
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
  {
    // That content arrived counts for the upload that sent it: knowing the hash of somebody's content is no right to it.
    statements: [
      `ALTER TABLE upload_files ADD COLUMN arrived INTEGER NOT NULL DEFAULT 0`,
      `CREATE INDEX tokens_by_expiry ON tokens (expires_ms)`,
      `CREATE INDEX codes_by_sign_in ON codes (sign_in_id)`,
    ],
  },
  {
    // A name in the trash is free for another document, so names are unique among the documents that are there.
    sqlite: [
      `CREATE TABLE documents_new (
        id TEXT PRIMARY KEY, shelf_id TEXT NOT NULL REFERENCES shelves (id) ON DELETE CASCADE, name TEXT NOT NULL,
        name_key TEXT NOT NULL, original_filename TEXT NOT NULL, mime TEXT NOT NULL, current_version INTEGER NOT NULL,
        deleted INTEGER NOT NULL DEFAULT 0)`,
      `INSERT INTO documents_new SELECT
        id, shelf_id, name, name_key, original_filename, mime, current_version, deleted FROM documents`,
      `DROP TABLE documents`,
      `ALTER TABLE documents_new RENAME TO documents`,
    ],
    postgres: [`ALTER TABLE documents DROP CONSTRAINT documents_shelf_id_name_key_key`],
    statements: [
      `ALTER TABLE documents ADD COLUMN deleted_at TEXT`,
      `ALTER TABLE documents ADD COLUMN deleted_by TEXT`,
      `CREATE UNIQUE INDEX documents_by_name ON documents (shelf_id, name_key) WHERE deleted = 0`,
      `CREATE INDEX documents_deleted ON documents (shelf_id, deleted_at) WHERE deleted = 1`,
      `CREATE INDEX documents_by_shelf ON documents (shelf_id)`,
      `UPDATE documents SET deleted_at = (SELECT MAX(commits.created_at) FROM commit_changes
        JOIN commits ON commits.hash = commit_changes.commit_hash WHERE commit_changes.document_id = documents.id)
        WHERE deleted = 1`,
      // Counted as they change: counting them for every list would cost more with every document.
      `ALTER TABLE shelves ADD COLUMN document_count INTEGER NOT NULL DEFAULT 0`,
      `UPDATE shelves SET document_count =
        (SELECT COUNT(*) FROM documents WHERE documents.shelf_id = shelves.id AND documents.deleted = 0)`,
      // A commit keeps what its name is made of, also when a version of it is purged.
      `ALTER TABLE commit_changes ADD COLUMN version_number INTEGER`,
      `ALTER TABLE commit_changes ADD COLUMN sha256 TEXT`,
      `ALTER TABLE commit_changes ADD COLUMN size BIGINT`,
      `UPDATE commit_changes SET
        version_number = (SELECT number FROM versions WHERE versions.id = commit_changes.version_id),
        sha256 = (SELECT sha256 FROM versions WHERE versions.id = commit_changes.version_id),
        size = (SELECT size FROM versions WHERE versions.id = commit_changes.version_id)`,
      // A deleted shelf stays as long as the trash keeps its documents, out of everybody's sight.
      `CREATE TABLE deleted_shelves (
        shelf_id TEXT PRIMARY KEY REFERENCES shelves (id) ON DELETE CASCADE, members TEXT NOT NULL, deleted_at TEXT NOT NULL,
        deleted_by TEXT NOT NULL)`,
      `CREATE INDEX deleted_shelves_by_time ON deleted_shelves (deleted_at)`,
      `CREATE INDEX versions_by_commit ON versions (commit_hash)`,
      `CREATE INDEX versions_by_created ON versions (created_at)`,
      `CREATE INDEX commit_changes_by_document ON commit_changes (document_id)`,
      `CREATE INDEX commits_by_created ON commits (created_at)`,
      // Labelled versions are kept, whatever retention says.
      `ALTER TABLE versions ADD COLUMN label TEXT`,
      `ALTER TABLE blobs ADD COLUMN condemned_ms BIGINT`,
      `CREATE INDEX blobs_condemned ON blobs (condemned_ms) WHERE condemned_ms IS NOT NULL`,
      `CREATE INDEX uploads_by_created ON uploads (created_at)`,
      `ALTER TABLE upload_files ADD COLUMN parts INTEGER NOT NULL DEFAULT 0`,
      `ALTER TABLE upload_files ADD COLUMN deletes INTEGER NOT NULL DEFAULT 0`,
      `CREATE TABLE document_locks (
        document_id TEXT PRIMARY KEY REFERENCES documents (id) ON DELETE CASCADE,
        user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE, created_at TEXT NOT NULL, expires_ms BIGINT NOT NULL)`,
      `CREATE TABLE idempotency_keys (
        user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE, key TEXT NOT NULL, request_hash TEXT NOT NULL,
        response TEXT, created_ms BIGINT NOT NULL, PRIMARY KEY (user_id, key))`,
      `CREATE INDEX idempotency_keys_by_created ON idempotency_keys (created_ms)`,

      `ALTER TABLE users ADD COLUMN email_verified INTEGER NOT NULL DEFAULT 0`,
      `ALTER TABLE users ADD COLUMN disabled INTEGER NOT NULL DEFAULT 0`,
      `ALTER TABLE users ADD COLUMN totp_secret TEXT`,
      `ALTER TABLE users ADD COLUMN totp_enabled INTEGER NOT NULL DEFAULT 0`,
      `ALTER TABLE users ADD COLUMN totp_last_step BIGINT NOT NULL DEFAULT 0`,
      `ALTER TABLE users ADD COLUMN mail_digest INTEGER NOT NULL DEFAULT 0`,
      `ALTER TABLE users ADD COLUMN last_seen_at TEXT`,
      `UPDATE users SET email_verified = 1 WHERE user_type = 0`,
      `CREATE INDEX token_families_by_user ON token_families (user_id)`,
      `CREATE TABLE recovery_codes (
        user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE, hash TEXT NOT NULL, used_ms BIGINT,
        PRIMARY KEY (user_id, hash))`,
      `CREATE TABLE mail_tokens (
        hash TEXT PRIMARY KEY, user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE, purpose TEXT NOT NULL,
        email TEXT NOT NULL, expires_ms BIGINT NOT NULL)`,
      `CREATE INDEX mail_tokens_by_user ON mail_tokens (user_id)`,
      `CREATE TABLE identities (
        provider TEXT NOT NULL, subject TEXT NOT NULL, user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        email TEXT NOT NULL, created_at TEXT NOT NULL, PRIMARY KEY (provider, subject))`,
      `CREATE INDEX identities_by_user ON identities (user_id)`,
      `CREATE TABLE social_sign_ins (
        state_hash TEXT PRIMARY KEY, sign_in_id TEXT NOT NULL REFERENCES sign_ins (id) ON DELETE CASCADE,
        provider TEXT NOT NULL, nonce TEXT NOT NULL, code_verifier TEXT NOT NULL, expires_ms BIGINT NOT NULL)`,
      `CREATE TABLE second_factors (
        hash TEXT PRIMARY KEY, sign_in_id TEXT NOT NULL REFERENCES sign_ins (id) ON DELETE CASCADE,
        user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE, expires_ms BIGINT NOT NULL)`,
      // Guesses at passwords, codes and links, in the database so that neither a restart nor another machine forgets them.
      `CREATE TABLE attempts (key TEXT NOT NULL, at_ms BIGINT NOT NULL)`,
      `CREATE INDEX attempts_by_key ON attempts (key, at_ms)`,
      `CREATE INDEX attempts_by_time ON attempts (at_ms)`,

      `CREATE TABLE jobs (
        id TEXT PRIMARY KEY, kind TEXT NOT NULL, dedupe_key TEXT UNIQUE, payload TEXT NOT NULL, run_at_ms BIGINT NOT NULL,
        attempts INTEGER NOT NULL DEFAULT 0, locked_until_ms BIGINT NOT NULL DEFAULT 0, last_error TEXT,
        created_ms BIGINT NOT NULL)`,
      `CREATE INDEX jobs_by_time ON jobs (run_at_ms)`,
      `CREATE TABLE mails (
        id TEXT PRIMARY KEY, recipient TEXT NOT NULL, subject TEXT NOT NULL, state TEXT NOT NULL, file TEXT, error TEXT,
        created_at TEXT NOT NULL, sent_at TEXT)`,
      `CREATE INDEX mails_by_created ON mails (created_at)`,
      `CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL, updated_at TEXT NOT NULL)`,

      `CREATE TABLE comments (
        id TEXT PRIMARY KEY, shelf_id TEXT NOT NULL REFERENCES shelves (id) ON DELETE CASCADE,
        document_id TEXT REFERENCES documents (id) ON DELETE CASCADE,
        version_id TEXT REFERENCES versions (id) ON DELETE CASCADE,
        parent_id TEXT REFERENCES comments (id) ON DELETE CASCADE, user_id TEXT REFERENCES users (id) ON DELETE SET NULL,
        comment TEXT NOT NULL, resolved_at TEXT, resolved_by TEXT, created_at TEXT NOT NULL, updated_at TEXT NOT NULL)`,
      `CREATE INDEX comments_by_shelf ON comments (shelf_id, created_at)`,
      `CREATE INDEX comments_by_version ON comments (version_id)`,
      `CREATE INDEX comments_by_document ON comments (document_id)`,
      `CREATE INDEX comments_by_parent ON comments (parent_id)`,
      `CREATE INDEX comments_by_user ON comments (user_id)`,
      `CREATE TABLE comment_reads (
        shelf_id TEXT NOT NULL REFERENCES shelves (id) ON DELETE CASCADE,
        user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE, read_until TEXT NOT NULL, last_comment_id TEXT NOT NULL,
        PRIMARY KEY (shelf_id, user_id))`,
      `CREATE INDEX comment_reads_by_user ON comment_reads (user_id)`,
      `CREATE TABLE invitations (
        id TEXT PRIMARY KEY, shelf_id TEXT NOT NULL REFERENCES shelves (id) ON DELETE CASCADE, email TEXT NOT NULL,
        email_key TEXT NOT NULL, role TEXT NOT NULL, invited_by TEXT REFERENCES users (id) ON DELETE SET NULL,
        state TEXT NOT NULL, sent_at TEXT NOT NULL, answered_at TEXT, expires_ms BIGINT NOT NULL,
        created_at TEXT NOT NULL)`,
      `CREATE UNIQUE INDEX invitations_pending ON invitations (shelf_id, email_key) WHERE state = 'pending'`,
      `CREATE INDEX invitations_by_email ON invitations (email_key)`,
      `CREATE INDEX invitations_by_inviter ON invitations (invited_by, sent_at)`,
      `CREATE TABLE favorites (
        user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE, kind TEXT NOT NULL, target_id TEXT NOT NULL,
        created_at TEXT NOT NULL, PRIMARY KEY (user_id, kind, target_id))`,
      `CREATE TABLE follows (
        user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE, kind TEXT NOT NULL, target_id TEXT NOT NULL,
        mode TEXT NOT NULL, created_at TEXT NOT NULL, PRIMARY KEY (user_id, kind, target_id))`,
      `CREATE INDEX follows_by_target ON follows (kind, target_id)`,
      `CREATE TABLE notifications (
        id TEXT PRIMARY KEY, user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE, notification_type TEXT NOT NULL,
        target_kind TEXT NOT NULL, target_id TEXT NOT NULL, metadata TEXT NOT NULL, is_read INTEGER NOT NULL DEFAULT 0,
        mailed INTEGER NOT NULL DEFAULT 0, created_at TEXT NOT NULL)`,
      `CREATE INDEX notifications_by_user ON notifications (user_id, created_at)`,
      `CREATE INDEX notifications_unread ON notifications (user_id) WHERE is_read = 0`,
      `CREATE INDEX notifications_by_created ON notifications (created_at)`,
      `CREATE TABLE service_notices (
        id TEXT PRIMARY KEY, title TEXT NOT NULL, content TEXT NOT NULL, content_type TEXT NOT NULL, start_date TEXT NOT NULL,
        end_date TEXT NOT NULL, active INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL)`,
      `CREATE TABLE service_notice_reads (
        notice_id TEXT NOT NULL REFERENCES service_notices (id) ON DELETE CASCADE,
        user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE, read_at TEXT NOT NULL, PRIMARY KEY (notice_id, user_id))`,

      `CREATE TABLE share_links (
        id TEXT PRIMARY KEY, token_hash TEXT NOT NULL UNIQUE, token_sealed TEXT NOT NULL,
        shelf_id TEXT NOT NULL REFERENCES shelves (id) ON DELETE CASCADE, kind TEXT NOT NULL,
        document_id TEXT REFERENCES documents (id) ON DELETE CASCADE,
        version_id TEXT REFERENCES versions (id) ON DELETE CASCADE, label TEXT NOT NULL, password_hash TEXT, expires_at TEXT,
        max_views INTEGER, view_count INTEGER NOT NULL DEFAULT 0, allow_download INTEGER NOT NULL, allowed_emails TEXT,
        notify_on_open INTEGER NOT NULL DEFAULT 0, webhook_url TEXT, created_by TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        created_at TEXT NOT NULL, updated_at TEXT NOT NULL, revoked_at TEXT, last_access_at TEXT)`,
      `CREATE INDEX share_links_by_shelf ON share_links (shelf_id)`,
      `CREATE INDEX share_links_by_creator ON share_links (created_by)`,
      `CREATE INDEX share_links_by_document ON share_links (document_id)`,
      `CREATE INDEX share_links_by_version ON share_links (version_id)`,
      `CREATE TABLE share_events (
        id TEXT PRIMARY KEY, link_id TEXT NOT NULL REFERENCES share_links (id) ON DELETE CASCADE, kind TEXT NOT NULL,
        at TEXT NOT NULL, visitor_hash TEXT NOT NULL, email TEXT, audience TEXT NOT NULL, device TEXT NOT NULL,
        referrer TEXT NOT NULL, document_id TEXT, version_id TEXT, version_number INTEGER)`,
      `CREATE INDEX share_events_by_link ON share_events (link_id, at)`,

      `CREATE TABLE app_versions (
        id TEXT PRIMARY KEY, version TEXT NOT NULL, platform TEXT NOT NULL, channel TEXT NOT NULL, release_notes TEXT NOT NULL,
        release_note_type TEXT NOT NULL, mandatory INTEGER NOT NULL, published_at TEXT, created_at TEXT NOT NULL,
        updated_at TEXT NOT NULL, UNIQUE (version, platform, channel))`,
      `CREATE TABLE app_version_files (
        app_version_id TEXT NOT NULL REFERENCES app_versions (id) ON DELETE CASCADE, name TEXT NOT NULL, size BIGINT NOT NULL,
        sha256 TEXT NOT NULL, sha512 TEXT NOT NULL, created_at TEXT NOT NULL, PRIMARY KEY (app_version_id, name))`,
      `CREATE INDEX app_version_files_by_sha256 ON app_version_files (sha256)`,
      `CREATE TABLE audit_log (
        id TEXT PRIMARY KEY, at TEXT NOT NULL, actor_id TEXT, actor_name TEXT NOT NULL, action TEXT NOT NULL,
        target_kind TEXT NOT NULL, target_id TEXT NOT NULL, target_name TEXT NOT NULL, library_id TEXT, address TEXT NOT NULL,
        details TEXT NOT NULL)`,
      `CREATE INDEX audit_log_by_time ON audit_log (at)`,
      `CREATE INDEX audit_log_by_library ON audit_log (library_id, at)`,
      `CREATE TABLE usage_counts (
        day TEXT NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, count BIGINT NOT NULL, PRIMARY KEY (day, kind, name))`,
    ],
  },
  {
    statements: [`CREATE INDEX versions_labelled ON versions (document_id) WHERE label IS NOT NULL`],
  },
  {
    // Shelves are read in parts, in the order in which they are shown.
    statements: [
      `ALTER TABLE documents ADD COLUMN name_order TEXT NOT NULL DEFAULT ''`,
      `CREATE INDEX documents_by_order ON documents (shelf_id, name_order) WHERE deleted = 0`,
    ],
    fill: fillNameOrder,
  },
  {
    // An upload takes documents to other names in the commit that it makes.
    statements: [`ALTER TABLE upload_files ADD COLUMN renamed_from TEXT`],
  },
];

/** The version of the schema that this server works with. */
export const SCHEMA_VERSION = MIGRATIONS.length;

export interface MigrateOptions {
  /** The last step to take; by default the newest. */
  readonly upTo?: number;
  readonly dialect?: 'sqlite' | 'postgres';
  /** Called once before data of an older version is changed. What it throws ends the migration. */
  readonly beforeChange?: (from: number) => void;
}

/** Any number that no other program is likely to lock with. */
const LOCK_KEY = 4_172_655_201;

/**
 * Brings a database forward to this version of the server, each step in a transaction of its own. Of several servers that
 * start at once on one PostgreSQL database one migrates, and the others wait for it.
 * @throws AppError `unsupported` for a database that a newer server made: it is left as it is.
 */
export function migrate(database: Kysely<Tables>, options: MigrateOptions = {}): Promise<void> {
  if (options.dialect !== 'postgres') return stepForward(database, options);
  return database.connection().execute(async (connection) => {
    // Steps over large tables, and waiting for another server's, take longer than a request may.
    await sql`SET statement_timeout = 0`.execute(connection);
    await sql`SELECT pg_advisory_lock(${LOCK_KEY}::bigint)`.execute(connection);
    try {
      await stepForward(connection, options);
    } finally {
      await sql`SELECT pg_advisory_unlock(${LOCK_KEY}::bigint)`.execute(connection);
      await sql`RESET statement_timeout`.execute(connection);
    }
  });
}

/** Texts are ordered by their bytes, as in SQLite, whatever language the PostgreSQL database was made for. */
function inDialect(statement: string, dialect: 'sqlite' | 'postgres'): string {
  return dialect === 'sqlite' ? statement : statement.replaceAll(/\bTEXT\b/gu, 'TEXT COLLATE "C"');
}

async function stepForward(
  database: Kysely<Tables>,
  { upTo = SCHEMA_VERSION, dialect = 'sqlite', beforeChange }: MigrateOptions,
): Promise<void> {
  await sql`CREATE TABLE IF NOT EXISTS migrations (version INTEGER PRIMARY KEY, applied_at TEXT NOT NULL)`.execute(
    database,
  );
  const row = await database
    .selectFrom('migrations')
    .select(({ fn }) => fn.max('version').as('version'))
    .executeTakeFirst();
  const at = row?.version ?? 0;
  if (at > SCHEMA_VERSION) {
    throw new AppError(
      'unsupported',
      `the data was written by a newer version of the server (${at}, this one knows ${SCHEMA_VERSION})`,
    );
  }
  if (at > 0 && at < upTo) beforeChange?.(at);
  // SQLite changes a table by putting another in its place, which must not pull down what refers to it.
  if (dialect === 'sqlite') await sql`PRAGMA foreign_keys = OFF`.execute(database);
  for (const [index, step] of MIGRATIONS.slice(0, upTo).entries()) {
    if (index < at) continue;
    await database.transaction().execute(async (transaction) => {
      for (const statement of [...(step[dialect] ?? []), ...step.statements]) {
        await sql.raw(inDialect(statement, dialect)).execute(transaction);
      }
      await step.fill?.(transaction);
      if (dialect === 'sqlite') {
        const { rows } = await sql`PRAGMA foreign_key_check`.execute(transaction);
        if (rows.length > 0) throw new AppError('internal', `step ${index + 1} would leave rows that refer to nothing`);
      }
      await transaction
        .insertInto('migrations')
        .values({ version: index + 1, applied_at: new Date().toISOString() })
        .execute();
    });
  }
  if (dialect === 'sqlite') await sql`PRAGMA foreign_keys = ON`.execute(database);
}
