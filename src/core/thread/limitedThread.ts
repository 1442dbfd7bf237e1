import { type TransferListItem, Worker } from 'node:worker_threads';
import { isShortage } from './shortage.ts';

/** Why a thread gave no answer. */
export type ThreadFault = 'time' | 'memory' | 'lost';

export interface LimitedThreadOptions {
  /** Module that the thread runs: it answers each message with one. Core does not know its hosts. */
  readonly entry: URL;
  /** Heap of the thread in MB; what wants more costs the thread, not the process. */
  readonly memoryMb: number;
  readonly timeLimitMs: number;
}

/** A thread for work that may be hostile: what is over its limits ends it, and the next request gets a new one. */
export interface LimitedThread<Request, Answer> {
  /**
   * One request at a time: callers wait for the answer before they ask again.
   * @throws when the system is short of what a thread takes, of which the request knows nothing.
   */
  ask(request: Request, transfer: readonly TransferListItem[]): Promise<{ answer: Answer } | { fault: ThreadFault }>;
  close(): Promise<void>;
}

/** Makes the thread, which starts when it is first asked. */
export function createLimitedThread<Request, Answer>(options: LimitedThreadOptions): LimitedThread<Request, Answer> {
  const { entry, memoryMb, timeLimitMs } = options;
  let thread: Worker | null = null;

  return {
    ask(request, transfer) {
      thread ??= new Worker(entry, {
        resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 4 },
        stderr: true,
      });
      const worker = thread;
      return new Promise((resolve, reject) => {
        const release = (isSound: boolean) => {
          clearTimeout(timer);
          worker.off('message', answered).off('error', failed).off('exit', ended);
          if (isSound) return;
          if (thread === worker) thread = null;
          // An error of a thread that is on its way out is nobody's any more.
          worker.on('error', () => undefined);
          void worker.terminate();
        };
        const settle = (result: { answer: Answer } | { fault: ThreadFault }) => {
          release('answer' in result);
          resolve(result);
        };
        const answered = (answer: Answer) => settle({ answer });
        const failed = (error: unknown) => {
          if (isShortage(error)) {
            release(false);
            reject(error);
            return;
          }
          const { code } = error as NodeJS.ErrnoException;
          settle({ fault: code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'lost' });
        };
        const ended = () => settle({ fault: 'lost' });
        const timer = setTimeout(() => settle({ fault: 'time' }), timeLimitMs);
        worker.once('message', answered).once('error', failed).once('exit', ended);
        worker.postMessage(request, transfer);
      });
    },
    async close() {
      await thread?.terminate();
      thread = null;
    },
  };
}
