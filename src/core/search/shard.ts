import { basename } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { AppError, isAppError } from '../../shared/errors.ts';
import { createExtractor, type Extractor } from '../extract/extractor.ts';
import { EXTRACT_LIMITS } from '../extract/types.ts';
import { createPeer, type Port } from '../rpc/rpc.ts';
import { isShortage } from '../thread/shortage.ts';
import { createByteScan } from './byteScan.ts';
import { createFileSearch } from './fileSearch.ts';
import { contentHash, formatOf, prepareText } from './prepare.ts';
import { READ_BUFFER_BYTES, readRegularFile } from './readRegularFile.ts';
import { isDamage, openShardDatabase, quarantine } from './schema.ts';
import { openShardPostings } from './shardPostings.ts';
import {
  FIRST_RESULTS,
  ownerOf,
  type SeenFile,
  type ShardEvents,
  type ShardMethods,
  type ShardSettings,
} from './shardProtocol.ts';
import type { ShardSearch, ShardSearchHooks } from './shardSearch.ts';
import { createShardStore, type ShardStore, type StoredFile } from './shardStore.ts';
import { createVersionSearch } from './versionSearch.ts';
import { createVersionStore } from './versionStore.ts';

/** Pages that are given back to the system without a pause: some milliseconds of work. */
const FREED_AT_ONCE = 500;
/** Reading a batch gives way to a pause or a search after so long. */
const SLICE_MS = 50;
/** Plain text of so few bytes is decoded sooner than looked up by its hash. */
const SOONER_DECODED_BYTES = 8192;
/** A search that has found its share of the first results lets go of the processor for so long. */
const PAUSE_MS = 0.05;

const nothing = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/**
 * Lets other threads run. Whoever shows the first results and the shards that still look for theirs may be on the same processor, and
 * would wait for the end of this thread's time slice, which is as long as all of them need.
 */
function pause(): void {
  Atomics.wait(nothing, 0, 0, PAUSE_MS);
}

