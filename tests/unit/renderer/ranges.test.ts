import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { snippetOf, splitByRanges } from '../../../src/renderer/ui/ranges.ts';
import type { Range } from '../../../src/shared/model/search.ts';

const anyRanges = fc.array(fc.tuple(fc.nat(80), fc.nat(80)), { maxLength: 6 });

describe('highlighting', () => {
  it('loses and adds no character, whatever the ranges', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), anyRanges, (text, ranges) => {
        expect(
          splitByRanges(text, ranges)
            .map((piece) => piece.text)
            .join(''),
        ).toBe(text);
      }),
    );
  });

  it('marks exactly the ranges', () => {
    const marked = splitByRanges('one two one', [
      [8, 11],
      [0, 3],
    ]).filter((piece) => piece.marked);
    expect(marked.map((piece) => [piece.at, piece.text])).toEqual([
      [0, 'one'],
      [8, 'one'],
    ]);
  });

  it('keeps the first match in sight of a long line, still marked', () => {
    const text = `${'padding '.repeat(100)}needle and more`;
    const at = text.indexOf('needle');
    const snippet = snippetOf(text, [[at, at + 6]]);
    const [from, to] = snippet.ranges[0] as Range;
    expect(snippet.text.slice(from, to)).toBe('needle');
    expect(from).toBeLessThan(60);
  });

  it('marks the same text after cutting, for any line', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 200 }),
        fc.string({ minLength: 2, maxLength: 6 }),
        (before, needle) => {
          const text = `${before}${needle} tail`;
          const snippet = snippetOf(text, [[before.length, before.length + needle.length]], 40, 1000);
          const [from, to] = snippet.ranges[0] as Range;
          expect(snippet.text.slice(from, to)).toBe(needle.slice(0, snippet.text.length - from));
        },
      ),
    );
  });
});
