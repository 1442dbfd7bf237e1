import { randomUUID } from 'node:crypto';
import { AppError } from '../../shared/errors.ts';
import { inChunks } from '../database/chunks.ts';
import type { Database } from '../database/connection.ts';
import { inTransaction } from '../database/transactions.ts';
import type { Change, CommitShelf, Commits } from '../documents/commits.ts';
import type { BlobStore } from '../storage/blobStore.ts';
import type { HistoryComment, HistoryCommit, HistoryDocument, HistoryFile, HistoryVersion } from './format.ts';
import type { ImportLine } from './importLibrary.ts';
import type { People } from './people.ts';
import { storeContent } from './storeContent.ts';
import type { TreeFile } from './tree.ts';

/** How much of a history was made again. */
export interface Replayed {
  readonly documents: number;
  readonly versions: number;
  readonly commits: number;
  readonly comments: number;
}

/** Makes a shelf's history again, commit by commit. */
export interface Replay {
  all(history: HistoryFile): Promise<Replayed>;
}

/** A document of the export as it stands here so far. */
interface Standing {
  readonly id: string;
  readonly number: number;
  readonly deleted: boolean;
}

/** What a commit does to one document, with the version that it makes. */
interface Step {
  readonly original: string;
  readonly change: Change;
  readonly version: HistoryVersion | null;
  /** It was in the trash by then, without a commit that says so: the shelf was deleted, and came back. */
  readonly deletedBefore: boolean;
}

/** A version here: the answer to which one is meant. */
interface MadeVersion {
  readonly id: string;
  readonly document_id: string;
  readonly number: number;
}

