import { AppError } from '../../shared/errors.ts';
import { createExtractor, type Extractor } from '../extract/extractor.ts';
import { createPeer, type Port } from '../rpc/rpc.ts';
import { createCandidates } from './candidates.ts';
import { contentHash, preparedText, prepareFile } from './prepare.ts';
import { openShardDatabase } from './schema.ts';
import {
  ownerOf,
  type PreparedFile,
  type ShardEvents,
  type ShardMethods,
  type ShardSettings,
} from './shardProtocol.ts';
import { createShardSearch } from './shardSearch.ts';
import { createShardStore } from './shardStore.ts';

/** Serves one shard over a port: the body of a shard's thread. */
export function serveShard(port: Port, settings: ShardSettings): void {
  const { file, shard, shards, extractEntry } = settings;
  const database = openShardDatabase(file);
  const store = createShardStore(database);
  const search = createShardSearch(database, createCandidates(database));
  const extractor: Extractor = createExtractor({ threadEntry: new URL(extractEntry) });

  const methods: ShardMethods = {
    async ingest({ files }) {
      const own: PreparedFile[] = [];
      const foreign: PreparedFile[] = [];
      const gone: string[] = [];
      let bytes = 0;
      for (const seen of files) {
        const prepared = await prepareFile(seen, extractor);
        if (prepared === null) {
          gone.push(seen.path);
          continue;
        }
        bytes += seen.size;
        const isOwn = prepared.text.hash.length === 0 || ownerOf(prepared.text.hash, shards) === shard;
        (isOwn ? own : foreign).push(prepared);
      }
      store.putFiles(own);
      if (gone.length > 0) store.removeFiles(gone);
      return { foreign, bytes };
    },
    put: async ({ files }) => store.putFiles(files),
    removeFiles: async ({ paths }) => store.removeFiles(paths),
    removeBelow: async ({ path }) => store.removeBelow(path),
    removeRootsExcept: async ({ roots }) => store.removeRootsExcept(roots),
    listFiles: async ({ root }) => store.listFiles(root),
    hasFile: async ({ path }) => store.hasFile(path),
    missingTexts: async ({ hashes }) => hashes.filter((hash) => !store.hasText(Buffer.from(hash, 'hex'))),
    async putBlob({ sha256, name, bytes }) {
      const hash = contentHash(bytes);
      if (Buffer.from(hash).toString('hex') !== sha256) {
        throw new AppError('content-mismatch', `the content of ${sha256} has another hash`);
      }
      store.putText(preparedText(hash, await extractor.extract(bytes, name), true));
    },
    putVersions: async ({ records }) => store.putVersions(records),
    versionIds: async () => store.versionIds(),
    removeVersions: async ({ versionIds }) => store.removeVersions(versionIds),
    renameShelf: async ({ shelfId, libraryName, shelfName }) => store.renameShelf(shelfId, libraryName, shelfName),
    search: ({ runId, ...asked }, signal) =>
      search.run(
        asked,
        {
          onHits: (hits) => peer.emit('hits', { runId, hits }),
          onStale: (paths) => peer.emit('stale', { paths }),
        },
        signal,
      ),
    skipped: async () => store.skipped(),
    counts: async () => store.counts(),
    indexedBytes: async () => store.indexedBytes(),
    optimize: async () => {
      database.exec("INSERT INTO trigrams (trigrams) VALUES ('optimize')");
    },
    clear: async () => {
      database.transaction(() => {
        database.exec('DELETE FROM files; DELETE FROM versions; DELETE FROM texts');
        database.exec("INSERT INTO trigrams (trigrams) VALUES ('delete-all')");
      })();
    },
    async close() {
      await extractor.close();
      database.close();
    },
  };
  const peer = createPeer<ShardMethods, Record<never, never>, ShardEvents>(port, methods, {
    onUnexpected: (method, error) => peer.emit('failed', { message: `${method}: ${String(error)}` }),
  });
}
