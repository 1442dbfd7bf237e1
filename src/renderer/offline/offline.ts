import type { QueryKey, QueryPersister } from '@tanstack/react-query';
import { api } from '../../shared/api/index.ts';
import type { User } from '../../shared/model/user.ts';
import type { ApiClient } from '../api/client.ts';
import { loadCode, loadUntilThere } from '../api/loadCode.ts';
import { queryKeys } from '../api/queries.ts';
import { isSavingData } from '../platform/dataSaving.ts';
import type { KeptDocuments } from '../platform/types.ts';
import { firstContent } from '../ui/later.tsx';
import { isPhoneLayout } from '../ui/layoutKind.ts';
import type { DocumentKeeper } from './keptDocuments.ts';
import { createLastSeen, isNoMore } from './lastSeen.ts';

/** What the application does to be of use without a network; only hosts whose pages and data come over one have it. */
export interface Offline {
  /** Keeps what the server answers, and gives that where it does not answer. */
  readonly persister: QueryPersister;
  /** The documents that were opened lately. */
  readonly keptDocuments: () => Promise<KeptDocuments>;
  /** Somebody is signed in: the application and what they see are kept from now on. */
  readonly begin: (user: User, client: ApiClient) => void;
  /** Who was signed in here last, while the server cannot be asked: what they saw is shown. */
  readonly recall: () => Promise<User | null>;
  /** Nobody is signed in: nothing stays. */
  readonly forget: () => void;
}

/** Somebody's own device, as far as can be told: their phone, or where they installed the application. */
const isOwnDevice = () => isPhoneLayout() || matchMedia('(display-mode: standalone)').matches;
/** Which version a query asked for; null for any other query. */
const versionOf = ([what, id, ...more]: QueryKey) =>
  what === queryKeys.versions[0] && more.length === 0 && typeof id === 'string' ? id : null;

/** Makes it, over the browser's own database and a service worker. */
export function createOffline(): Offline {
  const lastSeen = createLastSeen(firstContent);
  const worker = firstContent.then(() => loadUntilThere(async () => (await import('./worker.ts')).createWorker()));
  let keeper: Promise<DocumentKeeper> | null = null;
  const keptDocuments = () => {
    keeper ??= loadCode(async () =>
      (await import('./keptDocuments.ts')).createKeptDocuments({
        localStore: localStorage,
        isOnByDefault: isOwnDevice(),
        isSaving: isSavingData,
        onKept: () => void worker.then(({ keepViews }) => keepViews()),
      }),
    ).catch((error: unknown) => {
      keeper = null;
      throw error;
    });
    return keeper;
  };
  /** What nobody waits for. Where the browser keeps nothing, there is nothing to be done either. */
  const tidy = (work: (documents: DocumentKeeper) => Promise<void>) =>
    void firstContent
      .then(() => loadUntilThere(keptDocuments))
      .then((documents) => work(documents).catch(() => undefined));
  let recheck: () => void = () => undefined;
  addEventListener('online', () => recheck());
  return {
    persister: async (queryFn, context, query) => {
      try {
        return await lastSeen.persister(queryFn, context, query);
      } catch (error) {
        const version = versionOf(context.queryKey);
        if (version !== null && isNoMore(error)) tidy((documents) => documents.drop(version));
        throw error;
      }
    },
    keptDocuments,
    recall: lastSeen.recall,
    begin: (user, client) => {
      lastSeen.begin(user);
      void worker.then(({ keep }) => keep());
      recheck = () =>
        tidy((documents) =>
          documents.recheck(user.user_id, (id) => client.call(api.documents.version, { params: { id } })),
        );
      recheck();
    },
    forget: () => {
      recheck = () => undefined;
      lastSeen.forget();
      tidy((documents) => documents.empty());
      void worker.then(({ empty }) => empty());
    },
  };
}
