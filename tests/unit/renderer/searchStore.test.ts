import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSearchStore } from '../../../src/renderer/features/search/searchStore.ts';
import { createFakeSearch, outcomeOf } from '../../../src/renderer/platform/fake.ts';
import { mergeResults } from '../../../src/renderer/platform/mergeResults.ts';
import type { SearchCapability, SearchOutcome, SearchRequest } from '../../../src/renderer/platform/types.ts';
import { AppError } from '../../../src/shared/errors.ts';
import type { SearchResult } from '../../../src/shared/model/search.ts';
import { LIMITS } from '../../../src/shared/rules/limits.ts';

function result(id: string, matches = 1): SearchResult {
  return {
    id,
    filename: `${id}.txt`,
    filenameRanges: [],
    path: `/files/${id}.txt`,
    libraryName: null,
    shelfName: null,
    shelfId: null,
    documentId: null,
    versionId: null,
    versionNumber: null,
    lastModified: '2026-01-01T00:00:00Z',
    size: 1,
    matches,
    commitHash: null,
    commitMessage: null,
    author: null,
    items: [],
  };
}

interface Run {
  readonly query: SearchRequest;
  readonly signal: AbortSignal;
  readonly found: (...results: SearchResult[]) => void;
  readonly end: (outcome: SearchOutcome) => void;
  readonly fail: (error: unknown) => void;
}

/** A search whose runs the test answers, and its store. */
function setup() {
  const runs: Run[] = [];
  const search: SearchCapability = createFakeSearch(
    (query, { signal, onResults }) =>
      new Promise((end, fail) => {
        runs.push({ query, signal, end, fail, found: (...results) => onResults(results) });
      }),
  );
  const store = createSearchStore(search);
  return { runs, store, search, ids: () => store.getState().tabs.current.results.map(({ id }) => id) };
}

const settle = async () => {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
};

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('when a search starts (desktop-shell.md §5, §9)', () => {
  it('waits 500 ms after the last key, then asks for both tabs', () => {
    const { store, runs } = setup();
    store.getState().type('fo');
    vi.advanceTimersByTime(499);
    store.getState().type('foo');
    vi.advanceTimersByTime(499);
    expect(runs).toHaveLength(0);
    vi.advanceTimersByTime(1);
    expect(runs.map(({ query }) => [query.text, query.scope])).toEqual([
      ['foo', 'current'],
      ['foo', 'history'],
    ]);
  });

  it('searches at once on Enter, and not a second time when the pause ends', () => {
    const { store, runs } = setup();
    store.getState().type('foo');
    store.getState().submit();
    vi.advanceTimersByTime(1000);
    expect(runs).toHaveLength(2);
  });

  it.each(['', 'a', ' a ', '書'])('does not search for %j', (text) => {
    const { store, runs } = setup();
    store.getState().type(text);
    store.getState().submit();
    vi.advanceTimersByTime(1000);
    expect(runs).toHaveLength(0);
    expect(store.getState().query).toBe('');
  });

  it('keeps at most 20 characters on a phone (web-and-phone.md §5)', () => {
    const store = createSearchStore(
      createFakeSearch(() => new Promise(() => undefined)),
      LIMITS.phoneSearchMaxLength,
    );
    store.getState().type('x'.repeat(30));
    expect(store.getState().text).toBe('x'.repeat(20));
  });
  it('keeps at most 50 characters, counted as people count them', () => {
    const { store } = setup();
    store.getState().type('😀'.repeat(60));
    expect(store.getState().text).toBe('😀'.repeat(50));
  });

  it('asks again when a switch is turned', () => {
    const { store, runs } = setup();
    store.getState().submit('foo');
    store.getState().toggle('wholeWord');
    expect(runs.at(-1)?.query).toMatchObject({ text: 'foo', wholeWord: true, matchCase: false, regex: false });
  });

  it('remembers the query', async () => {
    const { store, search } = setup();
    store.getState().submit('foo');
    store.getState().submit('bar');
    store.getState().submit('foo');
    await settle();
    const { items } = await search.log.page(1, 10);
    expect(items.map(({ query }) => query)).toEqual(['foo', 'bar']);
  });
});

