import {
  QueryCache,
  QueryClient,
  type QueryPersister,
  queryOptions,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query';
import type { CallOutput } from '../../shared/api/call.ts';
import { api } from '../../shared/api/index.ts';
import { isAppError } from '../../shared/errors.ts';
import type { ShelfDocument, ShelfMember } from '../../shared/model/library.ts';
import { useServices, useSession } from '../app/services.ts';
import type { ApiClient } from './client.ts';
import { logFailure } from './log.ts';
import { type ShelfData, withChanges } from './shelfChanges.ts';

const FRESH_MS = 10_000;
const RETRIES = 2;
const COMMITS_PER_PAGE = 50;
/** Nearly every shelf is whole with the first call; of others it shows the beginning. */
const FIRST_DOCUMENTS = 200;
/** So many are taken in within a frame. */
const MORE_DOCUMENTS = 1000;
/** Parts wait no longer for a busy screen. */
const IDLE_MS = 200;

/** Keys of the server state in the cache: one place, so that what changes it finds it. */
export const queryKeys = {
  libraries: ['libraries'] as const,
  library: (name: string) => ['libraries', name] as const,
  /** No name holds a slash; whatever changes the libraries changes what is used of the plan. */
  plan: ['libraries', '/plan'] as const,
  archivedLibraries: ['libraries', '/archived'] as const,
  shelf: (shelfId: string) => ['shelf', shelfId] as const,
  commits: (shelfId: string) => ['shelf', shelfId, 'commits'] as const,
  /** All that is known of documents, whichever they are; likewise of versions. */
  documents: ['document'] as const,
  versions: ['version'] as const,
  trash: ['trash'] as const,
  documentHistory: (documentId: string) => ['document', documentId, 'history'] as const,
  version: (versionId: string) => ['version', versionId] as const,
  comments: (shelfId: string) => ['comments', shelfId] as const,
  invitations: ['account', 'invitations'] as const,
  notifications: ['notifications'] as const,
  notificationList: ['notifications', 'list'] as const,
  unreadNotifications: ['notifications', 'unread'] as const,
  serviceNotices: ['service notices'] as const,
};

/**
 * The cache of server state. Only a server that did not answer is asked again by itself.
 * @param persister keeps answers beyond the page's life, where the host does
 */
export function createQueryClient(persister?: QueryPersister): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: (error, { queryKey: [what] }) => logFailure(String(what), error) }),
    defaultOptions: {
      // A server on this very machine answers without any network, so the browser's opinion of it does not count.
      mutations: { networkMode: 'always' },
      queries: {
        networkMode: 'always',
        ...(persister === undefined ? {} : { persister }),
        staleTime: FRESH_MS,
        retry: (count, error) =>
          count < RETRIES && (isAppError(error, 'server-unreachable') || isAppError(error, 'timed-out')),
      },
    },
  });
}

/** The libraries of the signed-in user, with their shelves. */
export function useLibraries() {
  const { client } = useServices();
  return useQuery({
    queryKey: queryKeys.libraries,
    queryFn: ({ signal }) => client.call(api.libraries.listWithShelves, {}, { signal }),
    select: ({ libraries }) => libraries,
  });
}

/** The archived libraries, which the other lists leave out. */
export function useArchivedLibraries() {
  const { client } = useServices();
  return useQuery({
    queryKey: queryKeys.archivedLibraries,
    queryFn: ({ signal }) => client.call(api.libraries.listWithShelves, { query: { archived: 'only' } }, { signal }),
    select: ({ libraries }) => libraries,
  });
}

/** One library with its shelves. */
export function useLibrary(name: string) {
  const { client } = useServices();
  return useQuery({
    queryKey: queryKeys.library(name),
    queryFn: ({ signal }) => client.call(api.libraries.get, { params: { name } }, { signal }),
  });
}

type ShelfPart = CallOutput<typeof api.documents.shelfDetail>;

/** Resolves when what is on the screen has been seen to, or soon where there is always something; Safari does not tell. */
const restOfFrame = (): Promise<void> =>
  new Promise((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve(), { timeout: IDLE_MS });
    else setTimeout(resolve, IDLE_MS);
  });

/**
 * Lets documents share the texts that many of them have, each of which would be one of its own otherwise: of very many documents
 * most of the memory, and of the time that it takes to collect it while somebody scrolls.
 */
function createTextSharing(): (document: ShelfDocument) => ShelfDocument {
  const known = new Map<string, string>();
  const share = (text: string) => {
    const same = known.get(text);
    if (same === undefined) known.set(text, text);
    return same ?? text;
  };
  return (document) => ({
    ...document,
    original_filename: document.original_filename === document.name ? document.name : document.original_filename,
    mime: share(document.mime),
    author: share(document.author),
    updated_at: share(document.updated_at),
    commit_hash: share(document.commit_hash),
    commit_message: share(document.commit_message),
  });
}

