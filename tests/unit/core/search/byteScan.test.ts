import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeAs } from '../../../../src/core/extract/decodeText.ts';
import { byteItems } from '../../../../src/core/search/byteItems.ts';
import { createByteScan } from '../../../../src/core/search/byteScan.ts';
import { createMatcher } from '../../../../src/core/search/matcher.ts';
import { matchItems } from '../../../../src/core/search/matchItems.ts';
import { SearchQuery } from '../../../../src/shared/model/search.ts';
import { fold } from '../../../../src/shared/rules/fold.ts';

const scan = createByteScan(1024);
const put = (text: string) => {
  // What was there before stands behind the end.
  scan.buffer.fill('s\u017F\u0301S', 'utf8');
  const bytes = Buffer.from(text);
  bytes.copy(scan.buffer);
  return bytes.length;
};
const matcherOf = (text: string, more: object = {}) =>
  createMatcher({ ...SearchQuery.parse({ text: 'xx', scope: 'current' }), ...more, text });

/** Few characters, so that matches are many, with all that lie in wait for whoever looks at bytes. */
const character = fc.constantFrom(...'aAkKsS;`< \n\0é語😀\u017F\u212A\u037E\u1FEF\u0301\u0338\u0130\u0131\uFEFFß');
const longText = fc.string({ unit: character, maxLength: 120 });
const literal = fc.string({ unit: fc.constantFrom(...'aAkKsS;`<'), minLength: 2, maxLength: 5 });

describe('the scan of bytes', () => {
  it('counts what the matcher counts, in whatever it takes on', () => {
    let taken = 0;
    fc.assert(
      fc.property(longText, literal, fc.boolean(), (text, asked, matchCase) => {
        const matcher = matcherOf(asked, { matchCase });
        const size = put(text);
        const length = scan.measure(size);
        if (matcher.ascii === null || length === null) return;
        taken += 1;
        expect(length).toBe(text.length);
        expect(scan.count(matcher.ascii, size)).toBe(matcher.countAll([text.normalize('NFC')])[0]);
      }),
      { numRuns: 3000 },
    );
    expect(taken).toBeGreaterThan(300);
  });

  it('makes the items that decoding it would make', () => {
    let items = 0;
    // Letters that are composed with each other, and a byte-order mark anywhere.
    const letter = fc.constantFrom(...'aAkKsaAk 0é語😀\uFEFFㄱ\u1100\u1161');
    const lines = fc.array(fc.string({ unit: letter, maxLength: 30 }), { maxLength: 12 });
    const whole = fc.tuple(lines, fc.constantFrom('\n', '\r\n')).map(([each, end]) => each.join(end));
    fc.assert(
      fc.property(
        whole,
        fc.constantFrom('aa', 'ak', 'Ka', 'a k'),
        fc.boolean(),
        fc.integer({ min: 0, max: 4 }),
        (text, asked, matchCase, limit) => {
          const matcher = matcherOf(asked, { matchCase });
          const size = put(text);
          if (matcher.ascii === null || scan.measure(size) === null) return;
          const decoded = decodeAs(Buffer.from(text), 'utf-8');
          const expected = matchItems(decoded, matcher.findAll([decoded])[0] ?? [], null, limit);
          items += expected.length;
          expect(byteItems(scan, size, { literal: matcher.ascii, matcher }, limit)).toEqual(expected);
        },
      ),
      { numRuns: 3000 },
    );
    expect(items).toBeGreaterThan(300);
  });

  it('takes on a text at any length and any place of the match', () => {
    const { ascii } = matcherOf('Needle');
    if (ascii === null) expect.fail('an ASCII literal');
    for (let before = 0; before < 40; before += 1) {
      for (let after = 0; after < 20; after += 1) {
        const size = put(`${'n'.repeat(before)}nEEDLE${'e'.repeat(after)}`);
        expect([scan.measure(size), scan.count(ascii, size), scan.count(ascii, size - after - 1)]).toEqual([
          size,
          1,
          0,
        ]);
      }
    }
  });

  it('leaves every text to decoding in which a character could become an ASCII one, or part of one', () => {
    const changes = (text: string) => scan.measure(put(text)) === null;
    for (let point = 0x80; point <= 0x10ffff; point += 1) {
      if (point >= 0xd800 && point < 0xe000) continue;
      const text = String.fromCodePoint(point);
      const parts = text.normalize('NFD');
      if (fold(text) < '\x80' || text.normalize('NFC') < '\x80') expect(changes(text), point.toString(16)).toBe(true);
      // What an ASCII character is composed with.
      else if (parts < '\x80') expect(changes(`a${parts.slice(1)}`), point.toString(16)).toBe(true);
    }
  });

  it('takes on no literal but of ASCII, and none whose surroundings count', () => {
    expect(matcherOf('\u212Aey').ascii).toEqual({ lower: 'key', upper: 'KEY' });
    expect(matcherOf('Key', { matchCase: true }).ascii).toEqual({ lower: 'Key', upper: 'Key' });
    for (const other of [matcherOf('clé'), matcherOf('key', { wholeWord: true }), matcherOf('k.y', { regex: true })]) {
      expect(other.ascii).toBeNull();
    }
  });

  it('is what its source compiles to', async () => {
    const root = new URL('../../../../', import.meta.url);
    // By an address that the type checker does not follow: the compiler's types change those of arrays everywhere.
    const { compiled } = (await import(new URL('scripts/wasm.mjs', root).href)) as { compiled: () => Promise<string> };
    const kept = new URL('src/core/search/byteScanCode.ts', root);
    expect(readFileSync(kept, 'utf8')).toBe(await compiled());
  });
});
