import { describe, expect, it, vi } from 'vitest';
import type { RecentShelf } from '../../../src/shared/bridge/index.ts';

vi.mock('electron', () => ({
  app: { getLocale: () => 'en', quit: vi.fn() },
  Menu: {},
  nativeImage: {},
  Tray: class {},
}));
const { jumpArguments, jumpList, quickMenu } = await import('../../../src/main/quickAccess.ts');
const { createRecentShelves } = await import('../../../src/main/recentShelves.ts');
const { textsOf } = await import('../../../src/main/texts.ts');
const { pathOfLink } = await import('../../../src/main/policy.ts');

const texts = textsOf({ get: () => null as never });
const shelf = (name: string): RecentShelf => ({ path: `/Papers/${name}`, name, library: 'Papers & more' });

describe('recent shelves', () => {
  const kept = { recentShelves: [] as RecentShelf[] };
  const shelves = createRecentShelves({
    get: () => kept.recentShelves as never,
    set: (_key, value) => {
      kept.recentShelves = value as RecentShelf[];
    },
  });
  it('are eight, newest first, each once', () => {
    for (let at = 0; at < 10; at += 1) shelves.remember(shelf(`s${at}`));
    shelves.remember(shelf('s5'));
    expect(shelves.list().map(({ name }) => name)).toEqual(['s5', 's9', 's8', 's7', 's6', 's4', 's3', 's2']);
  });
  it('tell of changes only, and are forgotten', () => {
    const changed = vi.fn();
    shelves.onChange(changed);
    shelves.remember(shelf('s5'));
    expect(changed).not.toHaveBeenCalled();
    shelves.remove(['/Papers/s5']);
    shelves.forget();
    expect(changed).toHaveBeenCalledTimes(2);
    expect(shelves.list()).toEqual([]);
  });
});

describe('the menu of the tray', () => {
  it('leads to the shelves, by names that are names', () => {
    const openPath = vi.fn();
    const items = quickMenu([shelf('Leases & co')], texts, { show: vi.fn(), findInFiles: vi.fn(), openPath });
    const item = items.find(({ label }) => label?.startsWith('Leases'));
    expect(item?.label).toBe('Leases && co · Papers && more');
    item?.click?.({} as never, undefined, {} as never);
    expect(openPath).toHaveBeenCalledWith('/Papers/Leases & co');
  });
  it('has no heading without shelves, and in the dock no Quit, which the system adds', () => {
    const actions = { show: vi.fn(), findInFiles: vi.fn(), openPath: vi.fn() };
    expect(quickMenu([], texts, actions).map(({ label }) => label)).toEqual([
      'Open Armarium',
      'Find in Files',
      undefined,
      'Quit',
    ]);
    expect(quickMenu([], texts, actions, true).map(({ label }) => label)).toEqual(['Find in Files']);
  });
});

describe('the jump list of Windows', () => {
  it('starts the application on a shelf by a link that it takes', () => {
    const [category] = jumpList([shelf('Leases')], texts, { path: 'C:\\Armarium.exe', before: '' });
    const args = category?.items?.[0]?.args ?? '';
    expect(pathOfLink(args.slice(1, -1), 'armarium')).toBe('/Papers/Leases');
  });
  it('lets no path end its quotes', () => expect(jumpArguments('/a"b')).toBe('"armarium://open/a%22b"'));
  it('has no empty category', () => expect(jumpList([], texts, { path: 'x', before: '' })).toEqual([]));
});
