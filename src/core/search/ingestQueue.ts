import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isContainer } from '../extract/formats.ts';
import type { Shard } from './shardPool.ts';
import { ownerOf, type SeenFile } from './shardProtocol.ts';

/** Files and bytes of one batch: a shard answers no query while it writes one. */
const BATCH_FILES = 1000;
const BATCH_BYTES = 6 * 1024 * 1024;
/** A document takes as long as so many plain files of average size: batches stay short in time. */
const DOCUMENT_WEIGHT = 100;
/** Batches that a shard has at once: it reads one while others wait for the shards that own their contents. */
const BATCHES_PER_SHARD = 2;
const ATTEMPTS = 3;
const RETRY_MS = 500;

interface Queued {
  readonly file: SeenFile;
  /** Not in the index before, so that no other shard can hold it. */
  readonly isNew: boolean;
  readonly attempts: number;
}

/** How far the queue is. */
export interface QueueProgress {
  readonly pending: number;
  readonly secondsLeft: number | null;
}

/** Files on their way into the shards: the latest state of a path counts, and a path is never worked on twice at once. */
export interface IngestQueue {
  add(file: SeenFile, isNew: boolean): void;
  /** Whether the queue knows of just this state of a file already. */
  holds(file: SeenFile): boolean;
  /** Takes paths and all below them out of the queue; resolves when none of them is being worked on. */
  drop(paths: readonly string[]): Promise<void>;
  progress(): QueueProgress;
  idle(): Promise<void>;
  close(): Promise<void>;
}

export interface IngestQueueOptions {
  readonly shards: readonly Shard[];
  readonly onProgress: () => void;
  readonly onWarning: (message: string) => void;
}

const same = (a: SeenFile, b: SeenFile) => a.size === b.size && a.mtimeMs === b.mtimeMs;

