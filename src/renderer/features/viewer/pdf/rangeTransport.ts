import { PDFDataRangeTransport } from 'pdfjs-dist';
import { AppError, isAppError } from '../../../../shared/errors.ts';
import { loadUntilThere } from '../../../api/loadCode.ts';

/** Asks for some of a content. @throws AppError `server-unreachable` and what the server's answer says */
export type FetchRange = (begin: number, end: number, signal: AbortSignal) => Promise<Uint8Array>;

export interface RangeFetchOptions {
  readonly url: string;
  /** Tries to go on with the session when it has ended; false when it cannot. */
  readonly resume: () => Promise<boolean>;
}

const CODES = { 401: 'session-expired', 403: 'forbidden', 404: 'not-found' } as const;

/** Fetches ranges of a content that is had by the session of whoever looks. */
export function createRangeFetch({ url, resume }: RangeFetchOptions): FetchRange {
  const send = async (begin: number, end: number, signal: AbortSignal) => {
    try {
      return await fetch(url, {
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

export interface RangeTransportOptions {
  /** Of the whole content, in bytes. */
  readonly size: number;
  readonly fetchRange: FetchRange;
  /** Told when the content cannot be had. Being out of reach is no such reason: it is asked for until it is there. */
  readonly onFailed: (error: unknown) => void;
  readonly signal: AbortSignal;
}

/**
 * Gives pdf.js just the parts of a file that it asks for. Its own reader needs the length from the answer's headers, which the
 * desktop's scheme cannot pass on, and it gives up where a connection breaks.
 */
export function createRangeTransport(options: RangeTransportOptions): PDFDataRangeTransport {
  const { size, fetchRange, onFailed, signal } = options;
  const transport = new PDFDataRangeTransport(size, null);
  const untilReached = (begin: number, end: number) =>
    loadUntilThere(async () => {
      try {
        return { bytes: await fetchRange(begin, end, signal) };
      } catch (error) {
        if (isAppError(error, 'server-unreachable')) throw error;
        return { error };
      }
    });
  transport.requestDataRange = async (begin: number, end: number) => {
    const answer = await untilReached(begin, end);
    if (signal.aborted) return;
    if ('bytes' in answer) transport.onDataRange(begin, answer.bytes);
    else onFailed(answer.error);
  };
  return transport;
}
