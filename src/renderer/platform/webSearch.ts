import { api } from '../../shared/api/index.ts';
import type { ApiClient } from '../api/client.ts';
import type { SearchCapability, SearchLog } from './types.ts';

/** The server lists no more than this in one answer. */
const SERVER_LIMIT = 1000;

const flag = (value: boolean) => (value ? 'true' : 'false');

/** Find in files over `GET api/v1/search/`: one answer, handed on as one batch. */
export function createWebSearch(client: ApiClient, log: SearchLog): SearchCapability {
  return {
    async run(query, { signal, onResults }) {
      const answer = await client.call(
        api.search.run,
        {
          query: {
            q: query.text,
            scope: query.scope,
            case: flag(query.matchCase),
            word: flag(query.wholeWord),
            regex: flag(query.regex),
            limit: Math.min(query.limit, SERVER_LIMIT),
            items: Math.min(query.itemsPerResult, SERVER_LIMIT),
          },
        },
        { signal },
      );
      onResults(answer.results);
      return answer;
    },
    log,
  };
}
