import Store from 'electron-store';
import type { RecentShelf } from '../shared/bridge/index.ts';
import type { AppState, UpdatePreference } from '../shared/model/update.ts';

/** What the application remembers between starts. Never tokens. */
export interface Settings {
  readonly serverMode: 'none' | 'local' | 'remote';
  readonly serverUrl: string | null;
  /** What the page may send to for the services of others that a server elsewhere names. */
  readonly services: { readonly server: string; readonly sources: readonly string[] } | null;
  readonly workspaceFolder: string | null;
  readonly localFolders: string[];
  readonly windowBounds: { x: number; y: number; width: number; height: number } | null;
  readonly windowMaximized: boolean;
  readonly zoomLevel: number;
  /** Path and query of the screen that was open last. */
  readonly lastRoute: string | null;
  /** Newest first; they belong to whoever is signed in. */
  readonly recentShelves: RecentShelf[];
  /** Of menus and dialogs; null follows the system. */
  readonly language: 'en' | 'de' | null;
  readonly updates: UpdatePreference;
  /** Where the person was when an update was installed, and to which version; null once it was taken up. */
  readonly beforeUpdate: { readonly to: string; readonly appState: AppState } | null;
}

/** What versions before wrote otherwise. */
interface OlderSettings {
  /** On or off, before somebody could be told only; off made no request. */
  readonly automaticUpdates: boolean;
}

const DEFAULTS: Settings = {
  serverMode: 'none',
  serverUrl: null,
  services: null,
  workspaceFolder: null,
  localFolders: [],
  windowBounds: null,
  windowMaximized: false,
  zoomLevel: 0,
  lastRoute: null,
  recentShelves: [],
  language: null,
  updates: 'automatic',
  beforeUpdate: null,
};

export interface SettingsStore {
  get<K extends keyof Settings>(key: K): Settings[K];
  set<K extends keyof Settings>(key: K, value: Settings[K]): void;
  /** Sets several at once: the file is written once. */
  assign(values: Partial<Settings>): void;
  /** What a report of a problem may tell: not what somebody worked on. */
  facts(): Readonly<Record<string, unknown>>;
}

/** Opens the settings file in the user-data folder. A file that is not JSON any more is set aside, not lost. */
export function openSettings(): SettingsStore {
  const store = new Store<Settings & Partial<OlderSettings>>({
    name: 'settings',
    defaults: DEFAULTS,
    clearInvalidConfig: true,
  });
  const isAutomatic = store.get('automaticUpdates');
  if (isAutomatic !== undefined) {
    store.set('updates', isAutomatic ? 'automatic' : 'never');
    store.delete('automaticUpdates');
  }
  return {
    get: (key) => store.get(key),
    set: (key, value) => store.set({ [key]: value }),
    assign: (values) => store.set(values),
    facts: () => {
      const { recentShelves: _, lastRoute: __, ...others } = store.store;
      return others;
    },
  };
}
