import { createStore, type StoreApi } from 'zustand/vanilla';
import type { FindEngine, FoundMatch } from '../view.ts';
import type { TextPlace } from './locate.ts';

/** Constants of web-and-phone.md §9. */
export const FIND = {
  minLength: 2,
  limit: 500,
  /** For who comes from the search, whose count is to be met. */
  limitFromSearch: 1000,
  debounceMs: 150,
  navigationLockMs: 100,
} as const;

export interface FindState {
  readonly query: string;
  readonly phase: 'idle' | 'searching' | 'done' | 'failed';
  readonly matches: readonly FoundMatch[];
  /** More are there than are told apart. */
  readonly hasMore: boolean;
  /** Index of the match that one is at; -1 for none. */
  readonly active: number;
}

export interface FindSession {
  readonly store: StoreApi<FindState>;
  /** Typing: searches after a pause, and ends what runs at once. */
  type(query: string): void;
  /** Searches at once, and begins at the match at, or next after, a place of the document. */
  begin(query: string, label: string | null, line: number | null): void;
  /** Goes to another match, round the ends. */
  step(direction: 1 | -1): void;
  /** Ends what is under way. */
  stop(): void;
}

export interface FindSessionOptions {
  readonly engine: FindEngine;
  readonly limit: number;
  readonly debounceMs: number;
  readonly now?: () => number;
}

const NOTHING: Omit<FindState, 'query'> = { phase: 'idle', matches: [], hasMore: false, active: -1 };

const isBefore = (match: FoundMatch, place: TextPlace) =>
  match.section < place.section || (match.section === place.section && match.end <= place.start);

/** Runs have numbers all over, since sessions follow each other on one engine. */
let lastRun = 0;

/** Makes the finding in one document. */
export function createFindSession({ engine, limit, debounceMs, now = Date.now }: FindSessionOptions): FindSession {
  const store = createStore<FindState>()(() => ({ query: '', ...NOTHING }));
  let run = 0;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let lockedUntil = 0;

  function halt(): void {
    run = 0;
    if (timer !== null) clearTimeout(timer);
    timer = null;
  }

  /** The match to begin at, as soon as it is known: all that come before a place may be there already, and it not. */
  function firstActive(matches: readonly FoundMatch[], place: TextPlace | null, isDone: boolean): number {
    const at = place === null ? 0 : matches.findIndex((match) => !isBefore(match, place));
    if (at >= 0 && at < matches.length) return at;
    return isDone && matches.length > 0 && place === null ? 0 : -1;
  }

  async function follow(current: number, query: string, place: TextPlace | null): Promise<void> {
    while (true) {
      const step = await engine.search(current, query, limit);
      if (step === null || current !== run) return;
      const { matches: before, active } = store.getState();
      const matches = step.found.length === 0 ? before : [...before, ...step.found];
      store.setState({
        matches,
        hasMore: step.hasMore,
        active: active >= 0 ? active : firstActive(matches, place, step.isDone),
        phase: step.isDone ? 'done' : 'searching',
      });
      if (step.isDone) return;
    }
  }

  function search(query: string, label: string | null, line: number | null): void {
    halt();
    if ([...query].length < FIND.minLength) {
      store.setState({ query, ...NOTHING });
      return;
    }
    lastRun += 1;
    run = lastRun;
    const current = run;
    store.setState({ query, ...NOTHING, phase: 'searching' });
    engine
      .locate(label, line)
      .then((place) => follow(current, query, place))
      .catch(() => {
        // The worker is gone, or could not be had: said where the count stands.
        if (current === run) store.setState({ phase: 'failed' });
      });
  }

  return {
    store,
    type(query) {
      halt();
      const isTooShort = [...query].length < FIND.minLength;
      store.setState({ query, ...NOTHING, phase: isTooShort ? 'idle' : 'searching' });
      if (!isTooShort) timer = setTimeout(() => search(query, null, null), debounceMs);
    },
    begin: search,
    step(direction) {
      const { matches, active } = store.getState();
      if (matches.length === 0 || now() < lockedUntil) return;
      lockedUntil = now() + FIND.navigationLockMs;
      const from = active < 0 && direction < 0 ? 0 : active;
      store.setState({ active: (from + direction + matches.length) % matches.length });
    },
    stop() {
      halt();
      store.setState({ query: '', ...NOTHING });
    },
  };
}
