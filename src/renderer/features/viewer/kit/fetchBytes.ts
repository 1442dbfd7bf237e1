import { AppError } from '../../../../shared/errors.ts';
import type { ViewedContent } from '../../../api/viewer.ts';

/** Asks for a content, or for some of it. @throws AppError when it does not come */
export async function fetchContent(url: string, signal: AbortSignal, range?: string): Promise<Response> {
  const response = await fetch(url, {
    credentials: 'same-origin',
    signal,
    ...(range === undefined ? {} : { headers: { range } }),
  }).catch((error: unknown) => {
    throw new AppError('server-unreachable', 'the content got no answer', { cause: error });
  });
  if (!response.ok) throw new AppError(response.status === 404 ? 'not-found' : 'internal', `status ${response.status}`);
  return response;
}

/** All of a content. @throws AppError when it does not come */
export async function fetchBytes({ url }: ViewedContent, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetchContent(url, signal);
  try {
    return new Uint8Array(await response.arrayBuffer());
  } catch (error) {
    throw new AppError('server-unreachable', 'the content broke off', { cause: error });
  }
}
