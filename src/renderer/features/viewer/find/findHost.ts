import { type FindText, findSteps, type TextMatch } from '../../../../shared/rules/find.ts';

/** A moment's work of a search. */
export interface FindStep {
  readonly found: readonly TextMatch[];
  /** Nothing more is to be found, or as many are found as were wanted. */
  readonly isDone: boolean;
  /** There are more matches than were wanted. */
  readonly hasMore: boolean;
}

/** Searches texts a moment at a time, in a worker or wherever they are. */
export interface FindHost {
  /**
   * Goes on with a search, or begins it: a run has a number, which grows with each, and a newer one ends those before. Null for
   * a run that was ended.
   */
  search(run: number, query: string, limit: number): Promise<FindStep | null>;
}

/** What one call does before it answers, so that the first matches show soon and a new query has not to wait. */
const BUDGET_MS = 30;

/** Makes a host. `grown` resolves when a text that is still coming in has more. */
export function createFindHost(options: {
  readonly texts: () => readonly FindText[];
  readonly grown?: () => Promise<void>;
  readonly now?: () => number;
}): FindHost {
  const { texts, grown = async () => undefined, now = () => performance.now() } = options;
  let newest = 0;
  let steps: Generator<readonly TextMatch[] | null, void> | null = null;
  let total = 0;

  return {
    async search(run, query, limit) {
      if (run < newest) return null;
      if (run > newest) {
        newest = run;
        steps = findSteps(texts(), query);
        total = 0;
      }
      const found: TextMatch[] = [];
      const began = now();
      while (steps !== null && now() - began < BUDGET_MS) {
        const { value, done } = steps.next();
        if (done === true) {
          steps = null;
          break;
        }
        if (value === null) {
          // What was found before that is not held back.
          if (found.length > 0) break;
          await grown();
          if (run < newest) return null;
          continue;
        }
        found.push(...value.slice(0, limit - total));
        total += value.length;
        if (total > limit) {
          steps = null;
          return { found, isDone: true, hasMore: true };
        }
      }
      return { found, isDone: steps === null, hasMore: false };
    },
  };
}
