import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMatcher } from '../../../src/core/search/matcher.ts';
import { SearchQuery } from '../../../src/shared/model/search.ts';
import { type FindText, findSteps } from '../../../src/shared/rules/find.ts';

const findAll = (texts: readonly FindText[], query: string) =>
  [...findSteps(texts, query)].flatMap((step) => step ?? []);
const rangesIn = (text: string, query: string) => findAll([text], query).map(({ start, end }) => [start, end]);

describe('finding in a document', () => {
  it.each([
    ['any case', 'Term TERM term', 'tErM', 3],
    ['no overlap', 'aaaaa', 'aa', 2],
    ['a literal, whatever it means to an expression', 'a.b (a+b) [a|b] a-b a/b \\d', 'a.b', 1],
    ['signs', 'f(x) = $1^2 {} | \\d', '\\d', 1],
    ['the final sigma', 'ΟΔΟΣ οδος', 'οδοσ', 2],
    ['accents told apart', 'resume résumé', 'résumé', 1],
    ['composed and decomposed queries alike', 'résumé', 're\u0301sume\u0301', 1],
    ['characters beyond the basic plane', '😀a😀b', '😀', 2],
  ])('knows %s', (_what, text, query, count) => {
    expect(rangesIn(text, query)).toHaveLength(count);
  });

  it('finds what the search finds, whatever the text', () => {
    const text = fc.string({
      unit: fc.constantFrom(...'aAbBsſßσςΣİiı \n.\u{1F600}\u{10400}\u{10428}'),
      maxLength: 200,
    });
    fc.assert(
      fc.property(
        text,
        fc.string({ unit: fc.constantFrom(...'aAbsſσΣi.\u{1F600}\u{10400}'), minLength: 2, maxLength: 4 }),
        (haystack, query) => {
          const matcher = createMatcher(SearchQuery.parse({ text: query, scope: 'current' }));
          expect(rangesIn(haystack, query)).toEqual(matcher.findAll([haystack])[0]);
        },
      ),
      { numRuns: 3000 },
    );
  });

  it('loses and doubles nothing where it goes on to the next slice', () => {
    const unit = 'abcabca\u{1F600}';
    const long = unit.repeat(140_000);
    for (const query of ['abc', 'abcabca', 'a\u{1F600}', '\u{1F600}a', unit.repeat(3)]) {
      const expected = createMatcher(SearchQuery.parse({ text: query, scope: 'current' })).findAll([long])[0];
      expect(rangesIn(long, query)).toEqual(expected);
    }
  });

  it('goes on in a text that grows, and names the section of each match', () => {
    let text = 'one te';
    let isWhole = false;
    const growing: FindText = {
      get length() {
        return text.length;
      },
      get isWhole() {
        return isWhole;
      },
      slice: (start, end) => text.slice(start, end),
    };
    const steps = findSteps(['a term', growing], 'term');
    expect(steps.next().value).toEqual([{ section: 0, start: 2, end: 6 }]);
    expect([steps.next().value, steps.next().value, steps.next().value]).toEqual([[], null, null]);
    text += 'rm two term';
    isWhole = true;
    expect([...steps].flatMap((step) => step ?? [])).toEqual([
      { section: 1, start: 4, end: 8 },
      { section: 1, start: 13, end: 17 },
    ]);
  });

  it('finds in sections one by one, and nothing for an empty query', () => {
    expect(findAll(['ab', 'c ab'], 'ab').map(({ section }) => section)).toEqual([0, 1]);
    expect(findAll(['ab'], '')).toEqual([]);
  });
});
