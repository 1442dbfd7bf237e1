import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeText } from '../../../src/core/extract/decodeText.ts';
import { languageOf, tokensOf } from '../../../src/renderer/features/viewer/text/highlighter.ts';
import { type LoadProblem, loadText } from '../../../src/renderer/features/viewer/text/loadText.ts';
import { segmentsOf } from '../../../src/renderer/features/viewer/text/segments.ts';
import { createTextStore, LONGEST_ROW, type TextStore } from '../../../src/renderer/features/viewer/text/textStore.ts';

/** Loads bytes as the browser gives them, in chunks. */
async function load(bytes: Uint8Array<ArrayBuffer>): Promise<{ text: string; problem: LoadProblem | null }> {
  const url = URL.createObjectURL(new Blob([bytes]));
  let store: TextStore | null = null;
  let problem: LoadProblem | null = null;
  await loadText(url, {
    begun: (begun) => {
      store = begun;
    },
    grown: () => undefined,
    failed: (reason) => {
      problem = reason;
    },
  });
  URL.revokeObjectURL(url);
  const loaded = store as TextStore | null;
  return { text: loaded?.slice(0, loaded.length) ?? '', problem };
}

const utf8 = (text: string) => new TextEncoder().encode(text);
const utf16 = (text: string, mark: boolean) =>
  new Uint8Array(
    Uint16Array.from([...(mark ? ['\uFEFF'] : []), ...text].join(''), (unit) => unit.charCodeAt(0)).buffer,
  );
const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

const LONG = 'Die Kaution beträgt drei Mieten.\r\n'.repeat(20_000);

describe('a text that comes in by parts', () => {
  it.each([
    ['UTF-8', utf8(LONG)],
    ['UTF-8 with a mark', utf8(`\uFEFF${LONG}`)],
    ['UTF-8 with composed and decomposed letters', utf8('e\u0301\u00e9 a\u0323\u0302 \u1100\u1161 '.repeat(30_000))],
    ['UTF-8 without a space', utf8('契約書'.repeat(60_000))],
    ['UTF-16 with a mark', utf16(LONG, true)],
    ['UTF-16 without a mark', utf16(LONG, false)],
    ['a code page', latin1(LONG)],
    ['a code page that shows only far behind the beginning', latin1(`${'plain words\n'.repeat(50_000)}${LONG}`)],
    ['nothing', new Uint8Array()],
  ])('is what the index has: %s', async (_what, bytes) => {
    const { text, problem } = await load(bytes);
    expect(problem).toBeNull();
    expect(text === (decodeText(bytes)?.text ?? '')).toBe(true);
  });

  it('is none where the index has none', async () => {
    const bytes = Uint8Array.from({ length: 70_000 }, (_, at) => (at * 7) % 256);
    expect(decodeText(bytes)).toBeNull();
    expect(await load(bytes)).toEqual({ text: '', problem: 'not-text' });
  });
});

function storeOf(parts: readonly string[]): TextStore {
  const store = createTextStore();
  for (const part of parts) store.append(part);
  store.end();
  return store;
}

describe('the rows of a text', () => {
  it('are its lines, however it came in', () => {
    const part = fc.string({ unit: fc.constantFrom('a', 'b', '\n', 'ä'), maxLength: 12 });
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), fc.nat(60), fc.nat(60), (parts, a, b) => {
        const text = parts.join('');
        const store = storeOf(parts);
        const lines = text.split('\n');
        if (lines.length > 1 && lines.at(-1) === '') lines.pop();
        expect(store.rows(0, store.rowCount).map((row) => row.text)).toEqual(lines);
        expect(store.slice(Math.min(a, b), Math.max(a, b))).toBe(text.slice(Math.min(a, b), Math.max(a, b)));
        for (const [index, { start, line }] of store.rows(0, store.rowCount).entries()) {
          expect([line, store.rowOfLine(index + 1), store.rowAt(start)]).toEqual([index + 1, index, index]);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('break a very long line, never within a character, and number it once', () => {
    const long = '\u{1F600}'.repeat(LONGEST_ROW * 2);
    const store = storeOf(['one\n', long.slice(0, 333), long.slice(333), '\nlast\r\n']);
    const rows = store.rows(0, store.rowCount);
    expect(store.lineCount).toBe(3);
    expect(rows.map(({ line }) => line).filter((line) => line !== null)).toEqual([1, 2, 3]);
    expect(Math.max(...rows.map(({ text }) => text.length))).toBeLessThanOrEqual(LONGEST_ROW);
    expect(rows.every(({ text }) => !/^[\uDC00-\uDFFF]/u.test(text))).toBe(true);
    expect(rows[store.rowOfLine(3)]?.text).toBe('last');
  });

  it('are also those of old texts', () => {
    const store = storeOf(['one\rtwo\rthree']);
    expect(store.rows(0, 9).map(({ text }) => text)).toEqual(['one', 'two', 'three']);
  });
});

describe('colours', () => {
  it('know the language by the name', () => {
    const names = ['a.ts', 'b/Makefile', 'Dockerfile', 'c.py', 'd.ps1', 'e.txt', 'f.log', 'g.unknown', 'plain'];
    expect(names.map((name) => languageOf(name) !== null)).toEqual([
      ...[true, true, true, true, true],
      ...[false, false, false, false],
    ]);
  });

  it('stand where the words do, also behind signs that HTML writes otherwise', () => {
    const code = 'if (a < b && c > "d&e\'") return 1; // <script>';
    const words = tokensOf(code, 'typescript').map(([start, end]) => code.slice(start, end));
    expect(words).toEqual(expect.arrayContaining(['if', '"d&e\'"', 'return', '1', '// <script>']));
  });

  it('are cut where marks begin and end, and nothing is lost', () => {
    const row = 'const term = 1;';
    const segments = segmentsOf(
      row,
      [
        [0, 5, 'word'],
        [13, 14, 'number'],
      ],
      [
        [3, 8],
        [13, 14],
      ],
    );
    expect(segments.map(({ text }) => text).join('')).toBe(row);
    expect(segments.map(({ text, names, mark }) => [text, names, mark])).toEqual([
      ['con', 'word', -1],
      ['st', 'word', 0],
      [' te', '', 0],
      ['rm = ', '', -1],
      ['1', 'number', 1],
      [';', '', -1],
    ]);
  });
});