export function createReplay(options: {
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly commits: Commits;
  readonly people: People;
  readonly shelf: CommitShelf;
  readonly contentOf: (sha256: string) => TreeFile | undefined;
  readonly onLine: (line: ImportLine) => void;
  readonly now: () => number;
}): Replay {
  const { database, blobs, commits, people, shelf, contentOf, onLine, now } = options;
  const standing = new Map<string, Standing>();
  const versionIds = new Map<string, string>();
  const problem = (name: string, reason: string) => onLine({ kind: 'problem', shelf: shelf.name, name, reason });

  function stepOf(
    changes: HistoryCommit['changes'],
    versions: ReadonlyMap<string, HistoryVersion>,
    documentId: string,
  ): Step | null {
    const here = standing.get(documentId);
    const made = changes.find(({ version_number }) => version_number !== null);
    const name = made?.name ?? changes[0]?.name ?? '';
    const step = (change: Change, version: HistoryVersion | null, deletedBefore = false): Step => {
      return { original: documentId, change, version, deletedBefore };
    };
    const base = here === undefined ? null : { documentId: here.id, baseVersion: here.number };
    if (made === undefined) {
      return base === null || here?.deleted === true ? null : step({ type: 'delete', ...base }, null);
    }
    const version = versions.get(`${documentId} ${made.version_number}`);
    if (version === undefined) {
      problem(name, `version ${made.version_number} is not in the export: it was removed for good`);
      return null;
    }
    const { sha256, size, mime } = version;
    const content = { versionId: randomUUID(), sha256, size, mime };
    if (base === null || here === undefined) return step({ type: 'add', name, ...content }, version);
    if (made.code === 'M') return step({ type: 'modify', ...base, ...content }, version);
    const isRename = changes.some(({ code }) => code === 'D');
    if (isRename) return step({ type: 'rename', ...base, name }, version);
    return step({ type: 'restore', documentId: base.documentId, name }, version, !here.deleted);
  }

  async function store({ change }: Step): Promise<void> {
    if (change.type !== 'add' && change.type !== 'modify') return;
    const { sha256, size } = change;
    const file = contentOf(sha256);
    if (file === undefined) throw new AppError('not-found', `the export has no content ${sha256}`);
    await storeContent(database, blobs, { sha256, size }, () => file.open(), now());
  }

  async function putInTrash(on: Database, documentId: string, at: string | null, by: string | null): Promise<void> {
    const gone = { deleted: 1, deleted_at: at, deleted_by: by };
    await on.updateTable('documents').set(gone).where('id', '=', documentId).execute();
    await on
      .updateTable('shelves')
      .set((eb) => ({ document_count: eb('document_count', '-', 1) }))
      .where('id', '=', shelf.id)
      .execute();
  }

  /** What the service made of the steps, in their order. */
  async function madeVersions(on: Database, hash: string, steps: readonly Step[]): Promise<(MadeVersion | null)[]> {
    const rows = await on
      .selectFrom('versions')
      .select(['id', 'document_id', 'number'])
      .where('commit_hash', '=', hash)
      .execute();
    const byId = new Map(rows.map((row) => [row.id, row]));
    const byDocument = new Map(rows.map((row) => [row.document_id, row]));
    return steps.map(({ change }) => {
      if (change.type === 'delete') return null;
      return (change.type === 'add' ? byId.get(change.versionId) : byDocument.get(change.documentId)) ?? null;
    });
  }

  async function commit(original: HistoryCommit, steps: readonly Step[]): Promise<void> {
    for (const step of steps) await store(step);
    const { message, created_at: createdAt, author } = original;
    const request = { shelf, authorId: people.authorOf(author), message, createdAt };
    const { hash, made } = await inTransaction(database, async (transaction) => {
      for (const { change, deletedBefore } of steps) {
        if (deletedBefore && change.type === 'restore')
          await putInTrash(transaction, change.documentId, createdAt, null);
      }
      const made = await commits.commit(transaction, { ...request, changes: steps.map(({ change }) => change) });
      const versions = await madeVersions(transaction, made, steps);
      for (const [index, version] of versions.entries()) {
        const { label = null, created_at = createdAt } = steps[index]?.version ?? {};
        if (version === null || (label === null && created_at === createdAt)) continue;
        await transaction.updateTable('versions').set({ label, created_at }).where('id', '=', version.id).execute();
      }
      return { hash: made, made: versions };
    });
    for (const [index, { original: documentId, version }] of steps.entries()) {
      const here = standing.get(documentId);
      const row = made[index] ?? null;
      if (row === null) {
        if (here !== undefined) standing.set(documentId, { ...here, deleted: true });
        continue;
      }
      standing.set(documentId, { id: row.document_id, number: row.number, deleted: false });
      if (version !== null) versionIds.set(version.id, row.id);
      if (version !== null && version.number !== row.number) {
        problem(
          version.name,
          `version ${version.number} is version ${row.number} here: older ones were removed for good`,
        );
      }
    }
    const author_known = people.find(author) !== null;
    onLine({ kind: 'commit', shelf: shelf.name, original: original.hash, hash, original_author: author, author_known });
  }

  /** Brings what no commit says to the documents: who put them into the trash, and what they were called at first. */
  async function finish(documents: readonly HistoryDocument[]): Promise<void> {
    await inTransaction(database, async (transaction) => {
      for (const document of documents) {
        const { deleted, deleted_at, deleted_by, original_filename } = document;
        const here = standing.get(document.id);
        if (here === undefined) continue;
        if (deleted && !here.deleted) await putInTrash(transaction, here.id, deleted_at, people.find(deleted_by));
        const { id } = here;
        const trash = deleted ? { deleted_at, deleted_by: people.find(deleted_by) } : {};
        await transaction
          .updateTable('documents')
          .set({ original_filename, ...trash })
          .where('id', '=', id)
          .execute();
      }
    });
  }

  /** Answers after what they answer. */
  function commentRows(comments: readonly HistoryComment[]) {
    const ids = new Map<string, string>();
    const threads = comments.filter(({ parent_id }) => parent_id === null);
    const answers = comments.filter(({ parent_id }) => parent_id !== null);
    return [...threads, ...answers].flatMap((comment) => {
      const document = comment.document_id === null ? null : standing.get(comment.document_id)?.id;
      const version = comment.version_id === null ? null : versionIds.get(comment.version_id);
      const parent = comment.parent_id === null ? null : ids.get(comment.parent_id);
      if (document === undefined || version === undefined || parent === undefined) {
        problem(comment.id, 'a comment belongs to what is not in the export');
        return [];
      }
      const id = randomUUID();
      ids.set(comment.id, id);
      return [
        {
          id,
          shelf_id: shelf.id,
          document_id: document,
          version_id: version,
          parent_id: parent,
          user_id: people.find(comment.author),
          comment: comment.comment,
          resolved_at: comment.resolved_at,
          resolved_by: people.find(comment.resolved_by),
          created_at: comment.created_at,
          updated_at: comment.updated_at,
        },
      ];
    });
  }

  return {
    async all(history) {
      const versions = new Map(
        history.versions.map((version) => [`${version.document_id} ${version.number}`, version]),
      );
      const known = new Set(history.documents.map(({ id }) => id));
      for (const original of history.commits) {
        const byDocument = Map.groupBy(original.changes, ({ document_id }) => document_id);
        const steps = [...byDocument].flatMap(([documentId, changes]) => {
          // Of a document that the trash let go of, nothing but the commits' words is left.
          const step = known.has(documentId) ? stepOf(changes, versions, documentId) : null;
          return step === null ? [] : [step];
        });
        await commit(original, steps);
      }
      await finish(history.documents);
      const comments = commentRows(history.comments);
      await inTransaction(database, async (transaction) => {
        for (const chunk of inChunks(comments)) await transaction.insertInto('comments').values(chunk).execute();
      });
      return {
        documents: standing.size,
        versions: versionIds.size,
        commits: history.commits.length,
        comments: comments.length,
      };
    },
  };
}
