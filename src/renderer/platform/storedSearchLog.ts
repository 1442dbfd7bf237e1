import { z } from 'zod';
import { SearchLogItem } from '../../shared/model/search.ts';
import type { SearchLog } from './types.ts';

/** The part of the Web Storage interface that is needed. */
export interface KeyValueStore {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

const KEY = 'search.log';
const KEPT = 500;
const Stored = z.array(SearchLogItem);

/** Past queries in the browser's own storage, newest first; a repeated query moves to the top. */
export function createStoredSearchLog(
  store: KeyValueStore,
  now: () => Date = () => new Date(),
  newId: () => string = () => `${now().getTime()}-${Math.random().toString(36).slice(2)}`,
): SearchLog {
  function read(): readonly SearchLogItem[] {
    const text = store.getItem(KEY);
    if (text === null) return [];
    try {
      return Stored.parse(JSON.parse(text));
    } catch {
      // What another version or a person left there is of no use; the list begins anew.
      store.removeItem(KEY);
      return [];
    }
  }

  return {
    page: (page, pageSize) => {
      const all = read();
      const end = page * pageSize;
      return Promise.resolve({ items: all.slice(end - pageSize, end), hasMore: all.length > end });
    },
    save: (query) => {
      const item: SearchLogItem = { id: newId(), query, timestamp: now().toISOString() };
      const rest = read().filter((past) => past.query !== query);
      store.setItem(KEY, JSON.stringify([item, ...rest].slice(0, KEPT)));
      return Promise.resolve();
    },
    remove: (id) => {
      store.setItem(KEY, JSON.stringify(read().filter((past) => past.id !== id)));
      return Promise.resolve();
    },
    clear: () => {
      store.removeItem(KEY);
      return Promise.resolve();
    },
  };
}
