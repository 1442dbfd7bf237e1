import type { Logger } from 'pino';
import { versionRecords } from '../../core/history/historySync.ts';
import type { SearchIndex } from '../../core/search/types.ts';
import type { Shelf } from '../../shared/model/library.ts';
import type { Database } from '../database/connection.ts';
import type { Documents } from '../documents/documents.ts';
import type { BlobStore } from '../storage/blobStore.ts';

const PAGE_SIZE = 500;

/** Keeps the server's index in step with what is committed, beside the requests. */
export interface SearchFeeder {
  /** A shelf has a new commit. */
  committed(shelf: Shelf): void;
  /** Brings in all that is missing, after a start. */
  catchUp(): void;
  /** Resolves when nothing waits. */
  idle(): Promise<void>;
}

/** Makes the feeder. What fails is logged and tried again with the shelf's next commit or at the next start. */
export function createSearchFeeder(options: {
  readonly index: SearchIndex;
  readonly database: Database;
  readonly documents: Documents;
  readonly blobs: BlobStore;
  readonly log: Logger;
}): SearchFeeder {
  const { index, database, documents, blobs, log } = options;
  const waiting = new Map<string, Shelf>();
  let running: Promise<void> | null = null;

  async function readBlob(sha256: string): Promise<Uint8Array> {
    const chunks: Buffer[] = [];
    for await (const chunk of blobs.read(sha256)) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  }

  async function feed(shelf: Shelf): Promise<void> {
    const commits = [];
    for (let page = 1; ; page += 1) {
      const answer = await documents.commits(shelf.id, page, PAGE_SIZE);
      commits.push(...answer.commits);
      if (!answer.has_more) break;
    }
    await index.putVersions(versionRecords(shelf, commits), readBlob);
  }

  async function work(): Promise<void> {
    for (let [next] = waiting.values(); next !== undefined; [next] = waiting.values()) {
      waiting.delete(next.id);
      try {
        await feed(next);
      } catch (error) {
        log.error({ shelf: next.id, err: error }, 'a shelf could not be indexed');
      }
    }
    running = null;
  }

  function enqueue(shelf: Shelf): void {
    waiting.set(shelf.id, shelf);
    running ??= work();
  }

  return {
    committed: enqueue,
    catchUp() {
      const all = (async () => {
        const rows = await database
          .selectFrom('shelves')
          .innerJoin('libraries', 'libraries.id', 'shelves.library_id')
          .select(['shelves.id', 'shelves.name', 'shelves.archived', 'shelves.updated_at', 'libraries.name as library'])
          .execute();
        for (const row of rows) {
          enqueue({ ...row, archived: row.archived === 1, members: [], document_count: 0 });
        }
      })();
      all.catch((error: unknown) => log.error({ err: error }, 'the index could not be brought up to date'));
    },
    async idle() {
      while (running !== null) await running;
    },
  };
}
