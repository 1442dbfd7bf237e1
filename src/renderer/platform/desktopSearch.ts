import type { BridgeClient } from '../../shared/bridge/contract.ts';
import type { Bridge } from '../../shared/bridge/index.ts';
import { AppError } from '../../shared/errors.ts';
import type { SearchResult } from '../../shared/model/search.ts';
import type { SearchCapability } from './types.ts';

/** As many as the contract allows. */
const MOST_RESULTS = 100_000;

/** Find in files over the bridge: batches carry the run's id, so those of another run never mix in. */
export function createDesktopSearch({ search }: Pick<BridgeClient<Bridge>, 'search'>): SearchCapability {
  let runs = 0;
  return {
    async run(query, { signal, onResults }) {
      if (signal.aborted) throw new AppError('cancelled', 'the search was given up');
      runs += 1;
      const runId = `run-${runs}`;
      // A hundred thousand results come in thousands of batches: none of them may cost what came before.
      const listed = new Map<string, SearchResult>();
      let whole: SearchResult[] | null = null;
      const stop = search.onFound((batch) => {
        if (batch.runId !== runId || signal.aborted) return;
        if (batch.isWhole) {
          whole ??= [];
          whole.push(...batch.results);
          return;
        }
        for (const result of batch.results) listed.set(result.id, result);
        onResults(batch.results);
      });
      // A run that ended meanwhile has nothing to cancel; the main process ignores its id.
      const cancel = () => void search.cancel({ runId }).catch(() => undefined);
      signal.addEventListener('abort', cancel, { once: true });
      try {
        const summary = await search.run({ runId, query });
        return { ...summary, results: whole ?? [...listed.values()] };
      } finally {
        stop();
        signal.removeEventListener('abort', cancel);
      }
    },
    mostResults: MOST_RESULTS,
    log: {
      page: (page, pageSize) => search.logs({ page, pageSize }),
      save: (query) => search.saveLog({ query }),
      remove: (id) => search.removeLog({ id }),
      clear: () => search.clearLogs(),
    },
  };
}
