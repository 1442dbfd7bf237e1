import { openSearchIndex } from '../core/search/searchIndex.ts';
import type { OpenOptions, SearchIndex } from '../core/search/types.ts';
import { workerEntry } from './entries.ts';

/** Opens the index with the threads of this installation: what the index process, the server and the command line use. */
export function openIndex(options: Omit<OpenOptions, 'threads'>): Promise<SearchIndex> {
  return openSearchIndex({
    ...options,
    threads: { shard: workerEntry('shardThread'), extract: workerEntry('extractThread') },
  });
}
