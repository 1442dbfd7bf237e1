import { type UtilityProcess, utilityProcess } from 'electron';
import type { Logger } from 'pino';
import { createPeer, type Peer, type Port } from '../core/rpc/rpc.ts';
import type { PaceName } from '../core/watch/pace.ts';
import { AppError } from '../shared/errors.ts';
import type { SearchQuery, SearchResult, SearchSummary, SkippedFile } from '../shared/model/search.ts';
import { INDEX_OFF, type IndexStatus } from '../shared/model/search.ts';
import type { Checkout } from '../shared/model/workspace.ts';
import type { IndexEvents, IndexHostMethods, IndexMethods } from '../worker/indexProtocol.ts';
import type { WorkspaceMethods } from '../worker/workspaceProtocol.ts';
import { endUtilityProcess } from './utility.ts';

/** Starts again at most this often in a row without an index that opened. */
const MAX_RESTARTS = 3;

/** Receives more results of a run, or all that are listed in their order. */
type OnFound = (results: readonly SearchResult[], isWhole: boolean) => void;

/** The index as the main process sees it: a process beside it that is started again when it ends. */
export interface IndexClient {
  /** Starts the process; what is asked before waits for it. */
  start(): void;
  status(): IndexStatus;
  /** @returns the function that ends it */
  onStatus(listener: (status: IndexStatus) => void): () => void;
  setRoots(folders: readonly string[]): void;
  /** The server whose history is searched, or null when signed out. */
  setServer(url: string | null): void;
  syncHistory(): void;
  search(runId: string, query: SearchQuery, onResults: OnFound, signal: AbortSignal): Promise<SearchSummary>;
  skipped(): Promise<readonly SkippedFile[]>;
  retrySkipped(): Promise<void>;
  hasFile(path: string): Promise<boolean>;
  /** Puts work in the background off, or goes on with it; searching is not concerned. */
  setPaused(paused: boolean): void;
  setPace(pace: PaceName): void;
  rebuild(): Promise<void>;
  /** The folder and the server whose shelves are kept on this computer. */
  setWorkspace(workspace: WorkspaceSetting): void;
  /** Asks about those shelves, whether or not the index could be opened. */
  workspace: WorkspacePeer['call'];
  onCheckouts(listener: (checkouts: readonly Checkout[]) => void): void;
  close(): Promise<void>;
}

type WorkspaceSetting = Parameters<WorkspaceMethods['setWorkspace']>[0];
type WorkspacePeer = Peer<WorkspaceMethods, Record<never, never>, Record<never, never>>;
type IndexPeer = Peer<IndexMethods, IndexEvents, Record<never, never>>;

export interface IndexClientOptions {
  /** Entry of the index process. */
  readonly entry: string;
  /** The index database. */
  readonly file: string;
  readonly accessToken: (stale: string | null) => Promise<string | null>;
  readonly log: Logger;
}

