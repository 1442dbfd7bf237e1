import type Database from 'better-sqlite3';
import { openPostings, type Postings } from './postings.ts';
import { createTrigramReader } from './trigrams.ts';

/** The postings of a shard. */
export interface ShardPostings {
  readonly texts: Postings;
  readonly fileNames: Postings;
  readonly packs: Postings;
  readonly versionNames: Postings;
  /** Makes of some work one transaction, with the postings of all that it stores. */
  writing<T extends unknown[]>(work: (...input: T) => void): (...input: T) => void;
  /** Of all of them; see {@link Postings}. */
  mergeSome(all: boolean): boolean;
}

/** Opens the postings of a shard's database. */
export function openShardPostings(database: Database.Database): ShardPostings {
  const reader = createTrigramReader();
  const texts = openPostings(database, { name: 'text', owner: 'texts', reader });
  const fileNames = openPostings(database, { name: 'file_name', owner: 'files', reader });
  const packs = openPostings(database, { name: 'pack', owner: 'packs', reader });
  const versionNames = openPostings(database, { name: 'version_name', owner: 'versions', reader });
  const all = [texts, fileNames, packs, versionNames];
  return {
    texts,
    fileNames,
    packs,
    versionNames,
    writing<T extends unknown[]>(work: (...input: T) => void) {
      const run = database.transaction((...input: T) => {
        work(...input);
        for (const postings of all) postings.flush();
      });
      return (...input: T) => {
        try {
          run(...input);
        } catch (error) {
          for (const postings of all) postings.discard();
          throw error;
        }
      };
    },
    mergeSome: (everything) => all.some((postings) => postings.mergeSome(everything)),
  };
}
