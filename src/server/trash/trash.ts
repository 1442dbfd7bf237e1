import { sql } from 'kysely';
import type { z } from 'zod';
import type { SearchIndex } from '../../core/search/types.ts';
import type { DeletedDocument, trash as trashCalls } from '../../shared/api/trash.ts';
import { AppError, isAppError } from '../../shared/errors.ts';
import type { Commit } from '../../shared/model/library.ts';
import { SearchQuery } from '../../shared/model/search.ts';
import { nameKey } from '../../shared/rules/names.ts';
import { ROLES, type Role } from '../access/access.ts';
import type { Audit } from '../audit/audit.ts';
import { inChunks } from '../database/chunks.ts';
import type { Database } from '../database/connection.ts';
import { inTransaction } from '../database/transactions.ts';
import { checkedDocumentName } from '../documents/actions.ts';
import type { Commits } from '../documents/commits.ts';
import type { Documents } from '../documents/documents.ts';
import type { Actor, Caller } from '../http/context.ts';
import type { Plans } from '../libraries/plans.ts';

type ListQuery = z.output<typeof trashCalls.list.query>;

/** What became of one of several documents. */
export interface Outcome {
  readonly id: string;
  readonly code: string | null;
  readonly message: string | null;
}

/** Deleted documents, kept for some days with all their versions (decisions.md §7). */
export interface Trash {
  /** @throws AppError `cancelled` when `signal` says that nobody waits for a search of contents any more. */
  list(
    actor: Actor,
    query: ListQuery,
    signal: AbortSignal,
  ): Promise<{ documents: DeletedDocument[]; count: number; has_more: boolean }>;
  /** @throws AppError `name-taken` when the name is in use: another one has to be given. */
  restore(caller: Caller, documentId: string, name: string | null): Promise<Commit>;
  remove(caller: Caller, documentId: string): Promise<void>;
  restoreMany(caller: Caller, ids: readonly string[]): Promise<Outcome[]>;
  removeMany(caller: Caller, ids: readonly string[]): Promise<Outcome[]>;
  /** Lets go of what has been here for its time. */
  purgeExpired(): Promise<void>;
}

const DAY_MS = 24 * 3600_000;
/** Versions that a phrase is found in at the most: more than anybody goes through. */
const MOST_FOUND = 10_000;

/** A document in the trash with what decides on it. */
interface Found {
  readonly id: string;
  readonly name: string;
  readonly current_version: number;
  readonly shelf: {
    readonly id: string;
    readonly name: string;
    readonly library_id: string;
    readonly library: string;
    readonly owner_id: string;
  };
  readonly role: Role;
  readonly archived: boolean;
  /** Members at the time it was deleted, when the shelf is in the trash too. */
  readonly formerMembers: string | null;
}

