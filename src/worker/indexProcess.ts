import { setImmediate } from 'node:timers/promises';
import { openParentPort } from '../core/rpc/parentPort.ts';
import { createPeer } from '../core/rpc/rpc.ts';
import type { SearchIndex } from '../core/search/types.ts';
import { AppError, isAppError } from '../shared/errors.ts';
import { createHistoryFollower, type HistoryFollower } from './historyFollower.ts';
import type { IndexEvents, IndexHostMethods, IndexMethods } from './indexProtocol.ts';
import { openIndex } from './openIndex.ts';

/** The final list of a search comes in parts, so that no process on its way is held up by the whole of it. */
const WHOLE_PART = 500;

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

const methods: IndexMethods = {
  async open({ file }) {
    const current = await openIndex({ file, onWarning: (message) => peer.emit('warning', { message }) });
    index = current;
    current.onStatus((status) => peer.emit('status', status));
    peer.emit('status', current.status());
    history = createHistoryFollower(current, {
      accessToken: (stale) => peer.call('accessToken', { stale }),
      onWarning: (message) => peer.emit('warning', { message }),
    });
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
    const { results, ...summary } = await opened().search(query, {
      corpus: query.scope === 'current' ? 'files' : 'all-versions',
      signal,
      onResults: (found) => peer.emit('found', { runId, results: found, isWhole: false }),
    });
    // The last word on order and counts: batches were sent as they were verified.
    for (let at = 0; at === 0 || at < results.length; at += WHOLE_PART) {
      peer.emit('found', { runId, results: results.slice(at, at + WHOLE_PART), isWhole: true });
      await setImmediate();
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
    opened().setPace(pace);
  },
  async rebuild() {
    await opened().rebuild();
    await history?.forgetStand();
  },
  waitForIdle: ({ timeoutMs }) => opened().waitForIdle(timeoutMs),
  async close() {
    await history?.close();
    await index?.close();
    index = null;
    // Once the answer is on its way.
    void setImmediate().then(() => process.exit(0));
  },
};

const peer = createPeer<IndexMethods, IndexHostMethods, IndexEvents>(openParentPort(), methods, {
  onUnexpected: (method, error) => peer.emit('warning', { message: `${method}: ${describe(error)}` }),
});

process.on('unhandledRejection', (error) => {
  if (isAppError(error, 'cancelled')) return;
  peer.emit('warning', { message: `unhandled: ${describe(error)}` });
});
