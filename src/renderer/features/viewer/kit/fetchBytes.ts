import { AppError } from '../../../../shared/errors.ts';
import { fetchContent } from '../../../api/fetchContent.ts';
import type { ViewedContent } from '../../../api/viewer.ts';

/** All of a content. @throws AppError when it does not come */
export async function fetchBytes({ url }: ViewedContent, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetchContent(url, signal);
  try {
    return new Uint8Array(await response.arrayBuffer());
  } catch (error) {
    throw new AppError('server-unreachable', 'the content broke off', { cause: error });
  }
}
