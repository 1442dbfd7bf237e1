import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Corpus, OpenOptions, SearchIndex } from '../../../src/core/search/types.ts';
import { SearchQuery, type SearchResult } from '../../../src/shared/model/search.ts';
import { openIndex } from '../../../src/worker/openIndex.ts';

/** Parts of a query; what is not given has its default. */
export type QueryInput = Partial<SearchQuery> & { readonly text: string };

/** A folder of files, an index over it, and what has to be closed at the end. */
export interface IndexFixture {
  readonly folder: string;
  readonly file: string;
  index: SearchIndex;
  readonly warnings: string[];
  write(name: string, content: string | Uint8Array): string;
  /** Closes the index and opens it again. */
  reopen(): Promise<void>;
  find(
    query: string | QueryInput,
    corpus?: Corpus,
  ): Promise<{
    readonly total: number;
    readonly files: number;
    readonly limitHit: boolean;
    readonly notSearched: number;
    readonly results: readonly SearchResult[];
  }>;
  /** Resolves once a condition holds, looking whenever the index says that something moved. */
  until(holds: () => Promise<boolean>): Promise<void>;
  dispose(): Promise<void>;
}

/** Makes a query from its text or parts; what is not given has its default. */
export function queryOf(query: string | QueryInput): SearchQuery {
  return SearchQuery.parse({ scope: 'current', ...(typeof query === 'string' ? { text: query } : query) });
}

/** Makes a folder with files and opens an index beside it; nothing is indexed yet. */
export async function createIndexFixture(
  files: Readonly<Record<string, string | Uint8Array>> = {},
  options: Partial<OpenOptions> = {},
): Promise<IndexFixture> {
  const base = mkdtempSync(join(tmpdir(), 'armarium-index-'));
  const folder = join(base, 'files');
  const file = join(base, 'index', 'index.db');
  const warnings: string[] = [];
  mkdirSync(folder);
  const write = (name: string, content: string | Uint8Array) => {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    return path;
  };
  for (const [name, content] of Object.entries(files)) write(name, content);
  const open = () => openIndex({ shards: 2, ...options, file, onWarning: (message) => warnings.push(message) });
  const fixture: IndexFixture = {
    folder,
    file,
    index: await open(),
    warnings,
    write,
    async reopen() {
      await fixture.index.close();
      fixture.index = await open();
    },
    find: (query, corpus = 'files') => fixture.index.search(queryOf(query), { corpus }),
    async until(holds) {
      for (;;) {
        const moved = new Promise<void>((resolve) => {
          const stop = fixture.index.onStatus(() => {
            stop();
            resolve();
          });
        });
        if (await holds()) return;
        await moved;
      }
    },
    async dispose() {
      await fixture.index.close();
      rmSync(base, { recursive: true, force: true });
    },
  };
  return fixture;
}
