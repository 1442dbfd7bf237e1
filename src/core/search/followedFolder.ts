import { setImmediate } from 'node:timers/promises';
import type { FolderWatcher, WatchFolder } from '../watch/folderWatcher.ts';
import { isWatchLimit } from '../watch/folderWatcher.ts';
import { createIgnoreRules } from '../watch/ignoreRules.ts';
import { createKnownState, type KnownState } from '../watch/knownFiles.ts';
import { createListing, topmost, within } from '../watch/listing.ts';
import type { Pace } from '../watch/pace.ts';
import { createRestingFiles } from '../watch/restingFiles.ts';
import { findRoot, isFilled, networkDriveOf, type RootIdentity } from '../watch/rootPresence.ts';
import { scanFolder } from '../watch/scan.ts';
import { seeFile } from '../watch/seeFile.ts';
import type { IngestQueue } from './ingestQueue.ts';
import type { Shard } from './shardPool.ts';
import type { SeenFile } from './shardProtocol.ts';
import type { FolderStatus } from './types.ts';

const RECONCILE_EVERY_MS = 10 * 60_000;
/** A folder that cannot be watched, or of which a part did not answer, is looked through so often. */
const POLL_EVERY_MS = 30_000;
/** More events within a while than this are followed by a look at everything: watchers lose events in such a burst. */
const BURST = 1000;
const BURST_MS = 2000;
/** Looking at changed paths gives way to other work of its thread after so long. */
const SLICE_MS = 10;
/** Files that are taken out in one go: a shard answers no query meanwhile. */
const REMOVED_AT_ONCE = 1000;

/** Changes as a watcher reports them. */
export type ChangedPaths = ReadonlyMap<string, 'changed' | 'removed'>;

/** One folder of the index: what is in it is brought into the shards, at once and as it changes. */
export interface FollowedFolder {
  readonly folder: string;
  /** Looks through the folder; resolves when what changed is on its way. Two calls that wait are one. */
  scan(): Promise<void>;
  /** Starts to watch the folder, and whenever it is back after it was away. */
  follow(): Promise<void>;
  /** Looks at paths that something may have happened to. */
  look(paths: ChangedPaths): Promise<void>;
  /** Looks, every now and then, after what no event tells. `slept`: time went by that nobody watched. */
  tick(slept: boolean): Promise<void>;
  isScanning(): boolean;
  /** Files that are being written, and are waited for. */
  growing(): number;
  /** Resolves when no scan or look is under way, and no file is waited for. */
  settled(): Promise<void>;
  status(): FolderStatus;
  close(): Promise<void>;
}

export interface FollowedFolderOptions {
  readonly folder: string;
  readonly shards: readonly Shard[];
  readonly queue: IngestQueue;
  readonly pace: Pace;
  readonly ignore: readonly string[];
  readonly watchFolder: WatchFolder;
  readonly onChange: () => void;
  readonly onWarning: (message: string) => void;
}

const isSameRoot = (a: RootIdentity, b: RootIdentity) => a.device === b.device && a.inode === b.inode;

