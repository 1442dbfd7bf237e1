import { describe, expect, it } from 'vitest';
import { matchItems } from '../../../../src/core/search/matchItems.ts';
import type { Range } from '../../../../src/shared/model/search.ts';

function rangesOf(text: string, needle: string): Range[] {
  return [...text.matchAll(new RegExp(needle, 'gu'))].map((match) => [match.index, match.index + match[0].length]);
}

describe('match items', () => {
  it('are one a line, numbered by their first match', () => {
    const text = 'x a\n\na a\r\nb\na';
    expect(matchItems(text, rangesOf(text, 'a'), null, 10)).toEqual([
      { type: 'Content', number: 1, line: 1, text: 'x a', ranges: [[2, 3]] },
      {
        type: 'Content',
        number: 2,
        line: 3,
        text: 'a a',
        ranges: [
          [0, 1],
          [2, 3],
        ],
      },
      { type: 'Content', number: 4, line: 5, text: 'a', ranges: [[0, 1]] },
    ]);
  });
  it('end at the limit', () => {
    const text = 'a\n'.repeat(20);
    expect(matchItems(text, rangesOf(text, 'a'), null, 3).map(({ line }) => line)).toEqual([1, 2, 3]);
  });
  it('name the section and count lines within it', () => {
    const pages = ['one\nword', 'word', 'two\nthree\nword'];
    const text = pages.join('\n\0\n');
    const sections = pages.map((_, index): [string, number] => [
      `Page ${index + 1}`,
      pages.slice(0, index).reduce((sum, page) => sum + page.length + 3, 0),
    ]);
    expect(matchItems(text, rangesOf(text, 'word'), sections, 10).map(({ type, line }) => [type, line])).toEqual([
      ['Page 1', 2],
      ['Page 2', 1],
      ['Page 3', 3],
    ]);
  });
  it('cut a long line into pieces that hold all matches', () => {
    const text = `${'-'.repeat(1000)}word word${'-'.repeat(1000)}word`;
    const items = matchItems(text, rangesOf(text, 'word'), null, 10);
    expect(items.map(({ number, ranges }) => [number, ranges.length])).toEqual([
      [1, 2],
      [3, 1],
    ]);
    for (const { text: piece, ranges } of items) {
      expect(piece.length).toBeLessThanOrEqual(400);
      for (const [from, to] of ranges) expect(piece.slice(from, to)).toBe('word');
    }
  });
  it('do not reach beyond the line on which a match begins', () => {
    expect(matchItems('ab\ncd', [[1, 4]], null, 10)).toEqual([
      { type: 'Content', number: 1, line: 1, text: 'ab', ranges: [[1, 2]] },
    ]);
  });
});