/** Makes the queue before a pool of shards. */
export function createIngestQueue({ shards, onProgress, onWarning }: IngestQueueOptions): IngestQueue {
  const pending = new Map<string, Queued>();
  /** The same by the shard that is to read it. */
  const waitingFor = shards.map(() => new Set<string>());
  const inFlight = new Map<string, SeenFile>();
  const busy = shards.map(() => 0);
  let batches = new Set<Promise<void>>();
  let waiting: (() => void)[] = [];
  let closed = false;
  let bytesPending = 0;
  let bytesDone = 0;
  let started = 0;

  function take(path: string): void {
    const queued = pending.get(path);
    if (queued === undefined) return;
    pending.delete(path);
    waitingFor[ownerOf(queued.file.size, shards.length)]?.delete(path);
  }

  function put(queued: Queued): void {
    const { path, size } = queued.file;
    take(path);
    pending.set(path, queued);
    waitingFor[ownerOf(size, shards.length)]?.add(path);
  }

  function takeBatch(shard: number): Queued[] {
    const batch: Queued[] = [];
    let weight = 0;
    let bytes = 0;
    for (const path of waitingFor[shard] ?? []) {
      const queued = pending.get(path);
      if (queued === undefined || inFlight.has(path)) continue;
      batch.push(queued);
      bytes += queued.file.size;
      weight += isContainer(path) ? DOCUMENT_WEIGHT : 1;
      if (weight >= BATCH_FILES || bytes >= BATCH_BYTES) break;
    }
    for (const { file } of batch) {
      take(file.path);
      inFlight.set(file.path, file);
    }
    return batch;
  }

  async function store(shard: number, batch: readonly Queued[]): Promise<void> {
    const keeper = new Map(batch.map(({ file }) => [file.path, shard]));
    const { foreign, gone } = await (shards[shard] as Shard).call('ingest', { files: batch.map(({ file }) => file) });
    const byOwner = Map.groupBy(foreign, ({ owner }) => owner);
    const lost = [...gone];
    await Promise.all(
      [...byOwner].map(async ([owner, files]) => {
        const answer = await (shards[owner] as Shard).call('ingest', { files: files.map(({ file }) => file) });
        for (const { file } of files) keeper.set(file.path, owner);
        lost.push(...answer.gone);
        // Changed between the two readings: it comes again.
        for (const { file } of answer.foreign) {
          keeper.delete(file.path);
          if (!pending.has(file.path)) {
            put({ file, isNew: false, attempts: 0 });
            bytesPending += file.size;
          }
        }
      }),
    );
    for (const path of lost) keeper.set(path, -1);
    // Inserted where it belongs first, then taken out where it was: a file is never missing in between.
    const known = new Set(batch.filter(({ isNew }) => !isNew).map(({ file }) => file.path));
    const moved = [...keeper].filter(([path]) => known.has(path));
    await Promise.all(
      shards.map((other, index) => {
        const paths = moved.filter(([, owner]) => owner !== index).map(([path]) => path);
        return paths.length === 0 ? undefined : other.call('removeFiles', { paths });
      }),
    );
  }

  async function work(shard: number, batch: readonly Queued[]): Promise<void> {
    try {
      await store(shard, batch);
    } catch (error) {
      if (closed) return;
      onWarning(`indexing: ${String(error)}`);
      await delay(RETRY_MS);
      for (const queued of batch) again(queued, String(error));
    } finally {
      for (const { file } of batch) {
        inFlight.delete(file.path);
        bytesDone += file.size;
        bytesPending -= file.size;
      }
      busy[shard] = (busy[shard] ?? 1) - 1;
      onProgress();
      pump();
    }
  }

  /**
   * A batch failed: its files come again, and at last are listed with the reason instead of being left out in silence. With a
   * time that no file has, so that the next look at the folder tries once more.
   */
  function again({ file, isNew, attempts }: Queued, reason: string): void {
    if (pending.has(file.path)) return;
    const next = attempts + 1;
    const tried: SeenFile =
      next < ATTEMPTS
        ? file
        : { ...file, mtimeMs: 0, skip: { code: 'not-readable', reason: `Indexing failed (${reason}).` } };
    if (next > ATTEMPTS) return;
    put({ file: tried, isNew, attempts: next });
    bytesPending += file.size;
  }

  function pump(): void {
    if (closed) return;
    for (let round = 0; round < BATCHES_PER_SHARD; round += 1) {
      for (let shard = 0; shard < shards.length; shard += 1) {
        if ((busy[shard] ?? 0) > round) continue;
        const batch = takeBatch(shard);
        if (batch.length === 0) continue;
        busy[shard] = (busy[shard] ?? 0) + 1;
        const promise = work(shard, batch).finally(() => batches.delete(promise));
        batches.add(promise);
      }
    }
    if (pending.size === 0 && inFlight.size === 0) {
      bytesPending = 0;
      for (const resolve of waiting.splice(0)) resolve();
    }
  }

  return {
    add(file, isNew) {
      if (pending.size === 0 && inFlight.size === 0) {
        started = performance.now();
        bytesDone = 0;
      }
      const before = pending.get(file.path);
      bytesPending += file.size - (before?.file.size ?? 0);
      put({
        file,
        isNew: isNew && before?.isNew !== false && !inFlight.has(file.path),
        attempts: 0,
      });
      pump();
    },
    holds(file) {
      const queued = pending.get(file.path)?.file ?? inFlight.get(file.path);
      return queued !== undefined && same(queued, file);
    },
    async drop(paths) {
      if (paths.length === 0) return;
      const dropped = new Set(paths);
      const isBelow = (each: string) => {
        for (let path = each; ; path = dirname(path)) {
          if (dropped.has(path)) return true;
          if (path === dirname(path)) return false;
        }
      };
      for (const [each, { file }] of pending) {
        if (isBelow(each)) {
          take(each);
          bytesPending -= file.size;
        }
      }
      while ([...inFlight.keys()].some(isBelow)) await Promise.race(batches);
    },
    progress() {
      const seconds = (performance.now() - started) / 1000;
      const count = pending.size + inFlight.size;
      const known = count > 0 && seconds > 1 && bytesDone > 0;
      return {
        pending: count,
        secondsLeft: known ? Math.ceil((bytesPending / bytesDone) * seconds) : count === 0 ? 0 : null,
      };
    },
    idle() {
      if (pending.size === 0 && inFlight.size === 0) return Promise.resolve();
      return new Promise((resolve) => {
        waiting.push(resolve);
      });
    },
    async close() {
      closed = true;
      for (const path of [...pending.keys()]) take(path);
      await Promise.allSettled(batches);
      batches = new Set();
      for (const resolve of waiting.splice(0)) resolve();
      waiting = [];
    },
  };
}
