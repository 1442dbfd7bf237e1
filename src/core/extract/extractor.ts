import { Worker } from 'node:worker_threads';
import { extractText } from './extractText.ts';
import { isContainer } from './formats.ts';
import { EXTRACT_LIMITS, type Extraction, type ExtractLimits } from './types.ts';

export interface ExtractorOptions {
  /** Entry of the extraction thread (src/worker/extractThread.ts): core does not know its hosts. */
  readonly threadEntry: URL;
  readonly limits?: Partial<ExtractLimits>;
  /** Heap of the thread in MB; a file that wants more costs the thread, not the process. */
  readonly maxMemoryMb?: number;
}

/** Takes text out of files, hostile ones included: what needs parsing runs in a thread of its own, in limits. */
export interface Extractor {
  extract(bytes: Uint8Array, fileName: string): Promise<Extraction>;
  close(): Promise<void>;
}

/** What goes to the thread; the bytes are handed over. */
export interface ExtractRequest {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly fileName: string;
  readonly limits: ExtractLimits;
}

const UNREADABLE: Extraction = { ok: false, code: 'damaged', reason: 'The document could not be read.' };

/**
 * Makes an extractor over one thread, started when it is first needed, and replaced when a file cost it. Requests run one at a
 * time, so that one file's limits are its own.
 */
export function createExtractor({ threadEntry, limits: overrides, maxMemoryMb = 1024 }: ExtractorOptions): Extractor {
  const limits = { ...EXTRACT_LIMITS, ...overrides };
  let thread: Worker | null = null;
  let last: Promise<unknown> = Promise.resolve();

  function running(): Worker {
    thread ??= new Worker(threadEntry, { resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb }, stderr: true });
    return thread;
  }

  function ask(bytes: Uint8Array, fileName: string): Promise<Extraction> {
    const worker = running();
    const copy = new Uint8Array(bytes);
    return new Promise((resolve) => {
      const settle = (extraction: Extraction, alive: boolean) => {
        clearTimeout(timer);
        worker.off('message', answered).off('error', failed).off('exit', ended);
        if (!alive) {
          if (thread === worker) thread = null;
          // An error of a thread that is on its way out is nobody's any more.
          worker.on('error', () => undefined);
          void worker.terminate();
        }
        resolve(extraction);
      };
      const overLimit = (what: string) =>
        settle(
          { ok: false, code: 'limit-reached', reason: `Reading the file took more than its limit of ${what}.` },
          false,
        );
      const answered = (extraction: Extraction) => settle(extraction, true);
      const failed = (error: unknown) => {
        if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY')
          overLimit(`${maxMemoryMb} MB of memory`);
        else settle(UNREADABLE, false);
      };
      const ended = () => settle(UNREADABLE, false);
      const timer = setTimeout(() => overLimit(`${limits.timeoutMs / 1000} seconds`), limits.timeoutMs);
      worker.once('message', answered).once('error', failed).once('exit', ended);
      worker.postMessage({ bytes: copy, fileName, limits } satisfies ExtractRequest, [copy.buffer]);
    });
  }

  return {
    extract(bytes, fileName) {
      if (!isContainer(fileName) || bytes.length > limits.maxFileBytes) return extractText(bytes, fileName, limits);
      const answer = last.then(() => ask(bytes, fileName));
      last = answer;
      return answer;
    },
    async close() {
      await last;
      await thread?.terminate();
      thread = null;
    },
  };
}
