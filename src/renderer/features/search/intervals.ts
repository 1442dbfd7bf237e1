import type { SearchResult } from '../../../shared/model/search.ts';

/** Versions of a document in a row that hold what was looked for, shown as one. */
export interface Interval {
  /** The latest of them. */
  readonly result: SearchResult;
  /** Number of the first; null for what is no version. */
  readonly first: number | null;
}

type OpenInterval = { -readonly [K in keyof Interval]: Interval[K] };

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
  // By the documents' own ids: a hundred thousand keys made for this alone take longer than the rest.
  const open = { text: new Map<string, OpenInterval>(), name: new Map<string, OpenInterval>() };
  const heads = new Map<SearchResult, OpenInterval>();
  for (const result of latestFirst) {
    const { documentId, versionNumber: first } = result;
    const kind = kindOf(result);
    const ofKind = kind === null || documentId === null ? null : open[kind];
    const later = ofKind?.get(documentId ?? '');
    if (later !== undefined && result.removedIn === undefined) {
      later.first = first;
      continue;
    }
    const head = { result, first };
    heads.set(result, head);
    ofKind?.set(documentId ?? '', head);
  }
  return results.flatMap((result) => heads.get(result) ?? []);
}
