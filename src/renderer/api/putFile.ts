import { AppError } from '../../shared/errors.ts';
import { storeRefusal } from '../../shared/upload/storeRefusal.ts';

/**
 * Puts a file's content, or a range of it, to an address. By XMLHttpRequest, since fetch tells nothing of what was sent.
 * @returns what the server answered
 */
export function putFile(
  url: string,
  file: File,
  onBytes: (bytes: number) => void,
  signal: AbortSignal,
  range?: { readonly start: number; readonly end: number },
): Promise<string> {
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
          ? resolve(request.responseText)
          : reject(storeRefusal(request.status, request.responseText)),
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
