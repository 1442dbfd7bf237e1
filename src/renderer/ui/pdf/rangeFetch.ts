import { AppError } from '../../../shared/errors.ts';

/** Asks for some of a content. @throws AppError `server-unreachable` and what the server's answer says */
export type FetchRange = (begin: number, end: number, signal: AbortSignal) => Promise<Uint8Array>;

export interface RangeFetchOptions {
  readonly url: string;
  /** Tries to go on with the session when it has ended; false when it cannot. */
  readonly resume: () => Promise<boolean>;
  readonly fetch?: typeof fetch;
}

const CODES = { 401: 'session-expired', 403: 'forbidden', 404: 'not-found' } as const;

/** Fetches ranges of a content that is had by the session of whoever looks. */
export function createRangeFetch({ url, resume, fetch: ask = fetch }: RangeFetchOptions): FetchRange {
  const send = async (begin: number, end: number, signal: AbortSignal) => {
    try {
      return await ask(url, {
        headers: { range: `bytes=${begin}-${end - 1}` },
        credentials: 'same-origin',
        signal,
      });
    } catch (error) {
      throw new AppError(signal.aborted ? 'cancelled' : 'server-unreachable', 'the content got no answer', {
        cause: error,
      });
    }
  };
  return async (begin, end, signal) => {
    let response = await send(begin, end, signal);
    if (response.status === 401 && (await resume())) response = await send(begin, end, signal);
    if (!response.ok) {
      const code = CODES[response.status as keyof typeof CODES] ?? 'internal';
      throw new AppError(code, `the content was answered with status ${response.status}`);
    }
    const bytes = new Uint8Array(await response.arrayBuffer());
    // Who does not know ranges sends everything.
    return response.status === 206 ? bytes : bytes.slice(begin, end);
  };
}
