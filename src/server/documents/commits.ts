import { createHash, randomUUID } from 'node:crypto';
import { AppError } from '../../shared/errors.ts';
import type { NotificationType } from '../../shared/model/notification.ts';
import { type CanonicalChange, canonicalCommit } from '../../shared/rules/commit.ts';
import { nameKey, nameOrder } from '../../shared/rules/names.ts';
import { inChunks } from '../database/chunks.ts';
import type { Database } from '../database/connection.ts';
import { isUniqueViolation } from '../database/faults.ts';
import type { Plans } from '../libraries/plans.ts';
import type { Notifier } from '../notifications/notifier.ts';
import { currentDocuments } from './currentDocuments.ts';
import type { Locks } from './locks.ts';

interface Content {
  readonly sha256: string;
  readonly size: number;
  readonly mime: string;
}

/** What a commit is to change. A base version is the number that the change was made on. */
export type Change =
  | ({ readonly type: 'add'; readonly name: string; readonly versionId: string } & Content)
  | ({
      readonly type: 'modify';
      readonly documentId: string;
      readonly baseVersion: number;
      readonly versionId: string;
    } & Content)
  | { readonly type: 'delete'; readonly documentId: string; readonly baseVersion: number }
  /** The same content under another name, which is a version of its own. */
  | { readonly type: 'rename'; readonly documentId: string; readonly baseVersion: number; readonly name: string }
  /** Out of the trash, under a name that is free. */
  | { readonly type: 'restore'; readonly documentId: string; readonly name: string };

/** The shelf that a commit is made on. */
export interface CommitShelf {
  readonly id: string;
  readonly name: string;
  readonly library: string;
  readonly owner_id: string;
}

export interface CommitRequest {
  readonly shelf: CommitShelf;
  readonly authorId: string;
  readonly message: string;
  readonly changes: readonly Change[];
  /** ISO 8601; by default now. */
  readonly createdAt?: string;
}

/**
 * Makes commits: one atomic set of changes on one shelf (decisions.md §2), linear, each naming its parent. What each one may
 * have to refuse is decided inside the transaction, so nothing that was announced earlier can overwrite what came meanwhile.
 */
export interface Commits {
  /**
   * Writes a commit inside the caller's transaction, whose contents are blobs already.
   * @returns its hash
   * @throws AppError `conflict` (a document is no longer as the change knew it), `name-taken`, `locked`, `plan-limit-reached`.
   */
  commit(transaction: Database, request: CommitRequest): Promise<string>;
}

/** More than this many documents of one commit are told of by the first alone. */
const NOTIFIED_ONE_BY_ONE = 20;

interface CurrentDocument {
  readonly id: string;
  readonly name: string;
  readonly current_version: number;
  readonly deleted: number;
  readonly sha256: string;
  readonly size: number;
  readonly mime: string;
}

/** A change with all that is known of it once it was checked. */
interface Resolved {
  readonly documentId: string;
  readonly event: NotificationType;
  readonly name: string;
  readonly version: ({ readonly id: string; readonly number: number } & Content) | null;
  /** What the commit says of it; a rename says two things. */
  readonly entries: readonly (CanonicalChange & { readonly withVersion: boolean })[];
  readonly change: Change;
}