describe('results', () => {
  it('shows batches as they come, replacing what came before under the same id in its place', () => {
    const { store, runs, ids } = setup();
    store.getState().submit('foo');
    runs[0]?.found(result('a'), result('b'));
    runs[0]?.found(result('a', 9), result('c'));
    expect(ids()).toEqual(['a', 'b', 'c']);
    expect(store.getState().tabs.current.results[0]?.matches).toBe(9);
    expect(store.getState().tabs.current.phase).toBe('running');
    expect(store.getState().tabs.history.results).toEqual([]);
  });

  it('are asked for again while documents are being read, unless somebody goes through them', async () => {
    const { store, runs, ids } = setup();
    const unfinished = (...results: SearchResult[]) => ({ ...outcomeOf(results), complete: false });
    store.getState().submit('foo');
    for (const run of runs) run.end(unfinished(result('a')));
    await settle();
    await vi.advanceTimersByTimeAsync(500);
    expect(runs).toHaveLength(4);
    expect(store.getState().tabs.current).toMatchObject({ phase: 'done', summary: { complete: false } });
    for (const run of runs) run.end(unfinished(result('a'), result('b')));
    await settle();
    expect(ids()).toEqual(['a', 'b']);
    store.getState().select('a');
    await vi.advanceTimersByTimeAsync(1000);
    expect(runs).toHaveLength(4);
    store.getState().select(null);
    await vi.advanceTimersByTimeAsync(2000);
    expect(runs).toHaveLength(6);
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    for (const run of runs.slice(4)) run.fail(new AppError('server-unreachable', 'no network'));
    await settle();
    expect(warned).toHaveBeenCalledWith('search: server-unreachable');
    warned.mockRestore();
    expect(ids()).toEqual(['a', 'b']);
    await vi.advanceTimersByTimeAsync(4000);
    expect(runs).toHaveLength(8);
    for (const run of runs) run.end(outcomeOf([result('a'), result('b'), result('c')]));
    await settle();
    expect(ids()).toEqual(['a', 'b', 'c']);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(runs).toHaveLength(8);
  });

  it('ends with the final order and counts', async () => {
    const { store, runs, ids } = setup();
    store.getState().submit('foo');
    runs[0]?.found(result('b'));
    runs[0]?.end({ ...outcomeOf([result('a'), result('b')]), total: 7, limitHit: true });
    await settle();
    expect(ids()).toEqual(['a', 'b']);
    expect(store.getState().tabs.current).toMatchObject({ phase: 'done', summary: { total: 7, limitHit: true } });
  });

  it('drops and cancels what belongs to an older query', async () => {
    const { store, runs, ids } = setup();
    store.getState().submit('foo');
    const [old] = runs;
    old?.found(result('old'));
    store.getState().submit('bar');
    expect(old?.signal.aborted).toBe(true);
    expect(ids()).toEqual([]);
    old?.found(result('stale'));
    old?.end(outcomeOf([result('stale')]));
    await settle();
    expect(ids()).toEqual([]);
    expect(store.getState().tabs.current.phase).toBe('running');
    runs[2]?.found(result('new'));
    expect(ids()).toEqual(['new']);
  });

  it('drops a late failure of an older query', async () => {
    const { store, runs } = setup();
    store.getState().submit('foo');
    store.getState().submit('bar');
    runs[0]?.fail(new AppError('cancelled', 'gone'));
    await settle();
    expect(store.getState().tabs.current).toMatchObject({ phase: 'running', error: null });
  });

  it('keeps one tab when the other fails', async () => {
    const { store, runs } = setup();
    store.getState().submit('(');
    store.getState().submit('((');
    runs[0]?.fail(new AppError('query-invalid', 'unbalanced'));
    runs[1]?.end(outcomeOf([result('a')]));
    await settle();
    const { current, history } = store.getState().tabs;
    expect(current).toMatchObject({ phase: 'failed', error: { code: 'query-invalid' } });
    expect(history).toMatchObject({ phase: 'done' });
  });

  it('forgets everything when the input is cleared', async () => {
    const { store, runs, ids } = setup();
    store.getState().submit('foo');
    runs[0]?.found(result('a'));
    store.getState().clear();
    runs[0]?.found(result('b'));
    await settle();
    expect(ids()).toEqual([]);
    expect(store.getState()).toMatchObject({ text: '', query: '' });
  });

  it('lists as much as can be listed when all is asked for, and begins small with the next query', () => {
    const { store, runs, search } = setup();
    store.getState().submit('foo');
    store.getState().showAll();
    expect(runs.at(-1)?.query).toMatchObject({ text: 'foo', limit: search.mostResults });
    expect(runs.at(-3)?.signal.aborted).toBe(true);
    store.getState().submit('bar');
    expect(runs.at(-1)?.query.limit).toBeLessThan(search.mostResults);
  });

  it('takes 100,000 results in without drawing the list for every batch', async () => {
    const { store, runs, ids } = setup();
    store.getState().submit('foo');
    let changes = 0;
    store.subscribe(() => {
      changes += 1;
    });
    const all = Array.from({ length: 100_000 }, (_, at) => result(`file ${at}`));
    for (let at = 0; at < all.length; at += 100) {
      runs[0]?.found(...all.slice(at, at + 100));
      vi.advanceTimersByTime(10);
    }
    expect(changes).toBeLessThan(100);
    expect(ids().length).toBeGreaterThan(90_000);
    runs[0]?.end(outcomeOf(all));
    await settle();
    vi.advanceTimersByTime(1000);
    expect(ids()).toHaveLength(100_000);
    expect(store.getState().tabs.current.phase).toBe('done');
  });

  it('merges without touching the lists it was given', () => {
    const list = [result('a')];
    expect(mergeResults(list, [])).toBe(list);
    mergeResults(list, [result('b')]);
    expect(list).toHaveLength(1);
  });
});
