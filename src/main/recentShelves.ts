import type { RecentShelf } from '../shared/bridge/index.ts';
import type { SettingsStore } from './settings.ts';

const KEEP = 8;

/** The shelves that were opened last, for menus outside the window. */
export interface RecentShelves {
  list(): readonly RecentShelf[];
  remember(shelf: RecentShelf): void;
  /** Takes out what the person does not want to see. */
  remove(paths: readonly string[]): void;
  /** Somebody else may sign in next. */
  forget(): void;
  onChange(listener: () => void): void;
}

/** Keeps them in the settings. */
export function createRecentShelves(settings: Pick<SettingsStore, 'get' | 'set'>): RecentShelves {
  const listeners: (() => void)[] = [];
  const list = () => settings.get('recentShelves');
  const become = (next: RecentShelf[]) => {
    if (JSON.stringify(next) === JSON.stringify(list())) return;
    settings.set('recentShelves', next);
    for (const listener of listeners) listener();
  };
  return {
    list,
    remember: (shelf) => become([shelf, ...list().filter(({ path }) => path !== shelf.path)].slice(0, KEEP)),
    remove: (paths) => become(list().filter(({ path }) => !paths.includes(path))),
    forget: () => become([]),
    onChange: (listener) => {
      listeners.push(listener);
    },
  };
}