/** Makes the follower of a folder; nothing is looked at before it is asked to. */
export function createFollowedFolder(options: FollowedFolderOptions): FollowedFolder {
  const { folder, shards, queue, pace, watchFolder, onChange, onWarning } = options;
  const rules = createIgnoreRules(folder, options.ignore);
  const resting = createRestingFiles({ onRest: (file, isNew) => queue.add(file, isNew) });
  let away: 'missing' | 'empty' | null = null;
  /** What the folder was when it was last looked through; another one in its place was mounted or unmounted. */
  let identity: RootIdentity | null = null;
  let wantsWatcher = false;
  let watcher: FolderWatcher | null = null;
  let pollingReason: string | null = null;
  let closed = false;
  let scanning: Promise<void> | null = null;
  let queued: Promise<void> | null = null;
  let looking: Promise<void> = Promise.resolve();
  let following: Promise<void> = Promise.resolve();
  let ticking = false;
  let triedToWatchMs = 0;
  let scanEndedMs = performance.now();
  let isUnanswered = false;
  let burst = 0;
  let burstTimer: NodeJS.Timeout | undefined;

  const all = <T>(work: (shard: Shard) => Promise<T>) => Promise.all(shards.map(work));
  const isOver = () => closed;

  function offer(file: SeenFile, isNew: boolean): void {
    if (!closed && !queue.holds(file)) resting.offer(file, isNew);
  }

  /** In the background: what goes wrong is told, and the next scan makes up for it. */
  function inBackground(what: string, work: Promise<unknown>): void {
    work.catch((error: unknown) => {
      if (!closed) onWarning(`${what}: ${String(error)}`);
    });
  }

  async function stopWatching(): Promise<void> {
    const stopped = watcher;
    watcher = null;
    await stopped?.close();
  }

  /** The folder is not there: what is known of it stays in the index, out of the results, for when it is back. */
  async function lose(how: 'missing' | 'empty'): Promise<void> {
    away = how;
    onChange();
    await stopWatching();
  }

  /** Takes out what the scan did not come by, unless it has come back since. */
  async function removeLeft(left: readonly string[]): Promise<void> {
    for (let from = 0; from < left.length; from += REMOVED_AT_ONCE) {
      const listing = createListing();
      const paths = left.slice(from, from + REMOVED_AT_ONCE).filter((path) => {
        const isThere = listing.hasFile(path);
        return isThere === false || (isThere && rules.isIgnored(path, false));
      });
      if (closed) return;
      // Nothing comes between the look and the call: a file that is back after the look comes after the call, too.
      if (paths.length > 0) await all((shard) => shard.call('removeFiles', { paths }));
    }
  }

  /** Compares what a scan sees with what the shards know of it; they tell while the scan is under way already. */
  function compareWithShards(nowMs: number): { see(file: SeenFile): void; readonly known: Promise<KnownState> } {
    const early: SeenFile[] = [];
    let see = (file: SeenFile): void => {
      early.push(file);
    };
    const known = all((shard) => shard.call('listFiles', { root: folder })).then((lists) => {
      const state = createKnownState(lists, nowMs);
      // Only of an index that was empty is it certain that no shard got hold of a file since.
      const isFirst = state.size === 0 && watcher === null;
      see = (file) => {
        if (state.compare(file) !== 'unchanged') offer(file, isFirst);
      };
      for (const file of early) see(file);
      return state;
    });
    return { see: (file) => see(file), known };
  }

  async function scanOnce(): Promise<void> {
    await pace.turn();
    const found = await findRoot(folder);
    if (closed) return;
    if (found === null) return lose('missing');
    const isOther = identity === null || !isSameRoot(identity, found);
    rules.reload();
    const comparison = compareWithShards(Date.now());
    const scanned = scanFolder({ folder, root: folder, rules, pace, isOver, onFile: comparison.see });
    const [outcome, known] = await Promise.all([scanned, comparison.known]);
    if (closed || outcome.isPartial) return;
    isUnanswered = outcome.unanswered.length > 0;
    if (!outcome.hasEntries && known.left().length > 0 && isOther) return lose('empty');
    const mayBeThere = within(outcome.unanswered);
    const left = known.left().filter((path) => !mayBeThere(path));
    if (left.length > 0 && (await findRoot(folder)) === null) return lose('missing');
    await removeLeft(left);
    away = null;
    identity = found;
  }

  function scan(): Promise<void> {
    if (queued !== null) return queued;
    const next: Promise<void> = (scanning ?? Promise.resolve())
      .then(async () => {
        queued = null;
        scanning = next;
        await scanOnce();
      })
      .catch((error: unknown) => {
        if (!closed) onWarning(`scan: ${String(error)}`);
      })
      .finally(() => {
        scanEndedMs = performance.now();
        if (scanning === next) scanning = null;
        onChange();
      });
    queued = next;
    onChange();
    return next;
  }

  async function remove(paths: readonly string[]): Promise<void> {
    const gone = topmost(paths);
    if (gone.length === 0) return;
    resting.drop(within(gone));
    await queue.drop(gone);
    for (let from = 0; from < gone.length; from += REMOVED_AT_ONCE) {
      const listing = createListing();
      // An editor that saves by renaming has put the file back by now.
      const still = gone
        .slice(from, from + REMOVED_AT_ONCE)
        .filter((path) => seeFile(path, folder) === null || !listing.has(path));
      if (still.length > 0) await all((shard) => shard.call('removeBelow', { paths: still }));
    }
  }

  /** A folder came: a file that was there under its name is gone, and what is in it is new. */
  async function enter(folders: readonly string[]): Promise<void> {
    if (folders.length === 0) return;
    await all((shard) => shard.call('removeFiles', { paths: folders }));
    for (const each of topmost(folders)) {
      const onFile = (file: SeenFile) => offer(file, false);
      const outcome = await scanFolder({ folder: each, root: folder, rules, pace, isOver, onFile });
      isUnanswered ||= outcome.unanswered.length > 0;
    }
  }

  async function lookOnce(paths: ChangedPaths): Promise<void> {
    const removed: string[] = [];
    const folders: string[] = [];
    const listing = createListing();
    const areRulesOther = [...paths.keys()].some((path) => rules.isRulesFile(path));
    if (areRulesOther) rules.reload();
    let sliceEnds = performance.now() + SLICE_MS;
    for (const [path, what] of paths) {
      if (closed || away !== null) return;
      if (performance.now() > sliceEnds) {
        await setImmediate();
        sliceEnds = performance.now() + SLICE_MS;
      }
      if (path === folder) {
        inBackground('looking for the folder', startAgain());
        continue;
      }
      const seen = seeFile(path, folder);
      if (seen === null || (what === 'removed' && !listing.has(path))) removed.push(path);
      else if (rules.isIgnored(path, seen === 'folder')) continue;
      else if (seen === 'folder') folders.push(path);
      else if (seen.skip?.mayPass === true) isUnanswered = true;
      else offer(seen, false);
    }
    if (removed.length > 0 && (await findRoot(folder)) === null) return lose('missing');
    await remove(removed);
    await enter(folders);
    onChange();
    if (!areRulesOther) return;
    // A watcher does not see what it was told to leave out: it has to be told anew.
    inBackground('scan', scan());
    inBackground('watching', follow(true));
  }

  function look(paths: ChangedPaths): Promise<void> {
    looking = looking.then(() => lookOnce(paths));
    const done = looking;
    looking = looking.catch(() => undefined);
    return done;
  }

  /** A burst is followed by a look at everything, once it is over or has lasted for a while. */
  function countBurst(size: number): void {
    burst += size;
    burstTimer ??= setTimeout(() => {
      burstTimer = undefined;
      if (burst > BURST) inBackground('scan', scan());
      burst = 0;
    }, BURST_MS);
  }

  const pollingNote = (reason: string) =>
    `Looked through every ${POLL_EVERY_MS / 1000} seconds, because ${reason}: ${folder}`;

  function poll(reason: string): void {
    if (pollingReason === reason) return;
    pollingReason = reason;
    onWarning(pollingNote(reason));
    onChange();
  }

  function doubt(error: NodeJS.ErrnoException): void {
    if (closed) return;
    if (isWatchLimit(error)) {
      poll(`this system lets nobody watch more folders (${error.code})`);
      // Half a watcher would only take from others what it needs all of.
      inBackground('watching', stopWatching());
    } else onWarning(`watching: ${error.message}`);
    inBackground('scan', scan());
  }

  async function startWatching(): Promise<void> {
    if (watcher !== null || away !== null || closed) return;
    triedToWatchMs = performance.now();
    const drive = await networkDriveOf(folder);
    let isLimited = false;
    try {
      const started = await watchFolder({
        root: folder,
        rules,
        onPaths(paths) {
          countBurst(paths.size);
          inBackground('looking at changes', look(paths));
        },
        onDoubt(error) {
          isLimited ||= isWatchLimit(error);
          doubt(error);
        },
      });
      if (closed || isLimited || away !== null) await started.close();
      else watcher = started;
    } catch (error) {
      const failure: NodeJS.ErrnoException = error instanceof Error ? error : new Error(String(error));
      if (isWatchLimit(failure)) doubt(failure);
      else poll(`watching it failed (${failure.code ?? failure.message})`);
    }
    if (watcher === null) return;
    pollingReason = null;
    if (drive !== null) poll(`it is on a network drive (${drive})`);
  }

  /** What happened before the watcher was ready is found by one more look. */
  function follow(anew = false): Promise<void> {
    wantsWatcher = true;
    const run = following.then(async () => {
      if (anew) await stopWatching();
      if (watcher !== null) return;
      if (away !== null) await scan();
      await startWatching();
      await scan();
    });
    following = run.catch(() => undefined);
    return run;
  }

  function isScanDue(): boolean {
    const everyMs = pollingReason !== null || isUnanswered ? POLL_EVERY_MS : RECONCILE_EVERY_MS;
    return wantsWatcher && performance.now() - scanEndedMs >= everyMs;
  }

  /** After the folder was away, if only for a moment: whoever watched it watches something else now. */
  function startAgain(): Promise<void> {
    return wantsWatcher ? follow(true) : scan();
  }

  /** The folder itself: there, away, or another one in its place. */
  async function tickOnce(slept: boolean): Promise<void> {
    const found = await findRoot(folder);
    if (closed) return;
    if (found === null) {
      if (away !== 'missing') await lose('missing');
      return;
    }
    if (away === 'missing' || (away === 'empty' && (await isFilled(folder)))) return startAgain();
    if (away === 'empty') return;
    if (identity !== null && !isSameRoot(identity, found)) return startAgain();
    // The limit may have been raised, or others have let go of what they watched.
    const mayTry = pollingReason === null || performance.now() - triedToWatchMs >= RECONCILE_EVERY_MS;
    if (wantsWatcher && watcher === null && mayTry) await follow();
    else if (slept || isScanDue()) await scan();
  }

  async function tick(slept: boolean): Promise<void> {
    if (ticking || closed) return;
    ticking = true;
    try {
      await tickOnce(slept);
    } finally {
      ticking = false;
    }
  }

  function note(): string | null {
    if (away === 'missing') return `Not there at present: ${folder}`;
    if (away === 'empty') return `Empty at present, perhaps not mounted; what was in it is kept: ${folder}`;
    return pollingReason === null ? null : pollingNote(pollingReason);
  }

  return {
    folder,
    scan,
    follow,
    look,
    tick,
    isScanning: () => scanning !== null || queued !== null,
    growing: () => resting.waiting(),
    async settled() {
      await Promise.all([scanning, queued, looking]);
      await resting.idle();
    },
    status: () => ({ folder, isAway: away !== null, isPolled: pollingReason !== null, note: note() }),
    async close() {
      closed = true;
      clearTimeout(burstTimer);
      resting.close();
      // What is under way ends by itself: it may be waiting for the end of a pause.
      await stopWatching();
    },
  };
}
