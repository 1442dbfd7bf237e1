import type { Pace } from '../watch/pace.ts';
import { formatOf } from './prepare.ts';
import type { Shard } from './shardPool.ts';
import { ownerOf } from './shardProtocol.ts';
import type { ReadBlob, VersionRecord } from './types.ts';

/** Blobs that are fetched at the same time. */
const FETCHES = 4;

/** Names the text of a version: equal contents are one text as long as they are read by the same format. */
const contentName = ({ sha256, documentName }: VersionRecord) => `${sha256} ${formatOf(documentName)}`;

/** Brings versions into the shards; each content is fetched and indexed once. */
export interface VersionFeed {
  /** Contents that are still to be fetched. */
  pending(): number;
  /** @throws the first failure to fetch, after everything else is searchable. */
  put(records: readonly VersionRecord[], readBlob: ReadBlob): Promise<void>;
  /** Resolves when nothing is being put. */
  settled(): Promise<void>;
}

/** Makes the feed before a pool of shards. */
export function createVersionFeed(shards: readonly Shard[], pace: Pace, onProgress: () => void): VersionFeed {
  let pending = 0;
  const running = new Set<Promise<void>>();
  const ownerOfVersion = ({ size }: VersionRecord) => ownerOf(size, shards.length);

  async function missing(records: readonly VersionRecord[]): Promise<VersionRecord[]> {
    const byShard = Map.groupBy(
      new Map(records.map((record) => [contentName(record), record])).values(),
      ownerOfVersion,
    );
    const wanted = await Promise.all(
      [...byShard].map(async ([owner, own]) => {
        const contents = own.map(({ sha256, documentName }) => ({ sha256, name: documentName }));
        const isMissing = await (shards[owner] as Shard).call('missingTexts', { contents });
        return own.filter((_, position) => isMissing[position]);
      }),
    );
    return wanted.flat();
  }

  async function fetchAll(wanted: readonly VersionRecord[], readBlob: ReadBlob): Promise<void> {
    const waiting = [...wanted];
    const failures: unknown[] = [];
    pending += waiting.length;
    await Promise.all(
      Array.from({ length: FETCHES }, async () => {
        for (let record = waiting.shift(); record !== undefined; record = waiting.shift()) {
          await pace.turn();
          const { sha256, documentName: name } = record;
          const began = performance.now();
          try {
            const bytes = await readBlob(sha256, record);
            await (shards[ownerOfVersion(record)] as Shard).call('putBlob', { sha256, name, bytes });
          } catch (error) {
            failures.push(error);
          }
          pending -= 1;
          onProgress();
          await pace.rest(performance.now() - began);
        }
      }),
    );
    if (failures.length > 0) throw failures[0];
  }

  async function put(records: readonly VersionRecord[], readBlob: ReadBlob): Promise<void> {
    try {
      await fetchAll(await missing(records), readBlob);
    } finally {
      const versionIds = records.map(({ versionId }) => versionId);
      await Promise.all(
        shards.map((shard, index) => {
          const own = records.filter((record) => ownerOfVersion(record) === index);
          return own.length === 0 ? undefined : shard.call('putVersions', { records: own });
        }),
      );
      // A version whose content was replaced belongs to another shard than before.
      await Promise.all(
        shards.map((shard, index) => {
          const others = versionIds.filter((_, at) => ownerOfVersion(records[at] as VersionRecord) !== index);
          return others.length === 0 ? undefined : shard.call('removeVersions', { versionIds: others });
        }),
      );
      onProgress();
    }
  }

  return {
    pending: () => pending,
    put(records, readBlob) {
      const run = put(records, readBlob).finally(() => running.delete(run));
      running.add(run);
      return run;
    },
    async settled() {
      await Promise.allSettled(running);
    },
  };
}
