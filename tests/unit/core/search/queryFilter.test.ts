import { describe, expect, it } from 'vitest';
import { createQueryFilter } from '../../../../src/core/search/queryFilter.ts';
import { SearchQuery } from '../../../../src/shared/model/search.ts';

function accepted(path: string, include: string[], exclude: string[] = []): boolean {
  const query = SearchQuery.parse({ text: 'xx', scope: 'current', include, exclude });
  const filter = createQueryFilter({
    query,
    corpus: 'files',
    shelfIds: null,
    documentIds: null,
    missingRoots: [],
    stream: false,
  });
  const place = { path: `/root/${path}`, root: '/root', shelfId: null, documentId: null, library: null, shelf: null };
  return filter.accepts(place);
}

describe('globs', () => {
  it.each([
    ['a/b/c.ts', '*.ts', true],
    ['a/b/c.tsx', '*.ts', false],
    ['a/b/c.ts', 'a/*.ts', false],
    ['a/b/c.ts', 'a/**/*.ts', true],
    ['a/b/c.ts', 'b', true],
    ['a/b/c.ts', 'b/', true],
    ['a/b/c.ts', '/a/', true],
    ['a/b/c.ts', './a/b', true],
    ['.github/x.yml', '*.yml', true],
    ['a/B.ts', 'b.ts', false],
    ['a/c.md', '*.{ts,md}', true],
  ])('say of %s and %s: %s', (path, glob, expected) => {
    expect(accepted(path, [glob])).toBe(expected);
    expect(accepted(path, [], [glob])).toBe(!expected);
  });
});
