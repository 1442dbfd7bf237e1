import { inChunks } from '../database/chunks.ts';
import type { Database } from '../database/connection.ts';
import { inTransaction } from '../database/transactions.ts';
import { FORMAT_VERSION, type HistoryFile } from './format.ts';

/** A library as it is exported. */
export interface LibrarySource {
  readonly id: string;
  readonly name: string;
  readonly owner: string;
  readonly archived: boolean;
  readonly created_at: string;
}

/** Shelves of a library that are not in the trash, by name. */
export function shelvesOf(database: Database, libraryId: string): Promise<{ id: string; name: string }[]> {
  return database
    .selectFrom('shelves')
    .select(['id', 'name'])
    .where('library_id', '=', libraryId)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('deleted_shelves').select('shelf_id').whereRef('shelf_id', '=', 'shelves.id'))),
    )
    .orderBy('name_key')
    .execute();
}

/** The username of everybody in `ids` that has an account. */
async function usernames(on: Database, ids: Iterable<string | null>): Promise<(id: string | null) => string> {
  const names = new Map<string, string>();
  const known = [...new Set(ids)].filter((id) => id !== null);
  for (const chunk of inChunks(known)) {
    const rows = await on.selectFrom('users').select(['id', 'username']).where('id', 'in', chunk).execute();
    for (const { id, username } of rows) names.set(id, username ?? '');
  }
  return (id) => (id === null ? '' : (names.get(id) ?? ''));
}

async function versionsOf(on: Database, documentIds: readonly string[]) {
  const versions = [];
  for (const chunk of inChunks(documentIds)) {
    const rows = await on
      .selectFrom('versions')
      .select(['id', 'document_id', 'number', 'name', 'sha256', 'size', 'mime', 'author_id', 'commit_hash'])
      .select(['created_at', 'label'])
      .where('document_id', 'in', chunk)
      .orderBy('document_id')
      .orderBy('number')
      .execute();
    versions.push(...rows);
  }
  return versions;
}

async function commitsOf(on: Database, shelfId: string) {
  const commits = await on
    .selectFrom('commits')
    .select(['hash', 'parent', 'message', 'author_id', 'created_at'])
    .where('shelf_id', '=', shelfId)
    .orderBy('sequence')
    .execute();
  const changes = [];
  for (const chunk of inChunks(commits.map(({ hash }) => hash))) {
    const rows = await on
      .selectFrom('commit_changes')
      .select(['commit_hash', 'code', 'document_id', 'name', 'version_number', 'sha256'])
      .where('commit_hash', 'in', chunk)
      .orderBy('position')
      .execute();
    changes.push(...rows);
  }
  const byCommit = Map.groupBy(changes, ({ commit_hash }) => commit_hash);
  return commits.map((commit) => ({
    ...commit,
    changes: (byCommit.get(commit.hash) ?? []).map(({ commit_hash: _, ...change }) => change),
  }));
}

/** Everything that is known of a shelf, as of one moment. */
export function snapshotOf(database: Database, shelfId: string): Promise<HistoryFile> {
  return inTransaction(database, async (on): Promise<HistoryFile> => {
    const shelf = await on
      .selectFrom('shelves')
      .select(['id', 'name', 'archived', 'created_at', 'updated_at'])
      .where('id', '=', shelfId)
      .executeTakeFirstOrThrow();
    const members = await on
      .selectFrom('shelf_members')
      .select(['user_id', 'role'])
      .where('shelf_id', '=', shelfId)
      .orderBy('user_id')
      .execute();
    const documents = await on
      .selectFrom('documents')
      .select(['id', 'name', 'original_filename', 'current_version', 'deleted', 'deleted_at', 'deleted_by'])
      .where('shelf_id', '=', shelfId)
      .orderBy('id')
      .execute();
    const versions = await versionsOf(
      on,
      documents.map(({ id }) => id),
    );
    const commits = await commitsOf(on, shelfId);
    const comments = await on
      .selectFrom('comments')
      .select(['id', 'document_id', 'version_id', 'parent_id', 'user_id', 'comment', 'resolved_at', 'resolved_by'])
      .select(['created_at', 'updated_at'])
      .where('shelf_id', '=', shelfId)
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    const nameOf = await usernames(on, [
      ...members.map(({ user_id }) => user_id),
      ...documents.map(({ deleted_by }) => deleted_by),
      ...versions.map(({ author_id }) => author_id),
      ...commits.map(({ author_id }) => author_id),
      ...comments.flatMap(({ user_id, resolved_by }) => [user_id, resolved_by]),
    ]);
    const orNull = (id: string | null) => (id === null ? null : nameOf(id));
    return {
      format: 'armarium-history',
      version: FORMAT_VERSION,
      shelf: { ...shelf, archived: shelf.archived === 1 },
      members: members.map(({ user_id, role }) => ({ username: nameOf(user_id), role })),
      documents: documents.map((document) => ({
        ...document,
        deleted: document.deleted === 1,
        deleted_by: orNull(document.deleted_by),
      })),
      versions: versions.map(({ author_id, ...version }) => ({ ...version, author: nameOf(author_id) })),
      commits: commits.map((commit) => ({ ...commit, author: nameOf(commit.author_id) })),
      comments: comments.map(({ user_id, ...comment }) => ({
        ...comment,
        author: nameOf(user_id),
        resolved_by: orNull(comment.resolved_by),
      })),
    };
  });
}