/** Makes the service. */
export function createTrash(options: {
  readonly database: Database;
  readonly index: Pick<SearchIndex, 'search'>;
  readonly audit: Audit;
  readonly commits: Commits;
  readonly documents: Documents;
  readonly plans: Plans;
  /** Days until a document is let go. */
  readonly keepDays: () => Promise<number>;
  readonly onCommitted: (hash: string) => void;
  /** Told which versions are gone for good. */
  readonly onRemoved: (versionIds: readonly string[]) => void;
  readonly now: () => number;
}): Trash {
  const { database, index, audit, commits, documents, plans, keepDays, onCommitted, onRemoved, now } = options;

  /** What the actor sees: the trash of their shelves, and of the shelves that were deleted in their libraries. */
  const visible = (actor: Actor) =>
    database
      .selectFrom('documents')
      .innerJoin('shelves', 'shelves.id', 'documents.shelf_id')
      .innerJoin('libraries', 'libraries.id', 'shelves.library_id')
      .leftJoin('shelf_members', (join) =>
        join.onRef('shelf_members.shelf_id', '=', 'shelves.id').on('shelf_members.user_id', '=', actor.id),
      )
      .leftJoin('deleted_shelves', 'deleted_shelves.shelf_id', 'shelves.id')
      .where('documents.deleted', '=', 1)
      .where('documents.shelf_id', 'in', ({ selectFrom }) =>
        selectFrom('shelf_members as mine')
          .select('mine.shelf_id as id')
          .where('mine.user_id', '=', actor.id)
          .union(
            selectFrom('deleted_shelves as gone')
              .innerJoin('shelves as place', 'place.id', 'gone.shelf_id')
              .innerJoin('libraries as own', 'own.id', 'place.library_id')
              .select('place.id')
              .where('own.owner_id', '=', actor.id),
          ),
      );

  /** Documents of the actor's trash with a phrase in any of their versions. */
  async function withText(actor: Actor, text: string, signal: AbortSignal): Promise<string[]> {
    const rows = await visible(actor).select('documents.id').execute();
    const { results } = await index.search(
      SearchQuery.parse({ text, scope: 'history', limit: MOST_FOUND, itemsPerResult: 0 }),
      { corpus: 'all-versions', documentIds: rows.map(({ id }) => id), signal },
    );
    return [...new Set(results.flatMap(({ documentId }) => documentId ?? []))];
  }

  async function find(actor: Actor, documentId: string, role: Role): Promise<Found> {
    const row = await visible(actor)
      .select([
        'documents.id',
        'documents.name',
        'documents.current_version',
        'shelves.id as shelf_id',
        'shelves.name as shelf',
        'shelves.archived as shelf_archived',
        'libraries.id as library_id',
        'libraries.name as library',
        'libraries.owner_id',
        'libraries.archived as library_archived',
        'shelf_members.role',
        'deleted_shelves.members',
      ])
      .where('documents.id', '=', documentId)
      .executeTakeFirst();
    if (row === undefined) throw new AppError('not-found', 'there is no such document in the trash');
    // A shelf in the trash has no members; its library's owner is who decides.
    const own = row.role ?? 'owner';
    if (ROLES.indexOf(own) < ROLES.indexOf(role)) {
      throw new AppError('forbidden', `this needs the role ${role} on the shelf, and yours is ${own}`, {
        details: { needed: role, role: own },
      });
    }
    const archived = row.shelf_archived === 1 || row.library_archived === 1;
    if (archived) throw new AppError('archived', 'the shelf is archived and read-only');
    const { shelf_id: id, shelf: name, library_id, library, owner_id } = row;
    return {
      id: row.id,
      name: row.name,
      current_version: row.current_version,
      shelf: { id, name, library_id, library, owner_id },
      role: own,
      archived,
      formerMembers: row.members,
    };
  }

  /** A name that no shelf of the library has. */
  async function freeShelfName(on: Database, libraryId: string, name: string): Promise<string> {
    for (let count = 0; ; count += 1) {
      const tried = count === 0 ? name : `${name.slice(0, 48)} (restored${count === 1 ? '' : ` ${count}`})`;
      const taken = await on
        .selectFrom('shelves')
        .select('id')
        .where('library_id', '=', libraryId)
        .where('name_key', '=', nameKey(tried))
        .executeTakeFirst();
      if (taken === undefined) return tried;
    }
  }

  /** Brings a shelf back, empty, with those of its former members who are still here. */
  async function reviveShelf(on: Database, { shelf, formerMembers }: Found): Promise<void> {
    const roles = JSON.parse(formerMembers ?? '{}') as Record<string, Role>;
    await plans.claim(on, shelf.owner_id, 'max_shelves', 1);
    const name = await freeShelfName(on, shelf.library_id, shelf.name);
    await on.deleteFrom('deleted_shelves').where('shelf_id', '=', shelf.id).execute();
    await on
      .updateTable('shelves')
      .set({ name, name_key: nameKey(name) })
      .where('id', '=', shelf.id)
      .execute();
    const users = await on
      .selectFrom('users')
      .select('id')
      .where('id', 'in', [...Object.keys(roles), shelf.owner_id])
      .execute();
    const members = users.map(({ id }) => {
      const former = roles[id] === 'owner' ? 'editor' : (roles[id] ?? 'viewer');
      return { shelf_id: shelf.id, user_id: id, role: id === shelf.owner_id ? ('owner' as const) : former };
    });
    await on.insertInto('shelf_members').values(members).execute();
  }

  async function purge(on: Database, ids: readonly string[]): Promise<string[]> {
    const removed: string[] = [];
    for (const chunk of inChunks(ids)) {
      const versions = await on.selectFrom('versions').select('id').where('document_id', 'in', chunk).execute();
      removed.push(...versions.map(({ id }) => id));
      await on.deleteFrom('documents').where('id', 'in', chunk).where('deleted', '=', 1).execute();
    }
    return removed;
  }

  /** Each on its own, so that one that cannot be done leaves the others alone. */
  async function each(ids: readonly string[], work: (id: string) => Promise<unknown>): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    for (const id of ids) {
      try {
        await work(id);
        outcomes.push({ id, code: null, message: null });
      } catch (error) {
        if (!isAppError(error)) throw error;
        outcomes.push({ id, code: error.code, message: error.message });
      }
    }
    return outcomes;
  }

  const trash: Trash = {
    async list(actor, { page, page_size, name, text, library, sort, order }, signal) {
      let matching = visible(actor);
      if (name !== undefined && name !== '') {
        const pattern = `%${nameKey(name).replace(/[\\%_]/gu, '\\$&')}%`;
        matching = matching.where(sql<boolean>`documents.name_key LIKE ${pattern} ESCAPE '\\'`);
      }
      if (text !== undefined) matching = matching.where('documents.id', 'in', await withText(actor, text, signal));
      if (library !== undefined) matching = matching.where('libraries.name_key', '=', nameKey(library));
      const { count } = await matching.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
      const by = {
        deleted_at: ['documents.deleted_at'],
        name: ['documents.name_key'],
        path: ['libraries.name_key', 'shelves.name_key', 'documents.name_key'],
        deleted_by: ['deleter.username'],
      } as const;
      let rows = matching
        .innerJoin('versions', (join) =>
          join
            .onRef('versions.document_id', '=', 'documents.id')
            .onRef('versions.number', '=', 'documents.current_version'),
        )
        .leftJoin('users as deleter', 'deleter.id', 'documents.deleted_by')
        .select([
          'documents.id',
          'documents.name',
          'documents.deleted_at',
          'documents.mime',
          'documents.current_version',
          'shelves.id as shelf_id',
          'shelves.name as shelf',
          'libraries.name as library',
          'shelf_members.role',
          'deleted_shelves.shelf_id as gone',
          'deleter.username as deleted_by',
          'versions.id as current_version_id',
          'versions.size',
          'versions.sha256',
        ])
        .select(({ selectFrom }) =>
          selectFrom('versions as all')
            .select(({ fn }) => fn.countAll<number>().as('count'))
            .whereRef('all.document_id', '=', 'documents.id')
            .as('version_count'),
        );
      for (const column of by[sort]) rows = rows.orderBy(column, order);
      const found = await rows
        .orderBy('documents.id')
        .limit(page_size)
        .offset((page - 1) * page_size)
        .execute();
      const keepMs = (await keepDays()) * DAY_MS;
      return {
        documents: found.map(({ gone, role, deleted_at, deleted_by, current_version: _, ...row }) => ({
          ...row,
          size: Number(row.size),
          version_count: Number(row.version_count ?? 0),
          shelf_deleted: gone !== null,
          deleted_at: deleted_at ?? new Date(0).toISOString(),
          deleted_by: deleted_by ?? '',
          expires_at: new Date(Date.parse(deleted_at ?? '') + keepMs).toISOString(),
          can_restore: role !== 'viewer',
          can_delete: role === null || role === 'owner',
        })),
        count: Number(count),
        has_more: page * page_size < Number(count),
      };
    },
    async restore(caller, documentId, rawName) {
      const found = await find(caller.actor, documentId, 'editor');
      const name = rawName === null ? found.name : checkedDocumentName(rawName);
      const hash = await inTransaction(database, async (transaction) => {
        if (found.formerMembers !== null) await reviveShelf(transaction, found);
        return commits.commit(transaction, {
          shelf: found.shelf,
          authorId: caller.actor.id,
          message: `Restore of ${name} from the trash`,
          changes: [{ type: 'restore', documentId, name }],
        });
      });
      onCommitted(hash);
      return documents.commit(hash);
    },
    async remove(caller, documentId) {
      const found = await find(caller.actor, documentId, 'owner');
      const removed = await inTransaction(database, async (transaction) => {
        await audit.record(transaction, caller.actor, caller.address, {
          action: 'document.purge',
          target: { kind: 'document', id: documentId, name: found.name },
          libraryId: found.shelf.library_id,
        });
        return purge(transaction, [documentId]);
      });
      onRemoved(removed);
    },
    restoreMany: (caller, ids) => each(ids, (id) => trash.restore(caller, id, null)),
    removeMany: (caller, ids) => each(ids, (id) => trash.remove(caller, id)),
    async purgeExpired() {
      const before = new Date(now() - (await keepDays()) * DAY_MS).toISOString();
      for (;;) {
        const expired = await database
          .selectFrom('documents')
          .select('id')
          .where('deleted', '=', 1)
          .where('deleted_at', '<', before)
          .limit(500)
          .execute();
        if (expired.length === 0) break;
        const ids = expired.map(({ id }) => id);
        onRemoved(await inTransaction(database, (transaction) => purge(transaction, ids)));
      }
      await database
        .deleteFrom('shelves')
        .where('id', 'in', ({ selectFrom }) =>
          selectFrom('deleted_shelves').select('shelf_id').where('deleted_at', '<', before),
        )
        .where(({ not, exists, selectFrom }) =>
          not(exists(selectFrom('documents').select('id').whereRef('shelf_id', '=', 'shelves.id'))),
        )
        .execute();
    },
  };
  return trash;
}
