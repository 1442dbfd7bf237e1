import type { KeyValueStore } from '../platform/storedSearchLog.ts';

const KEY = 'session.refreshedAt';
const LOCK = 'session.refresh';

/** The part of the Web Locks interface that is used; missing on plain-HTTP pages. */
export interface LockPort {
  request<T>(name: string, run: () => Promise<T>): Promise<T>;
}

/**
 * Lets one tab at a time refresh, and spares the others theirs: the cookie is shared, a refresh token is good for one use,
 * and a second use would revoke the whole session.
 */
export function createTabLock(store: KeyValueStore, locks: LockPort | undefined, now: () => number = Date.now) {
  const run = async (since: number, refresh: () => Promise<void>) => {
    if (Number(store.getItem(KEY) ?? '0') > since) return;
    await refresh();
    store.setItem(KEY, String(now()));
  };
  return (since: number, refresh: () => Promise<void>): Promise<void> =>
    locks === undefined ? run(since, refresh) : locks.request(LOCK, () => run(since, refresh));
}
