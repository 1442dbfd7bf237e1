import { createMatcher } from '../../core/search/matcher.ts';
import { matchItems } from '../../core/search/matchItems.ts';
import type { SearchQuery, SearchResult } from '../../shared/model/search.ts';
import { nameKey } from '../../shared/rules/names.ts';
import type { Database } from '../database/connection.ts';
import type { Actor } from '../http/context.ts';
import { likePattern } from './likePattern.ts';

/** Finds versions by their labels (field.md row 19), the latest first: of any age in the history, else those that are current. */
export async function searchLabels(database: Database, actor: Actor, query: SearchQuery): Promise<SearchResult[]> {
  const matcher = createMatcher({ ...query, regex: false });
  const rows = await database
    .selectFrom('shelf_members')
    .innerJoin('shelves', 'shelves.id', 'shelf_members.shelf_id')
    .innerJoin('libraries', 'libraries.id', 'shelves.library_id')
    .innerJoin('documents', 'documents.shelf_id', 'shelves.id')
    .innerJoin('versions', 'versions.document_id', 'documents.id')
    .innerJoin('commits', 'commits.hash', 'versions.commit_hash')
    .leftJoin('users', 'users.id', 'versions.author_id')
    .select([
      'versions.id',
      'versions.label',
      'versions.name',
      'versions.number',
      'versions.size',
      'versions.created_at',
      'versions.commit_hash',
      'commits.message',
      'documents.id as document_id',
      'documents.deleted',
      'shelves.id as shelf_id',
      'shelves.name as shelf',
      'libraries.name as library',
      'users.username',
    ])
    .where('shelf_members.user_id', '=', actor.id)
    .where('versions.label', 'is not', null)
    .where((eb) => eb(eb.fn<string>('lower', ['versions.label']), 'like', likePattern(query.text)))
    .$if(query.scope === 'current', (current) =>
      current.where('documents.deleted', '=', 0).whereRef('versions.number', '=', 'documents.current_version'),
    )
    .$if(query.library !== null, (some) => some.where('libraries.name_key', '=', nameKey(query.library ?? '')))
    .$if(query.shelf !== null, (some) => some.where('shelves.name_key', '=', nameKey(query.shelf ?? '')))
    .orderBy('versions.created_at', 'desc')
    .orderBy('versions.id')
    .limit(query.limit)
    .execute();
  return rows.flatMap((row): SearchResult[] => {
    const label = row.label ?? '';
    const [ranges = []] = matcher.findAll([label]);
    if (ranges.length === 0) return [];
    return [
      {
        id: row.id,
        filename: row.name,
        filenameRanges: [],
        path: row.name,
        libraryName: row.library,
        shelfName: row.shelf,
        shelfId: row.shelf_id,
        documentId: row.document_id,
        versionId: row.id,
        versionNumber: row.number,
        ...(row.deleted === 1 ? { deleted: true } : {}),
        lastModified: row.created_at,
        size: Number(row.size),
        matches: 0,
        commitHash: row.commit_hash,
        commitMessage: row.message,
        author: row.username,
        items: matchItems(label, ranges, [['Label', 0]], query.itemsPerResult),
      },
    ];
  });
}
