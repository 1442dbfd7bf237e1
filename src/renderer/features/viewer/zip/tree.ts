import type { ArchiveEntry } from './readDirectory.ts';

/** A line of an archive's list: a file, or a folder with what is in it. */
export interface TreeRow {
  /** Of a folder with its slash at the end. */
  readonly path: string;
  readonly name: string;
  readonly depth: number;
  /** Null for a folder that the archive does not list itself. */
  readonly entry: ArchiveEntry | null;
  readonly isFolder: boolean;
}

/** The folders that a path is in, from the outermost, each with its slash. */
export function foldersOf(path: string): readonly string[] {
  const folders: string[] = [];
  for (let at = path.indexOf('/'); at >= 0 && at < path.length - 1; at = path.indexOf('/', at + 1)) {
    folders.push(path.slice(0, at + 1));
  }
  return folders;
}

/** All lines of an archive: folders first, by name, what is in a folder below it. */
export function treeOf(entries: readonly ArchiveEntry[]): readonly TreeRow[] {
  const byPath = new Map<string, ArchiveEntry | null>();
  for (const entry of entries) {
    for (const folder of foldersOf(entry.path)) if (!byPath.has(folder)) byPath.set(folder, null);
    byPath.set(entry.path, entry);
  }
  const collator = new Intl.Collator(undefined, { numeric: true });
  const children = new Map<string, string[]>();
  for (const path of byPath.keys()) {
    const parent = foldersOf(path).at(-1) ?? '';
    const list = children.get(parent);
    if (list === undefined) children.set(parent, [path]);
    else list.push(path);
  }
  const rows: TreeRow[] = [];
  const pending = [{ path: '', depth: -1 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { path, depth } = next;
    const isFolder = path.endsWith('/');
    const parent = foldersOf(path).at(-1) ?? '';
    const name = path.slice(parent.length).replace(/\/$/u, '');
    if (path !== '') rows.push({ path, name, depth, entry: byPath.get(path) ?? null, isFolder });
    const inside = [...(children.get(path) ?? [])].sort(
      (a, b) => Number(b.endsWith('/')) - Number(a.endsWith('/')) || collator.compare(a, b),
    );
    // The last that is put here comes first.
    for (const child of inside.reverse()) pending.push({ path: child, depth: depth + 1 });
  }
  return rows;
}

/** The lines that are in sight: those in no folder that is closed. */
export function openRows(rows: readonly TreeRow[], closed: ReadonlySet<string>): readonly TreeRow[] {
  return rows.filter(({ path }) => foldersOf(path).every((folder) => !closed.has(folder)));
}
