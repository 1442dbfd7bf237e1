import { extname, relative, sep } from 'node:path';
import picomatch from 'picomatch';
import { nameKey } from '../../shared/rules/names.ts';
import type { ShardQuery } from './shardProtocol.ts';

/** What the filters of a query look at; a file has a root, a version a shelf. */
export interface Place {
  /** Absolute path of a file, or a document's name within its shelf. */
  readonly path: string;
  readonly root: string | null;
  readonly shelfId: string | null;
  readonly documentId: string | null;
  /** Names of a version's library and shelf; those of a file are in its path (`namesOf`). */
  readonly library: string | null;
  readonly shelf: string | null;
  /** Who committed a version; a file has none. */
  readonly author: string | null;
  /** Milliseconds since the epoch: when the file was changed or the version committed. */
  readonly time: number;
}

/** Names of the library and the shelf that something is in: of a file in a workspace the first two folders below its root. */
export function namesOf({ path, root, library, shelf }: Place): { library: string | null; shelf: string | null } {
  if (root === null) return { library, shelf };
  const parts = relative(root, path).split(sep);
  return parts.length >= 3 ? { library: parts[0] ?? null, shelf: parts[1] ?? null } : { library: null, shelf: null };
}

/**
 * A glob as people write it: without a slash it names files or folders anywhere (`*.ts`, `drafts`), with one it starts at the
 * root; a folder stands for all that is in it.
 */
function expanded(glob: string): string[] {
  const trimmed = glob.replace(/^\.?\/+|\/+$/gu, '');
  const anywhere = glob.replace(/\/+$/u, '').includes('/') ? trimmed : `**/${trimmed}`;
  return [anywhere, `${anywhere}/**`];
}

function globMatcher(globs: readonly string[]): ((path: string) => boolean) | null {
  return globs.length === 0 ? null : picomatch(globs.flatMap(expanded), { dot: true });
}

/** Makes the filter of a query, and says whether there is any. */
export function createQueryFilter({
  query,
  shelfIds,
  documentIds,
  missingRoots,
}: Pick<ShardQuery, 'query' | 'shelfIds' | 'documentIds' | 'missingRoots'>): {
  readonly accepts: (place: Place) => boolean;
  readonly isOpen: boolean;
} {
  const included = globMatcher(query.include);
  const excluded = globMatcher(query.exclude);
  const shelves = shelfIds === null ? null : new Set(shelfIds);
  const documents = documentIds === null ? null : new Set(documentIds);
  const missing = new Set(missingRoots);
  const library = query.library === null ? null : nameKey(query.library);
  const shelf = query.shelf === null ? null : nameKey(query.shelf);
  const author = query.author === null ? null : nameKey(query.author);
  const types = query.types.length === 0 ? null : new Set(query.types.map((type) => `.${type.toLowerCase()}`));
  const since = query.since === null ? -Infinity : Date.parse(query.since);
  const until = query.until === null ? Infinity : Date.parse(query.until);
  const isNamed = library !== null || shelf !== null || author !== null || types !== null;
  const isDated = query.since !== null || query.until !== null;
  const hasGlobs = included !== null || excluded !== null;
  return {
    isOpen: !hasGlobs && !isNamed && !isDated && shelves === null && documents === null && missing.size === 0,
    accepts(place) {
      if (place.time < since || place.time >= until) return false;
      if (types !== null && !types.has(extname(place.path).toLowerCase())) return false;
      if (author !== null && nameKey(place.author ?? '') !== author) return false;
      if (shelves !== null && !shelves.has(place.shelfId ?? '')) return false;
      if (documents !== null && !documents.has(place.documentId ?? '')) return false;
      if (place.root !== null && missing.has(place.root)) return false;
      if (library !== null && nameKey(namesOf(place).library ?? '') !== library) return false;
      if (shelf !== null && nameKey(namesOf(place).shelf ?? '') !== shelf) return false;
      if (!hasGlobs) return true;
      const path = place.root === null ? place.path : relative(place.root, place.path).split(sep).join('/');
      return (included === null || included(path)) && !excluded?.(path);
    },
  };
}
