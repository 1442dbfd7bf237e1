import type { KeyValueStore } from '../platform/storedSearchLog.ts';
import { matchRoute } from './routes.ts';

const ENTRY_KEY = 'sign-in.entry';
const RETURN_KEY = 'sign-in.returned';

/** Browsers keep no more entries of a tab than this; once there are as many, their number tells no distance. */
const ENTRIES_MAX = 50;

/** Leaves this tab for the sign-in page, and keeps which entry of the history is the page's. */
export function leaveForSignIn(store: KeyValueStore, url: string): void {
  // Tried again after a failure: the way back is the one to where the first attempt began.
  const isAgain = matchRoute(location.pathname).name === 'callback' && store.getItem(ENTRY_KEY) !== null;
  if (!isAgain) {
    // An entry for the page to take: what lay ahead in the history goes, so that its length tells where the page stands.
    history.pushState(null, '', location.href);
    store.setItem(ENTRY_KEY, String(history.length));
  }
  location.replace(url);
}

/**
 * Goes back over the sign-in pages, which have no script to leave no trace of themselves, to the screen from which they were
 * opened. That screen goes on ({@link hasReturned}).
 * @returns false when the way is not known: nothing happens
 */
export function returnFromSignIn(store: KeyValueStore): boolean {
  const entry = Number(store.getItem(ENTRY_KEY));
  store.removeItem(ENTRY_KEY);
  const steps = history.length - entry + 1;
  if (entry < 2 || steps < 1 || history.length >= ENTRIES_MAX) return false;
  store.setItem(RETURN_KEY, '1');
  history.go(-steps);
  return true;
}

/** Whether the sign-in that this tab left for has just come back; so once. */
export function hasReturned(store: KeyValueStore): boolean {
  const isReturn = store.getItem(RETURN_KEY) !== null;
  store.removeItem(RETURN_KEY);
  return isReturn;
}

/** A page that the browser had kept as it was left knows nothing of the sign-in: it starts anew. */
export function restartOnReturn(store: KeyValueStore): void {
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted && store.getItem(RETURN_KEY) !== null) location.reload();
  });
}