/** Makes the index's side in the main process, which keeps its process running once it was started. */
export function createIndexClient({ entry, file, accessToken, log }: IndexClientOptions): IndexClient {
  let status: IndexStatus = INDEX_OFF;
  let roots: readonly string[] = [];
  let server: string | null = null;
  let isPaused = false;
  let pace: PaceName = 'full';
  let child: UtilityProcess | null = null;
  let peer: IndexPeer | null = null;
  const begun = Promise.withResolvers<void>();
  // Whoever asks something hears of it.
  begun.promise.catch(() => undefined);
  let ready = begun.promise;
  let failures = 0;
  let closing = false;
  const statusListeners = new Set<(status: IndexStatus) => void>();
  const checkoutListeners: ((checkouts: readonly Checkout[]) => void)[] = [];
  const runs = new Map<string, OnFound>();
  let workspace: WorkspaceSetting = { folder: null, server: null };

  function become(next: IndexStatus): void {
    status = next;
    for (const listener of statusListeners) listener(next);
  }

  function unavailable(): AppError {
    return new AppError('index-unavailable', status.message ?? 'the index is not running');
  }

  const quietly = (what: string, work: Promise<unknown>) => {
    work.catch((error: unknown) => log.warn({ err: error }, what));
  };

  function start(): void {
    // Somebody quit before the page stood: a process begun now would outlive the application.
    if (closing) return;
    const process = utilityProcess.fork(entry, [], { serviceName: 'Armarium index', stdio: 'ignore' });
    child = process;
    const port: Port = {
      post: (message) => process.postMessage(message),
      listen: (listener) => {
        process.on('message', listener);
      },
    };
    const methods: IndexHostMethods = {
      accessToken: ({ stale }) => accessToken(stale),
      listed: async ({ runId, results }) => runs.get(runId)?.(results, true),
    };
    const current = createPeer<IndexHostMethods, IndexMethods, Record<never, never>, IndexEvents>(port, methods, {
      onUnexpected: (method, error) => log.error({ method, err: error }, 'unexpected error for the index process'),
    });
    peer = current;
    current.on('status', become);
    current.on('warning', ({ message }) => log.warn({ scope: 'index' }, message));
    current.on('checkouts', (checkouts) => {
      for (const listener of checkoutListeners) listener(checkouts);
    });
    current.on('found', ({ runId, results }) => runs.get(runId)?.(results, false));
    process.on('exit', (code) => {
      current.close(new AppError('index-unavailable', `the index process ended with code ${code}`));
      if (child !== process || closing) return;
      child = null;
      peer = null;
      failures += 1;
      log.error({ code, failures }, 'the index process ended');
      become({ ...INDEX_OFF, state: 'failed', message: `The index ended unexpectedly (code ${code}).` });
      if (failures <= MAX_RESTARTS) start();
    });
    quietly('the workspace could not be set', current.call('setWorkspace', workspace));
    ready = current.call('open', { file });
    begun.resolve(ready);
    ready.then(
      () => {
        failures = 0;
        quietly('the index could not be paused', current.call('setPaused', { paused: isPaused }));
        quietly('the pace of the index could not be set', current.call('setPace', { pace }));
        quietly('the folders could not be set', current.call('setRoots', { folders: roots }));
        quietly('the server of the history could not be set', current.call('setServer', { url: server }));
      },
      (error: unknown) => {
        log.error({ err: error }, 'the index did not open');
        become({ ...INDEX_OFF, state: 'failed', message: error instanceof Error ? error.message : String(error) });
      },
    );
  }

  /** The index process once its index is open. @throws AppError `index-unavailable` */
  async function opened(): Promise<IndexPeer> {
    await ready;
    if (peer === null) throw unavailable();
    return peer;
  }

  /** Tells the index process of a setting; before it has opened there is nothing to tell, it takes the settings then. */
  function tell(what: string, send: (peer: IndexPeer) => Promise<unknown>): void {
    quietly(what, opened().then(send));
  }

  return {
    start,
    status: () => status,
    onStatus: (listener) => {
      statusListeners.add(listener);
      return () => void statusListeners.delete(listener);
    },
    setRoots(folders) {
      roots = folders;
      tell('the folders could not be set', (to) => to.call('setRoots', { folders }));
    },
    setServer(url) {
      server = url;
      tell('the server of the history could not be set', (to) => to.call('setServer', { url }));
    },
    syncHistory() {
      tell('the history could not be brought over', (to) => to.call('syncHistory', null));
    },
    async search(runId, query, onResults, signal) {
      const to = await opened();
      runs.set(runId, onResults);
      try {
        return await to.call('search', { runId, query }, signal);
      } finally {
        runs.delete(runId);
      }
    },
    skipped: async () => (await opened()).call('skipped', null),
    retrySkipped: async () => (await opened()).call('retrySkipped', null),
    hasFile: async (path) => (await opened()).call('hasFile', { path }),
    setPaused(paused) {
      isPaused = paused;
      tell('the index could not be paused', (to) => to.call('setPaused', { paused }));
    },
    setPace(next) {
      pace = next;
      tell('the pace of the index could not be set', (to) => to.call('setPace', { pace: next }));
    },
    rebuild: async () => (await opened()).call('rebuild', null),
    setWorkspace(next) {
      workspace = next;
      if (peer !== null) quietly('the workspace could not be set', peer.call('setWorkspace', next));
    },
    async workspace(method, input) {
      // It goes on without the index, once that was opened or could not be.
      await begun.promise.catch(() => undefined);
      if (peer === null) throw unavailable();
      return (peer as WorkspacePeer).call(method, input);
    },
    onCheckouts: (listener) => void checkoutListeners.push(listener),
    async close() {
      closing = true;
      const process = child;
      const to = peer;
      if (process === null || to === null) return;
      await endUtilityProcess(process, () => quietly('the index did not close', to.call('close', null)), log);
    },
  };
}
