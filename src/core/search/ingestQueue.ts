import { setTimeout as delay } from 'node:timers/promises';
import { isContainer } from '../extract/formats.ts';
import { isReadAfterwards } from '../watch/knownFiles.ts';
import { within } from '../watch/listing.ts';
import type { Pace } from '../watch/pace.ts';
import { isSameState } from '../watch/seeFile.ts';
import { createQueuedFiles, type QueuedFile, type QueuedFiles } from './queuedFiles.ts';
import { createRate } from './rate.ts';
import type { Shard } from './shardPool.ts';
import { ownerOf, type SeenFile } from './shardProtocol.ts';

/** Files and bytes of one batch: a shard answers no query while it writes one. */
const BATCH_FILES = 2000;
const BATCH_BYTES = 6 * 1024 * 1024;
/** A document takes as long as so many plain files of average size: batches stay short in time. */
const DOCUMENT_WEIGHT = 200;
/** Batches that a shard has at once: it reads one while others wait for the shards that own their contents. */
const BATCHES_PER_SHARD = 2;
const ATTEMPTS = 3;
const RETRY_MS = 500;
/** What a file costs besides its bytes takes as long as so many of them. */
const BYTES_PER_FILE = 8192;

const workOf = ({ size }: SeenFile) => size + BYTES_PER_FILE;

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
  /** Of each shard, what it is to read. */
  const lines = shards.map(createQueuedFiles);
  const inFlight = createQueuedFiles();
  const busy = shards.map(() => 0);
  let batches = new Set<Promise<void>>();
  let sleepers: (() => void)[] = [];
  let closed = false;
  const rate = createRate();
  /** Of all that waits or is worked on. */
  let workLeft = 0;
  let done = 0;

  const waiting = () => lines.reduce((sum, line) => sum + line.size(), 0);
  const isIdle = () => waiting() === 0 && inFlight.size() === 0;

  const isWaiting = (path: string) => lines.some((line) => line.has(path));

  /** Takes a file out that waits. @returns what it was */
  function forget(path: string): QueuedFile | undefined {
    const line = lines.find((each) => each.has(path));
    const found = line?.get(path);
    if (line === undefined || found === undefined) return undefined;
    line.delete(path);
    workLeft -= workOf(found.file);
    return found;
  }

  function forgetAll(isOut: (path: string) => boolean): void {
    for (const line of lines) for (const path of line.paths()) if (isOut(path)) forget(path);
  }

  function put(file: SeenFile, isNew: boolean, attempts: number): void {
    lines[ownerOf(file.size, shards.length)]?.add({ file, isNew, attempts, sinceMs: 0 });
    workLeft += workOf(file);
  }

  /** Takes what is to be read next, by its paths. */
  function takeBatch(line: QueuedFiles): string[] {
    const batch: string[] = [];
    const sinceMs = Date.now();
    let weight = 0;
    let bytes = 0;
    for (const path of line.paths()) {
      const next = inFlight.has(path) ? undefined : line.get(path);
      if (next === undefined) continue;
      line.delete(path);
      inFlight.add({ ...next, sinceMs });
      batch.push(path);
      bytes += next.file.size;
      weight += isContainer(path) ? DOCUMENT_WEIGHT : 1;
      if (weight >= BATCH_FILES || bytes >= BATCH_BYTES) break;
    }
    return batch;
  }

  /** What is being read, as it was when it was taken. */
  const filesOf = (batch: readonly string[]) => batch.flatMap((path) => inFlight.get(path) ?? []);

  /** Not stored: it comes again, unless a later state of it waits already. */
  function comeAgain(file: SeenFile, isNew: boolean, attempts: number): void {
    if (!isWaiting(file.path)) put(file, isNew, attempts);
  }

  /** Resolves true when files were left only because the system is short of something, which a pause may mend. */
  async function store(shard: number, batch: readonly string[]): Promise<boolean> {
    /** Of the files that a shard may hold already: which one is to; none for -1. */
    const keeper = new Map<string, number>();
    const seen = ({ file, isNew }: QueuedFile) => {
      if (!isNew) keeper.set(file.path, shard);
      return file;
    };
    const keep = (path: string, owner: number) => {
      if (keeper.has(path)) keeper.set(path, owner);
    };
    const leave = (files: readonly SeenFile[]) => {
      for (const { path } of files) {
        keeper.delete(path);
        const read = inFlight.get(path);
        if (read !== undefined) comeAgain(read.file, read.isNew, read.attempts);
      }
    };
    const signal = pace.signal();
    const input = { files: filesOf(batch).map(seen) };
    const { foreign, gone, left } = await (shards[shard] as Shard).call('ingest', input, signal);
    let isShort = left.length > 0 && !signal.aborted;
    leave(left);
    for (const path of gone) keep(path, -1);
    const byOwner = Map.groupBy(foreign, ({ owner }) => owner);
    await Promise.all(
      [...byOwner].map(async ([owner, theirs]) => {
        const answer = await (shards[owner] as Shard).call('ingest', { files: theirs.map(({ file }) => file) });
        for (const { file } of theirs) keep(file.path, owner);
        for (const path of answer.gone) keep(path, -1);
        leave(answer.left);
        isShort ||= answer.left.length > 0;
        // Changed between the two readings: it comes again.
        for (const { file } of answer.foreign) {
          keeper.delete(file.path);
          comeAgain(file, false, 0);
        }
      }),
    );
    // Inserted where it belongs first, then taken out where it was: a file is never missing in between.
    const kept = [...keeper];
    await Promise.all(
      shards.map((other, index) => {
        const paths = kept.filter(([, owner]) => owner !== index).map(([path]) => path);
        return paths.length === 0 ? undefined : other.call('removeFiles', { paths });
      }),
    );
    return isShort;
  }

  async function work(batch: readonly string[], shard: number): Promise<void> {
    try {
      if (await store(shard, batch)) await delay(RETRY_MS);
    } catch (error) {
      if (closed) return;
      onWarning(`indexing: ${String(error)}`);
      await delay(RETRY_MS);
      for (const each of filesOf(batch)) again(each, String(error));
    } finally {
      let worked = 0;
      for (const { file } of filesOf(batch)) {
        inFlight.delete(file.path);
        workLeft -= workOf(file);
        if (isWaiting(file.path)) continue;
        done += 1;
        worked += workOf(file);
      }
      rate.did(worked);
      wakeWhenIdle();
      onProgress();
    }
  }

  /** Works on a batch, and goes on after the rest that the pace wants. */
  async function start(batch: readonly string[], shard: number): Promise<void> {
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
  function again({ file, isNew, attempts }: QueuedFile, reason: string): void {
    const next = attempts + 1;
    const tried: SeenFile =
      next < ATTEMPTS
        ? file
        : { ...file, mtimeMs: 0, skip: { code: 'not-readable', reason: `Indexing failed (${reason}).` } };
    if (next > ATTEMPTS) return;
    comeAgain(tried, isNew, next);
  }

  function wakeWhenIdle(): void {
    if (!isIdle()) return;
    for (const wake of sleepers.splice(0)) wake();
  }

  function pump(): void {
    if (closed || pace.isPaused()) return;
    for (let round = 0; round < BATCHES_PER_SHARD; round += 1) {
      for (const [shard, line] of lines.entries()) {
        if ((busy[shard] ?? 0) > round || (pace.isGentle() && busy.some((count) => count > 0))) continue;
        const batch = takeBatch(line);
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
      if (isIdle()) {
        rate.begin();
        done = 0;
      }
      const before = forget(file.path);
      put(file, isNew && before?.isNew !== false && !inFlight.has(file.path), 0);
      pump();
    },
    holds(file) {
      const waits = lines.find((line) => line.has(file.path))?.get(file.path);
      if (waits !== undefined) return isSameState(waits.file, file);
      const read = inFlight.get(file.path);
      return read !== undefined && isSameState(read.file, file) && isReadAfterwards(file, read.sinceMs, Date.now());
    },
    async drop(paths) {
      if (paths.length === 0) return;
      const isDropped = within(paths);
      const takeOut = () => forgetAll(isDropped);
      takeOut();
      while ([...inFlight.paths()].some(isDropped)) await Promise.race(batches);
      // What a pause made a shard leave came back meanwhile.
      takeOut();
    },
    progress() {
      const pending = waiting() + inFlight.size();
      return { done, pending, secondsLeft: pending === 0 ? null : rate.secondsFor(workLeft) };
    },
    idle() {
      if (isIdle()) return Promise.resolve();
      return new Promise((resolve) => {
        sleepers.push(resolve);
      });
    },
    async close() {
      closed = true;
      forgetAll(() => true);
      await Promise.allSettled(batches);
      batches = new Set();
      for (const wake of sleepers.splice(0)) wake();
      sleepers = [];
    },
  };
}
