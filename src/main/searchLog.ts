import { randomUUID } from 'node:crypto';
import Store from 'electron-store';
import type { SearchLogItem } from '../shared/model/search.ts';

const KEEP = 500;

/** Past queries of the desktop (desktop-shell.md §3), newest first. */
export interface SearchLog {
  page(page: number, pageSize: number): { items: SearchLogItem[]; hasMore: boolean };
  save(query: string): void;
  remove(id: string): void;
  clear(): void;
}

/** Opens the log in the user-data folder. */
export function openSearchLog(now: () => Date = () => new Date()): SearchLog {
  const store = new Store<{ items: SearchLogItem[] }>({
    name: 'search-history',
    defaults: { items: [] },
    clearInvalidConfig: true,
  });
  return {
    page(page, pageSize) {
      const items = store.get('items');
      const from = (page - 1) * pageSize;
      return { items: items.slice(from, from + pageSize), hasMore: items.length > from + pageSize };
    },
    save(query) {
      const others = store.get('items').filter((item) => item.query !== query);
      store.set('items', [{ id: randomUUID(), query, timestamp: now().toISOString() }, ...others].slice(0, KEEP));
    },
    remove(id) {
      store.set(
        'items',
        store.get('items').filter((item) => item.id !== id),
      );
    },
    clear() {
      store.set('items', []);
    },
  };
}
