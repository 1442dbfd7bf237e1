import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMatcher } from '../../../../src/core/search/matcher.ts';
import { SearchQuery } from '../../../../src/shared/model/search.ts';
import { fold } from '../../../../src/shared/rules/fold.ts';

const matcherOf = (text: string, more: object = {}) =>
  createMatcher({ ...SearchQuery.parse({ text: 'xx', scope: 'current' }), ...more, text });
const find = (query: string, text: string, more: object = {}) => matcherOf(query, more).findAll([text])[0];

describe('literal matches', () => {
  it('do not overlap and stand in order', () => {
    expect(find('aa', 'aaaaa')).toEqual([
      [0, 2],
      [2, 4],
    ]);
  });
  it('fold case without moving ranges', () => {
    expect(find('STRASSE', 'İ Strasse')).toEqual([[2, 9]]);
    expect(find('ſet', 'SET \u212Aset')).toEqual([
      [0, 3],
      [5, 8],
    ]);
    expect(find('οδος', 'ΟΔΟΣ')).toEqual([[0, 4]]);
  });
  it('compare in NFC', () => {
    expect(find('e\u0301t', 'été')).toEqual([[0, 2]]);
  });
  it('take syntax as it stands', () => {
    expect(find('a.*(b', 'a.*(b aXX(b')).toEqual([[0, 5]]);
  });
  it.each([
    ['tree', 'tree treehouse _tree tree_ (tree)', 2],
    ['été', 'étés été', 1],
    ['契約', '契約書 契約', 1],
    ['->', 'a->b -> c', 2],
    ['😀', 'a😀b', 1],
    ['😀 ab', '😀 abc 😀 ab', 1],
  ])('finds the whole word %s in %s %i times', (word, text, count) => {
    expect(find(word, text, { wholeWord: true })).toHaveLength(count);
  });
  it('are counted as they are found', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'B', 'b', ' ', 'A', '.', '😀'), maxLength: 60 }),
        fc.string({ unit: fc.constantFrom('a', 'b', 'A', ' ', '😀'), minLength: 2, maxLength: 4 }),
        fc.boolean(),
        fc.boolean(),
        (text, query, matchCase, wholeWord) => {
          const matcher = matcherOf(query, { matchCase, wholeWord });
          expect(matcher.countAll([text])[0]).toBe(matcher.findAll([text])[0]?.length);
        },
      ),
    );
  });
  it('agree with splitting the folded text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 200 }),
        fc.nat(),
        fc.integer({ min: 2, max: 6 }),
        (raw, from, length) => {
          const text = raw.normalize('NFC');
          const points = [...text];
          const query = points
            .slice(from % Math.max(1, points.length))
            .slice(0, length)
            .join('');
          fc.pre(query.length > 0);
          expect(find(query, text)).toHaveLength(fold(text).split(fold(query.normalize('NFC'))).length - 1);
        },
      ),
    );
  });
});

describe('expressions', () => {
  it('match by line and by code point', () => {
    expect(find('^b.$', 'ab\nb😀\nbcd', { regex: true })).toEqual([[3, 6]]);
  });
  it('leave out empty matches', () => {
    expect(find('x*', 'axxb', { regex: true })).toEqual([[1, 3]]);
  });
  it('are refused when they are none', () => {
    expect(() => matcherOf('[a', { regex: true })).toThrowError(expect.objectContaining({ code: 'query-invalid' }));
  });
  it('are stopped when they backtrack without end', () => {
    expect(() => find('(\\w+\\s?)+:', 'word '.repeat(40), { regex: true })).toThrowError(
      expect.objectContaining({ code: 'query-too-slow' }),
    );
  });
});
