import { useCallback, useRef, useState } from 'react';

/** How far a change of many things is. */
export interface BatchProgress {
  readonly done: number;
  readonly total: number;
  readonly cancel: () => void;
}

export interface BatchControl {
  /** Null when none is under way. */
  readonly progress: BatchProgress | null;
  /**
   * Works through `items`, `size` at a time, and answers with what came of those that were reached: cancelling ends it after
   * the present ones, whose change cannot be taken back half way.
   */
  readonly run: <T, R>(
    items: readonly T[],
    size: number,
    work: (some: readonly T[]) => Promise<readonly R[]>,
  ) => Promise<R[]>;
}

/** Changes many things in small steps, so that it can be seen how far it is, and stopped. */
export function useBatch(): BatchControl {
  const [progress, setProgress] = useState<BatchProgress | null>(null);
  const isCancelled = useRef(false);
  const run: BatchControl['run'] = useCallback(async (items, size, work) => {
    isCancelled.current = false;
    const cancel = () => {
      isCancelled.current = true;
    };
    const results = [];
    try {
      for (let done = 0; done < items.length && !isCancelled.current; done += size) {
        setProgress({ done, total: items.length, cancel });
        results.push(...(await work(items.slice(done, done + size))));
      }
      return results;
    } finally {
      setProgress(null);
    }
  }, []);
  return { progress, run };
}
