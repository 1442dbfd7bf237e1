import { type ComponentType, useSyncExternalStore } from 'react';

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;

/**
 * Code that the first content does without. It begins to load once that content stands, so that it keeps nobody waiting, and
 * is tried again until it is there.
 */
export interface Later<T> {
  /** What was loaded; null until then. */
  readonly get: () => T | null;
  readonly subscribe: (listener: () => void) => () => void;
}

let begin: () => void = () => undefined;
const begun = new Promise<void>((resolve) => {
  begin = resolve;
});

/** Resolves when the first content stands. */
export const firstContent: Promise<void> = begun;

/** Tells that the first content stands, or that somebody wants more before it does. */
export function beginLater(): void {
  begin();
}

async function loadUntilThere<T>(load: () => Promise<T>): Promise<T> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    try {
      return await load();
    } catch {
      // Out of reach, which the application says at another place.
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}

/** Names code to load later. */
export function later<T>(load: () => Promise<T>): Later<T> {
  let value: T | null = null;
  const listeners = new Set<() => void>();
  void begun.then(async () => {
    value = await loadUntilThere(load);
    for (const listener of listeners) listener();
  });
  return {
    get: () => value,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** What was named, once it is there; null until then. */
export function useLater<T>({ subscribe, get }: Later<T>): T | null {
  return useSyncExternalStore(subscribe, get);
}

/** A component that shows nothing until its code is there. */
export function laterPart<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const part = later(load);
  return function Part(props: P) {
    const Loaded = useLater(part);
    return Loaded === null ? null : <Loaded {...props} />;
  };
}
