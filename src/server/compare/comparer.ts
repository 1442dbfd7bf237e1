import { type Compared, FILE_LIMITS } from '../../core/compare/compareFiles.ts';
import { createLimitedThread, type ThreadFault } from '../../core/thread/limitedThread.ts';
import { AppError } from '../../shared/errors.ts';
import type { CompareRequest, Comparisons } from '../../worker/compareThread.ts';

/** A content that is read when its turn has come. */
export interface ComparedContent {
  readonly name: string;
  readonly size: number;
  read(): Promise<Uint8Array<ArrayBuffer>>;
}

/** Two contents, and who waits for what they differ in. */
export interface ComparedPair {
  readonly base: ComparedContent;
  readonly other: ComparedContent;
  readonly context: number;
  /** Aborts when who asked has gone. */
  readonly signal: AbortSignal;
}

/** Compares contents beside the requests, hostile ones included. */
export interface Comparer {
  /**
   * What the texts or the tables of two contents differ in, with `context` unchanged lines or rows around each change. The
   * work ends when nobody waits for it any more.
   * @throws AppError `throttled` when too many wait already, `cancelled` when who asked has gone
   */
  compare<K extends keyof Comparisons>(of: K, pair: ComparedPair): Promise<Compared<Comparisons[K]>>;
  close(): Promise<void>;
}

const MEMORY_MB = 1024;
const TIME_LIMIT_MS = 30_000;
const MAX_WAITING = 20;

const unavailable = (code: 'limit-reached' | 'too-large' | 'damaged', reason: string): Compared<never> => ({
  unavailable: { version: 'both', code, reason },
});
const overLimit = (limit: string) => unavailable('limit-reached', `Comparing took more than its limit of ${limit}.`);

const FAULTS: Readonly<Record<ThreadFault, (timeLimitMs: number) => Compared<never>>> = {
  time: (timeLimitMs) => overLimit(`${timeLimitMs / 1000} seconds`),
  memory: () => overLimit(`${MEMORY_MB} MB of memory`),
  lost: () => unavailable('damaged', 'The documents could not be read.'),
};

/**
 * Makes a comparer over one thread, started when it is first needed and replaced when two files cost it. One comparison runs
 * at a time, so that however many are asked for, they take one core and one thread's memory.
 */
export function createComparer(options: {
  /** Entry of the comparison thread (src/worker/compareThread.ts). */
  readonly threadEntry: URL;
  readonly timeLimitMs?: number;
}): Comparer {
  const { threadEntry, timeLimitMs = TIME_LIMIT_MS } = options;
  const thread = createLimitedThread<CompareRequest, Compared<Comparisons[keyof Comparisons]>>({
    entry: threadEntry,
    memoryMb: MEMORY_MB,
    timeLimitMs,
  });
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;

  const cancelled = () => new AppError('cancelled', 'nobody waits for the comparison any more');

  async function ask<K extends keyof Comparisons>(request: CompareRequest & { readonly of: K }, signal: AbortSignal) {
    // What is under way can only be ended with its thread; the next comparison starts another.
    const end = () => void thread.close();
    signal.addEventListener('abort', end);
    try {
      const result = await thread.ask(request, [request.base.bytes.buffer, request.other.bytes.buffer]);
      if (signal.aborted) throw cancelled();
      // The thread answers what it was asked for.
      return 'answer' in result ? (result.answer as Compared<Comparisons[K]>) : FAULTS[result.fault](timeLimitMs);
    } finally {
      signal.removeEventListener('abort', end);
    }
  }

  async function compareNow<K extends keyof Comparisons>(of: K, { base, other, context, signal }: ComparedPair) {
    if (signal.aborted) throw cancelled();
    const file = async ({ name, read }: ComparedContent) => ({ fileName: name, bytes: await read() });
    const request = { of, base: await file(base), other: await file(other), limits: { context } };
    if (signal.aborted) throw cancelled();
    return ask(request, signal);
  }

  return {
    async compare(of, pair) {
      const { base, other } = pair;
      if (base.size > FILE_LIMITS.maxFileBytes || other.size > FILE_LIMITS.maxFileBytes) {
        return unavailable('too-large', `Larger than the limit of ${FILE_LIMITS.maxFileBytes} bytes.`);
      }
      if (waiting >= MAX_WAITING) throw new AppError('throttled', 'too many comparisons wait; try again in a while');
      waiting += 1;
      const turn = last
        .then(() => compareNow(of, pair))
        .finally(() => {
          waiting -= 1;
        });
      last = turn.catch(() => undefined);
      return turn;
    },
    async close() {
      await thread.close();
      await last;
    },
  };
}
