import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { AppError } from '../../shared/errors.ts';
import { createPeer, type Peer } from '../rpc/rpc.ts';
import type { ShardEvents, ShardMethods, ShardSettings } from './shardProtocol.ts';
import type { OpenOptions } from './types.ts';

const MOST_SHARDS = 4;
/**
 * Heap of a shard's thread. The largest file that is read needs about half of it; V8 lets a heap that may become much larger
 * grow to several times what it needs before it collects.
 */
const HEAP = { maxOldGenerationSizeMb: 1024, maxYoungGenerationSizeMb: 4 };

export type Shard = Peer<ShardMethods, ShardEvents, Record<never, never>>;

/** The shards of an index, each in a thread of its own. */
export interface ShardPool {
  readonly shards: readonly Shard[];
  /** Ends all threads; their databases are closed first. */
  close(): Promise<void>;
}

/** Database of a shard: the first is the index's own file. */
export function shardFile(file: string, shard: number): string {
  return shard === 0 ? file : `${file}.${shard}`;
}

/** An existing index keeps the number of its shards: contents are found by it. */
function shardCount(file: string, wanted: number | undefined): number {
  if (!existsSync(file)) return Math.max(1, wanted ?? Math.min(availableParallelism(), MOST_SHARDS));
  let count = 1;
  while (existsSync(shardFile(file, count))) count += 1;
  return count;
}

/** Starts the threads of an index. @throws AppError `index-unavailable` when a database cannot be opened. */
export async function openShardPool(options: OpenOptions, onFailure: (message: string) => void): Promise<ShardPool> {
  const count = shardCount(options.file, options.shards);
  const threads = Array.from({ length: count }, (_, shard) => {
    const settings: ShardSettings = {
      file: shardFile(options.file, shard),
      shard,
      shards: count,
      extractEntry: options.threads.extract.href,
    };
    const worker = new Worker(options.threads.shard, {
      workerData: settings,
      resourceLimits: HEAP,
    });
    const peer = createPeer<Record<never, never>, ShardMethods, Record<never, never>, ShardEvents>(
      {
        post: (message) => worker.postMessage(message),
        listen: (listener) => worker.on('message', listener),
      },
      {},
      { onUnexpected: (method, error) => onFailure(`${method}: ${String(error)}`) },
    );
    peer.on('failed', ({ message }) => onFailure(message));
    peer.on('damaged', ({ message }) => onFailure(`a part of the index was damaged and is built anew: ${message}`));
    const ended = (reason: string) =>
      peer.close(new AppError('index-unavailable', `the index thread ended: ${reason}`));
    worker.on('error', (error) => {
      ended(error instanceof Error ? error.message : String(error));
      onFailure(`thread: ${String(error)}`);
    });
    worker.on('exit', (code) => ended(`exit code ${code}`));
    return { worker, peer };
  });
  const close = async () => {
    await Promise.allSettled(threads.map(({ peer }) => peer.call('close', null)));
    await Promise.all(threads.map(({ worker }) => worker.terminate()));
  };
  try {
    // The first answer of each says that its database is open.
    // A damaged one has been replaced when it fails, and answers the second time.
    await Promise.all(threads.map(({ peer }) => peer.call('counts', null).catch(() => peer.call('counts', null))));
  } catch (error) {
    await close();
    throw error;
  }
  return { shards: threads.map(({ peer }) => peer), close };
}
