import { useIsFetching, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { beginLater } from '../ui/later.tsx';

/** Content that nothing follows for so long stands. */
const STANDS_MS = 100;

/** Stands after a screen: once that screen waits for no answer any more and was painted, the rest of the application loads. */
export function FirstContent() {
  const queries = useQueryClient();
  const isWaiting = useIsFetching() > 0;
  useEffect(() => {
    if (isWaiting) return;
    const timer = setTimeout(() => {
      // The screen's own calls begin only after it was first drawn.
      if (queries.isFetching() === 0) requestAnimationFrame(() => requestAnimationFrame(beginLater));
    }, STANDS_MS);
    return () => clearTimeout(timer);
  }, [isWaiting, queries]);
  return null;
}
