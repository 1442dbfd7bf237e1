import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeText } from '../../../../src/core/extract/decodeText.ts';

const bytes = (...values: number[]) => Uint8Array.from(values);
const LATIN1 = 'Die Gebühr beträgt für größere Bücher vier Kronen; über die Häfen verfügt der Stadtschreiber. ';

describe('text in any encoding', () => {
  it('comes back from UTF-8 as it was, in normal form', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
        expect(decodeText(Buffer.from(`text: ${text}`))?.text).toBe(`text: ${text}`.normalize('NFC'));
      }),
    );
  });
  it('comes back from UTF-16 and UTF-32 with a mark', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const little = Buffer.concat([bytes(0xff, 0xfe), Buffer.from(text, 'utf16le')]);
        const big = Buffer.concat([bytes(0xfe, 0xff), Buffer.from(text, 'utf16le').swap16()]);
        const wide = Buffer.concat([
          bytes(0, 0, 0xfe, 0xff),
          ...[...text].map((each) =>
            Buffer.from([0, ...Buffer.from((each.codePointAt(0) ?? 0).toString(16).padStart(6, '0'), 'hex')]),
          ),
        ]);
        // A text of U+0000 and nothing else after the mark could be UTF-32; nobody has such files.
        if (!text.startsWith('\0')) expect(decodeText(little)?.text).toBe(text.normalize('NFC'));
        expect(decodeText(big)?.text).toBe(text.normalize('NFC'));
        expect(decodeText(wide)?.text).toBe(text.normalize('NFC'));
      }),
    );
  });
  it('is told by its zeros when it is UTF-16 without a mark', () => {
    expect(decodeText(Buffer.from('Contract v2, first page\n', 'utf16le'))).toEqual({
      text: 'Contract v2, first page\n',
      encoding: 'utf-16le',
    });
  });
  it.each([
    ['windows-1252', Buffer.from(LATIN1.repeat(4), 'latin1'), LATIN1.repeat(4)],
    [
      'Shift_JIS',
      Buffer.from('8c5f96f18f9191e693f194c581468c5f96f182f08d58905682b782e981420a'.repeat(6), 'hex'),
      '契約書第二版：契約を更新する。\n'.repeat(6),
    ],
    ['KOI8-R', Buffer.from('e4cfc7cfd7cfd220cfc220c1d2c5cec4c520'.repeat(12), 'hex'), 'Договор об аренде '.repeat(12)],
  ])('is detected as %s', (_encoding, encoded, text) => {
    const decoded = decodeText(encoded);
    expect(decoded?.text).toBe(text);
  });
  it('is normalised: a composed query finds a decomposed text', () => {
    expect(decodeText(Buffer.from('re\u0301sume\u0301'))?.text).toBe('résumé');
  });
  it('may hold a stray control character', () => {
    expect(decodeText(Buffer.from(`${'some text '.repeat(100)}\0${'and more '.repeat(100)}`))?.text).toContain('\0');
  });
  it.each([
    ['a picture', Buffer.from('89504e470d0a1a0a0000000d49484452000000100000001008060000001ff3ff61', 'hex')],
    [
      'an executable',
      Buffer.concat([Buffer.from('7f454c4602010100000000000000000003003e00', 'hex'), Buffer.alloc(200)]),
    ],
  ])('is not seen in %s', (_what, content) => {
    expect(decodeText(content)).toBeNull();
  });
  it('is never a reason to throw', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 4000 }), (content) => {
        decodeText(content);
      }),
    );
  });
});
