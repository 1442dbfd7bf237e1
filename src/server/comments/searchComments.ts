import { createMatcher } from '../../core/search/matcher.ts';
import { matchItems } from '../../core/search/matchItems.ts';
import type { Range, SearchQuery, SearchResult } from '../../shared/model/search.ts';
import { nameKey } from '../../shared/rules/names.ts';
import type { Database } from '../database/connection.ts';
import type { Actor } from '../http/context.ts';
import { likePattern } from '../search/likePattern.ts';

/** Comments that are looked at together, and how many of them in all: the newest, when there are more. */
const BATCH = 500;
const LOOKED_AT = 20_000;

/** Comments with such a text, newest first, of the shelves that the actor is a member of. */
const candidates = (database: Database, actor: Actor, query: SearchQuery) =>
  database
    .selectFrom('shelf_members')
    .innerJoin('comments', 'comments.shelf_id', 'shelf_members.shelf_id')
    .innerJoin('shelves', 'shelves.id', 'comments.shelf_id')
    .innerJoin('libraries', 'libraries.id', 'shelves.library_id')
    .leftJoin('documents', 'documents.id', 'comments.document_id')
    .leftJoin('versions', (join) =>
      join
        .onRef('versions.document_id', '=', 'documents.id')
        .onRef('versions.number', '=', 'documents.current_version'),
    )
    .leftJoin('users', 'users.id', 'comments.user_id')
    .select([
      'comments.id',
      'comments.comment',
      'comments.created_at',
      'shelves.id as shelf_id',
      'shelves.name as shelf_name',
      'libraries.name as library_name',
      'documents.id as document_id',
      'documents.name as document_name',
      'documents.deleted',
      'versions.id as version_id',
      'versions.number as version_number',
      'versions.size',
      'users.username',
    ])
    .where('shelf_members.user_id', '=', actor.id)
    .where((eb) => eb(eb.fn<string>('lower', ['comments.comment']), 'like', likePattern(query.text)))
    // The documents in the trash belong to the history.
    .$if(query.scope === 'current', (rows) =>
      rows.where(({ or, eb }) => or([eb('documents.id', 'is', null), eb('documents.deleted', '=', 0)])),
    )
    .$if(query.library !== null, (rows) => rows.where('libraries.name_key', '=', nameKey(query.library ?? '')))
    .$if(query.shelf !== null, (rows) => rows.where('shelves.name_key', '=', nameKey(query.shelf ?? '')))
    .orderBy('comments.created_at', 'desc')
    .orderBy('comments.id', 'desc')
    .limit(BATCH);
type Row = Awaited<ReturnType<ReturnType<typeof candidates>['executeTakeFirstOrThrow']>>;

/** The document that a comment is on, in its current version, or the shelf where it is on none. */
function resultOf(row: Row): SearchResult {
  const path = row.document_name ?? '';
  return {
    id: `comments of ${row.document_id ?? row.shelf_id}`,
    filename: row.document_name === null ? row.shelf_name : (path.split('/').at(-1) ?? path),
    filenameRanges: [],
    path,
    libraryName: row.library_name,
    shelfName: row.shelf_name,
    shelfId: row.shelf_id,
    documentId: row.document_id,
    versionId: row.version_id,
    versionNumber: row.version_number,
    ...(row.deleted === 1 ? { deleted: true } : {}),
    lastModified: row.created_at,
    size: Number(row.size ?? 0),
    matches: 0,
    commitHash: null,
    commitMessage: null,
    author: row.username,
    items: [],
  };
}

/** Adds the lines of one more comment, numbered on, as far as a result has room. */
function addItems(result: SearchResult, comment: string, ranges: readonly Range[], limit: number): void {
  const last = result.items.at(-1);
  const before = last === undefined ? 0 : last.number - 1 + last.ranges.length;
  for (const item of matchItems(comment, ranges, [['Comment', 0]], limit - result.items.length)) {
    result.items.push({ ...item, number: before + item.number });
  }
}

/**
 * Finds a literal in comments (field.md row 34): one result for each document, and for each shelf with comments on itself,
 * the one with the newest match first. Comments are short and few beside contents, so the database is read, not an index.
 */
export async function searchComments(database: Database, actor: Actor, query: SearchQuery): Promise<SearchResult[]> {
  const matcher = createMatcher({ ...query, regex: false });
  const results = new Map<string, SearchResult>();
  let last: Row | undefined;
  for (let lookedAt = 0; lookedAt < LOOKED_AT && results.size < query.limit; lookedAt += BATCH) {
    const after = last;
    const rows = await candidates(database, actor, query)
      .$if(after !== undefined, (older) =>
        older.where(({ or, and, eb }) =>
          or([
            eb('comments.created_at', '<', after?.created_at ?? ''),
            and([eb('comments.created_at', '=', after?.created_at ?? ''), eb('comments.id', '<', after?.id ?? '')]),
          ]),
        ),
      )
      .execute();
    for (const row of rows) {
      const [ranges = []] = matcher.findAll([row.comment]);
      const place = row.document_id ?? row.shelf_id;
      const result = results.get(place) ?? (results.size < query.limit ? resultOf(row) : undefined);
      if (ranges.length === 0 || result === undefined) continue;
      results.set(place, result);
      addItems(result, row.comment, ranges, query.itemsPerResult);
    }
    last = rows.at(-1);
    if (rows.length < BATCH) break;
  }
  return [...results.values()];
}
