import type { KnownFiles, SeenFile } from '../search/shardProtocol.ts';

/** The coarsest clock of a file system in use: that of FAT counts in twos. */
const COARSEST_MS = 2000;

/** What the index knows of the files of a root, while a scan goes by. */
export interface KnownState {
  /** Takes a file off the list. `unchanged` only when nothing at all speaks against it; else its content has to be looked at. */
  compare(file: SeenFile): 'new' | 'unchanged' | 'changed';
  /** Paths that the scan did not come by. */
  left(): string[];
  readonly size: number;
}

/** Numbers of one file: size, mtimeMs, ctimeMs, inode, readMs. */
const NUMBERS_OF_A_FILE = 5;

/** In two shards, after a crash between putting it into one and taking it out of the other: no state of it is known. */
const TWICE = -1;

/** Packs what is known of files, each with its path and numbers. */
export function packKnownFiles(rows: readonly (readonly [string, ...number[]])[]): KnownFiles {
  const numbers = new Float64Array(rows.length * NUMBERS_OF_A_FILE);
  let at = 0;
  const paths = rows.map((row) => {
    for (let column = 1; column <= NUMBERS_OF_A_FILE; column += 1) numbers[at++] = row[column] as number;
    return row[0];
  });
  return { paths: paths.join('\0'), numbers };
}

/**
 * Whether a change that was over when the file stood as `file` cannot have been missed by a reading that began at `readMs`.
 * ctime is the system's own note of the last change, which nobody can set back; a reading within one tick of its clock may
 * have come between two changes. A reading at a time that is yet to come says nothing: the clock was set back since.
 */
export function isReadAfterwards(file: SeenFile, readMs: number, nowMs: number): boolean {
  return file.ctimeMs < readMs - COARSEST_MS && readMs <= nowMs;
}

/** Makes the list from what each shard knows. */
export function createKnownState(shards: readonly KnownFiles[], nowMs: number): KnownState {
  const places = new Map<string, number>();
  const numbers = new Float64Array(shards.reduce((sum, shard) => sum + shard.numbers.length, 0));
  let count = 0;
  for (const shard of shards) {
    numbers.set(shard.numbers, count * NUMBERS_OF_A_FILE);
    if (shard.paths === '') continue;
    for (const path of shard.paths.split('\0')) {
      places.set(path, places.has(path) ? TWICE : count);
      count += 1;
    }
  }

  function isUnchanged(file: SeenFile, at: number): boolean {
    // Times are compared as doubles, which are finer than a microsecond.
    return (
      numbers[at] === file.size &&
      numbers[at + 1] === file.mtimeMs &&
      numbers[at + 2] === file.ctimeMs &&
      numbers[at + 3] === file.inode &&
      isReadAfterwards(file, numbers[at + 4] ?? 0, nowMs)
    );
  }

  return {
    size: places.size,
    compare(file) {
      const place = places.get(file.path);
      if (place === undefined) return 'new';
      places.delete(file.path);
      if (file.skip?.mayPass === true) return 'unchanged';
      return place !== TWICE && isUnchanged(file, place * NUMBERS_OF_A_FILE) ? 'unchanged' : 'changed';
    },
    left: () => [...places.keys()],
  };
}
