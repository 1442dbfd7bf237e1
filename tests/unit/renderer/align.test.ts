import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alignTexts } from '../../../src/renderer/features/viewer/align.ts';

/** Where a part of the layer is drawn, as text. */
function drawnOf(layer: string, drawn: string, part: string, from = 0): string | null {
  const start = layer.indexOf(part, from);
  const range = alignTexts(layer, drawn)(start, start + part.length);
  return range === null ? null : drawn.slice(...range);
}

const bare = (text: string) => text.normalize('NFKD').replace(/[\s\u00AD\u2010\u2011-]/gu, '');

describe('aligning the text layer with what is drawn', () => {
  it.each([
    ['the same text', 'one two', 'one two', 'two', 'two'],
    ['lines and columns', 'one two three', 'one\n  two\nthree', 'two three', 'two\nthree'],
    ['a broken word', 'an example of it', 'an exam-\nple of it', 'example', 'exam-\nple'],
    ['a ligature', 'the first of all', 'the ﬁrst of all', 'first', 'ﬁrst'],
    ['a part of a ligature', 'the first of all', 'the ﬁrst of all', 'irst', 'ﬁrst'],
    ['another composition', 'caf\u00e9 noir', 'cafe\u0301 noir', 'caf\u00e9', 'cafe\u0301'],
    ['full-width letters', 'Contract 2024', 'Ｃｏｎｔｒａｃｔ ２０２４', '2024', '２０２４'],
    ['letters of Arabic as they are drawn', 'سلام', '\uFEB3\uFEFC\uFEE1', 'سلام', '\uFEB3\uFEFC\uFEE1'],
    ['text that only the drawn has', 'one two three', '1 one 2 two 3 three', 'three', 'three'],
    ['text that only the layer has', 'Budget one two', 'one two', 'one two', 'one two'],
    ['another order', 'first column second column', 'second column first column', 'second column', 'second column'],
    ['nothing but a hyphen', 'a word - and', 'a  word - and', '- ', '- '],
    ['a character that is many letters', 'x \uFDFA y', 'x \uFDFA y', 'y', 'y'],
    ['what is not drawn', 'one hidden two', 'one two', 'hidden', null],
  ])('knows %s', (_what, layer, drawn, part, expected) => {
    expect(drawnOf(layer, drawn, part)).toBe(expected);
  });

  it('tells occurrences apart', () => {
    const layer = 'term and term and term';
    const drawn = 'term\nand  term\nand term';
    const align = alignTexts(layer, drawn);
    expect([0, 9, 18].map((start) => align(start, start + 4))).toEqual([
      [0, 4],
      [10, 14],
      [19, 23],
    ]);
  });

  it('maps every range to the same letters, however the two are laid out', () => {
    const word = fc.string({ unit: fc.constantFrom(...'abcxyzäéß漢字ﬁ½'), minLength: 1, maxLength: 8 });
    const gap = fc.constantFrom(' ', '\n', '  ', ' \u00AD');
    const text = fc.array(fc.tuple(word, gap, gap), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(text, fc.boolean(), fc.nat(), fc.nat(), (parts, decomposed, a, b) => {
        const layer = parts.map(([each, one]) => each.normalize('NFKC') + one).join('');
        const drawn = parts.map(([each, , two]) => (decomposed ? each.normalize('NFD') : each) + two).join('');
        const [start, end] = [a % layer.length, b % layer.length].toSorted((x, y) => x - y) as [number, number];
        const range = alignTexts(layer, drawn)(start, end);
        const wanted = bare(layer.slice(start, end));
        if (wanted === '') return;
        expect(range).not.toBeNull();
        // A range may begin or end within what is one character where it is drawn.
        expect(bare(drawn.slice(...(range ?? [0, 0])))).toContain(wanted);
        expect(bare(drawn.slice(...(range ?? [0, 0]))).length).toBeLessThanOrEqual(wanted.length + 4);
      }),
      { numRuns: 500 },
    );
  });

  it('never maps a range to other letters, whatever the texts are', () => {
    const text = fc.string({ unit: fc.constantFrom(...'abc -\n'), maxLength: 60 });
    fc.assert(
      fc.property(text, text, fc.nat(60), fc.nat(60), (layer, drawn, a, b) => {
        const start = Math.min(a, b, layer.length);
        const end = Math.min(Math.max(a, b), layer.length);
        const range = alignTexts(layer, drawn)(start, end);
        if (range !== null) expect(bare(drawn.slice(...range))).toBe(bare(layer.slice(start, end)));
      }),
      { numRuns: 2000 },
    );
  });

  it('comes to an end with long texts that differ all over', () => {
    const layer = Array.from({ length: 50_000 }, (_, at) => `word${at}`).join(' ');
    const drawn = Array.from({ length: 50_000 }, (_, at) => (at % 20 === 0 ? `other${at}` : `word${at}`)).join('\n');
    expect(drawnOf(layer, drawn, 'word49999')).toBe('word49999');
  });
});
