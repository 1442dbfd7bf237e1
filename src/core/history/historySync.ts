import type { ApiCaller } from '../../shared/api/call.ts';
import { documents } from '../../shared/api/documents.ts';
import { libraries as libraryCalls } from '../../shared/api/libraries.ts';
import type { Commit, Shelf } from '../../shared/model/library.ts';
import type { SearchIndex, VersionRecord } from '../search/types.ts';

/** What the sync needs of the server: calls of the contract, and the content of a version. */
export interface HistorySource extends ApiCaller {
  versionContent(versionId: string): Promise<Uint8Array>;
}

const PAGE_SIZE = 200;

/** Every version that a shelf's commits made, newest commit first; the newest of a document is current unless it was deleted. */
export function versionRecords(shelf: Shelf, newestFirst: readonly Commit[]): VersionRecord[] {
  const seen = new Set<string>();
  const records: VersionRecord[] = [];
  for (const commit of newestFirst) {
    for (const change of commit.changes) {
      const isNewest = !seen.has(change.document_id);
      seen.add(change.document_id);
      if (change.version_id === null || change.sha256 === null) continue;
      records.push({
        versionId: change.version_id,
        documentId: change.document_id,
        shelfId: shelf.id,
        libraryName: shelf.library,
        shelfName: shelf.name,
        documentName: change.name,
        number: change.version_number ?? 0,
        isCurrent: isNewest,
        sha256: change.sha256,
        size: change.size ?? 0,
        commitHash: commit.hash,
        commitMessage: commit.message,
        author: commit.author,
        committedAt: commit.created_at,
      });
    }
  }
  return records;
}

async function allCommits(source: HistorySource, shelf: Shelf): Promise<Commit[]> {
  const commits: Commit[] = [];
  for (let page = 1; ; page += 1) {
    const answer = await source.call(documents.commits, {
      params: { lib: shelf.library, id: shelf.id },
      query: { page, page_size: PAGE_SIZE },
    });
    commits.push(...answer.commits);
    if (!answer.has_more) return commits;
  }
}

/** Shelves as they stood when they were last brought over: what has not moved is not read again. */
export type SyncState = Map<string, string>;

/**
 * Brings the history that the signed-in user can read into the index: new versions are fetched and indexed, versions that
 * are no longer readable leave it, so that a search never shows them.
 * @returns the number of versions that were added or changed.
 */
export async function syncHistory(
  index: SearchIndex,
  source: HistorySource,
  state: SyncState,
  signal?: AbortSignal,
): Promise<number> {
  const { libraries } = await source.call(libraryCalls.listWithShelves, { query: { archived: 'include' } });
  const shelves = libraries.flatMap((library) => library.shelves);
  const known = await index.versionIds();
  const readable = new Set<string>();
  let changed = 0;
  for (const shelf of shelves) {
    signal?.throwIfAborted();
    const records = versionRecords(shelf, await allCommits(source, shelf));
    for (const record of records) readable.add(record.versionId);
    const stand = JSON.stringify([
      shelf.library,
      shelf.name,
      records.map((record) => [record.versionId, record.isCurrent]),
    ]);
    if (state.get(shelf.id) === stand && records.every((record) => known.has(record.versionId))) continue;
    await index.putVersions(records, (_sha256, record) => source.versionContent(record.versionId));
    state.set(shelf.id, stand);
    changed += records.length;
  }
  const gone = [...known].filter((versionId) => !readable.has(versionId));
  if (gone.length > 0) await index.removeVersions(gone);
  return changed;
}
