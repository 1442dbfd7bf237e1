import { realpathSync, type Stats } from 'node:fs';
import { basename, join, normalize, relative } from 'node:path';
import { watch } from 'chokidar';
import type { IgnoreRules } from './ignoreRules.ts';
import { below } from './listing.ts';

/** Events of so long are one batch. */
const BATCH_MS = 100;

/** Follows a folder. What it reports are hints: the index looks at each path itself. */
export interface FolderWatcher {
  close(): Promise<void>;
}

export interface FolderWatcherOptions {
  readonly root: string;
  readonly rules: IgnoreRules;
  /** Paths that something happened to, each once, and whether the last of it was that the path went away; the root if it did. */
  readonly onPaths: (paths: ReadonlyMap<string, 'changed' | 'removed'>) => void;
  /** The watcher may have missed something: look at everything. */
  readonly onDoubt: (error: NodeJS.ErrnoException) => void;
}

/** Starts to follow a folder; resolves once changes from now on are seen. */
export type WatchFolder = (options: FolderWatcherOptions) => Promise<FolderWatcher>;

/** Whether an error says that the system watches as much as it may. */
export function isWatchLimit({ code = '' }: NodeJS.ErrnoException): boolean {
  return ['ENOSPC', 'EMFILE', 'ENFILE'].includes(code);
}

/** Follows a folder by chokidar, which does not follow symbolic links: the root itself may be one all the same. */
export const watchFolder: WatchFolder = async ({ root, rules, onPaths, onDoubt }) => {
  const real = realpathSync(root);
  const here = (path: string) => join(root, relative(real, path));
  // chokidar looks beside the root as well, when the root goes away.
  const isOutside = (path: string) => path !== real && !path.startsWith(below(real));
  let paths = new Map<string, 'changed' | 'removed'>();
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    timer = undefined;
    const batch = paths;
    paths = new Map();
    onPaths(batch);
  }

  const watcher = watch(real, {
    ignoreInitial: true,
    followSymlinks: false,
    ignorePermissionErrors: true,
    // Events wait for their batch anyway, and files whose names look like those of an editor count like others.
    atomic: false,
    ignored(given: string, stats?: Stats) {
      const path = normalize(given);
      if (isOutside(path)) return true;
      return stats !== undefined && !rules.isRulesFile(path) && rules.isIgnored(here(path), stats.isDirectory());
    },
  });
  function note(path: string, what: 'changed' | 'removed'): void {
    paths.set(path, what);
    timer ??= setTimeout(flush, BATCH_MS);
  }
  watcher.on('all', (event, path) => note(here(path), event.startsWith('unlink') ? 'removed' : 'changed'));
  watcher.on('raw', (event, path, details) => {
    // A root that is away for a moment is not always missed, and then nothing in it is heard of any more.
    const { watchedPath } = details as { readonly watchedPath?: string };
    if (event === 'rename' && watchedPath === real && path === basename(real)) note(root, 'removed');
  });
  await new Promise<void>((resolve) => {
    watcher.once('ready', () => resolve());
    watcher.on('error', (failure) => {
      const error: NodeJS.ErrnoException = failure instanceof Error ? failure : new Error(String(failure));
      // Who hears of a limit closes the watcher, and does not wait until it has failed at every folder.
      if (isWatchLimit(error)) resolve();
      onDoubt(error);
    });
  });
  return {
    async close() {
      clearTimeout(timer);
      await watcher.close();
    },
  };
};
