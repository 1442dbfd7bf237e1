import { createStore } from 'zustand/vanilla';
import { AppError, isAppError } from '../../../shared/errors.ts';
import type { SearchResult, SearchScope, SearchSummary } from '../../../shared/model/search.ts';
import { LIMITS } from '../../../shared/rules/limits.ts';
import { logFailure } from '../../api/log.ts';
import { mergeResults } from '../../platform/mergeResults.ts';
import type { SearchCapability, SearchRequest } from '../../platform/types.ts';
import { NO_FILTERS, narrowedBy, type SearchFilters } from './filters.ts';

/** Results asked for per tab, and match items per result. Counts stay exact beyond both. */
const LIMIT = 500;
const ITEMS_PER_RESULT = 50;
/** What is enough for the rows of a list that shows all there is; the matches of a file are counted all the same. */
const ITEMS_OF_MANY = 3;
/** A list that is longer than this is not drawn anew for every batch. */
const LONG_LIST = 1000;
const LONG_LIST_PAUSE_MS = 250;
/** Until a query is asked again of which the answer was not complete; twice as long each time, up to the longest. */
const FIRST_RECHECK_MS = 500;
const LONGEST_RECHECK_MS = 15_000;

export type SwitchName = 'matchCase' | 'wholeWord' | 'regex';

/** How one tab stands. */
export interface TabState {
  readonly phase: 'idle' | 'running' | 'done' | 'failed';
  readonly results: readonly SearchResult[];
  readonly summary: SearchSummary | null;
  readonly error: AppError | null;
}

export interface SearchState {
  /** What stands in the input. */
  readonly text: string;
  /** The query that the tabs show; empty while there is none. */
  readonly query: string;
  readonly switches: Readonly<Record<SwitchName, boolean>>;
  readonly filters: SearchFilters;
  readonly tab: SearchScope;
  readonly tabs: Readonly<Record<SearchScope, TabState>>;
  readonly showMatches: boolean;
  readonly selectedId: string | null;
  /** Typing: searches after a pause. */
  readonly type: (text: string) => void;
  /** Enter, or a past query: searches at once. */
  readonly submit: (text?: string) => void;
  readonly clear: () => void;
  readonly toggle: (name: SwitchName) => void;
  readonly setFilter: (name: keyof SearchFilters, value: string) => void;
  readonly clearFilters: () => void;
  readonly setTab: (tab: SearchScope) => void;
  readonly setShowMatches: (showMatches: boolean) => void;
  readonly select: (id: string | null) => void;
  /** Runs the same query again. */
  readonly rerun: () => void;
  /** Runs the query again and lists as much as can be listed. */
  readonly showAll: () => void;
  /** Ends what is under way; the store can be used again. */
  readonly stop: () => void;
}

const EMPTY: TabState = { phase: 'idle', results: [], summary: null, error: null };
const SCOPES: readonly SearchScope[] = ['current', 'history'];

/** Whether a text is long enough to be searched, and not too long. Counts characters as people do: code points. */
export function isSearchable(text: string): boolean {
  const length = [...text.trim()].length;
  return length >= LIMITS.searchMinLength && length <= LIMITS.searchMaxLength;
}

/** Cuts what is typed or pasted to the longest query allowed. */
export function clampQuery(text: string, longest: number): string {
  return [...text].slice(0, longest).join('');
}

/**
 * The state of one Find in files panel. Every run has a number: what arrives for an older one is dropped, and starting a
 * run cancels the one before. `longest` is how many characters a query may have.
 */