/** Makes the service. */
export function createCommits(options: {
  readonly locks: Locks;
  readonly plans: Plans;
  readonly notifier: Notifier;
  readonly now: () => number;
}): Commits {
  const { locks, plans, notifier, now } = options;

  async function documentsById(on: Database, shelfId: string, ids: readonly string[]) {
    const byId = new Map<string, CurrentDocument>();
    for (const chunk of inChunks(ids)) {
      const rows = await currentDocuments(on)
        .select([
          'documents.id',
          'documents.name',
          'documents.current_version',
          'documents.deleted',
          'versions.sha256',
          'versions.size',
          'versions.mime',
        ])
        .where('documents.id', 'in', chunk)
        .where('documents.shelf_id', '=', shelfId)
        .execute();
      for (const row of rows) byId.set(row.id, row);
    }
    return byId;
  }

  function stale(name: string): AppError {
    return new AppError('conflict', 'a document changed meanwhile; look at it again', { details: { name } });
  }

  /** A change checked against the document as it stands now. */
  function resolve(change: Change, documents: ReadonlyMap<string, CurrentDocument>): Resolved {
    const entry = (code: 'A' | 'M' | 'D', name: string, number: number | null, sha256: string | null) => ({
      code,
      name,
      versionNumber: number,
      sha256,
      withVersion: number !== null,
    });
    if (change.type === 'add') {
      const { name, sha256, size, mime } = change;
      const version = { id: change.versionId, number: 1, sha256, size, mime };
      const entries = [entry('A', name, 1, sha256)];
      return { documentId: randomUUID(), event: 'DOC_UPLOAD', name, version, entries, change };
    }
    const document = documents.get(change.documentId);
    if (document === undefined) throw new AppError('not-found', 'there is no such document');
    const documentId = document.id;
    if (document.deleted !== (change.type === 'restore' ? 1 : 0)) throw stale(document.name);
    if (change.type !== 'restore' && document.current_version !== change.baseVersion) throw stale(document.name);
    const { name } = document;
    const number = document.current_version + 1;
    const same = { number, sha256: document.sha256, size: document.size, mime: document.mime };
    switch (change.type) {
      case 'modify': {
        const { sha256, size, mime } = change;
        const version = { id: change.versionId, number, sha256, size, mime };
        return { documentId, event: 'DOC_VERSION', name, version, entries: [entry('M', name, number, sha256)], change };
      }
      case 'delete':
        return {
          documentId,
          event: 'DOC_DELETE',
          name,
          version: null,
          entries: [entry('D', name, null, null)],
          change,
        };
      case 'rename': {
        const version = { id: randomUUID(), ...same };
        const entries = [entry('D', name, null, null), entry('A', change.name, number, same.sha256)];
        return { documentId, event: 'DOC_RENAME', name: change.name, version, entries, change };
      }
      case 'restore': {
        const version = { id: randomUUID(), ...same };
        const entries = [entry('A', change.name, number, same.sha256)];
        return { documentId, event: 'DOC_RESTORE', name: change.name, version, entries, change };
      }
    }
  }

  async function writeDocuments(
    on: Database,
    shelfId: string,
    authorId: string,
    at: string,
    resolved: readonly Resolved[],
  ) {
    // Names become free before others take them.
    const deleted = resolved.filter(({ change }) => change.type === 'delete').map(({ documentId }) => documentId);
    for (const chunk of inChunks(deleted)) {
      const gone = { deleted: 1, deleted_at: at, deleted_by: authorId };
      await on.updateTable('documents').set(gone).where('id', 'in', chunk).execute();
      await locks.drop(on, chunk);
    }
    for (const { documentId, change, version, name } of resolved) {
      if (version === null || change.type === 'add') continue;
      const changed = { current_version: version.number, mime: version.mime };
      const free = { deleted: 0, deleted_at: null, deleted_by: null };
      const placed = { name, name_key: nameKey(name), name_order: nameOrder(name), ...free };
      await on
        .updateTable('documents')
        .set(change.type === 'modify' ? changed : { ...changed, ...placed })
        .where('id', '=', documentId)
        .execute();
    }
    const added = resolved.filter(({ change }) => change.type === 'add');
    for (const chunk of inChunks(added)) {
      await on
        .insertInto('documents')
        .values(
          chunk.map(({ documentId, name, version }) => ({
            id: documentId,
            shelf_id: shelfId,
            name,
            name_key: nameKey(name),
            name_order: nameOrder(name),
            original_filename: name.split('/').at(-1) ?? name,
            mime: version?.mime ?? '',
            current_version: 1,
            deleted: 0,
          })),
        )
        .execute();
    }
  }

  async function writeVersions(
    on: Database,
    hash: string,
    authorId: string,
    at: string,
    resolved: readonly Resolved[],
  ) {
    const versions = resolved.flatMap(({ documentId, name, version }) =>
      version === null ? [] : [{ ...version, document_id: documentId, name }],
    );
    for (const chunk of inChunks(versions)) {
      const common = { author_id: authorId, commit_hash: hash, created_at: at };
      await on
        .insertInto('versions')
        .values(chunk.map((version) => ({ ...version, ...common })))
        .execute();
    }
    const contents = [...new Map(versions.map((version) => [version.sha256, version.size]))];
    for (const chunk of inChunks(contents)) {
      await on
        .insertInto('blobs')
        .values(chunk.map(([sha256, size]) => ({ sha256, size, created_at: at, condemned_ms: null })))
        .onConflict((conflict) => conflict.column('sha256').doUpdateSet({ condemned_ms: null }))
        .execute();
    }
    const changes = resolved
      .flatMap(({ documentId, version, entries }) =>
        entries.map(({ code, name, versionNumber, sha256, withVersion }) => ({
          commit_hash: hash,
          code,
          document_id: documentId,
          name,
          version_id: withVersion ? (version?.id ?? null) : null,
          version_number: versionNumber,
          sha256,
          size: withVersion ? (version?.size ?? null) : null,
        })),
      )
      .map((change, position) => ({ ...change, position }));
    for (const chunk of inChunks(changes)) await on.insertInto('commit_changes').values(chunk).execute();
  }

  async function tell(on: Database, { shelf, authorId }: CommitRequest, resolved: readonly Resolved[]): Promise<void> {
    const byType = Map.groupBy(resolved, ({ event }) => event);
    for (const [type, all] of byType) {
      for (const { documentId, name, entries } of all.length > NOTIFIED_ONE_BY_ONE ? all.slice(0, 1) : all) {
        await notifier.notify(on, {
          type,
          actorId: authorId,
          target: { kind: 'document', id: documentId },
          metadata: {
            library_name: shelf.library,
            shelf_name: shelf.name,
            shelf_id: shelf.id,
            document_name: name,
            document_id: documentId,
            ...(type === 'DOC_RENAME' ? { old_name: entries[0]?.name ?? '', new_name: name } : {}),
          },
          to: { membersOf: shelf.id },
        });
      }
    }
  }

  return {
    async commit(transaction, request) {
      const { shelf, authorId, message, changes } = request;
      const at = request.createdAt ?? new Date(now()).toISOString();
      // The first statement writes to the shelf: two commits on it follow each other, and the second sees the first.
      const { head_commit } = await transaction
        .updateTable('shelves')
        .set({ updated_at: at })
        .where('id', '=', shelf.id)
        .returning('head_commit')
        .executeTakeFirstOrThrow();
      const last = await transaction
        .selectFrom('commits')
        .select(({ fn }) => fn.max('sequence').as('sequence'))
        .where('shelf_id', '=', shelf.id)
        .executeTakeFirst();
      const existing = changes.flatMap((change) => (change.type === 'add' ? [] : [change.documentId]));
      const documents = await documentsById(transaction, shelf.id, existing);
      await locks.refuse(transaction, authorId, existing);
      const resolved = changes.map((change) => resolve(change, documents));
      const grows = changes.filter(({ type }) => type === 'add' || type === 'restore').length;
      const shrinks = changes.filter(({ type }) => type === 'delete').length;
      await plans.claim(transaction, shelf.owner_id, 'max_documents', grows - shrinks);

      const canonical = canonicalCommit({
        shelfId: shelf.id,
        parent: head_commit,
        authorId,
        createdAt: at,
        message,
        changes: resolved.flatMap(({ entries }) => entries),
      });
      const hash = createHash('sha256').update(canonical).digest('hex');
      await transaction
        .insertInto('commits')
        .values({
          hash,
          shelf_id: shelf.id,
          sequence: (last?.sequence ?? 0) + 1,
          parent: head_commit,
          message,
          author_id: authorId,
          created_at: at,
        })
        .execute();
      try {
        await writeDocuments(transaction, shelf.id, authorId, at, resolved);
      } catch (error) {
        // Somebody else's document took the name since the upload was announced.
        throw isUniqueViolation(error)
          ? new AppError('name-taken', 'the shelf has a document of this name', { cause: error })
          : error;
      }
      await writeVersions(transaction, hash, authorId, at, resolved);
      await transaction
        .updateTable('shelves')
        .set((eb) => ({ head_commit: hash, document_count: eb('document_count', '+', grows - shrinks) }))
        .where('id', '=', shelf.id)
        .execute();
      await tell(transaction, request, resolved);
      return hash;
    },
  };
}
