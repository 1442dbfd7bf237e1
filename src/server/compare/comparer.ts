import { type ComparedFile, type ComparedFiles, FILE_LIMITS } from '../../core/compare/compareFiles.ts';
import { createLimitedThread, type ThreadFault } from '../../core/thread/limitedThread.ts';
import { AppError } from '../../shared/errors.ts';
import type { CompareRequest } from '../../worker/compareThread.ts';

/** A content that is read when its turn has come. */
export interface ComparedContent {
  readonly name: string;
  readonly size: number;
  read(): Promise<Uint8Array<ArrayBuffer>>;
}

/** Compares contents beside the requests, hostile ones included. */
export interface Comparer {
  /**
   * What two contents differ in, with `context` unchanged lines around each change.
   * @throws AppError `throttled` when too many wait already, `cancelled` when who asked has gone before it began
   */
  compare(base: ComparedContent, other: ComparedContent, context: number, signal: AbortSignal): Promise<ComparedFiles>;
  close(): Promise<void>;
}

const MEMORY_MB = 1024;
const TIME_LIMIT_MS = 30_000;
const MAX_WAITING = 20;

const unavailable = (code: 'limit-reached' | 'too-large' | 'damaged', reason: string): ComparedFiles => ({
  unavailable: { version: 'both', code, reason },
});
const overLimit = (limit: string) => unavailable('limit-reached', `Comparing took more than its limit of ${limit}.`);

const FAULTS: Readonly<Record<ThreadFault, (timeLimitMs: number) => ComparedFiles>> = {
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
  const thread = createLimitedThread<CompareRequest, ComparedFiles>({
    entry: threadEntry,
    memoryMb: MEMORY_MB,
    timeLimitMs,
  });
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;

  async function ask(base: ComparedFile, other: ComparedFile, context: number): Promise<ComparedFiles> {
    const request = { base, other, limits: { context } };
    const result = await thread.ask(request, [base.bytes.buffer, other.bytes.buffer]);
    return 'answer' in result ? result.answer : FAULTS[result.fault](timeLimitMs);
  }

  async function compareNow(base: ComparedContent, other: ComparedContent, context: number, signal: AbortSignal) {
    if (signal.aborted) throw new AppError('cancelled', 'nobody waits for the comparison any more');
    const file = async ({ name, read }: ComparedContent) => ({ fileName: name, bytes: await read() });
    return ask(await file(base), await file(other), context);
  }

  return {
    async compare(base, other, context, signal) {
      if (base.size > FILE_LIMITS.maxFileBytes || other.size > FILE_LIMITS.maxFileBytes) {
        return unavailable('too-large', `Larger than the limit of ${FILE_LIMITS.maxFileBytes} bytes.`);
      }
      if (waiting >= MAX_WAITING) throw new AppError('throttled', 'too many comparisons wait; try again in a while');
      waiting += 1;
      const turn = last
        .then(() => compareNow(base, other, context, signal))
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