/**
 * Reads a shelf in parts, in the order in which it is shown.
 * @param onPart is told what is there so far of a shelf that has more: first its beginning, then whenever that has doubled
 */
async function readShelf(
  read: (part: { readonly limit: number; readonly after?: string }) => Promise<ShelfPart>,
  onPart: (data: ShelfData) => void,
): Promise<ShelfData> {
  const first = await read({ limit: FIRST_DOCUMENTS });
  const sharing = createTextSharing();
  const documents = first.documents.map(sharing);
  let shown = 0;
  for (let last = documents.length < FIRST_DOCUMENTS ? undefined : documents.at(-1); last !== undefined; ) {
    if (documents.length >= 2 * shown) {
      shown = documents.length;
      onPart({ ...first, documents: [...documents], isWhole: false });
    }
    await restOfFrame();
    const { documents: more } = await read({ limit: MORE_DOCUMENTS, after: last.name });
    documents.push(...more.map(sharing));
    last = more.length < MORE_DOCUMENTS ? undefined : more.at(-1);
  }
  return { ...first, documents, isWhole: true };
}

/**
 * How a shelf is read; what is shown of it is never less than before. A list that is whole takes in only what changed since its
 * last commit, whatever told of it or did not: asked for again after a lost connection it misses nothing. A closed shelf is kept
 * as long as it is fresh.
 */
export function shelfQuery(client: ApiClient, library: string, shelfId: string) {
  const params = { lib: library, id: shelfId };
  return queryOptions({
    queryKey: queryKeys.shelf(shelfId),
    gcTime: FRESH_MS,
    // To compare very many documents with themselves takes longer than to draw those in sight again.
    structuralSharing: false,
    queryFn: async ({ signal, client: queries, queryKey }): Promise<ShelfData> => {
      const wholeList = () => {
        const data = queries.getQueryData<ShelfData>(queryKey);
        return data?.isWhole === true ? data : undefined;
      };
      const since = wholeList()?.last_commit?.hash;
      if (since !== undefined) {
        const changes = await client
          .call(api.documents.changes, { params: { ...params, since } }, { signal })
          .catch((error: unknown) => {
            if (isAppError(error, 'gone')) return null;
            throw error;
          });
        // What was known has its own changes by now, such as a name that was just given.
        const known = wholeList();
        const data = changes === null || known === undefined ? null : withChanges(known, changes);
        if (data !== null) return data;
      }
      return readShelf(
        (query) => client.call(api.documents.shelfDetail, { params, query }, { signal }),
        (part) =>
          queries.setQueryData<ShelfData>(queryKey, (known) =>
            known === undefined || (!known.isWhole && known.documents.length < part.documents.length) ? part : known,
          ),
      );
    },
  });
}

/** A shelf and its documents; of very many the first ones until all are there. */
export function useShelf(library: string, shelfId: string) {
  const { client } = useServices();
  return useQuery(shelfQuery(client, library, shelfId));
}

/** The history of a shelf, page by page. */
export function useCommits(library: string, shelfId: string) {
  const { client } = useServices();
  return useInfiniteQuery({
    queryKey: queryKeys.commits(shelfId),
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) =>
      client.call(
        api.documents.commits,
        { params: { lib: library, id: shelfId }, query: { page: pageParam, page_size: COMMITS_PER_PAGE } },
        { signal },
      ),
    getNextPageParam: (last, pages) => (last.has_more ? pages.length + 1 : undefined),
  });
}

/** One version, with where it stands. */
export function useVersion(versionId: string, isWanted = true) {
  const { client } = useServices();
  return useQuery({
    queryKey: queryKeys.version(versionId),
    enabled: isWanted,
    queryFn: ({ signal }) => client.call(api.documents.version, { params: { id: versionId } }, { signal }),
  });
}

/** The versions of a document, newest first. */
export function useDocumentHistory(documentId: string | undefined) {
  const { client } = useServices();
  return useQuery({
    queryKey: queryKeys.documentHistory(documentId ?? ''),
    enabled: documentId !== undefined,
    queryFn: ({ signal }) => client.call(api.documents.history, { params: { id: documentId ?? '' } }, { signal }),
    select: ({ versions }) => versions,
  });
}

/** What the person is on a shelf; undefined until it is known, and for who is no member. */
export function useRole(shelfId: string): ShelfMember['role'] | undefined {
  const username = useSession(({ user }) => user?.username);
  const { data: libraries = [] } = useLibraries();
  const shelf = libraries.flatMap(({ shelves = [] }) => shelves).find(({ id }) => id === shelfId);
  return shelf?.members.find((member) => member.username === username)?.role;
}
