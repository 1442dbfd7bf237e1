import { z } from 'zod';
import { Timestamp } from '../model/common.ts';
import { SearchQuery, SearchResult, SearchSummary } from '../model/search.ts';
import { LIMITS } from '../rules/limits.ts';
import { call } from './call.ts';

const flag = z
  .enum(['true', 'false', '1', '0'])
  .default('false')
  .transform((value) => value === 'true' || value === '1');

/** Find in files over what the caller can read on the server (decisions.md §9). */
export const search = {
  run: call({
    method: 'GET',
    path: '/api/v1/search/',
    summary: 'Finds a phrase in the current files or in every version that the caller can read.',
    access: 'user',
    query: z.object({
      q: SearchQuery.shape.text,
      scope: SearchQuery.shape.scope.default('current'),
      case: flag,
      word: flag,
      regex: flag,
      library: z.string().optional(),
      shelf: z.string().optional(),
      types: z
        .string()
        .max(500)
        .transform((list) => list.split(',').filter((type) => type !== ''))
        .pipe(SearchQuery.shape.types.unwrap())
        .optional()
        .describe('File types as extensions without the dot, separated by commas'),
      author: SearchQuery.shape.author.unwrap().unwrap().optional(),
      include: z.string().max(500).optional().describe('Glob over the names of documents that are looked at'),
      exclude: z.string().max(500).optional().describe('Glob over the names of documents that are left out'),
      since: Timestamp.optional(),
      until: Timestamp.optional(),
      limit: z.coerce.number().int().min(1).max(1000).default(50),
      items: z.coerce.number().int().min(0).max(1000).default(20),
    }),
    response: SearchSummary.extend({ results: z.array(SearchResult) }),
    errors: ['query-invalid', 'query-too-slow', 'index-unavailable', 'cancelled'],
    timeoutMs: LIMITS.longRequestTimeoutMs,
  }),
};
