import { AppError } from '../../shared/errors.ts';

const CODES = { 401: 'session-expired', 403: 'forbidden', 404: 'not-found' } as const;

/** Asks for a content, or for some of it. @throws AppError when it does not come */
export async function fetchContent(url: string, signal: AbortSignal, range?: string): Promise<Response> {
  const response = await fetch(url, {
    credentials: 'same-origin',
    signal,
    ...(range === undefined ? {} : { headers: { range } }),
  }).catch((error: unknown) => {
    throw new AppError('server-unreachable', 'the content got no answer', { cause: error });
  });
  const { ok, status } = response;
  if (!ok) throw new AppError(CODES[status as keyof typeof CODES] ?? 'internal', `the content answered ${status}`);
  return response;
}

/** All of a content, of the type that the server gives it. @throws AppError when it does not come */
export async function fetchBlob(url: string, signal: AbortSignal): Promise<Blob> {
  const response = await fetchContent(url, signal);
  return response.blob().catch((error: unknown) => {
    throw new AppError('server-unreachable', 'the content broke off', { cause: error });
  });
}
