import type { Pace } from '../watch/pace.ts';
import { formatOf } from './prepare.ts';
import type { Shard } from './shardPool.ts';
import { ownerOfDocument } from './shardProtocol.ts';
import type { ReadBlob, VersionRecord } from './types.ts';

/** Contents that are fetched at the same time. */
const FETCHES = 4;
/** Bytes of the contents that are fetched before their versions are put: until then their texts lie apart. */
const FETCHED_AT_ONCE = 16_000_000;

/** Names the text of a version: equal contents are one text as long as they are read by the same format. */
const contentName = ({ sha256, documentName }: VersionRecord) => `${sha256} ${formatOf(documentName)}`;

/** Brings versions into the shards; each content is fetched once. */
export interface VersionFeed {
  /** Contents that are still to be fetched. */
  pending(): number;
  /** @throws the first failure to fetch, after everything else is searchable. */
  put(records: readonly VersionRecord[], readBlob: ReadBlob): Promise<void>;
  /** Resolves when nothing is being put. */
  settled(): Promise<void>;
}

/** A content that is to be fetched, and the shards that do not have it. */
interface WantedContent {
  readonly record: VersionRecord;
  readonly shards: Shard[];
}

/** Versions document after document in the order of their numbers, so that each finds those before it in their pack. */
function* batchesOf(records: readonly VersionRecord[]): Generator<VersionRecord[], undefined> {
  let batch: VersionRecord[] = [];
  let bytes = 0;
  for (const versions of Map.groupBy(records, ({ documentId }) => documentId).values()) {
    for (const version of versions.sort((a, b) => a.number - b.number)) {
      batch.push(version);
      bytes += version.size;
      if (bytes < FETCHED_AT_ONCE) continue;
      yield batch;
      [batch, bytes] = [[], 0];
    }
  }
  if (batch.length > 0) yield batch;
}

/** Makes the feed before a pool of shards. */
export function createVersionFeed(shards: readonly Shard[], pace: Pace, onProgress: () => void): VersionFeed {
  let pending = 0;
  const running = new Set<Promise<void>>();

  /** Calls `work` for each shard that owns some of the versions, with those. */
  async function eachOwner(
    records: readonly VersionRecord[],
    work: (shard: Shard, own: readonly VersionRecord[]) => Promise<void>,
  ): Promise<void> {
    const byOwner = Map.groupBy(records, ({ documentId }) => ownerOfDocument(documentId, shards.length));
    await Promise.all([...byOwner].map(([owner, own]) => work(shards[owner] as Shard, own)));
  }

  async function missing(records: readonly VersionRecord[]): Promise<Map<string, WantedContent>> {
    const wanted = new Map<string, WantedContent>();
    await eachOwner(records, async (shard, own) => {
      const distinct = [...new Map(own.map((record) => [contentName(record), record]))];
      const contents = distinct.map(([, { sha256, documentName: name }]) => ({ sha256, name }));
      const isMissing = await shard.call('missingTexts', { contents });
      for (const [position, [name, record]] of distinct.entries()) {
        if (!isMissing[position]) continue;
        const known = wanted.get(name);
        if (known === undefined) wanted.set(name, { record, shards: [shard] });
        else known.shards.push(shard);
      }
    });
    return wanted;
  }

  /** Fetches contents. @returns what failed */
  async function fetchAll(contents: readonly WantedContent[], readBlob: ReadBlob): Promise<unknown[]> {
    const waiting = [...contents];
    const failures: unknown[] = [];
    await Promise.all(
      Array.from({ length: FETCHES }, async () => {
        for (let content = waiting.shift(); content !== undefined; content = waiting.shift()) {
          await pace.turn();
          const { record } = content;
          const { sha256, documentName: name } = record;
          const began = performance.now();
          try {
            const bytes = await readBlob(sha256, record);
            await Promise.all(content.shards.map((shard) => shard.call('putBlob', { sha256, name, bytes })));
          } catch (error) {
            failures.push(error);
          }
          pending -= 1;
          onProgress();
          await pace.rest(performance.now() - began);
        }
      }),
    );
    return failures;
  }

  async function put(records: readonly VersionRecord[], readBlob: ReadBlob): Promise<void> {
    const wanted = await missing(records);
    const failures: unknown[] = [];
    pending += wanted.size;
    try {
      for (const batch of batchesOf(records)) {
        const names = new Set(batch.map(contentName));
        const contents = [...names].flatMap((name) => wanted.get(name) ?? []);
        for (const name of names) wanted.delete(name);
        failures.push(...(await fetchAll(contents, readBlob)));
        await eachOwner(batch, (shard, own) => shard.call('putVersions', { records: own }));
        onProgress();
      }
    } finally {
      pending -= wanted.size;
    }
    if (failures.length > 0) throw failures[0];
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
