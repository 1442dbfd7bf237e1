import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import { countFilters, NO_FILTERS, narrowedBy } from '../../../src/renderer/features/search/filters.ts';
import { resultsTable } from '../../../src/renderer/features/search/resultsTable.ts';
import { SearchQuery } from '../../../src/shared/model/search.ts';

const NOW = Date.parse('2026-03-08T12:00:00Z');

describe('the filters of a search', () => {
  it('narrow nothing while none is set', () => {
    const query = { ...SearchQuery.parse({ text: 'xx', scope: 'current' }), ...narrowedBy(NO_FILTERS, NOW) };
    expect(query).toEqual(SearchQuery.parse({ text: 'xx', scope: 'current' }));
    expect(countFilters(NO_FILTERS)).toBe(0);
  });
  it.each([
    [{ kind: 'word' }, { types: ['doc', 'docx', 'odt'] }],
    [{ age: 'week' }, { since: '2026-03-01T12:00:00.000Z', until: null }],
    [{ author: ' ana ' }, { author: 'ana' }],
    [{ include: '*.md' }, { include: ['*.md'] }],
    [{ include: '*.md, drafts' }, { include: ['{*.md,drafts}'] }],
    [{ exclude: '*.{md,txt}' }, { exclude: ['*.{md,txt}'] }],
    [{ include: ' , ' }, { include: [] }],
  ] as const)('%o ask for %o', (set, asked) => {
    expect(narrowedBy({ ...NO_FILTERS, ...set }, NOW)).toMatchObject(asked);
    expect(countFilters({ ...NO_FILTERS, ...set })).toBe(1);
  });
});

describe('an exported list', () => {
  it('has a line for each result in the order of the list, and runs no formula', () => {
    const result = (filename: string, text: string) => ({
      id: filename,
      filename,
      filenameRanges: [],
      path: `/files/${filename}`,
      libraryName: 'Law; "old"',
      shelfName: null,
      shelfId: null,
      documentId: null,
      versionId: null,
      versionNumber: 3,
      lastModified: '2026-01-01T00:00:00Z',
      size: 1,
      matches: 2,
      commitHash: null,
      commitMessage: null,
      author: null,
      items: [{ type: 'Content', number: 1, line: 1, text, ranges: [] }],
    });
    const table = resultsTable([result('b, c.txt', '  two\nlines'), result('a.txt', '=1+1')]);
    const { data } = Papa.parse<Record<string, string>>(table.slice(1), { header: true });
    expect(data.map(({ name, library, matches }) => [name, library, matches])).toEqual([
      ['b, c.txt', 'Law; "old"', '2'],
      ['a.txt', 'Law; "old"', '2'],
    ]);
    expect(data.map(({ first_match }) => first_match)).toEqual(['two\nlines', "'=1+1"]);
  });
});
