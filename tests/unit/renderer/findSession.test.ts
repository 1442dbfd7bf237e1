import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFindHost } from '../../../src/renderer/features/viewer/find/findHost.ts';
import { createFindSession, FIND } from '../../../src/renderer/features/viewer/find/findSession.ts';
import { locate } from '../../../src/renderer/features/viewer/find/locate.ts';
import { FIND_DEBOUNCE_MS } from '../../../src/renderer/features/viewer/pdf/found.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const PAGES = [
  { label: 'Page 1', text: 'first term' },
  { label: 'Page 2', text: 'a term\na term\nTERM' },
  { label: 'Page 3', text: 'no more' },
];

function open(sections = PAGES, limit: number = FIND.limit, debounceMs: number = FIND.debounceMs) {
  const host = createFindHost({ texts: () => sections.map(({ text }) => text) });
  const queries: string[] = [];
  const session = createFindSession({
    engine: {
      search(run, query, most) {
        queries.push(query);
        return host.search(run, query, most);
      },
      locate: async (label, line) => locate(sections, label, line),
    },
    limit,
    debounceMs,
  });
  const settle = async () => {
    await vi.advanceTimersByTimeAsync(debounceMs);
    await vi.waitFor(() => expect(session.store.getState().phase).not.toBe('searching'));
    const { matches, active, hasMore, phase } = session.store.getState();
    return { count: matches.length, active, hasMore, phase };
  };
  return { session, settle, queries };
}

describe('finding in a document (web-and-phone.md §4, §5, §9)', () => {
  it('begins after a pause, only with the last query, and not below two characters', async () => {
    const { session, settle, queries } = open();
    session.type('te');
    session.type('ter');
    session.type('term');
    expect(await settle()).toEqual({ count: 4, active: 0, hasMore: false, phase: 'done' });
    expect(new Set(queries)).toEqual(new Set(['term']));
    session.type('t');
    expect(await settle()).toEqual({ count: 0, active: -1, hasMore: false, phase: 'idle' });
  });

  it('has the constants of the specification (§9)', () => {
    expect(FIND).toEqual({ minLength: 2, limit: 500, limitFromSearch: 1000, debounceMs: 150, navigationLockMs: 100 });
    expect(FIND_DEBOUNCE_MS).toBe(300);
  });

  it.each([
    ['in most documents', FIND.debounceMs],
    ['in a PDF', FIND_DEBOUNCE_MS],
  ])('asks nothing before the pause of typing is over, %s', async (_where, pause) => {
    const { session, queries, settle } = open(PAGES, FIND.limit, pause);
    session.type('term');
    await vi.advanceTimersByTimeAsync(pause - 1);
    expect(queries).toEqual([]);
    expect((await settle()).count).toBe(4);
  });

  it('goes round the ends, and is locked for a moment between', async () => {
    const { session, settle } = open();
    session.type('term');
    await settle();
    const step = (direction: 1 | -1) => {
      session.step(direction);
      return session.store.getState().active;
    };
    expect([step(-1), step(-1)]).toEqual([3, 3]);
    await vi.advanceTimersByTimeAsync(FIND.navigationLockMs);
    expect(step(1)).toBe(0);
  });

  it.each([
    ['at the line of a page', 'Page 2', 2, 2],
    ['at the first of a page', 'Page 2', null, 1],
    ['at the first of all without a place', null, null, 0],
    ['nowhere when all matches come before', 'Page 3', 1, -1],
    ['at the first of all for a page that is not there', 'Page 9', 1, 0],
  ])('arrives %s', async (_what, label, line, active) => {
    const { session, settle } = open();
    session.begin('term', label, line);
    expect(await settle()).toMatchObject({ count: 4, active });
  });

  it('tells no more matches apart than the limit, and says that there are more', async () => {
    const many = [{ label: 'Content', text: 'term '.repeat(600) }];
    for (const [limit, count, hasMore] of [
      [FIND.limit, 500, true],
      [600, 600, false],
      [FIND.limitFromSearch, 600, false],
    ] as const) {
      const { session, settle } = open(many, limit);
      session.begin('term', null, null);
      expect(await settle()).toMatchObject({ count, hasMore });
    }
  });

  it('is ended by a new query, in the worker too', async () => {
    const host = createFindHost({ texts: () => ['a term of terms'] });
    expect((await host.search(1, 'term', 10))?.found).toHaveLength(2);
    expect((await host.search(2, 'of', 10))?.found).toHaveLength(1);
    expect(await host.search(1, 'term', 10)).toBeNull();
  });
});
