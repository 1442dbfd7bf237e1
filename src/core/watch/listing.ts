import { type Dirent, readdirSync } from 'node:fs';
import { basename, dirname, sep } from 'node:path';
import { isGone } from './seeFile.ts';

/**
 * What folders list, each read once. Where names differ only in case or normalisation, asking for a path can find the file
 * under its other name: only the folder's own list says what it is called.
 */
export interface Listing {
  /** Whether a file of just this name is there; null when the folder does not answer. */
  hasFile(path: string): boolean | null;
  /** Whether anything of just this name is there. */
  has(path: string): boolean;
}

/** Makes an empty list; it is good for one look, since folders change. */
export function createListing(): Listing {
  const folders = new Map<string, ReadonlyMap<string, Dirent> | null>();

  function entriesOf(folder: string): ReadonlyMap<string, Dirent> | null {
    const known = folders.get(folder);
    if (known !== undefined) return known;
    let entries: ReadonlyMap<string, Dirent> | null;
    try {
      entries = new Map(readdirSync(folder, { withFileTypes: true }).map((entry) => [entry.name, entry]));
    } catch (error) {
      entries = isGone(error) ? new Map() : null;
    }
    folders.set(folder, entries);
    return entries;
  }

  return {
    hasFile(path) {
      const entries = entriesOf(dirname(path));
      if (entries === null) return null;
      const entry = entries.get(basename(path));
      return entry !== undefined && !entry.isDirectory();
    },
    has: (path) => entriesOf(dirname(path))?.has(basename(path)) !== false,
  };
}

/** A folder with the separator after it: what begins so is in the folder. */
export const below = (folder: string) => (folder.endsWith(sep) ? folder : folder + sep);

/** Tells of a path whether it is one of some paths or below one of them. */
export function within(paths: Iterable<string>): (path: string) => boolean {
  const tops = new Set(paths);
  return (asked) => {
    for (let path = asked; ; path = dirname(path)) {
      if (tops.has(path)) return true;
      if (path === dirname(path)) return false;
    }
  };
}

/** Those of some paths that are below none of the others. */
export function topmost(paths: readonly string[]): string[] {
  const isWithin = within(paths);
  return paths.filter((path) => path === dirname(path) || !isWithin(dirname(path)));
}
