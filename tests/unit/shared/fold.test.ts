import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fold } from '../../../src/shared/rules/fold.ts';

describe('case folding', () => {
  it.each([
    ['ſTATIC', 'static'],
    ['\u212A', 'k'],
    ['µ', 'μ'],
    ['ẞ', 'ß'],
    ['ΟΔΟΣ οδος', 'οδοσ οδοσ'],
    ['İstanbul', 'İstanbul'],
    ['ÉCOLE', 'école'],
    ['ПРИВЕТ', 'привет'],
    ['契約書 V2', '契約書 v2'],
    ['\u{10400}', '\u{10428}'],
  ])('folds %s to %s', (text, folded) => {
    expect(fold(text)).toBe(folded);
  });
  it('keeps the length, is idempotent, and does not see upper or lower case where they are one letter each', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(fold(text)).toHaveLength(text.length);
        expect(fold(fold(text))).toBe(fold(text));
        expect([...text].map(fold).join('')).toBe(fold(text));
      }),
      { numRuns: 2000 },
    );
  });
  it('agrees with the case-insensitive regular expressions of the language, over the basic plane', () => {
    const differing: string[] = [];
    for (let point = 0x20; point < 0xd800; point += 1) {
      const character = String.fromCharCode(point);
      if (!new RegExp(`^\\u{${point.toString(16)}}$`, 'iu').test(fold(character))) {
        differing.push(point.toString(16));
      }
    }
    expect(differing).toEqual([]);
  });
  it('brings together what the expressions do, and nothing else', () => {
    const blocks = [
      [0x20, 0xd800],
      [0xe000, 0x10000],
      [0x10400, 0x10600],
      [0x10c80, 0x10d00],
      [0x118a0, 0x118e0],
      [0x16e40, 0x16e80],
      [0x1e900, 0x1e960],
    ] as const;
    const all = blocks.flatMap(([from, to]) =>
      Array.from({ length: to - from }, (_, at) => String.fromCodePoint(from + at)),
    );
    const text = all.join('');
    const byFold = Map.groupBy(all, fold);
    const differing = all.filter((character) => {
      const together = byFold.get(fold(character)) ?? [];
      if (together.length === 1 && character.toLowerCase() === character.toUpperCase()) return false;
      return text.match(new RegExp(RegExp.escape(character), 'giu'))?.join('') !== together.join('');
    });
    expect(differing).toEqual([]);
  });
});
