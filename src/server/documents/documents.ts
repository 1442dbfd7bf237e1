import { AppError } from '../../shared/errors.ts';
import type {
  Commit,
  CommitChange,
  CommitHead,
  DocumentLock,
  DocumentState,
  ShelfDocument,
  Version,
} from '../../shared/model/library.ts';
import { inNameOrder, nameKey, nameOrder } from '../../shared/rules/names.ts';
import { inChunks } from '../database/chunks.ts';
import type { Database } from '../database/connection.ts';
import { inTransaction } from '../database/transactions.ts';
import type { Actor } from '../http/context.ts';
import { currentDocuments } from './currentDocuments.ts';
import type { Locks } from './locks.ts';

/** A version with where it stands, as far as its reader may know. */
export type PlacedVersion = Version & { library: string; shelf: string; shelf_id: string };

/** A version's content under its document's name. */
export type VersionContent = Pick<Version, 'document_name' | 'mime' | 'sha256' | 'size'>;

/** What changed on a shelf since a commit. */
export interface ShelfChanges {
  readonly last_commit: CommitHead;
  readonly documents: ShelfDocument[];
  readonly removed: string[];
  readonly locks: (DocumentLock & { document_id: string })[];
  readonly document_count: number;
}

/** Of more documents that changed, the whole list is hardly longer. */
const MOST_CHANGED = 10_000;

/** Reading what shelves hold. Whoever is not a member of a shelf finds nothing of it. */
export interface Documents {
  /** By name; `limit` and `after`, the last name that is known, make parts of it. */
  ofShelf(
    shelfId: string,
    part: { readonly limit?: number | undefined; readonly after?: string | undefined },
  ): Promise<{ last_commit: CommitHead | null; documents: ShelfDocument[] }>;
  /** All of one moment. @throws AppError `gone`: the shelf does not know the commit, or more changed than is told one by one */
  changes(shelfId: string, since: string): Promise<ShelfChanges>;
  /** What a copy of the shelf is compared with. */
  states(shelfId: string): Promise<DocumentState[]>;
  /** The newest commit and the documents as it left them. */
  latest(shelfId: string): Promise<{ commit: Commit | null; documents: DocumentState[] }>;
  commits(
    shelfId: string,
    page: number,
    pageSize: number,
  ): Promise<{ commits: Commit[]; count: number; has_more: boolean }>;
  commit(hash: string): Promise<Commit>;
  history(actor: Actor, documentId: string): Promise<Version[]>;
  version(actor: Actor, versionId: string): Promise<PlacedVersion>;
  currentVersion(actor: Actor, documentId: string): Promise<PlacedVersion>;
  /** For who was given a signed address: nobody's rights are asked for. */
  content(versionId: string): Promise<VersionContent>;
}

