import type { SeenFile } from '../search/shardProtocol.ts';
import { isSameState, seeFile } from './seeFile.ts';

/** A file rests when it has not changed for so long. */
const REST_MS = 100;
/** A file that never rests is read as it stands after so long, and again after as long … */
const LEAST_PATIENCE_MS = 3000;
const MOST_PATIENCE_MS = 60_000;
/** … a large one later, since all of it has to be read each time. */
const BYTES_PER_MS = 1024;

interface Growing {
  readonly file: SeenFile;
  readonly isNew: boolean;
  readonly sinceMs: number;
}

/** Files that are being written: each is waited for until it rests, though not forever. */
export interface RestingFiles {
  /** Passes a file on at once when it rests, else as soon as it does. */
  offer(file: SeenFile, isNew: boolean): void;
  waiting(): number;
  /** Forgets the files that `isOut` names. */
  drop(isOut: (path: string) => boolean): void;
  /** Resolves when no file is waited for. */
  idle(): Promise<void>;
  close(): void;
}

export interface RestingFilesOptions {
  readonly onRest: (file: SeenFile, isNew: boolean) => void;
}

function patienceMs(file: SeenFile): number {
  return Math.min(Math.max(file.size / BYTES_PER_MS, LEAST_PATIENCE_MS), MOST_PATIENCE_MS);
}

/** Whether a file's own times say that it rests; a clock of another machine that is ahead says nothing. */
function hasRested({ mtimeMs, ctimeMs }: SeenFile): boolean {
  return Date.now() - Math.max(mtimeMs, ctimeMs) >= REST_MS;
}

/** Makes an empty list of files that are waited for. */
export function createRestingFiles({ onRest }: RestingFilesOptions): RestingFiles {
  const growing = new Map<string, Growing>();
  let sleepers: (() => void)[] = [];
  let timer: NodeJS.Timeout | undefined;

  function settle(): void {
    if (growing.size > 0) {
      timer ??= setTimeout(lookAgain, REST_MS);
      return;
    }
    clearTimeout(timer);
    timer = undefined;
    for (const wake of sleepers.splice(0)) wake();
  }

  function lookAgain(): void {
    timer = undefined;
    for (const [path, { file, isNew, sinceMs }] of growing) {
      const seen = seeFile(path, file.root);
      // What became of it otherwise is told by an event of its own.
      const isFile = seen !== null && seen !== 'folder' && seen.skip?.mayPass !== true;
      if (isFile && !isSameState(seen, file) && performance.now() - sinceMs < patienceMs(seen)) {
        growing.set(path, { file: seen, isNew, sinceMs });
        continue;
      }
      growing.delete(path);
      if (isFile) onRest(seen, isNew);
    }
    settle();
  }

  return {
    offer(file, isNew) {
      const before = growing.get(file.path);
      if (before === undefined && (file.skip !== undefined || hasRested(file))) {
        onRest(file, isNew);
        return;
      }
      // One that is waited for already goes on from where it was, or each change would make the wait longer.
      if (before === undefined) growing.set(file.path, { file, isNew, sinceMs: performance.now() });
      settle();
    },
    waiting: () => growing.size,
    drop(isOut) {
      for (const path of growing.keys()) if (isOut(path)) growing.delete(path);
      settle();
    },
    idle() {
      if (growing.size === 0) return Promise.resolve();
      return new Promise((resolve) => {
        sleepers.push(resolve);
      });
    },
    close() {
      growing.clear();
      settle();
      sleepers = [];
    },
  };
}
