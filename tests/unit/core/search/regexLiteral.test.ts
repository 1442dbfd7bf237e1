import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { requiredLiteral } from '../../../../src/core/search/regexLiteral.ts';

describe('the literal that an expression requires', () => {
  it.each([
    ['hello', 'hello'],
    ['hello.*worldwide', 'worldwide'],
    ['colou?r scheme', 'r scheme'],
    ['abc+d', 'abc'],
    ['\\bfunction\\s+name', 'function'],
    ['foo\\.bar', 'foo.bar'],
    ['[abc]defg', 'defg'],
    ['[\\]x]abc', 'abc'],
    ['abcd{0,2}', 'abc'],
    ['ab', null],
    ['abc|def', null],
    ['(abc)?', null],
    ['\\u0041bcd', null],
    ['\\p{L}bcd', null],
  ])('of %s is %s', (source, literal) => {
    expect(requiredLiteral(source)).toBe(literal);
  });
  it('is in everything that matches', () => {
    const part = fc.constantFrom('abc', 'x', 'de', '.', '\\d', '[ab]', '\\.', 'q');
    const quantifier = fc.constantFrom('', '', '?', '*', '+', '{0,1}', '{2}');
    fc.assert(
      fc.property(
        fc.array(fc.tuple(part, quantifier), { maxLength: 6 }),
        fc.string({ unit: fc.constantFrom(...'abcdeqx1.'), maxLength: 30 }),
        (parts, text) => {
          const source = parts.map(([one, many]) => one + many).join('');
          const literal = requiredLiteral(source);
          for (const [match] of text.matchAll(new RegExp(source, 'gu')))
            if (literal !== null) expect(match).toContain(literal);
        },
      ),
      { numRuns: 2000 },
    );
  });
});
