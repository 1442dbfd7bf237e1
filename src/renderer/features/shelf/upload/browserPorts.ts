import { AppError, fromWireError, isWireError } from '../../../../shared/errors.ts';
import type { HashAnswer, HashRequest } from './hashWorker.ts';
import type { ByteRange } from './uploadEngine.ts';

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

function refusal(status: number, text: string): AppError {
  try {
    const { error } = JSON.parse(text) as { error: unknown };
    if (isWireError(error)) return fromWireError(error);
  } catch {
    // Another store's answer (S3 sends XML).
  }
  return new AppError(status >= 500 ? 'server-unreachable' : 'storage-unavailable', `the store answered ${status}`, {
    details: { status },
  });
}

/** Puts a file's content, or a range of it, to its signed URL. By XMLHttpRequest, since fetch tells nothing of what was sent. */
export function putFile(
  url: string,
  file: File,
  onBytes: (bytes: number) => void,
  signal: AbortSignal,
  range?: ByteRange,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const cancel = () => request.abort();
    const settle = (finish: () => void) => {
      signal.removeEventListener('abort', cancel);
      finish();
    };
    request.open('PUT', url);
    request.setRequestHeader('content-type', 'application/octet-stream');
    request.upload.addEventListener('progress', ({ loaded }) => onBytes(loaded));
    request.addEventListener('load', () =>
      settle(() =>
        request.status >= 200 && request.status < 300
          ? resolve()
          : reject(refusal(request.status, request.responseText)),
      ),
    );
    request.addEventListener('error', () =>
      settle(() => reject(new AppError('server-unreachable', 'the content could not be sent'))),
    );
    request.addEventListener('abort', () => settle(() => reject(new AppError('cancelled', 'the upload was given up'))));
    signal.addEventListener('abort', cancel, { once: true });
    request.send(range === undefined ? file : file.slice(range.start, range.end));
  });
}