export function createSearchStore(search: SearchCapability, longest: number = LIMITS.searchMaxLength) {
  let run = 0;
  let isAll = false;
  let controller: AbortController | null = null;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let recheck: ReturnType<typeof setTimeout> | null = null;

  return createStore<SearchState>()((set, get) => {
    function halt(): void {
      run += 1;
      controller?.abort();
      controller = null;
      if (timer !== null) clearTimeout(timer);
      timer = null;
      if (recheck !== null) clearTimeout(recheck);
      recheck = null;
    }

    function patch(mine: number, scope: SearchScope, change: (tab: TabState) => TabState): void {
      if (mine !== run) return;
      set(({ tabs }) => ({ tabs: { ...tabs, [scope]: change(tabs[scope]) } }));
    }

    /** Runs a query for one tab; without `onResults` one that shows already. @returns whether nothing is missing from its answer */
    async function runScope(
      mine: number,
      request: SearchRequest,
      signal: AbortSignal,
      onResults: ((batch: readonly SearchResult[]) => void) | null,
    ): Promise<boolean> {
      const { scope } = request;
      try {
        const { results, ...summary } = await search.run(request, {
          signal,
          onResults: onResults ?? (() => undefined),
        });
        patch(mine, scope, () => ({ phase: 'done', results, summary, error: null }));
        return summary.complete;
      } catch (thrown) {
        if (onResults === null) {
          // What is listed stays listed when nobody asked for more.
          logFailure('search', thrown);
          return false;
        }
        const error = isAppError(thrown) ? thrown : new AppError('internal', String(thrown), { cause: thrown });
        // A cancelled run of ours was replaced; one that the other side cancelled has simply ended.
        patch(mine, scope, (tab) => ({ ...tab, phase: 'failed', error }));
        return true;
      }
    }

    /** Shows results as they come in. */
    async function streamScope(mine: number, request: SearchRequest, signal: AbortSignal): Promise<boolean> {
      const { scope } = request;
      let waiting: SearchResult[] = [];
      let pause: ReturnType<typeof setTimeout> | null = null;
      const flush = () => {
        pause = null;
        const batch = waiting;
        waiting = [];
        patch(mine, scope, (tab) => ({ ...tab, results: mergeResults(tab.results, batch) }));
      };
      const isComplete = await runScope(mine, request, signal, (batch) => {
        waiting.push(...batch);
        if (get().tabs[scope].results.length < LONG_LIST) flush();
        else pause ??= setTimeout(flush, LONG_LIST_PAUSE_MS);
      });
      if (pause !== null) clearTimeout(pause);
      return isComplete;
    }

    function requests(): SearchRequest[] {
      const { query: text, switches, filters } = get();
      const narrowed = narrowedBy(filters, Date.now());
      const most = isAll
        ? { limit: search.mostResults, itemsPerResult: ITEMS_OF_MANY }
        : { limit: LIMIT, itemsPerResult: ITEMS_PER_RESULT };
      return SCOPES.map((scope) => ({ text, scope, ...switches, ...narrowed, ...most }));
    }

    /** Asks an incomplete answer's query again after a while, and leaves the list alone while somebody goes through it. */
    function recheckAfter(wait: number, mine: number, signal: AbortSignal): void {
      if (mine !== run) return;
      recheck = setTimeout(async () => {
        const { selectedId, showMatches } = get();
        const isInUse = selectedId !== null || showMatches;
        const isComplete = isInUse
          ? [false]
          : await Promise.all(requests().map((asked) => runScope(mine, asked, signal, null)));
        if (!isComplete.every(Boolean)) recheckAfter(Math.min(2 * wait, LONGEST_RECHECK_MS), mine, signal);
      }, wait);
    }

    function start(): void {
      halt();
      const text = get().text.trim();
      if (!isSearchable(text)) {
        set({ query: '', tabs: { current: EMPTY, history: EMPTY }, selectedId: null });
        return;
      }
      const mine = run;
      controller = new AbortController();
      const { signal } = controller;
      const running: TabState = { ...EMPTY, phase: 'running' };
      set({ query: text, tabs: { current: running, history: running }, selectedId: null });
      void Promise.all(requests().map((request) => streamScope(mine, request, signal))).then((isComplete) => {
        if (!isComplete.every(Boolean)) recheckAfter(FIRST_RECHECK_MS, mine, signal);
      });
    }

    function remember(): void {
      const { query } = get();
      // A query that cannot be remembered is still answered.
      if (query !== '') search.log.save(query).catch(() => undefined);
    }

    return {
      text: '',
      query: '',
      switches: { matchCase: false, wholeWord: false, regex: false },
      filters: NO_FILTERS,
      tab: 'current',
      tabs: { current: EMPTY, history: EMPTY },
      showMatches: false,
      selectedId: null,
      type: (typed) => {
        const text = clampQuery(typed, longest);
        isAll = false;
        set({ text });
        if (timer !== null) clearTimeout(timer);
        if (!isSearchable(text)) {
          start();
          return;
        }
        timer = setTimeout(() => {
          start();
          remember();
        }, LIMITS.searchDebounceMs);
      },
      submit: (text) => {
        isAll = false;
        if (text !== undefined) set({ text: clampQuery(text, longest) });
        start();
        remember();
      },
      clear: () => {
        set({ text: '' });
        start();
      },
      toggle: (name) => {
        set(({ switches }) => ({ switches: { ...switches, [name]: !switches[name] } }));
        if (get().query !== '') start();
      },
      setFilter: (name, value) => {
        set(({ filters }) => ({ filters: { ...filters, [name]: value } }));
        if (get().query === '') return;
        if (timer !== null) clearTimeout(timer);
        timer = setTimeout(start, LIMITS.searchDebounceMs);
      },
      clearFilters: () => {
        set({ filters: NO_FILTERS });
        if (get().query !== '') start();
      },
      setTab: (tab) => set({ tab, selectedId: null }),
      setShowMatches: (showMatches) => set({ showMatches }),
      select: (selectedId) => set({ selectedId }),
      rerun: start,
      showAll: () => {
        isAll = true;
        start();
      },
      stop: halt,
    };
  });
}

export type SearchStore = ReturnType<typeof createSearchStore>;