/** Makes the service. */
export function createDocuments(database: Database, locks: Locks): Documents {
  const absent = (what: string) => new AppError('not-found', `there is no such ${what}`);

  function placedVersions(actor: Actor) {
    return database
      .selectFrom('versions')
      .innerJoin('documents', 'documents.id', 'versions.document_id')
      .innerJoin('shelves', 'shelves.id', 'documents.shelf_id')
      .innerJoin('libraries', 'libraries.id', 'shelves.library_id')
      .innerJoin('shelf_members', (join) =>
        join.onRef('shelf_members.shelf_id', '=', 'shelves.id').on('shelf_members.user_id', '=', actor.id),
      )
      .innerJoin('commits', 'commits.hash', 'versions.commit_hash')
      .leftJoin('users', 'users.id', 'versions.author_id')
      .select([
        'versions.id',
        'versions.document_id',
        'versions.name as document_name',
        'versions.number',
        'versions.size',
        'versions.sha256',
        'versions.mime',
        'versions.created_at',
        'versions.commit_hash',
        'versions.label',
        'commits.message as commit_message',
        'users.username as author',
        'documents.current_version',
        'documents.deleted',
        'libraries.name as library',
        'shelves.name as shelf',
        'shelves.id as shelf_id',
      ])
      .orderBy('versions.number', 'desc');
  }

  function placed({
    current_version,
    deleted,
    author,
    ...row
  }: Awaited<ReturnType<ReturnType<typeof placedVersions>['execute']>>[number]): PlacedVersion {
    return { ...row, author: author ?? '', is_current: deleted === 0 && row.number === current_version };
  }

  const currentRows = (on: Database, shelfId: string) =>
    currentDocuments(on)
      .select([
        'documents.id',
        'documents.name',
        'documents.original_filename',
        'documents.current_version',
        'versions.id as current_version_id',
        'versions.size',
        'versions.sha256',
        'versions.created_at as updated_at',
        'versions.commit_hash',
      ])
      .where('documents.shelf_id', '=', shelfId)
      // As a literal: with a parameter the index of those that are not deleted cannot be chosen, and all would be sorted.
      .where(({ eb, lit }) => eb('documents.deleted', '=', lit(0)));

  const listed = (on: Database, shelfId: string) =>
    currentRows(on, shelfId)
      .innerJoin('commits', 'commits.hash', 'versions.commit_hash')
      .leftJoin('users', 'users.id', 'versions.author_id')
      .select(['documents.mime', 'commits.message as commit_message', 'users.username as author'])
      .orderBy('documents.name_order')
      .orderBy('documents.name_key');

  async function locksOf(on: Database, shelfId: string) {
    // Locks are few: a join would be free to go through all documents of the shelf instead.
    const rows = await on
      .selectFrom('document_locks')
      .select('document_id')
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('documents')
            .select('documents.id')
            .whereRef('documents.id', '=', 'document_locks.document_id')
            .where('documents.shelf_id', '=', shelfId),
        ),
      )
      .execute();
    return locks.of(
      on,
      rows.map(({ document_id }) => document_id),
    );
  }

  async function states(on: Database, shelfId: string): Promise<DocumentState[]> {
    const locked = await locksOf(on, shelfId);
    const rows = await currentRows(on, shelfId).execute();
    return rows.map((row) => ({ ...row, lock: locked.get(row.id) ?? null }));
  }

  async function withChanges(rows: readonly Omit<Commit, 'changes'>[], on: Database = database): Promise<Commit[]> {
    if (rows.length === 0) return [];
    const changes = await on
      .selectFrom('commit_changes')
      .leftJoin('versions as previous', (join) =>
        join
          .onRef('previous.document_id', '=', 'commit_changes.document_id')
          .on(({ eb, ref }) => eb('previous.number', '=', eb(ref('commit_changes.version_number'), '-', 1))),
      )
      .select([
        'commit_changes.commit_hash',
        'commit_changes.code',
        'commit_changes.document_id',
        'commit_changes.name',
        'commit_changes.version_id',
        'commit_changes.version_number',
        'commit_changes.size',
        'commit_changes.sha256',
        'previous.id as previous_version_id',
        'previous.size as previous_size',
      ])
      .where(
        'commit_changes.commit_hash',
        'in',
        rows.map((row) => row.hash),
      )
      .orderBy('commit_changes.position')
      .execute();
    const byCommit = new Map<string, CommitChange[]>(rows.map((row) => [row.hash, []]));
    for (const { commit_hash, ...change } of changes) byCommit.get(commit_hash)?.push(change);
    return rows.map((row) => ({ ...row, changes: byCommit.get(row.hash) ?? [] }));
  }

  const commitRows = (on: Database = database) =>
    on
      .selectFrom('commits')
      .leftJoin('users', 'users.id', 'commits.author_id')
      .select(['commits.hash', 'commits.parent', 'commits.message', 'commits.created_at', 'users.username as author']);
  const named = ({ author, ...row }: Awaited<ReturnType<ReturnType<typeof commitRows>['execute']>>[number]) => ({
    ...row,
    author: author ?? '',
  });

  async function head(on: Database, shelfId: string): Promise<CommitHead | null> {
    const row = await commitRows(on)
      .where('commits.shelf_id', '=', shelfId)
      .orderBy('commits.sequence', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row === undefined ? null : named(row);
  }

  return {
    async ofShelf(shelfId, { limit, after }) {
      // Before the documents: of what comes in between, the changes since then tell once more.
      const last_commit = await head(database, shelfId);
      const rows = await listed(database, shelfId)
        .$if(after !== undefined, (query) =>
          query.where(({ eb, refTuple, tuple }) =>
            eb(
              refTuple('documents.name_order', 'documents.name_key'),
              '>',
              tuple(nameOrder(after ?? ''), nameKey(after ?? '')),
            ),
          ),
        )
        .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
        .execute();
      const locked = await locksOf(database, shelfId);
      const documents = rows.map((row) => ({ ...row, author: row.author ?? '', lock: locked.get(row.id) ?? null }));
      return { last_commit, documents };
    },
    changes: (shelfId, since) =>
      inTransaction(database, async (on) => {
        const known = await on
          .selectFrom('commits')
          .select('sequence')
          .where('hash', '=', since)
          .where('shelf_id', '=', shelfId)
          .executeTakeFirst();
        const last_commit = await head(on, shelfId);
        if (known === undefined || last_commit === null) throw new AppError('gone', 'the shelf has no such commit');
        const changed = await on
          .selectFrom('commits')
          .innerJoin('commit_changes', 'commit_changes.commit_hash', 'commits.hash')
          .select('commit_changes.document_id')
          .distinct()
          .where('commits.shelf_id', '=', shelfId)
          .where('commits.sequence', '>', known.sequence)
          .limit(MOST_CHANGED + 1)
          .execute();
        if (changed.length > MOST_CHANGED) throw new AppError('gone', 'too much changed since; read the list anew');
        const ids = changed.map(({ document_id }) => document_id);
        const locked = await locksOf(on, shelfId);
        const documents: ShelfDocument[] = [];
        for (const chunk of inChunks(ids)) {
          const rows = await listed(on, shelfId).where('documents.id', 'in', chunk).execute();
          for (const row of rows) {
            documents.push({ ...row, author: row.author ?? '', lock: locked.get(row.id) ?? null });
          }
        }
        const present = new Set(documents.map(({ id }) => id));
        const { document_count } = await on
          .selectFrom('shelves')
          .select('document_count')
          .where('id', '=', shelfId)
          .executeTakeFirstOrThrow();
        return {
          last_commit,
          documents: inNameOrder(documents),
          removed: ids.filter((id) => !present.has(id)),
          locks: [...locked].map(([document_id, lock]) => ({ ...lock, document_id })),
          document_count,
        };
      }),
    states: (shelfId) => states(database, shelfId),
    latest: (shelfId) =>
      inTransaction(database, async (transaction) => {
        const last = await head(transaction, shelfId);
        const [commit = null] = last === null ? [] : await withChanges([last], transaction);
        return { commit, documents: await states(transaction, shelfId) };
      }),
    async commits(shelfId, page, pageSize) {
      const { count } = await database
        .selectFrom('commits')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('shelf_id', '=', shelfId)
        .executeTakeFirstOrThrow();
      const rows = await commitRows()
        .where('commits.shelf_id', '=', shelfId)
        .orderBy('commits.sequence', 'desc')
        .offset((page - 1) * pageSize)
        .limit(pageSize)
        .execute();
      return {
        commits: await withChanges(rows.map(named)),
        count: Number(count),
        has_more: page * pageSize < Number(count),
      };
    },
    async commit(hash) {
      const row = await commitRows().where('commits.hash', '=', hash).executeTakeFirst();
      if (row === undefined) throw absent('commit');
      const [commit] = await withChanges([named(row)]);
      return commit as Commit;
    },
    async history(actor, documentId) {
      const rows = await placedVersions(actor).where('versions.document_id', '=', documentId).execute();
      if (rows.length === 0) throw absent('document');
      return rows.map(placed).map(({ library: _library, shelf: _shelf, shelf_id: _id, ...version }) => version);
    },
    async version(actor, versionId) {
      const row = await placedVersions(actor).where('versions.id', '=', versionId).executeTakeFirst();
      if (row === undefined) throw absent('version');
      return placed(row);
    },
    async currentVersion(actor, documentId) {
      const row = await placedVersions(actor)
        .where('versions.document_id', '=', documentId)
        .whereRef('versions.number', '=', 'documents.current_version')
        .where('documents.deleted', '=', 0)
        .executeTakeFirst();
      if (row === undefined) throw absent('document');
      return placed(row);
    },
    async content(versionId) {
      const row = await database
        .selectFrom('versions')
        .select(['name as document_name', 'mime', 'sha256', 'size'])
        .where('id', '=', versionId)
        .executeTakeFirst();
      if (row === undefined) throw absent('version');
      return row;
    },
  };
}
