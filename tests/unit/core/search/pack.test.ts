import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createByteScan } from '../../../../src/core/search/byteScan.ts';
import { createMatcher } from '../../../../src/core/search/matcher.ts';
import {
  countInTexts,
  createLineCounts,
  createPackBuilder,
  decodePack,
  matchedLines,
  type Pack,
  textOf,
} from '../../../../src/core/search/pack.ts';
import { SearchQuery } from '../../../../src/shared/model/search.ts';

/** So small that some packs have no room in it. */
const scan = createByteScan(300);

const WORDS = [
  'the',
  'tenant',
  'PAYS',
  'payS',
  'ab',
  'aba',
  'x',
  '契約',
  '契約書',
  'Größe',
  'ſet',
  '😀',
  ' ',
  '  ',
  '\r',
  '\0',
  '',
];
const line = fc.array(fc.constantFrom(...WORDS), { maxLength: 5 }).map((words) => words.join(' '));
const edit = fc.record({ at: fc.nat(40), gone: fc.nat(3), come: fc.array(line, { maxLength: 3 }) });

/** Successive versions of a text, each some edits after the one before. */
const versions = fc
  .tuple(fc.array(line, { maxLength: 30 }), fc.array(fc.array(edit, { maxLength: 3 }), { maxLength: 12 }))
  .map(([first, changes]) => {
    const lines = [...first];
    const texts = [lines.join('\n')];
    for (const edits of changes) {
      for (const { at, gone, come } of edits) lines.splice(Math.min(at, lines.length), gone, ...come);
      texts.push(lines.join('\n'));
    }
    return texts;
  });

function packed(texts: readonly string[], before: Pack | null = null): Pack {
  const builder = createPackBuilder(before);
  for (const text of texts) expect(builder.add(text)).toBe(true);
  return decodePack(builder.encode().body);
}

const textsOf = (pack: Pack) => Array.from({ length: pack.firstRuns.length - 1 }, (_, place) => textOf(pack, place));

describe('a pack', () => {
  it('gives every text back as it came, whether it was written at once or went on later', () => {
    fc.assert(
      fc.property(versions, fc.nat(12), (texts, split) => {
        expect(textsOf(packed(texts))).toEqual(texts);
        if (split === 0 || split >= texts.length) return;
        expect(textsOf(packed(texts.slice(split), packed(texts.slice(0, split))))).toEqual(texts);
      }),
    );
  });
  it('counts and finds in its lines what is in each text by itself', () => {
    const query = fc
      .oneof(fc.constantFrom(...WORDS.filter(({ length }) => length > 1)), line)
      .filter(({ length }) => length > 1);
    fc.assert(
      fc.property(versions, query, fc.boolean(), fc.boolean(), (texts, text, matchCase, wholeWord) => {
        const matcher = createMatcher({
          ...SearchQuery.parse({ text: 'xx', scope: 'history' }),
          text,
          matchCase,
          wholeWord,
        });
        const pack = packed(texts);
        const found =
          matcher.eachInLines === null ? null : createLineCounts(matcher.eachInLines, matcher.ascii, scan).of(pack);
        const counts = found === null ? texts.map(() => 0) : [...countInTexts(pack, found)];
        expect(counts).toEqual(matcher.countAll(texts));
        if (found === null) return;
        for (const [place, each] of texts.entries()) {
          const lines = each.split('\n').map((content, index): [number, string] => [index + 1, content]);
          const expected = lines.filter(([, content]) => matcher.countAll([content])[0] !== 0);
          expect([...matchedLines(pack, place, found)]).toEqual(expected);
        }
      }),
    );
  });
  it('takes no more than it has room for, but any text as its first', () => {
    const builder = createPackBuilder(null);
    expect(builder.add('long line '.repeat(100_000))).toBe(true);
    expect(builder.add('one more')).toBe(false);
    const many = createPackBuilder(null);
    for (let number = 0; number < 64; number += 1) expect(many.add(`text ${number}`)).toBe(true);
    expect(many.add('text 64')).toBe(false);
    expect(many.count()).toBe(64);
  });
  it('keeps what versions have in common once', () => {
    const lines = Array.from({ length: 500 }, (_, number) => `line ${number} ${Math.sin(number)}`);
    const texts = Array.from({ length: 50 }, (_, number) => lines.with(number, `edited ${number}`).join('\n'));
    const size = (some: readonly string[]) => {
      const builder = createPackBuilder(null);
      for (const text of some) builder.add(text);
      return builder.encode().body.length;
    };
    expect(size(texts)).toBeLessThan(2 * size(texts.slice(0, 1)));
  });
  it('tells of damage instead of giving another text', () => {
    const builder = createPackBuilder(null);
    builder.add('some text that is long enough to be compressed, some text that is long enough');
    const { body } = builder.encode();
    for (let at = 0; at < body.length; at += 1) {
      const damaged = Buffer.from(body);
      damaged[at] = (damaged[at] ?? 0) ^ 0x10;
      let lines: string | null = null;
      try {
        ({ lines } = decodePack(damaged).decoded());
      } catch (error) {
        expect(error).toMatchObject({ code: 'SQLITE_CORRUPT' });
      }
      if (lines !== null) expect(lines).toBe(decodePack(body).decoded().lines);
    }
  });
});
