import type { Logger } from 'pino';
import type { SearchIndex, VersionRecord } from '../../core/search/types.ts';
import { inChunks } from '../database/chunks.ts';
import type { Database } from '../database/connection.ts';
import type { BlobStore } from '../storage/blobStore.ts';

/** Versions that are looked up at once when the index is compared with the database. */
const PAGE_SIZE = 1000;
/** How long other servers' commits stay unseen, and how far a look reaches back for those that were written late. */
const POLL_MS = 5_000;
const OVERLAP_MS = 60_000;

/** Keeps the server's index in step with what is committed, beside the requests. */
export interface SearchFeeder {
  /** A commit was made. */
  committed(hash: string): void;
  /** A library or a shelf of it goes by another name. */
  renamed(libraryId: string): void;
  /** All documents of a shelf went to the trash, without a commit. */
  shelfDeleted(shelfId: string): void;
  /** Versions are gone for good. */
  removed(versionIds: readonly string[]): void;
  /** Compares the index with the database: brings in what is missing, after a start, and takes out what is gone. */
  catchUp(): void;
  /** Looks for what other servers on the same database commit, from now on. */
  follow(): void;
  /** Commits and other changes that the index does not have yet. */
  pending(): number;
  /** Whether the index may miss versions of these shelves. */
  isBehind(shelfIds: readonly string[]): Promise<boolean>;
  /** Resolves when nothing waits. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

/** Makes the feeder. What fails is logged and made good at the next start. */
export function createSearchFeeder(options: {
  readonly index: SearchIndex;
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly log: Logger;
  readonly now: () => number;
}): SearchFeeder {
  const { index, database, blobs, log, now } = options;
  const commits = new Set<string>();
  /** Commits that are being brought in. */
  let inHand: readonly string[] = [];
  let isComparing = false;
  const tasks: (() => Promise<void>)[] = [];
  const seen = new Map<string, number>();
  let running: Promise<void> | null = null;
  let timer: NodeJS.Timeout | null = null;
  let isClosed = false;

  async function readBlob(sha256: string): Promise<Uint8Array> {
    const chunks: Buffer[] = [];
    for await (const chunk of blobs.read(sha256)) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  }

  const versions = () =>
    database
      .selectFrom('versions')
      .innerJoin('documents', 'documents.id', 'versions.document_id')
      .innerJoin('shelves', 'shelves.id', 'documents.shelf_id')
      .innerJoin('libraries', 'libraries.id', 'shelves.library_id')
      .innerJoin('commits', 'commits.hash', 'versions.commit_hash')
      .leftJoin('users', 'users.id', 'versions.author_id')
      .select([
        'versions.id',
        'versions.document_id',
        'versions.name',
        'versions.number',
        'versions.sha256',
        'versions.size',
        'versions.commit_hash',
        'versions.created_at',
        'documents.shelf_id',
        'documents.current_version',
        'documents.deleted',
        'shelves.name as shelf',
        'libraries.name as library',
        'commits.message',
        'users.username',
      ]);

  type Row = Awaited<ReturnType<ReturnType<typeof versions>['executeTakeFirstOrThrow']>>;

  const recordOf = (row: Row): VersionRecord => ({
    versionId: row.id,
    documentId: row.document_id,
    shelfId: row.shelf_id,
    libraryName: row.library,
    shelfName: row.shelf,
    documentName: row.name,
    number: row.number,
    isCurrent: row.deleted === 0 && row.number === row.current_version,
    sha256: row.sha256,
    size: Number(row.size),
    commitHash: row.commit_hash,
    commitMessage: row.message,
    author: row.username ?? '',
    committedAt: row.created_at,
  });

  async function put(rows: readonly Row[]): Promise<void> {
    for (const chunk of inChunks(rows)) await index.putVersions(chunk.map(recordOf), readBlob);
  }

  /** The versions that commits made, and those that were current before. */
  async function feedCommits(hashes: readonly string[]): Promise<void> {
    for (const chunk of inChunks(hashes)) {
      const firstOf = database
        .selectFrom('versions')
        .select(({ fn }) => ['document_id', fn.min('number').as('number')])
        .where('commit_hash', 'in', chunk)
        .groupBy('document_id');
      await put(
        await versions()
          .innerJoin(firstOf.as('first'), 'first.document_id', 'versions.document_id')
          .where(({ eb, ref }) => eb('versions.number', '>=', eb(ref('first.number'), '-', 1)))
          .execute(),
      );
      await put(
        await versions()
          .where('versions.document_id', 'in', ({ selectFrom }) =>
            selectFrom('commit_changes')
              .select('document_id')
              .where('commit_hash', 'in', chunk)
              .where('code', '=', 'D'),
          )
          .whereRef('versions.number', '=', 'documents.current_version')
          .execute(),
      );
    }
  }

  async function compare(): Promise<void> {
    const known = new Set(await index.versionIds());
    for (let after = ''; !isClosed; ) {
      const ids = await database
        .selectFrom('versions')
        .select('id')
        .where('id', '>', after)
        .orderBy('id')
        .limit(PAGE_SIZE)
        .execute();
      const missing = ids.filter(({ id }) => !known.delete(id)).map(({ id }) => id);
      if (missing.length > 0) {
        const touched = await database
          .selectFrom('versions')
          .select('commit_hash')
          .distinct()
          .where('id', 'in', missing)
          .execute();
        await feedCommits(touched.map(({ commit_hash }) => commit_hash));
      }
      after = ids.at(-1)?.id ?? after;
      if (ids.length < PAGE_SIZE) break;
    }
    if (isClosed) return;
    if (known.size > 0) await index.removeVersions([...known]);
    // A deletion makes no version that would be missed.
    const trash = await versions()
      .where('documents.deleted', '=', 1)
      .whereRef('versions.number', '=', 'documents.current_version')
      .execute();
    await put(trash);
  }

  async function rename(libraryId: string): Promise<void> {
    const rows = await database
      .selectFrom('shelves')
      .innerJoin('libraries', 'libraries.id', 'shelves.library_id')
      .select(['shelves.id', 'shelves.name', 'libraries.name as library'])
      .where('libraries.id', '=', libraryId)
      .execute();
    for (const row of rows) await index.renameShelf(row.id, row.library, row.name);
  }

  async function attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!isClosed) log.error({ err: error }, 'the index could not be brought up to date');
    }
  }

  async function work(): Promise<void> {
    while (!isClosed && (commits.size > 0 || tasks.length > 0)) {
      inHand = [...commits];
      commits.clear();
      if (inHand.length > 0) await attempt(() => feedCommits(inHand));
      inHand = [];
      const task = tasks.shift();
      if (task !== undefined) await attempt(task);
    }
    running = null;
  }

  function run(): void {
    running ??= work();
  }

  function enqueue(task: () => Promise<void>): void {
    tasks.push(task);
    run();
  }

  async function lookForOthers(): Promise<void> {
    const since = now() - OVERLAP_MS;
    const rows = await database
      .selectFrom('commits')
      .select('hash')
      .where('created_at', '>', new Date(since).toISOString())
      .execute();
    for (const [hash, at] of seen) if (at < since - OVERLAP_MS) seen.delete(hash);
    for (const { hash } of rows) {
      if (seen.has(hash)) continue;
      seen.set(hash, now());
      commits.add(hash);
    }
    if (commits.size > 0) run();
  }

  return {
    committed(hash) {
      seen.set(hash, now());
      commits.add(hash);
      run();
    },
    renamed: (libraryId) => enqueue(() => rename(libraryId)),
    shelfDeleted: (shelfId) =>
      enqueue(async () =>
        put(
          await versions()
            .where('documents.shelf_id', '=', shelfId)
            .whereRef('versions.number', '=', 'documents.current_version')
            .execute(),
        ),
      ),
    removed: (versionIds) => enqueue(() => index.removeVersions(versionIds)),
    catchUp() {
      isComparing = true;
      enqueue(async () => {
        await compare().finally(() => {
          isComparing = false;
        });
      });
    },
    follow() {
      timer = setInterval(() => void attempt(lookForOthers), POLL_MS);
      timer.unref();
    },
    pending: () => commits.size + tasks.length,
    async isBehind(shelfIds) {
      if (isComparing) return true;
      const waiting = [...commits, ...inHand];
      for (const chunk of inChunks(waiting)) {
        const rows = await database
          .selectFrom('commits')
          .select('shelf_id')
          .distinct()
          .where('hash', 'in', chunk)
          .execute();
        if (rows.some(({ shelf_id }) => shelfIds.includes(shelf_id))) return true;
      }
      return false;
    },
    async idle() {
      while (running !== null) await running;
    },
    async close() {
      isClosed = true;
      if (timer !== null) clearInterval(timer);
      await running;
    },
  };
}
