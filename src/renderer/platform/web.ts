import { CLIENT_IDS } from '../../shared/api/auth.ts';
import { api } from '../../shared/api/index.ts';
import type { ApiClient } from '../api/client.ts';
import { beginSignIn } from '../api/signIn.ts';
import { createStoredSearchLog, type KeyValueStore } from './storedSearchLog.ts';
import type { Platform } from './types.ts';
import { createWebSearch } from './webSearch.ts';

/** What the browser offers, passed in so that the platform holds no globals. */
export interface WebHost {
  readonly client: ApiClient;
  readonly origin: string;
  readonly localStore: KeyValueStore;
  readonly tabStore: KeyValueStore;
  /** Leaves the application for another page. */
  readonly leaveTo: (url: string) => void;
}

/** A browser page: no shell, no folders; sign-in by redirect, search on the server. */
export function createWebPlatform({ client, origin, localStore, tabStore, leaveTo }: WebHost): Platform {
  return {
    windowControls: null,
    server: null,
    session: {
      signIn: async (returnTo) => {
        leaveTo(await beginSignIn({ client, store: tabStore, origin, returnTo }));
      },
      signOut: async () => {
        await client.call(api.auth.revoke, { body: { client_id: CLIENT_IDS.web } });
      },
      shell: null,
    },
    workspace: null,
    index: null,
    search: createWebSearch(client, createStoredSearchLog(localStore)),
  };
}