/** A shard's database with all that works on it; replaced as a whole when the file turns out to be damaged. */
function openShard(file: string) {
  const database = openShardDatabase(file);
  try {
    const postings = openShardPostings(database);
    const scan = createByteScan(READ_BUFFER_BYTES);
    const files = createFileSearch(database, postings, scan);
    const history = createVersionSearch(database, postings, scan);
    const search: ShardSearch = {
      run: (asked, hooks, signal) => (asked.corpus === 'files' ? files : history).run(asked, hooks, signal),
    };
    return {
      database,
      postings,
      store: createShardStore(database, postings),
      versions: createVersionStore(database, postings),
      search,
    };
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Opens a shard; one whose tables cannot even be named is set aside like one that is no database. */
function openSoundShard(file: string, onDamage: (error: Error) => void): ReturnType<typeof openShard> {
  try {
    return openShard(file);
  } catch (error) {
    if (!isDamage(error)) throw error;
    onDamage(error);
    quarantine(file);
    return openShard(file);
  }
}

const blobKey = (sha256: string, name: string) => ({ hash: Buffer.from(sha256, 'hex'), format: formatOf(name) });

/** Serves one shard over a port: the body of a shard's thread. */
export function serveShard(port: Port, settings: ShardSettings): void {
  const { file, shard, shards, extractEntry } = settings;
  let damage: string | null = null;
  let opened = openSoundShard(file, (error) => {
    damage = error.message;
  });
  const buffer = Buffer.allocUnsafeSlow(READ_BUFFER_BYTES);
  const extractor: Extractor = createExtractor({ threadEntry: new URL(extractEntry) });

  /** Reads one file: what is to be stored, or who else is to store it. */
  async function prepare(seen: SeenFile, store: ShardStore): Promise<StoredFile | { readonly owner: number } | 'gone'> {
    const readMs = Date.now();
    if (seen.skip !== undefined) return { file: seen, readMs, content: null };
    const name = basename(seen.path);
    const format = formatOf(name);
    const read = readRegularFile(seen.path, EXTRACT_LIMITS.maxFileBytes, format === '' ? buffer : undefined);
    if (read.kind === 'gone') return 'gone';
    if (read.kind === 'skip') {
      const mayPass = read.code === 'not-readable';
      return {
        file: { ...seen, skip: { code: read.code, reason: read.reason } },
        readMs: mayPass ? 0 : readMs,
        content: null,
      };
    }
    const owner = ownerOf(read.size, shards);
    if (owner !== shard) return { owner };
    const hash = contentHash(read.bytes);
    const key = { hash, format };
    const isLookedUp = format !== '' || read.size > SOONER_DECODED_BYTES;
    const text = isLookedUp && store.hasText(key) ? null : await prepareText(read.bytes, name, extractor);
    const { size, mtimeMs, ctimeMs, inode } = read;
    return { file: { ...seen, size, mtimeMs, ctimeMs, inode }, readMs, content: { ...key, text } };
  }

  let merging: Promise<void> | null = null;
  /** Merges postings in steps, between which everything else goes on. */
  function merge(all: boolean): Promise<void> {
    const { database, postings } = opened;
    const run = async () => {
      await merging;
      while (database.open && postings.mergeSome(all)) await setImmediate();
    };
    const own = run().finally(() => {
      if (merging === own) merging = null;
    });
    merging = own;
    return own;
  }
  function mergeSoon(): void {
    if (merging !== null) return;
    merge(false).catch((error: unknown) => {
      if (isDamage(error)) replaceDamaged(error);
      else peer.emit('failed', { message: `merging: ${String(error)}` });
    });
  }

  const methods: ShardMethods = {
    async ingest({ files }, signal) {
      const { store } = opened;
      const own: StoredFile[] = [];
      const foreign: { file: SeenFile; owner: number }[] = [];
      const gone: string[] = [];
      const left: SeenFile[] = [];
      let sliceEnds = performance.now() + SLICE_MS;
      for (const seen of files) {
        if (signal.aborted) {
          left.push(seen);
          continue;
        }
        if (performance.now() > sliceEnds) {
          await setImmediate();
          sliceEnds = performance.now() + SLICE_MS;
        }
        const prepared = await prepare(seen, store).catch((error: unknown) => {
          if (!isShortage(error)) throw error;
          return 'left' as const;
        });
        if (prepared === 'left') left.push(seen);
        else if (prepared === 'gone') gone.push(seen.path);
        else if ('owner' in prepared) foreign.push({ file: seen, owner: prepared.owner });
        else own.push(prepared);
      }
      const isWhole = ({ content }: StoredFile) => content === null || content.text !== null || store.hasText(content);
      store.putFiles(own.filter(isWhole));
      mergeSoon();
      // The text that they share was taken out while others were read.
      left.push(...own.filter((each) => !isWhole(each)).map(({ file }) => file));
      return { foreign, gone, left };
    },
    removeFiles: async ({ paths }) => opened.store.removeFiles(paths),
    removeBelow: async ({ paths }) => opened.store.removeBelow(paths),
    removeRootsExcept: async ({ roots }) => opened.store.removeRootsExcept(roots),
    listFiles: async ({ root }) => opened.store.listFiles(root),
    hasFile: async ({ path }) => opened.store.hasFile(path),
    missingTexts: async ({ contents }) =>
      contents.map(({ sha256, name }) => !opened.versions.hasText(blobKey(sha256, name))),
    async putBlob({ sha256, name, bytes }) {
      if (Buffer.from(contentHash(bytes)).toString('hex') !== sha256) {
        throw new AppError('content-mismatch', `the content of ${sha256} has another hash`);
      }
      const text = await prepareText(bytes, name, extractor);
      opened.versions.putText(blobKey(sha256, name), text);
      mergeSoon();
    },
    async putVersions({ records }) {
      opened.versions.putVersions(records);
      mergeSoon();
    },
    versionIds: async () => opened.versions.versionIds(),
    removeVersions: async ({ versionIds }) => opened.versions.removeVersions(versionIds),
    renameShelf: async ({ shelfId, libraryName, shelfName }) =>
      opened.versions.renameShelf(shelfId, libraryName, shelfName),
    search({ runId, ...asked }, signal) {
      const share = FIRST_RESULTS / shards;
      let sent = 0;
      const onHits: ShardSearchHooks['onHits'] = (hits) => {
        peer.emit('hits', { runId, hits });
        const isShare = sent < share && sent + hits.length >= share;
        sent += hits.length;
        if (isShare) pause();
      };
      return opened.search.run(asked, { onHits, onStale: (paths) => peer.emit('stale', { paths }) }, signal);
    },
    skipped: async () => opened.store.skipped(),
    forgetSkipped: async () => opened.store.forgetSkipped(),
    counts: async () => opened.store.counts(),
    indexedBytes: async () => opened.store.indexedBytes(),
    async optimize() {
      const { database } = opened;
      await merge(true);
      // Merging leaves as many pages free as it has written.
      while (database.open && Number(database.pragma('freelist_count', { simple: true })) > 0) {
        database.pragma(`incremental_vacuum(${FREED_AT_ONCE})`);
        await setImmediate();
      }
      if (database.open) database.pragma('wal_checkpoint(TRUNCATE)');
    },
    async check() {
      const { database, postings, versions } = opened;
      for (const each of [postings.texts, postings.fileNames, postings.packs, postings.versionNames, versions]) {
        for (let from: number | null = 0; from !== null && database.open; ) {
          from = each.checkSome(from);
          await setImmediate();
        }
      }
      if (!database.open) return;
      const found = database.pragma('quick_check(1)', { simple: true });
      if (found !== 'ok') throw new Database.SqliteError(String(found), 'SQLITE_CORRUPT');
    },
    clear: async () => {
      opened.database.close();
      quarantine(file);
      opened = openShard(file);
    },
    async close() {
      await extractor.close();
      opened.database.close();
    },
  };

  /** Damage is met wherever a page is first read: the file is set aside, to be filled again. */
  function replaceDamaged({ message }: Error): void {
    opened.database.close();
    quarantine(file);
    opened = openShard(file);
    peer.emit('damaged', { message });
  }

  /** A call that met damage fails as the whole index would. */
  function survive(error: unknown): never {
    if (!isDamage(error)) throw error;
    replaceDamaged(error);
    throw new AppError('index-unavailable', `a part of the index was damaged and is built anew: ${error.message}`, {
      cause: error,
    });
  }
  const surviving = Object.fromEntries(
    Object.entries(methods).map(([name, method]) => [
      name,
      async (input: never, signal: AbortSignal) => {
        const { database } = opened;
        try {
          return await method(input, signal);
        } catch (error) {
          if (database.open || isAppError(error)) return survive(error);
          // Closed or replaced while this gave way to others: what it met says nothing of what is there now.
          throw new AppError('index-unavailable', 'a part of the index was closed meanwhile', { cause: error });
        }
      },
    ]),
  ) as unknown as ShardMethods;

  const peer = createPeer<ShardMethods, Record<never, never>, ShardEvents>(port, surviving, {
    onUnexpected: (method, error) => peer.emit('failed', { message: `${method}: ${String(error)}` }),
  });
  if (damage !== null) peer.emit('damaged', { message: damage });
}
