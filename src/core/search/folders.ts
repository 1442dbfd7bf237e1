import { resolve } from 'node:path';
import type { WatchFolder } from '../watch/folderWatcher.ts';
import { below } from '../watch/listing.ts';
import type { Pace } from '../watch/pace.ts';
import { createFollowedFolder, type FollowedFolder } from './followedFolder.ts';
import type { IngestQueue } from './ingestQueue.ts';
import type { Shard } from './shardPool.ts';
import type { FolderStatus } from './types.ts';

const TICK_MS = 2000;
/**
 * When the clock is so far from where the last tick left it, the machine slept, or nobody looked because of a pause, or the
 * clock was set.
 */
const SLEPT_MS = 10_000;

/** The folders of an index: what is in them is brought into the shards, at once and as it changes. */
export interface Folders {
  /** Names the folders; one that is inside another of them is part of that one. Resolves when what is new is queued. */
  set(folders: readonly string[]): Promise<void>;
  watch(): Promise<void>;
  /** Looks through all folders; resolves when what changed is queued. */
  reconcile(): Promise<void>;
  /** Looks, in the background, at paths that something may have happened to. */
  look(paths: readonly string[]): void;
  isScanning(): boolean;
  /** Files that are being written, and are waited for. */
  growing(): number;
  /** Resolves when nothing is being looked at or waited for. */
  settled(): Promise<void>;
  missing(): string[];
  status(): FolderStatus[];
  /** What people should know, such as folders that are not there; null when all is well. */
  message(): string | null;
  close(): Promise<void>;
}

export interface FoldersOptions {
  readonly shards: readonly Shard[];
  readonly queue: IngestQueue;
  readonly pace: Pace;
  readonly ignore: readonly string[];
  readonly watchFolder: WatchFolder;
  readonly onChange: () => void;
  readonly onWarning: (message: string) => void;
}

/** Makes the folders of an index, none at first. */
export function createFolders(options: FoldersOptions): Folders {
  const { shards, queue, pace, onWarning } = options;
  let followed: FollowedFolder[] = [];
  let watching = false;
  let closed = false;
  let tickedAt = Date.now();

  const all = <T>(work: (shard: Shard) => Promise<T>) => Promise.all(shards.map(work));

  function warn(error: unknown): void {
    if (!closed) onWarning(`folders: ${String(error)}`);
  }

  function tick(): void {
    if (pace.isPaused()) return;
    const now = Date.now();
    const slept = Math.abs(now - tickedAt - TICK_MS) > SLEPT_MS;
    tickedAt = now;
    for (const each of followed) each.tick(slept).catch(warn);
  }
  const ticker = setInterval(tick, TICK_MS).unref();

  return {
    async set(folders) {
      const given = [...new Set(folders.map((folder) => resolve(folder)))];
      const wanted = given.filter(
        (folder) => !given.some((other) => folder.startsWith(below(other)) && folder !== other),
      );
      const left = followed.filter(({ folder }) => !wanted.includes(folder));
      followed = followed.filter(({ folder }) => wanted.includes(folder));
      await Promise.all(left.map((each) => each.close()));
      await queue.drop(left.map(({ folder }) => folder));
      if (closed) return;
      await all((shard) => shard.call('removeRootsExcept', { roots: wanted }));
      if (closed) return;
      const added = wanted
        .filter((folder) => !followed.some((each) => each.folder === folder))
        .map((folder) => createFollowedFolder({ ...options, folder }));
      followed.push(...added);
      await Promise.all(added.map((each) => each.scan()));
      if (watching) await Promise.all(added.map((each) => each.follow()));
    },
    async watch() {
      watching = true;
      await Promise.all(followed.map((each) => each.follow()));
    },
    async reconcile() {
      await Promise.all(followed.map((each) => each.scan()));
    },
    look(paths) {
      for (const each of followed) {
        const own = paths.filter((path) => path.startsWith(below(each.folder)));
        if (own.length > 0) each.look(new Map(own.map((path) => [path, 'changed']))).catch(warn);
      }
    },
    isScanning: () => followed.some((each) => each.isScanning()),
    growing: () => followed.reduce((sum, each) => sum + each.growing(), 0),
    async settled() {
      await Promise.all(followed.map((each) => each.settled()));
    },
    missing: () => followed.map((each) => each.status()).flatMap(({ isAway, folder }) => (isAway ? [folder] : [])),
    status: () => followed.map((each) => each.status()),
    message: () => followed.flatMap((each) => each.status().note ?? []).join('; ') || null,
    async close() {
      closed = true;
      clearInterval(ticker);
      await Promise.all(followed.map((each) => each.close()));
    },
  };
}
