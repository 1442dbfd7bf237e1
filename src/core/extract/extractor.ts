import { createLimitedThread } from '../thread/limitedThread.ts';
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
  /** @throws when the system is short of what reading takes: the file is to come again. */
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
  const thread = createLimitedThread<ExtractRequest, Extraction>({
    entry: threadEntry,
    memoryMb: maxMemoryMb,
    timeLimitMs: limits.timeoutMs,
  });
  let last: Promise<unknown> = Promise.resolve();

  const overLimit = (limit: string): Extraction => {
    return { ok: false, code: 'limit-reached', reason: `Reading the file took more than its limit of ${limit}.` };
  };

  async function ask(bytes: Uint8Array, fileName: string): Promise<Extraction> {
    const copy = new Uint8Array(bytes);
    const result = await thread.ask({ bytes: copy, fileName, limits }, [copy.buffer]);
    if ('answer' in result) return result.answer;
    if (result.fault === 'time') return overLimit(`${limits.timeoutMs / 1000} seconds`);
    return result.fault === 'memory' ? overLimit(`${maxMemoryMb} MB of memory`) : UNREADABLE;
  }

  return {
    extract(bytes, fileName) {
      if (!isContainer(fileName) || bytes.length > limits.maxFileBytes) return extractText(bytes, fileName, limits);
      const answer = last.then(() => ask(bytes, fileName));
      last = answer.catch(() => undefined);
      return answer;
    },
    async close() {
      await last;
      await thread.close();
    },
  };
}
