import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { snippetOf, splitByRanges } from '../../../src/renderer/ui/ranges.ts';
import { decodeText, findInLine, splitLines } from '../../../src/renderer/ui/textLines.ts';
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

describe('text preview', () => {
  it('finds as the search folds', () => {
    expect(findInLine('Straße STRASSE straße', 'STRASSE')).toEqual([[7, 14]]);
    expect(findInLine('Οδυσσεύς ΟΔΥΣΣΕΥΣ', 'οδυσσ')).toEqual([
      [0, 5],
      [9, 14],
    ]);
    expect(findInLine('aaaa', 'aa')).toEqual([
      [0, 2],
      [2, 4],
    ]);
  });

  it('splits at any line end', () => expect(splitLines('a\r\nb\rc\n')).toEqual(['a', 'b', 'c']));

  it('reads UTF-8, UTF-16 and single bytes, and says what is binary', () => {
    const bytes = (...values: number[]) => new Uint8Array(values);
    expect(decodeText(new TextEncoder().encode('é書'), false)).toBe('é書');
    expect(decodeText(bytes(0xff, 0xfe, 0x61, 0), false)).toBe('a');
    expect(decodeText(bytes(0xe9, 0x74, 0xe9), false)).toBe('été');
    expect(decodeText(bytes(1, 0, 2), false)).toBeNull();
    expect(decodeText(bytes(0x61, 0xc3), true)).toBe('a');
  });
});
