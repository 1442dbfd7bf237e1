import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { keepPlace, waitingPlace } from '../../../src/renderer/app/keptPlace.ts';
import { currentAppState, takeUpAppState } from '../../../src/renderer/features/desktop/updates/appState.ts';
import {
  cancelInstall,
  installUpdate,
  useInstalling,
} from '../../../src/renderer/features/desktop/updates/installUpdate.ts';
import type { IndexCapability, UpdatesCapability } from '../../../src/renderer/platform/types.ts';
import { INDEX_OFF, type IndexStatus } from '../../../src/shared/model/search.ts';
import { AppState, type SavedSearch } from '../../../src/shared/model/update.ts';

const search: SavedSearch = {
  text: 'clause nine',
  tab: 'history',
  showMatches: true,
  switches: { matchCase: true, wholeWord: false, regex: false },
  filters: { kind: 'pdf' },
  selectedId: null,
};

/** The part of the Web Storage interface that is used. */
function storage(entries: Readonly<Record<string, string>> = {}): Storage {
  const kept = new Map(Object.entries(entries));
  return {
    get length() {
      return kept.size;
    },
    key: (at: number) => [...kept.keys()][at] ?? null,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  } as unknown as Storage;
}

let steps: string[];
let saved: unknown;
let idle: PromiseWithResolvers<boolean>;
const updates = {
  saveState: async (state: unknown) => {
    steps.push('save');
    saved = state;
  },
  install: async () => void steps.push('install'),
} as unknown as UpdatesCapability;
const index = (state: IndexStatus['state']) =>
  ({
    status: async () => ({ ...INDEX_OFF, state }),
    waitUntilIdle: (timeoutMs: number) => {
      steps.push(`wait ${timeoutMs}`);
      return idle.promise;
    },
  }) as unknown as IndexCapability;

beforeEach(() => {
  steps = [];
  idle = Promise.withResolvers();
  vi.stubGlobal('location', { pathname: '/desktop/main', search: '?x=1' });
  vi.stubGlobal('scrollY', 42);
  vi.stubGlobal('sessionStorage', storage({ 'comment.draft:me:here': 'half a sen', 'sign-in.verifier': 'secret' }));
});
afterEach(() => vi.unstubAllGlobals());

const started = () => vi.waitFor(() => expect(steps).not.toHaveLength(0));

describe('installing an update (desktop-shell.md §4, §9)', () => {
  it('waits up to 30 seconds for an index that is being written, then keeps the state and installs', async () => {
    const installing = installUpdate(updates, index('indexing'));
    await started();
    expect(steps).toEqual(['wait 30000']);
    expect(useInstalling.getState().until).toBeGreaterThan(Date.now());
    idle.resolve(false);
    await installing;
    expect(steps).toEqual(['wait 30000', 'save', 'install']);
    expect(useInstalling.getState().until).toBeNull();
  });
  it.each(['ready', 'paused', 'off'] as const)('does not wait for an index that is %s', async (state) => {
    await installUpdate(updates, index(state));
    expect(steps).toEqual(['save', 'install']);
  });
  it('is given up while it waits, and can be begun again', async () => {
    const installing = installUpdate(updates, index('scanning'));
    await started();
    cancelInstall();
    expect(useInstalling.getState().until).toBeNull();
    idle.resolve(true);
    await installing;
    expect(steps).toEqual(['wait 30000']);
    await installUpdate(updates, index('ready'));
    expect(steps).toEqual(['wait 30000', 'save', 'install']);
  });
});

describe('where the person was (field.md row 85)', () => {
  it('is the screen, its scroll place, the panel and drafts, and nothing else of the storage', async () => {
    const stop = keepPlace(() => search);
    await installUpdate(updates, null);
    stop();
    expect(AppState.parse(saved)).toEqual({
      path: '/desktop/main?x=1',
      scroll: 42,
      search,
      drafts: { 'comment.draft:me:here': 'half a sen' },
    });
    expect(currentAppState(storage()).search).toBeNull();
  });
  it('is taken up again, but for keys that are no drafts', () => {
    const store = storage();
    const drafts = { 'comment.draft:me:here': 'half a sen', 'signed-in': '1' };
    takeUpAppState({ path: '/', scroll: 0, search, drafts }, store);
    expect([store.getItem('comment.draft:me:here'), store.getItem('signed-in')]).toEqual(['half a sen', null]);
    expect(waitingPlace()).toEqual(search);
  });
  it.each(['https://example.org/', 'javascript:alert(1)', ''])('is never %j', (path) => {
    expect(AppState.safeParse({ path, scroll: 0, search: null, drafts: {} }).success).toBe(false);
  });
});
