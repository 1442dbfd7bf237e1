import { api } from '../../shared/api/index.ts';
import type { ApiClient } from '../api/client.ts';
import type { SearchCapability, SearchLog, SearchRequest } from './types.ts';

/** The server lists no more than this in one answer. */
const SERVER_LIMIT = 1000;

const flag = (value: boolean) => (value ? 'true' : 'false');

/** The filters that are set; the others are left out of the address. */
function narrowing({ library, shelf, types, author, since, until, include, exclude }: SearchRequest) {
  return {
    ...(library === null ? {} : { library }),
    ...(shelf === null ? {} : { shelf }),
    ...(types.length === 0 ? {} : { types: types.join(',') }),
    ...(author === null ? {} : { author }),
    ...(since === null ? {} : { since }),
    ...(until === null ? {} : { until }),
    ...(include[0] === undefined ? {} : { include: include[0] }),
    ...(exclude[0] === undefined ? {} : { exclude: exclude[0] }),
  };
}

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
            ...narrowing(query),
            limit: Math.min(query.limit, SERVER_LIMIT),
            items: Math.min(query.itemsPerResult, SERVER_LIMIT),
          },
        },
        { signal },
      );
      onResults(answer.results);
      return answer;
    },
    mostResults: SERVER_LIMIT,
    log,
  };
}
