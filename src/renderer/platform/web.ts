import { api } from '../../shared/api/index.ts';
import { CLIENT_IDS } from '../../shared/rules/clientIds.ts';
import type { ApiClient } from '../api/client.ts';
import { loadCode } from '../api/loadCode.ts';
import type { KeyValueStore } from './storedSearchLog.ts';
import type { KeptDocuments, Platform, SearchLog } from './types.ts';
import { createWebSearch } from './webSearch.ts';

/** What the browser offers, passed in so that the platform holds no globals. */
export interface WebHost {
  readonly client: ApiClient;
  readonly origin: string;
  readonly localStore: KeyValueStore;
  readonly tabStore: KeyValueStore;
  readonly keptDocuments: () => Promise<KeptDocuments>;
  /** Leaves the application for the sign-in page. */
  readonly leaveTo: (url: string) => void;
}

/** The past queries, by code that is loaded when they are asked for. */
function createLog(store: KeyValueStore): SearchLog {
  const log = async () => (await loadCode(() => import('./storedSearchLog.ts'))).createStoredSearchLog(store);
  return {
    page: async (page, pageSize) => (await log()).page(page, pageSize),
    save: async (query) => (await log()).save(query),
    remove: async (id) => (await log()).remove(id),
    clear: async () => (await log()).clear(),
  };
}

/** A browser page: no shell, no folders; sign-in by redirect, search on the server. */
export function createWebPlatform({ client, origin, localStore, tabStore, keptDocuments, leaveTo }: WebHost): Platform {
  return {
    windowControls: null,
    shell: null,
    server: null,
    session: {
      signIn: async (returnTo) => {
        const { beginSignIn } = await loadCode(() => import('../api/signIn.ts'));
        leaveTo(await beginSignIn({ client, store: tabStore, origin, returnTo }));
      },
      signOut: async () => {
        await client.call(api.auth.revoke, { body: { client_id: CLIENT_IDS.web } });
      },
      shell: null,
    },
    workspace: null,
    index: null,
    updates: null,
    search: createWebSearch(client, createLog(localStore)),
    keptDocuments,
  };
}
