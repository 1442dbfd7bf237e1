import { AppError } from '../../../../shared/errors.ts';
import type { HashAnswer, HashRequest } from './hashWorker.ts';

let worker: Worker | null = null;
let lastId = 0;

function hashWorker(): Worker {
  worker ??= new Worker(new URL('./hashWorker.ts', import.meta.url), { type: 'module' });
  return worker;
}

/** The SHA-256 of a file, computed off the page's thread. */
export function hashFile(file: File, onBytes: (bytes: number) => void, signal: AbortSignal): Promise<string> {
  const hasher = hashWorker();
  lastId += 1;
  const id = lastId;
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void) => {
      hasher.removeEventListener('message', onMessage);
      hasher.removeEventListener('error', onError);
      signal.removeEventListener('abort', onAbort);
      finish();
    };
    const onMessage = ({ data }: MessageEvent<HashAnswer>) => {
      if (data.id !== id) return;
      if (data.kind === 'progress') onBytes(data.bytes);
      else if (data.kind === 'done') settle(() => resolve(data.hex));
      else settle(() => reject(new AppError('folder-unavailable', data.message)));
    };
    const onError = (event: ErrorEvent) => settle(() => reject(new AppError('internal', event.message)));
    const onAbort = () => {
      // The file in work cannot be interrupted; the next upload gets a fresh worker.
      hasher.terminate();
      worker = null;
      settle(() => reject(new AppError('cancelled', 'the upload was given up')));
    };
    if (signal.aborted) {
      reject(new AppError('cancelled', 'the upload was given up'));
      return;
    }
    hasher.addEventListener('message', onMessage);
    hasher.addEventListener('error', onError);
    signal.addEventListener('abort', onAbort, { once: true });
    hasher.postMessage({ id, file } satisfies HashRequest);
  });
}
