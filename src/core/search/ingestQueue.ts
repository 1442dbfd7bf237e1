import { setTimeout as delay } from 'node:timers/promises';
import { isContainer } from '../extract/formats.ts';
import { isReadAfterwards } from '../watch/knownFiles.ts';
import { within } from '../watch/listing.ts';
import type { Pace } from '../watch/pace.ts';
import { isSameState } from '../watch/seeFile.ts';
import { createRate } from './rate.ts';
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
/** What a file costs besides its bytes takes as long as so many of them. */
const BYTES_PER_FILE = 8192;

const workOf = ({ size }: SeenFile) => size + BYTES_PER_FILE;

interface Queued {
  readonly file: SeenFile;
  /** Not in the index before, so that no other shard can hold it. */
  readonly isNew: boolean;
  readonly attempts: number;
}

interface InFlight {
  readonly file: SeenFile;
  readonly sinceMs: number;
}

/** How far the queue is. */
export interface QueueProgress {
  /** Files that are through since the queue was last empty, and those that are not. */
  readonly done: number;
  readonly pending: number;
  /** Null while it cannot be told. */
  readonly secondsLeft: number | null;
}

/** Files on their way into the shards: the latest state of a path counts, and a path is never worked on twice at once. */
export interface IngestQueue {
  add(file: SeenFile, isNew: boolean): void;
  /** Whether just this state of a file will be read, or is being read and began to long enough after the file changed. */
  holds(file: SeenFile): boolean;
  /** Takes paths and all below them out of the queue; resolves when none of them is being worked on. */
  drop(paths: readonly string[]): Promise<void>;
  progress(): QueueProgress;
  idle(): Promise<void>;
  close(): Promise<void>;
}

export interface IngestQueueOptions {
  readonly shards: readonly Shard[];
  readonly pace: Pace;
  readonly onProgress: () => void;
  readonly onWarning: (message: string) => void;
}

/** Makes the queue before a pool of shards. */
export function createIngestQueue({ shards, pace, onProgress, onWarning }: IngestQueueOptions): IngestQueue {
  const pending = new Map<string, Queued>();
  /** The same by the shard that is to read it. */
  const waitingFor = shards.map(() => new Set<string>());
  const inFlight = new Map<string, InFlight>();
  const busy = shards.map(() => 0);
  let batches = new Set<Promise<void>>();
  let waiting: (() => void)[] = [];
  let closed = false;
  const rate = createRate();
  let workLeft = 0;
  let done = 0;

  function take(path: string): void {
    const queued = pending.get(path);
    if (queued === undefined) return;
    pending.delete(path);
    workLeft -= workOf(queued.file);
    waitingFor[ownerOf(queued.file.size, shards.length)]?.delete(path);
  }

  function put(queued: Queued): void {
    const { path, size } = queued.file;
    take(path);
    pending.set(path, queued);
    workLeft += workOf(queued.file);
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
      inFlight.set(file.path, { file, sinceMs: Date.now() });
      workLeft += workOf(file);
    }
    return batch;
  }

  /** Not stored: it comes again, unless a later state of it waits already. */
  function comeAgain(queued: Queued): void {
    if (!pending.has(queued.file.path)) put(queued);
  }

  /** Resolves true when files were left only because the system is short of something, which a pause may mend. */
  async function store(shard: number, batch: readonly Queued[]): Promise<boolean> {
    const keeper = new Map(batch.map(({ file }) => [file.path, shard]));
    const queuedByPath = new Map(batch.map((queued) => [queued.file.path, queued]));
    const leave = (files: readonly SeenFile[]) => {
      for (const { path } of files) {
        keeper.delete(path);
        const queued = queuedByPath.get(path);
        if (queued !== undefined) comeAgain(queued);
      }
    };
    const signal = pace.signal();
    const input = { files: batch.map(({ file }) => file) };
    const { foreign, gone, left } = await (shards[shard] as Shard).call('ingest', input, signal);
    let isShort = left.length > 0 && !signal.aborted;
    leave(left);
    const byOwner = Map.groupBy(foreign, ({ owner }) => owner);
    const lost = [...gone];
    await Promise.all(
      [...byOwner].map(async ([owner, files]) => {
        const answer = await (shards[owner] as Shard).call('ingest', { files: files.map(({ file }) => file) });
        for (const { file } of files) keeper.set(file.path, owner);
        lost.push(...answer.gone);
        leave(answer.left);
        isShort ||= answer.left.length > 0;
        // Changed between the two readings: it comes again.
        for (const { file } of answer.foreign) {
          keeper.delete(file.path);
          comeAgain({ file, isNew: false, attempts: 0 });
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
    return isShort;
  }

  async function work(batch: readonly Queued[], shard: number): Promise<void> {
    try {
      if (await store(shard, batch)) await delay(RETRY_MS);
    } catch (error) {
      if (closed) return;
      onWarning(`indexing: ${String(error)}`);
      await delay(RETRY_MS);
      for (const queued of batch) again(queued, String(error));
    } finally {
      for (const { file } of batch) {
        inFlight.delete(file.path);
        workLeft -= workOf(file);
        if (pending.has(file.path)) continue;
        done += 1;
        rate.did(workOf(file));
      }
      wakeWhenIdle();
      onProgress();
    }
  }

  /** Works on a batch, and goes on after the rest that the pace wants. */
  async function start(batch: readonly Queued[], shard: number): Promise<void> {
    const began = performance.now();
    busy[shard] = (busy[shard] ?? 0) + 1;
    const working = work(batch, shard).finally(() => batches.delete(working));
    batches.add(working);
    await working;
    await pace.rest(performance.now() - began);
    busy[shard] = (busy[shard] ?? 1) - 1;
    pump();
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
  }

  function wakeWhenIdle(): void {
    if (pending.size > 0 || inFlight.size > 0) return;
    for (const resolve of waiting.splice(0)) resolve();
  }

  function pump(): void {
    if (closed || pace.isPaused()) return;
    for (let round = 0; round < BATCHES_PER_SHARD; round += 1) {
      for (let shard = 0; shard < shards.length; shard += 1) {
        if ((busy[shard] ?? 0) > round || (pace.isGentle() && busy.some((count) => count > 0))) continue;
        const batch = takeBatch(shard);
        if (batch.length > 0) void start(batch, shard);
      }
    }
    wakeWhenIdle();
  }

  pace.onChange(() => {
    rate.begin();
    pump();
  });
  return {
    add(file, isNew) {
      if (pending.size === 0 && inFlight.size === 0) {
        rate.begin();
        done = 0;
      }
      const before = pending.get(file.path);
      put({
        file,
        isNew: isNew && before?.isNew !== false && !inFlight.has(file.path),
        attempts: 0,
      });
      pump();
    },
    holds(file) {
      const waits = pending.get(file.path)?.file;
      if (waits !== undefined) return isSameState(waits, file);
      const read = inFlight.get(file.path);
      return read !== undefined && isSameState(read.file, file) && isReadAfterwards(file, read.sinceMs, Date.now());
    },
    async drop(paths) {
      if (paths.length === 0) return;
      const isDropped = within(paths);
      const takeOut = () => {
        for (const path of [...pending.keys()].filter(isDropped)) take(path);
      };
      takeOut();
      while ([...inFlight.keys()].some(isDropped)) await Promise.race(batches);
      // What a pause made a shard leave came back meanwhile.
      takeOut();
    },
    progress() {
      const waiting = pending.size + inFlight.size;
      return { done, pending: waiting, secondsLeft: waiting === 0 ? null : rate.secondsFor(workLeft) };
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
