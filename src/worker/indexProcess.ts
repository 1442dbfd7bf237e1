import { openParentPort } from '../core/rpc/parentPort.ts';
import { createPeer } from '../core/rpc/rpc.ts';
import type { SearchIndex } from '../core/search/types.ts';
import { AppError, isAppError } from '../shared/errors.ts';
import { createHistoryFollower, type HistoryFollower } from './historyFollower.ts';
import type { IndexEvents, IndexHostMethods, IndexMethods } from './indexProtocol.ts';
import { openIndex } from './openIndex.ts';
import { createWorkspaceFollower } from './workspaceFollower.ts';

/**
 * The final list of a search comes in parts, each when the one before was passed on, so that no process on its way is held up by
 * the whole of it.
 */
const WHOLE_PART = 50;
/** More than anybody has looked at before the final list is there: what would follow these is sent once, in its order. */
const STREAMED = 2000;

/**
 * The index process: everything that reads many files, parses documents or touches the index runs here, beside the main
 * process of the desktop app (architecture, "Processes").
 */
let index: SearchIndex | null = null;
let history: HistoryFollower | null = null;

function opened(): SearchIndex {
  if (index === null) throw new AppError('index-unavailable', 'the index is not open');
  return index;
}

const describe = (error: unknown) => (error instanceof Error ? `${error.name}: ${error.message}` : String(error));

const accessToken = (stale: string | null) => peer.call('accessToken', { stale });
const onWarning = (message: string) => peer.emit('warning', { message });

/** Beside the index: it goes on when the index cannot be opened. */
const workspace = createWorkspaceFollower({
  accessToken,
  onWarning,
  onChange: (checkouts) => peer.emit('checkouts', checkouts),
});

const methods: IndexMethods = {
  ...workspace.methods,
  async open({ file }) {
    const current = await openIndex({ file, onWarning });
    index = current;
    current.onStatus((status) => {
      peer.emit('status', status);
      workspace.filesMoved();
    });
    peer.emit('status', current.status());
    history = createHistoryFollower(current, { accessToken, onWarning });
  },
  async setRoots({ folders }) {
    const current = opened();
    await current.setRoots(folders);
    await current.watch();
  },
  async setServer({ url }) {
    opened();
    await history?.setServer(url);
  },
  async syncHistory() {
    opened();
    history?.request();
  },
  async search({ runId, query }, signal) {
    let streamed = 0;
    const { results, ...summary } = await opened().search(query, {
      corpus: query.scope === 'current' ? 'files' : 'all-versions',
      signal,
      onResults: (found) => {
        if (streamed >= STREAMED) return;
        streamed += found.length;
        peer.emit('found', { runId, results: found });
      },
    });
    // The last word on order and counts: batches were sent as they were verified.
    for (let at = 0; at === 0 || at < results.length; at += WHOLE_PART) {
      if (signal.aborted) throw new AppError('cancelled', 'the search was given up');
      await peer.call('listed', { runId, results: results.slice(at, at + WHOLE_PART) });
    }
    return summary;
  },
  skipped: () => opened().skipped(),
  retrySkipped: () => opened().retrySkipped(),
  hasFile: ({ path }) => opened().hasFile(path),
  async setPaused({ paused }) {
    if (paused) opened().pause();
    else opened().resume();
  },
  async setPace({ pace }) {
    workspace.setPace(pace);
    opened().setPace(pace);
  },
  async rebuild() {
    await opened().rebuild();
    await history?.forgetStand();
  },
  waitForIdle: ({ timeoutMs }) => opened().waitForIdle(timeoutMs),
  async close() {
    await Promise.all([history?.close(), workspace.close()]);
    await index?.close();
    index = null;
    // Once the answer is on its way.
    setImmediate(() => process.exit(0));
  },
};

const peer = createPeer<IndexMethods, IndexHostMethods, IndexEvents>(openParentPort(), methods, {
  onUnexpected: (method, error) => peer.emit('warning', { message: `${method}: ${describe(error)}` }),
});

process.on('unhandledRejection', (error) => {
  if (isAppError(error, 'cancelled')) return;
  peer.emit('warning', { message: `unhandled: ${describe(error)}` });
});
