import { isDeepStrictEqual } from 'node:util';
import { documents as documentCalls } from '../../shared/api/documents.ts';
import { libraries as libraryCalls } from '../../shared/api/libraries.ts';
import { AppError, isAppError } from '../../shared/errors.ts';
import type { DocumentState, Shelf } from '../../shared/model/library.ts';
import type { ShelfKnowledge } from './checkoutStore.ts';
import type { RemoteDocument, WorkspaceServer } from './types.ts';

/** What is known of a shelf on its server. */
export interface RemoteShelf {
  readonly known: ShelfKnowledge;
  /**
   * Takes in what happened there since it was last asked.
   * @returns whether anything did
   * @throws AppError `not-found` when the shelf is not there for this person any more, or what broke off the calls
   */
  take(server: WorkspaceServer): Promise<boolean>;
}

const remoteOf = (document: DocumentState): RemoteDocument => ({
  documentId: document.id,
  name: document.name,
  version: document.current_version,
  versionId: document.current_version_id,
  sha256: document.sha256,
  size: document.size,
  updatedAt: document.updated_at,
  lockedBy: document.lock?.by ?? null,
});

/**
 * Takes up what was known of a shelf.
 * @param username of whoever is signed in: whether they may commit goes by their role
 */
export function createRemoteShelf(
  shelfId: string,
  earlier: ShelfKnowledge,
  username: () => Promise<string>,
): RemoteShelf {
  let known = earlier;

  async function takeShelf({ library, name, archived, members }: Shelf): Promise<void> {
    const who = await username();
    const role = members.find((member) => member.username === who)?.role ?? 'viewer';
    known = { ...known, library, shelf: name, isWritable: !archived && role !== 'viewer' };
  }

  /** The shelf where its library is called otherwise by now. @throws AppError `not-found` */
  async function find(server: WorkspaceServer): Promise<void> {
    const { libraries } = await server.call(libraryCalls.listWithShelves, { query: { archived: 'include' } });
    const found = libraries.flatMap(({ shelves }) => shelves).find(({ id }) => id === shelfId);
    if (found === undefined) throw new AppError('not-found', 'the shelf is not there for this person');
    await takeShelf(found);
  }

  /** What commits since the last look changed; false when the whole shelf has to be asked for. */
  async function takeChanges(server: WorkspaceServer, since: string): Promise<boolean> {
    try {
      const params = { lib: known.library, id: shelfId, since };
      const answer = await server.call(documentCalls.changes, { params });
      await takeShelf(answer.shelf);
      const removed = new Set(answer.removed);
      const documents = new Map(
        known.remote.filter(({ documentId }) => !removed.has(documentId)).map((each) => [each.documentId, each]),
      );
      for (const document of answer.documents) documents.set(document.id, remoteOf(document));
      const locks = new Map(answer.locks.map(({ document_id, by }) => [document_id, by]));
      const remote = [...documents.values()].map((each) => {
        const lockedBy = locks.get(each.documentId) ?? null;
        return lockedBy === each.lockedBy ? each : { ...each, lockedBy };
      });
      // The same list where nothing is new: whoever holds it sees that at once.
      const isSame = remote.length === known.remote.length && remote.every((each, at) => each === known.remote[at]);
      known = { ...known, commit: answer.last_commit.hash, remote: isSame ? known.remote : remote };
      return true;
    } catch (error) {
      if (isAppError(error, 'gone')) return false;
      throw error;
    }
  }

  async function takeAll(server: WorkspaceServer): Promise<void> {
    if (known.commit !== null && (await takeChanges(server, known.commit))) return;
    const params = { lib: known.library, id: shelfId };
    await takeShelf(await server.call(documentCalls.shelfInfo, { params }));
    const { commit, documents } = await server.call(documentCalls.latest, { params });
    known = { ...known, commit: commit?.hash ?? null, remote: documents.map(remoteOf) };
  }

  return {
    get known() {
      return known;
    },
    async take(server) {
      const before = known;
      try {
        if (known.library === '') await find(server);
        await takeAll(server);
      } catch (error) {
        if (!isAppError(error, 'not-found')) throw error;
        await find(server);
        await takeAll(server);
      }
      known = { ...known, checkedAt: new Date().toISOString() };
      return !isDeepStrictEqual({ ...known, checkedAt: null }, { ...before, checkedAt: null });
    },
  };
}
