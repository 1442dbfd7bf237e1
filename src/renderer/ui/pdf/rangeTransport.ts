import { PDFDataRangeTransport } from 'pdfjs-dist';
import { isAppError } from '../../../shared/errors.ts';
import { loadUntilThere } from '../../api/loadCode.ts';
import type { FetchRange } from './rangeFetch.ts';

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
