import type Database from 'better-sqlite3';
import { openPostings, type Postings } from './postings.ts';
import { createTrigramReader } from './trigrams.ts';

/** The postings of a shard. */
export interface ShardPostings {
  readonly texts: Postings;
  readonly fileNames: Postings;
  readonly versionNames: Postings;
  /** Of all of them; see {@link Postings}. */
  flush(): void;
  discard(): void;
  mergeSome(all: boolean): boolean;
}

/** Opens the postings of a shard's database. */
export function openShardPostings(database: Database.Database): ShardPostings {
  const reader = createTrigramReader();
  const texts = openPostings(database, { name: 'text', owner: 'texts', reader });
  const fileNames = openPostings(database, { name: 'file_name', owner: 'files', reader });
  const versionNames = openPostings(database, { name: 'version_name', owner: 'versions', reader });
  const all = [texts, fileNames, versionNames];
  return {
    texts,
    fileNames,
    versionNames,
    flush() {
      for (const postings of all) postings.flush();
    },
    discard() {
      for (const postings of all) postings.discard();
    },
    mergeSome: (everything) => all.some((postings) => postings.mergeSome(everything)),
  };
}
