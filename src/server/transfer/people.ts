import { inChunks } from '../database/chunks.ts';
import type { Database } from '../database/connection.ts';
import type { HistoryFile } from './format.ts';

/** Who the people of an export are here: whoever has the same username. */
export interface People {
  /** User id, or null for somebody without an account here. */
  find(username: string | null): string | null;
  /** The same; the owner stands in for others. */
  authorOf(username: string): string;
}

/** Looks everybody up who has to do with the histories. */
export async function readPeople(
  database: Database,
  histories: readonly HistoryFile[],
  ownerId: string,
): Promise<People> {
  const named = histories.flatMap(({ documents, versions, commits, comments }) => [
    ...documents.map(({ deleted_by }) => deleted_by ?? ''),
    ...versions.map(({ author }) => author),
    ...commits.map(({ author }) => author),
    ...comments.flatMap(({ author, resolved_by }) => [author, resolved_by ?? '']),
  ]);
  const byName = new Map<string, string>();
  const wanted = [...new Set(named)].filter((name) => name !== '');
  for (const chunk of inChunks(wanted)) {
    const rows = await database.selectFrom('users').select(['id', 'username']).where('username', 'in', chunk).execute();
    for (const { id, username } of rows) byName.set(username ?? '', id);
  }
  return {
    find: (username) => (username === null ? null : (byName.get(username) ?? null)),
    authorOf: (username) => byName.get(username) ?? ownerId,
  };
}
