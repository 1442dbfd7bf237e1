import { useSyncExternalStore } from 'react';

function subscribe(listener: () => void): () => void {
  addEventListener('splash-over', listener);
  return () => removeEventListener('splash-over', listener);
}

/** Whether the splash stands before the window; splash.js puts it there and takes it away. */
export function useSplash(): boolean {
  return useSyncExternalStore(subscribe, () => document.getElementById('splash') !== null);
}
