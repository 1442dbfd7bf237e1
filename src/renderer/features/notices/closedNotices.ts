import { z } from 'zod';
import type { KeyValueStore } from '../../platform/storedSearchLog.ts';

const Ids = z.array(z.string());

/** The notices that a person does not want to see again, kept in this browser (web-and-phone.md §4). */
export interface ClosedNotices {
  has(id: string): boolean;
  /** `showing`: those that there are. Closed ones that are over are forgotten. */
  add(id: string, showing: readonly string[]): void;
}

/** Makes it for one person. */
export function createClosedNotices(store: KeyValueStore, userId: string): ClosedNotices {
  const key = `notices.closed:${userId}`;
  const read = (): readonly string[] => {
    try {
      return Ids.parse(JSON.parse(store.getItem(key) ?? '[]'));
    } catch {
      // Not what was stored here: then nothing was closed, and a notice shows once more.
      return [];
    }
  };
  return {
    has: (id) => read().includes(id),
    add: (id, showing) =>
      store.setItem(key, JSON.stringify([...new Set([...read(), id])].filter((each) => showing.includes(each)))),
  };
}
