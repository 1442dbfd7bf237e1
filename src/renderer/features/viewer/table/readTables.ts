import { transfer, wrap } from 'comlink';
import { AppError } from '../../../../shared/errors.ts';
import type { Sheet } from './sheet.ts';
import type { TableFormat, Tables } from './tableWorker.ts';

/** Reads the tables of a file off the page's thread. @throws AppError `unsupported` for what is none, `cancelled` */
export async function readTables(
  bytes: Uint8Array<ArrayBuffer>,
  format: TableFormat,
  signal: AbortSignal,
): Promise<readonly Sheet[]> {
  const worker = new Worker(new URL('./tableWorker.ts', import.meta.url), { type: 'module' });
  const ended = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => ended.reject(new AppError('cancelled', 'the table was left')), { once: true });
  worker.addEventListener('error', ({ message }) =>
    ended.reject(new AppError('internal', message === '' ? 'the reader of tables did not start' : message)),
  );
  try {
    const answer = await Promise.race([
      wrap<Tables>(worker).read(transfer(bytes, [bytes.buffer]), format),
      ended.promise,
    ]);
    if ('refusal' in answer) throw new AppError('unsupported', 'no table', { details: answer.refusal });
    return answer.sheets;
  } finally {
    worker.terminate();
  }
}
