import type { SearchResult } from '../../../shared/model/search.ts';

/** Versions of a document in a row that hold what was looked for, shown as one. */
export interface Interval {
  /** The latest of them. */
  readonly result: SearchResult;
  /** Number of the first; null for what is no version. */
  readonly first: number | null;
}

/** What stands in a row with others: a message tells of one commit alone. */
function kindOf({ matches, items }: SearchResult): 'text' | 'name' | null {
  if (items.some(({ type }) => type === 'Message' || type === 'Label' || type === 'Comment')) return null;
  return matches > 0 ? 'text' : 'name';
}

/**
 * Puts the versions of each document together that follow each other, up to the one in which the text is gone (field.md row 77).
 * They stand where the latest of each stood.
 */
export function intervalsOf(results: readonly SearchResult[]): readonly Interval[] {
  const latestFirst = results.toSorted((a, b) => (b.versionNumber ?? 0) - (a.versionNumber ?? 0));
  const open = new Map<string, { result: SearchResult; first: number | null }>();
  const heads = new Map<string, { result: SearchResult; first: number | null }>();
  for (const result of latestFirst) {
    const kind = kindOf(result);
    const key = `${kind} ${result.documentId}`;
    const later = kind === null || result.documentId === null ? undefined : open.get(key);
    if (later !== undefined && result.removedIn === undefined) {
      later.first = result.versionNumber;
      continue;
    }
    const head = { result, first: result.versionNumber };
    heads.set(result.id, head);
    if (kind !== null) open.set(key, head);
  }
  return results.flatMap(({ id }) => heads.get(id) ?? []);
}
