import { existsSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { type FolderWatcher, watchFolder } from '../watch/folderWatcher.ts';
import { createIgnoreRules, type IgnoreRules } from '../watch/ignoreRules.ts';
import { scanFolder, seeFile } from '../watch/scan.ts';
import type { IngestQueue } from './ingestQueue.ts';
import type { Shard } from './shardPool.ts';
import type { SeenFile } from './shardProtocol.ts';

const LOOK_FOR_ROOTS_MS = 2000;
const RECONCILE_EVERY_MS = 10 * 60_000;
/** How often a folder is looked through that the system cannot watch. */
const POLL_EVERY_MS = 30_000;
/** A burst larger than this is followed by a look at everything: watchers lose events in such. */
const BURST = 1000;

interface Root {
  readonly folder: string;
  readonly rules: IgnoreRules;
  watcher: FolderWatcher | null;
  missing: boolean;
  /** The system cannot watch all of it: it is looked through now and then instead. */
  polled: boolean;
  /** The scan under way, and one that begins after it. */
  scanning: Promise<void> | null;
  queued: Promise<void> | null;
}

/** The folders of an index: what is in them is brought into the shards, at once and as it changes. */
export interface Folders {
  /** Names the folders; one that is inside another of them is part of that one. Resolves when what is new is queued. */
  set(folders: readonly string[]): Promise<void>;
  watch(): Promise<void>;
  /** Looks through all folders by size and time; resolves when what changed is queued. */
  reconcile(): Promise<void>;
  /** Looks at paths that something may have happened to. */
  look(paths: readonly string[]): Promise<void>;
  isScanning(): boolean;
  /** Resolves when no scan is under way. */
  settled(): Promise<void>;
  missing(): string[];
  /** What people should know, such as folders that are not there; null when all is well. */
  message(): string | null;
  close(): Promise<void>;
}

export interface FoldersOptions {
  readonly shards: readonly Shard[];
  readonly queue: IngestQueue;
  readonly ignore: readonly string[];
  readonly onChange: () => void;
  readonly onWarning: (message: string) => void;
}

const below = (folder: string) => (folder.endsWith(sep) ? folder : folder + sep);

/** Makes the folders of an index, none at first. */
export function createFolders({ shards, queue, ignore, onChange, onWarning }: FoldersOptions): Folders {
  let roots: Root[] = [];
  let watching = false;
  let closed = false;

  const all = <T>(work: (shard: Shard) => Promise<T>) => Promise.all(shards.map(work));
  const rootOf = (path: string) => roots.find(({ folder }) => path === folder || path.startsWith(below(folder)));

  function lose(root: Root): void {
    root.missing = true;
    void root.watcher?.close();
    root.watcher = null;
    onChange();
  }

  async function scanOnce(root: Root): Promise<void> {
    if (closed || !roots.includes(root)) return;
    if (!existsSync(root.folder)) {
      lose(root);
      return;
    }
    root.missing = false;
    const known = new Map<string, { readonly size: number; readonly mtimeMs: number }>();
    for (const files of await all((shard) => shard.call('listFiles', { root: root.folder }))) {
      for (const file of files) {
        // In two shards, after a crash between putting it into one and taking it out of the other: no state of it is known.
        known.set(file.path, known.has(file.path) ? { size: -1, mtimeMs: -1 } : file);
      }
    }
    for await (const file of scanFolder(root.folder, root.folder, root.rules)) {
      if (closed || !roots.includes(root)) return;
      const before = known.get(file.path);
      known.delete(file.path);
      if (before !== undefined && before.size === file.size && before.mtimeMs === file.mtimeMs) continue;
      if (!queue.holds(file)) queue.add(file, before === undefined);
    }
    if (known.size === 0) return;
    if (!existsSync(root.folder)) {
      lose(root);
      return;
    }
    const paths = [...known.keys()].filter((path) => isOut(root, path));
    await all((shard) => shard.call('removeFiles', { paths }));
  }

  function scan(root: Root): Promise<void> {
    if (root.queued !== null) return root.queued;
    const next: Promise<void> = (root.scanning ?? Promise.resolve())
      .then(() => {
        root.queued = null;
        root.scanning = next;
        return scanOnce(root);
      })
      .catch((error: unknown) => {
        if (!closed) onWarning(`scan: ${String(error)}`);
      })
      .finally(() => {
        if (root.scanning === next) root.scanning = null;
        onChange();
      });
    root.queued = next;
    onChange();
    return next;
  }

  /** Takes out what is really gone: an editor that saves by renaming has put the file back by now. */
  async function remove(paths: readonly string[]): Promise<void> {
    const gone = paths.filter((path) => seeFile(path, path) === null);
    if (gone.length === 0) return;
    await queue.drop(gone);
    await all((shard) => shard.call('removeBelow', { paths: gone }));
  }

  /** Whether nothing is at a path that would be searched: not even since the scan went by. */
  function isOut(root: Root, path: string): boolean {
    const seen = seeFile(path, root.folder);
    return seen === null || seen === 'folder' || root.rules.isIgnored(path, false);
  }

  async function look(paths: readonly string[]): Promise<void> {
    const gone: string[] = [];
    const enqueue = (file: SeenFile) => {
      if (!queue.holds(file)) queue.add(file, false);
    };
    for (const path of paths) {
      const root = rootOf(path);
      if (root === undefined || root.missing || closed) continue;
      if (root.rules.isRulesFile(path)) {
        root.rules.reload();
        void scan(root);
        continue;
      }
      const seen = seeFile(path, root.folder);
      if (seen === null) {
        if (existsSync(root.folder)) gone.push(path);
        else lose(root);
      } else if (root.rules.isIgnored(path, seen === 'folder')) continue;
      else if (seen !== 'folder') enqueue(seen);
      else if (path !== root.folder) {
        for await (const file of scanFolder(path, root.folder, root.rules)) enqueue(file);
      }
    }
    await remove(gone);
    onChange();
    if (paths.length > BURST) for (const root of roots) void scan(root);
  }

  /** Follows a root; what happened before the watcher was ready is found by one more look. */
  async function follow(root: Root): Promise<void> {
    if (root.watcher !== null || root.missing || closed) return;
    const watcher = await watchFolder({
      root: root.folder,
      rules: root.rules,
      onPaths: (paths) => {
        look(paths).catch((error: unknown) => {
          if (!closed) onWarning(`looking at changes: ${String(error)}`);
        });
      },
      onDoubt: (error) => {
        if (error.code === 'ENOSPC' || error.code === 'EMFILE') root.polled = true;
        onWarning(`watching: ${error.message}`);
        void scan(root);
      },
    });
    if (closed || root.missing || root.watcher !== null) await watcher.close();
    else root.watcher = watcher;
    await scan(root);
  }

  const findRoots = setInterval(() => {
    for (const root of roots) {
      if (root.missing !== existsSync(root.folder)) continue;
      if (!root.missing) lose(root);
      else void scan(root).then(() => (watching ? follow(root) : undefined));
    }
  }, LOOK_FOR_ROOTS_MS);
  const reconcileTimer = setInterval(() => {
    if (watching) for (const root of roots) void scan(root);
  }, RECONCILE_EVERY_MS);
  const pollTimer = setInterval(() => {
    for (const root of roots) if (root.polled) void scan(root);
  }, POLL_EVERY_MS);
  for (const timer of [findRoots, reconcileTimer, pollTimer]) timer.unref();

  return {
    async set(folders) {
      const given = [...new Set(folders.map((folder) => resolve(folder)))];
      const wanted = given.filter(
        (folder) => !given.some((other) => folder.startsWith(below(other)) && folder !== other),
      );
      const left = roots.filter((root) => !wanted.includes(root.folder));
      roots = roots.filter((root) => wanted.includes(root.folder));
      await Promise.all(left.map((root) => root.watcher?.close()));
      await queue.drop(left.map(({ folder }) => folder));
      await all((shard) => shard.call('removeRootsExcept', { roots: wanted }));
      const added = wanted
        .filter((folder) => !roots.some((root) => root.folder === folder))
        .map(
          (folder): Root => ({
            folder,
            rules: createIgnoreRules(folder, ignore),
            watcher: null,
            missing: !existsSync(folder),
            polled: false,
            scanning: null,
            queued: null,
          }),
        );
      roots.push(...added);
      await Promise.all(added.map(scan));
      if (watching) await Promise.all(added.map(follow));
    },
    async watch() {
      watching = true;
      await Promise.all(roots.map(follow));
    },
    async reconcile() {
      for (const root of roots) root.rules.reload();
      await Promise.all(roots.map(scan));
    },
    look,
    isScanning: () => roots.some((root) => root.scanning !== null || root.queued !== null),
    async settled() {
      await Promise.all(roots.flatMap((root) => [root.scanning, root.queued]));
    },
    missing: () => roots.filter((root) => root.missing).map((root) => root.folder),
    message() {
      const missing = roots.filter((root) => root.missing).map((root) => root.folder);
      if (missing.length > 0) return `Not there at present: ${missing.join(', ')}`;
      const polled = roots.filter((root) => root.polled).map((root) => root.folder);
      if (polled.length === 0) return null;
      return `Too many folders for this system to watch; looked through every ${POLL_EVERY_MS / 1000} seconds: ${polled.join(', ')}`;
    },
    async close() {
      closed = true;
      for (const timer of [findRoots, reconcileTimer, pollTimer]) clearInterval(timer);
      await Promise.all(roots.map((root) => root.watcher?.close()));
      await Promise.all(roots.flatMap((root) => [root.scanning, root.queued]));
    },
  };
}
