import { createQueryFilter } from '../../core/search/queryFilter.ts';
import type { SearchIndex } from '../../core/search/types.ts';
import type { Api } from '../../shared/api/index.ts';
import { SearchQuery, type SearchResult } from '../../shared/model/search.ts';
import { searchComments } from '../comments/searchComments.ts';
import { inChunks } from '../database/chunks.ts';
import type { Database } from '../database/connection.ts';
import { actorOf } from '../http/context.ts';
import type { ApiHandlers } from '../http/mount.ts';
import type { Usage } from '../usage/usage.ts';
import type { SearchFeeder } from './feeder.ts';
import { searchLabels } from './searchLabels.ts';

/**
 * One list: a version whose text and label match is listed once, with both; a document whose text matches is not listed
 * again for its comments.
 */
function merged(
  content: readonly SearchResult[],
  labelled: readonly SearchResult[],
  commented: readonly SearchResult[],
): SearchResult[] {
  const labels = new Map(labelled.map((result) => [result.id, result]));
  const listed = new Set(content.map(({ id }) => id));
  const documents = new Set(content.map(({ documentId }) => documentId));
  return [
    ...content.map((result) => ({ ...result, items: [...(labels.get(result.id)?.items ?? []), ...result.items] })),
    ...labelled.filter(({ id }) => !listed.has(id)),
    ...commented.filter(({ documentId }) => documentId !== null && !documents.has(documentId)),
  ];
}

/** The filters of a query for what the index does not hold. */
function wantedBy(query: SearchQuery): (result: SearchResult) => boolean {
  const { accepts } = createQueryFilter({ query, shelfIds: null, documentIds: null, missingRoots: [] });
  return ({ lastModified, libraryName: library, shelfName: shelf, ...place }) =>
    accepts({ ...place, root: null, library, shelf, time: Date.parse(lastModified) });
}

/** Handlers of search: always within the shelves that the caller is a member of. */
export function searchHandlers(
  index: SearchIndex,
  feeder: SearchFeeder,
  database: Database,
  usage: Usage,
): ApiHandlers<Api>['search'] {
  /** Which of the documents found are in the trash. */
  async function deletedOf(results: readonly SearchResult[]): Promise<Set<string | null>> {
    const ids = [...new Set(results.flatMap(({ documentId }) => (documentId === null ? [] : [documentId])))];
    const found = new Set<string | null>();
    for (const chunk of inChunks(ids)) {
      const rows = await database
        .selectFrom('documents')
        .select('id')
        .where('id', 'in', chunk)
        .where('deleted', '=', 1)
        .execute();
      for (const { id } of rows) found.add(id);
    }
    return found;
  }

  return {
    async run({ query }, context) {
      const actor = actorOf(context);
      usage.count('search', query.scope);
      const shelves = await database
        .selectFrom('shelf_members')
        .select('shelf_id')
        .where('user_id', '=', actor.id)
        .execute();
      const asked = SearchQuery.parse({
        text: query.q,
        scope: query.scope,
        matchCase: query.case,
        wholeWord: query.word,
        regex: query.regex,
        library: query.library ?? null,
        shelf: query.shelf ?? null,
        include: query.include === undefined ? [] : [query.include],
        exclude: query.exclude === undefined ? [] : [query.exclude],
        types: query.types ?? [],
        author: query.author ?? null,
        since: query.since ?? null,
        until: query.until ?? null,
        limit: query.limit,
        itemsPerResult: query.items,
      });
      const shelfIds = shelves.map((row) => row.shelf_id);
      const complete = !(await feeder.isBehind(shelfIds));
      const { results, ...summary } = await index.search(asked, {
        corpus: query.scope === 'current' ? 'current-versions' : 'all-versions',
        shelfIds,
        signal: context.signal,
      });
      const deleted = query.scope === 'history' ? await deletedOf(results) : new Set();
      const content = results.map((result) => (deleted.has(result.documentId) ? { ...result, deleted: true } : result));
      const labelled = query.regex ? [] : await searchLabels(database, actor, asked);
      const commented = query.regex ? [] : await searchComments(database, actor, asked);
      const isWanted = wantedBy(asked);
      const all = merged(content, labelled.filter(isWanted), commented.filter(isWanted));
      const more = all.length - results.length;
      return {
        ...summary,
        complete,
        files: summary.files + more,
        limitHit: summary.limitHit || all.length > asked.limit,
        results: all.slice(0, asked.limit),
      };
    },
  };
}
