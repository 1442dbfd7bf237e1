import { setImmediate } from 'node:timers/promises';
import { AppError } from '../../shared/errors.ts';
import type { ShardAnswer, ShardHit, ShardQuery } from './shardProtocol.ts';

/** A search gives way to other work of its thread after so long, and hears then whether it was cancelled. */
const SLICE_MS = 5;

export interface ShardSearchHooks {
  readonly onHits: (hits: readonly ShardHit[]) => void;
  /** Files that are no longer what the index says. */
  readonly onStale: (paths: readonly string[]) => void;
}

/** Runs queries over the files or the versions of one shard. */
export interface ShardSearch {
  run(asked: ShardQuery, hooks: ShardSearchHooks, signal: AbortSignal): Promise<ShardAnswer>;
}

/** Cuts the work of a search into slices. */
export interface Slices {
  /** Whether the slice is over; for loops in which waiting for nothing would take as long as their work. */
  isOver(): boolean;
  /** Gives way when the slice is over, `onEnd` before it. @throws AppError `cancelled` */
  breathe(onEnd?: () => void): Promise<void>;
}

/** Begins the first slice of a search. */
export function createSlices(signal: AbortSignal): Slices {
  let ends = performance.now() + SLICE_MS;
  const isOver = () => performance.now() >= ends;
  return {
    isOver,
    async breathe(onEnd) {
      if (!isOver()) return;
      onEnd?.();
      await setImmediate();
      if (signal.aborted) throw new AppError('cancelled', 'the search was cancelled');
      ends = performance.now() + SLICE_MS;
    },
  };
}
