import type { SearchResult } from '../../shared/model/search.ts';

/** Adds a batch to a list: an id that is there already is replaced where it stands, so that rows do not jump. */
export function mergeResults(list: readonly SearchResult[], batch: readonly SearchResult[]): readonly SearchResult[] {
  if (batch.length === 0) return list;
  const merged = new Map(list.map((result) => [result.id, result]));
  for (const result of batch) merged.set(result.id, result);
  return [...merged.values()];
}
