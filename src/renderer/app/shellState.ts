import { useEffect, useMemo, useState } from 'react';
import type { IndexStatus } from '../../shared/model/search.ts';
import type { Unsubscribe } from '../platform/types.ts';
import { useServices } from './services.ts';

/** Something of the shell's that can be asked once and then tells of its changes. */
export interface ShellSource<T> {
  state(): Promise<T>;
  onChanged(listener: (value: T) => void): Unsubscribe;
}

export interface ShellValue<T> {
  /** Null until it is known, and where the shell has no such thing. */
  readonly value: T | null;
  readonly error: unknown;
  readonly retry: () => void;
}

/** Follows a part of the shell. */
export function useShellState<T>(source: ShellSource<T> | null): ShellValue<T> {
  const [value, setValue] = useState<T | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt asks again
  useEffect(() => {
    if (source === null) return;
    let isLive = true;
    // What was told meanwhile is newer than the answer to the question.
    let isTold = false;
    const stop = source.onChanged((next) => {
      isTold = true;
      setValue(next);
    });
    source.state().then(
      (first) => {
        if (isLive && !isTold) setValue(first);
        if (isLive) setError(null);
      },
      (thrown: unknown) => {
        if (isLive) setError(thrown);
      },
    );
    return () => {
      isLive = false;
      stop();
    };
  }, [source, attempt]);
  return { value, error, retry: () => setAttempt((count) => count + 1) };
}

/** Follows the index on this machine; null where there is none. */
export function useIndexStatus(): ShellValue<IndexStatus> {
  const { index } = useServices().platform;
  const source = useMemo(
    () =>
      index === null
        ? null
        : {
            state: () => index.status(),
            onChanged: (listener: (status: IndexStatus) => void) => index.onProgressed(listener),
          },
    [index],
  );
  return useShellState(source);
}
