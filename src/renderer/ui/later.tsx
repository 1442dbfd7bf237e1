import { type ComponentType, useSyncExternalStore } from 'react';
import { loadUntilThere } from '../api/loadCode.ts';
import { loadTexts } from '../i18n/index.ts';

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

/** Names code to load later, with all messages. */
export function later<T>(load: () => Promise<T>): Later<T> {
  let value: T | null = null;
  const listeners = new Set<() => void>();
  void begun.then(async () => {
    [value] = await loadUntilThere(() => Promise.all([load(), loadTexts()]));
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
