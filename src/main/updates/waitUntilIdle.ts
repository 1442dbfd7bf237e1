import type { IndexStatus } from '../../shared/model/search.ts';
import type { IndexClient } from '../indexClient.ts';

/** A paused index holds what it has and writes nothing. */
const isIdle = ({ state }: IndexStatus) => state !== 'scanning' && state !== 'indexing';

/** Waits until the index has nothing to do. @returns false where that took longer than the time given */
export async function waitUntilIdle(
  index: Pick<IndexClient, 'status' | 'onStatus'>,
  timeoutMs: number,
): Promise<boolean> {
  if (isIdle(index.status())) return true;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), timeoutMs);
  const stop = index.onStatus((status) => {
    if (isIdle(status)) resolve(true);
  });
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    stop();
  }
}
