import { QueryClient } from '@tanstack/react-query';
import { describe, expect, it, vi } from 'vitest';
import { createQueryClient } from '../../../src/renderer/api/queries.ts';
import { createLastSeen, isKept } from '../../../src/renderer/offline/lastSeen.ts';
import type { LastSeenStore } from '../../../src/renderer/offline/lastSeenStore.ts';
import { wayOf } from '../../../src/renderer/offline/shell.ts';
import { AppError } from '../../../src/shared/errors.ts';
import type { User } from '../../../src/shared/model/user.ts';

const ORIGIN = 'https://papers.example';
const FILES = new Set(['/', '/prepare.js', '/assets/index-abc.js']);
const way = (path: string, method = 'GET', mode = 'cors') =>
  wayOf({ method, mode, url: new URL(path, ORIGIN).href }, ORIGIN, FILES);

describe('what the service worker answers (field.md row 66)', () => {
  it.each(['/', '/Library', '/m/Library/shelf', '/shared/token', '/receive'])('the page at %s', (path) =>
    expect(way(path, 'GET', 'navigate')).toBe('page'),
  );
  it.each([
    '/api/v1/version/1/download',
    '/auth/v1/status/',
    '/storage/signed?key=1',
    '/updates/latest.yml',
    '/sign-in?request=1',
    '/reset-password',
    '/assets/packages.pdf',
  ])('never %s, which is the server’s own, when it is opened as a page', (path) =>
    expect(way(path, 'GET', 'navigate')).toBe('none'),
  );
  it.each(['/api/v1/libraries/', '/api/v1/version/1/content', '/storage/signed?key=1', '/assets/other-build.js'])(
    'never %s, which no build lists',
    (path) => expect(way(path)).toBe('none'),
  );
  it('files of its build: those whose names tell their content at once, others from the network first', () => {
    expect(way('/assets/index-abc.js')).toBe('kept-file');
    expect(way('/prepare.js')).toBe('file');
  });
  it('takes in what is shared, and sends nothing else', () => {
    expect(way('/receive', 'POST', 'navigate')).toBe('receive');
    expect(way('/api/v1/libraries/create/', 'POST')).toBe('none');
    expect(way('/assets/index-abc.js', 'PUT')).toBe('none');
  });
  it('nothing of other origins', () => expect(way('https://store.example/bucket/blob')).toBe('none'));
});

const ana = { user_id: 'ana', username: 'ana' } as User;
const ben = { user_id: 'ben', username: 'ben' } as User;
const away = () => Promise.reject(new AppError('server-unreachable', 'away'));

/** A browser's database, over any number of visits. */
function database() {
  const rows = new Map<string, { owner: string; data: unknown }>();
  const store: LastSeenStore = {
    keepUser: async (user) => void rows.set('user', { owner: user.user_id, data: user }),
    user: async () => (rows.get('user')?.data as User | undefined) ?? null,
    keep: async (owner, key, data) => void rows.set(key, { owner, data }),
    find: async (owner, key) => {
      const row = rows.get(key);
      return row?.owner === owner ? row.data : undefined;
    },
    drop: async (key) => void rows.delete(key),
    forget: async () => rows.clear(),
  };
  /** A visit: its memory is its own. */
  const visit = () => {
    const lastSeen = createLastSeen(Promise.resolve(), async () => store);
    const queries = createQueryClient(lastSeen.persister);
    const ask = (queryKey: readonly unknown[], queryFn: () => Promise<unknown>) =>
      queries.fetchQuery({ queryKey, queryFn, retry: false });
    return { lastSeen, ask, queries };
  };
  return { rows, visit };
}

describe('what was seen last (field.md row 66)', () => {
  it('shows lists of an earlier visit where the server does not answer, to the same person alone', async () => {
    const { visit, rows } = database();
    const first = visit();
    first.lastSeen.begin(ana);
    await first.ask(['libraries'], async () => ['Monastery']);
    await vi.waitFor(() => expect(rows.size).toBe(2));

    const second = visit();
    expect(await second.lastSeen.recall()).toEqual(ana);
    expect(await second.ask(['libraries'], away)).toEqual(['Monastery']);
    await expect(second.ask(['shelf', 'never opened'], away)).rejects.toThrow();

    const third = visit();
    third.lastSeen.begin(ben);
    await expect(third.ask(['libraries'], away)).rejects.toThrow();
  });

  it('keeps pages of lists as they were read', async () => {
    const { visit, rows } = database();
    const key = ['shelf', '1', 'commits'];
    const read = ({ queries }: ReturnType<typeof visit>, queryFn: () => Promise<string>) =>
      queries.fetchInfiniteQuery({ queryKey: key, queryFn, initialPageParam: 1, retry: false });
    const first = visit();
    first.lastSeen.begin(ana);
    await read(first, async () => 'newest');
    await vi.waitFor(() => expect(rows.size).toBe(2));
    const second = visit();
    await second.lastSeen.recall();
    expect((await read(second, away)).pages).toEqual(['newest']);
  });

  it('says what the server says when it answers, and what it refuses is gone', async () => {
    const { visit, rows } = database();
    const first = visit();
    first.lastSeen.begin(ana);
    await first.ask(['shelf', '1'], async () => 'mine');
    await vi.waitFor(() => expect(rows.size).toBe(2));
    const second = visit();
    second.lastSeen.begin(ana);
    await expect(
      second.ask(['shelf', '1'], () => Promise.reject(new AppError('not-found', 'left the shelf'))),
    ).rejects.toThrow();
    await vi.waitFor(() => expect([...rows.keys()]).toEqual(['user']));
    await expect(second.ask(['shelf', '1'], away)).rejects.toThrow();
  });

  it('keeps nothing once somebody signed out, not even what comes late', async () => {
    const { visit, rows } = database();
    const { lastSeen, ask } = visit();
    lastSeen.begin(ana);
    const answer = Promise.withResolvers<unknown>();
    const asked = ask(['libraries'], () => answer.promise);
    await vi.waitFor(() => expect(rows.size).toBe(1));
    lastSeen.forget();
    answer.resolve(['Monastery']);
    await asked;
    await vi.waitFor(() => expect(rows.size).toBe(0));
    expect(await visit().lastSeen.recall()).toBeNull();
  });

  it('never keeps what is in documents, nor an administrator’s or an account’s pages', () => {
    const never = [
      ['viewer', 'table', 'key', '/storage/signed'],
      ['text-layer', 'key'],
      ['version', '1', 'compare', '2', 'text', 3],
      ['shared', 'link'],
      ['share-links', '1'],
      ['account', 'invitations'],
      ['admin', '/api/v1/admin/users/'],
      ['document names', 'x'],
    ];
    expect(never.filter(isKept)).toEqual([]);
    expect([['libraries'], ['shelf', '1'], ['version', '1'], ['document', '1', 'history']].every(isKept)).toBe(true);
  });

  it('leaves everything as it was where the browser keeps nothing', async () => {
    const refuse = () => Promise.reject(new AppError('storage-unavailable', 'private window'));
    const lastSeen = createLastSeen(Promise.resolve(), refuse);
    lastSeen.begin(ana);
    const queries = new QueryClient({ defaultOptions: { queries: { persister: lastSeen.persister, retry: false } } });
    expect(await queries.fetchQuery({ queryKey: ['libraries'], queryFn: async () => 1 })).toBe(1);
    await expect(queries.fetchQuery({ queryKey: ['shelf', '1'], queryFn: away })).rejects.toMatchObject({
      code: 'server-unreachable',
    });
    expect(await lastSeen.recall()).toBeNull();
    lastSeen.forget();
  });
});
