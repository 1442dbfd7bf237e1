import { buffer } from 'node:stream/consumers';
import { type HistorySource, type SyncState, syncHistory } from '../core/history/historySync.ts';
import type { SearchIndex } from '../core/search/types.ts';
import { isAppError } from '../shared/errors.ts';
import { type AccessToken, createServerClient } from './serverClient.ts';

export interface HistoryFollowerOptions {
  readonly accessToken: AccessToken;
  readonly onWarning: (message: string) => void;
  /** Between two looks when nobody asked, so that what others commit is found too. */
  readonly intervalMs?: number;
}

/** Keeps the index's history in step with one server. */
export interface HistoryFollower {
  /** Follows another server, or none; the history at hand is forgotten first when it is another's. */
  setServer(url: string | null): Promise<void>;
  /** Something was committed: look soon. Requests while a look is under way make one more look. */
  request(): void;
  /** The index lost its versions: bring all of them again. */
  forgetStand(): Promise<void>;
  close(): Promise<void>;
}

/** Makes the follower of the history for the index process. */
export function createHistoryFollower(index: SearchIndex, options: HistoryFollowerOptions): HistoryFollower {
  let server: string | null = null;
  let state: SyncState = new Map();
  let running: Promise<void> | null = null;
  let again = false;
  let controller = new AbortController();
  const timer = setInterval(() => request(), options.intervalMs ?? 30_000);
  timer.unref();

  function sourceOf(origin: string): HistorySource {
    const client = createServerClient(origin, options.accessToken, controller.signal);
    return {
      call: client.call,
      versionContent: (versionId) => client.versionContent(versionId, buffer),
    };
  }

  async function look(): Promise<void> {
    do {
      again = false;
      if (server === null) return;
      try {
        await syncHistory(index, sourceOf(server), state, controller.signal);
      } catch (error) {
        // Out of reach or signed out: the history at hand stays, the next look or request brings it up to date.
        if (!controller.signal.aborted && !isAppError(error, 'unauthenticated')) {
          options.onWarning(`history: ${error instanceof Error ? error.message : String(error)}`);
        }
      }
    } while (again);
  }

  function request(): void {
    if (server === null) return;
    if (running !== null) {
      again = true;
      return;
    }
    running = look().finally(() => {
      running = null;
    });
  }

  async function stop(): Promise<void> {
    again = false;
    controller.abort();
    await running;
    controller = new AbortController();
  }

  return {
    async setServer(url) {
      if (url === server) {
        request();
        return;
      }
      await stop();
      const forget = url === null;
      server = url;
      state = new Map();
      if (forget) await index.removeVersions([...(await index.versionIds())]);
      request();
    },
    request,
    async forgetStand() {
      state = new Map();
      request();
    },
    async close() {
      clearInterval(timer);
      server = null;
      await stop();
    },
  };
}
