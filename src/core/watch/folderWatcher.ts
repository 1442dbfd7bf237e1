import type { Stats } from 'node:fs';
import { type FSWatcher, watch } from 'chokidar';
import type { IgnoreRules } from './ignoreRules.ts';

/** Events this close together are one batch. */
const QUIET_MS = 40;
/** A batch that goes on for longer is handed over all the same. */
const LONGEST_MS = 250;

/** Follows a folder. What it reports are hints: the index looks at each path itself. */
export interface FolderWatcher {
  close(): Promise<void>;
}

export interface FolderWatcherOptions {
  readonly root: string;
  readonly rules: IgnoreRules;
  /** Paths that something happened to, each once. */
  readonly onPaths: (paths: readonly string[]) => void;
  /** The watcher may have missed something: look at everything. */
  readonly onDoubt: (error: NodeJS.ErrnoException) => void;
}

/** Starts to follow a folder; resolves once changes from now on are seen. */
export async function watchFolder({ root, rules, onPaths, onDoubt }: FolderWatcherOptions): Promise<FolderWatcher> {
  let paths = new Set<string>();
  let timer: NodeJS.Timeout | null = null;
  let since = 0;

  function flush(): void {
    timer = null;
    const batch = [...paths];
    paths = new Set();
    onPaths(batch);
  }

  function touched(path: string): void {
    const now = performance.now();
    if (paths.size === 0) since = now;
    paths.add(path);
    if (timer !== null) {
      if (now - since > LONGEST_MS) return;
      clearTimeout(timer);
    }
    timer = setTimeout(flush, QUIET_MS);
  }

  const watcher: FSWatcher = watch(root, {
    ignoreInitial: true,
    followSymlinks: false,
    ignorePermissionErrors: true,
    ignored: (path: string, stats?: Stats) =>
      stats !== undefined && !rules.isRulesFile(path) && rules.isIgnored(path, stats.isDirectory()),
  });
  watcher.on('all', (_event, path) => touched(path));
  watcher.on('error', (error) => onDoubt(error instanceof Error ? error : new Error(String(error))));
  await new Promise<void>((ready) => watcher.once('ready', () => ready()));
  return {
    async close() {
      if (timer !== null) clearTimeout(timer);
      await watcher.close();
    },
  };
}
