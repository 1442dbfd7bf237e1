import { describe, expect, it } from 'vitest';
import { createQueryFilter } from '../../../../src/core/search/queryFilter.ts';
import { SearchQuery } from '../../../../src/shared/model/search.ts';

const filterOf = (narrowed: object) =>
  createQueryFilter({
    query: SearchQuery.parse({ text: 'xx', scope: 'current', ...narrowed }),
    shelfIds: null,
    documentIds: null,
    missingRoots: [],
  });

const MARCH = '2026-03-01T00:00:00Z';
const IN_MARCH = {
  shelfId: 'one',
  documentId: 'two',
  library: 'Law',
  shelf: 'Leases',
  author: 'Ana',
  time: Date.parse(MARCH),
};

function accepted(path: string, include: string[], exclude: string[] = []): boolean {
  return filterOf({ include, exclude }).accepts({ ...IN_MARCH, path: `/root/${path}`, root: '/root', author: null });
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

describe('type, author, time and place', () => {
  it.each([
    [{}, true],
    [{ types: ['TXT', 'pdf'] }, true],
    [{ types: ['pdf'] }, false],
    [{ author: 'ANA' }, true],
    [{ author: 'ben' }, false],
    [{ since: MARCH }, true],
    [{ since: '2026-03-01T00:00:00.001Z' }, false],
    [{ until: MARCH }, false],
    [{ since: '2026-02-01T00:00:00Z', until: '2026-03-02T00:00:00Z' }, true],
    [{ library: 'LAW', shelf: 'leases' }, true],
    [{ library: 'Art' }, false],
  ])('of a version narrow it by %o: %s', (narrowed, expected) => {
    const { accepts, isOpen } = filterOf(narrowed);
    expect(accepts({ ...IN_MARCH, path: 'drafts/a.Txt', root: null })).toBe(expected);
    expect(isOpen).toBe(Object.keys(narrowed).length === 0);
  });
});
