import { z } from 'zod';
import type { KeyValueStore } from '../../platform/storedSearchLog.ts';

const Ids = z.array(z.string());

/** New notices are told of as they come; coming back to a tab asks for them too, but not each time, and not in each tab. */
const CHECK_EVERY_MS = 5 * 60_000;

/** The notices that a person does not want to see again, and when they were last asked for, kept in this browser (web-and-phone.md §3, §4). */
export interface ClosedNotices {
  has(id: string): boolean;
  /** `showing`: those that there are. Closed ones that are over are forgotten. */
  add(id: string, showing: readonly string[]): void;
  /** The notices were asked for, in this tab. */
  checked(now: number): void;
  /** It is long enough since any tab asked for them. */
  isCheckDue(now: number): boolean;
}

/** Makes it for one person. */
export function createClosedNotices(store: KeyValueStore, userId: string): ClosedNotices {
  const key = `notices.closed:${userId}`;
  const checkKey = `notices.checked:${userId}`;
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
    checked: (now) => store.setItem(checkKey, new Date(now).toISOString()),
    isCheckDue(now) {
      const last = Date.parse(store.getItem(checkKey) ?? '');
      // A clock that was set back would keep a check from ever being due.
      return Number.isNaN(last) || last > now || now - last >= CHECK_EVERY_MS;
    },
  };
}
