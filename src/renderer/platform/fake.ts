import type { IndexStatus, SearchResult } from '../../shared/model/search.ts';
import { createStoredSearchLog } from './storedSearchLog.ts';
import type { Platform, SearchCapability, SearchOutcome, SearchRequest } from './types.ts';

/** A platform for tests: nothing but search, over results that the test hands in. */
export function createFakePlatform(parts: Partial<Platform> = {}): Platform {
  return {
    windowControls: null,
    shell: null,
    server: null,
    session: { signIn: () => Promise.resolve(), signOut: () => Promise.resolve(), shell: null },
    workspace: null,
    index: null,
    updates: null,
    search: createFakeSearch(() => Promise.resolve(outcomeOf([]))),
    keptDocuments: null,
    ...parts,
  };
}

/** The outcome of a run that found exactly these. */
export function outcomeOf(results: readonly SearchResult[]): SearchOutcome {
  return {
    results,
    total: results.reduce((sum, { matches }) => sum + matches, 0),
    files: results.length,
    limitHit: false,
    milliseconds: 1,
    notSearched: 0,
    complete: true,
  };
}

/** A search whose runs the test answers itself; its log lives in memory. */
export function createFakeSearch(
  answer: (query: SearchRequest, options: Parameters<SearchCapability['run']>[1]) => Promise<SearchOutcome>,
): SearchCapability {
  const kept = new Map<string, string>();
  return {
    run: answer,
    mostResults: 100_000,
    log: createStoredSearchLog({
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, value) => kept.set(key, value),
      removeItem: (key) => kept.delete(key),
    }),
  };
}

/** An index that has finished. */
export const READY_INDEX: IndexStatus = {
  state: 'ready',
  files: 0,
  indexed: 0,
  done: 0,
  pending: 0,
  skipped: 0,
  versions: 0,
  pendingVersions: 0,
  indexBytes: 0,
  secondsLeft: null,
  message: null,
};
