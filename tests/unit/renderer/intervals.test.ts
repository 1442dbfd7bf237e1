import { describe, expect, it } from 'vitest';
import { intervalsOf } from '../../../src/renderer/features/search/intervals.ts';
import type { SearchResult } from '../../../src/shared/model/search.ts';

const removedIn = { versionId: 'x', versionNumber: 0, commitHash: 'c', commitMessage: 'gone' };

/** A version of a document with one match; `more` tells what is different. */
function version(documentId: string | null, number: number, more: Partial<SearchResult> = {}): SearchResult {
  return {
    id: `${documentId}.${number}`,
    filename: 'lease.txt',
    filenameRanges: [],
    path: 'lease.txt',
    libraryName: 'Law',
    shelfName: 'Contracts',
    shelfId: 'shelf',
    documentId,
    versionId: `${documentId}.${number}`,
    versionNumber: number,
    lastModified: '2026-01-01T00:00:00.000Z',
    size: 1,
    matches: 1,
    commitHash: 'c',
    commitMessage: '',
    author: 'ada',
    items: [],
    ...more,
  };
}

const named = { matches: 0 };
const said: Partial<SearchResult> = {
  items: [{ type: 'Message', number: 1, line: null, text: 'lease', ranges: [[0, 5]] }],
};

describe('intervals of versions (field.md row 77)', () => {
  it.each<[string, SearchResult[], [string, number | null][]]>([
    ['nothing', [], []],
    ['versions in a row', [7, 6, 5, 4, 3].map((number) => version('a', number)), [['a.7', 3]]],
    [
      'a gap, in which the text was gone',
      [version('a', 7, { removedIn }), version('a', 6), version('a', 2, { removedIn }), version('a', 1)],
      [
        ['a.7', 6],
        ['a.2', 1],
      ],
    ],
    ['versions that a filter left out, or that are gone', [version('a', 9), version('a', 4)], [['a.9', 4]]],
    [
      'documents that take turns, in the order that they came in',
      [version('b', 2), version('a', 8), version('b', 1), version('a', 7)],
      [
        ['b.2', 1],
        ['a.8', 7],
      ],
    ],
    ['another order than that of the numbers', [version('a', 1), version('a', 2)], [['a.2', 1]]],
    [
      'names beside texts',
      [version('a', 3, named), version('a', 2), version('a', 1, named)],
      [
        ['a.3', 1],
        ['a.2', 2],
      ],
    ],
    [
      'a message, which is that of one commit',
      [version('a', 3), version('a', 2, said), version('a', 1)],
      [
        ['a.3', 1],
        ['a.2', 2],
      ],
    ],
    [
      'files',
      [version(null, 1, { id: 'x', versionNumber: null }), version(null, 2, { id: 'y', versionNumber: null })],
      [
        ['x', null],
        ['y', null],
      ],
    ],
  ])('are made of %s', (_, results, expected) => {
    expect(intervalsOf(results).map(({ result, first }) => [result.id, first])).toEqual(expected);
  });
});
