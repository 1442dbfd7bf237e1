import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareFiles } from '../../../src/core/compare/compareFiles.ts';
import { type CompareLimits, compareTexts } from '../../../src/core/compare/compareTexts.ts';
import type { TextSection } from '../../../src/core/extract/types.ts';
import type { ComparedLine, TextComparison } from '../../../src/shared/model/compare.ts';

const content = (text: string): TextSection[] => [{ label: 'Content', text }];
const compare = (base: string, other: string, limits: Partial<CompareLimits> = {}) =>
  compareTexts(content(base), content(other), limits);
const changedIn = (comparison: TextComparison) =>
  comparison.changes.flatMap(({ lines }) => lines).filter(({ kind }) => kind !== 'equal');
const shown = (comparison: TextComparison) =>
  comparison.changes.map(({ lines }) =>
    lines.map(({ kind, text }) => ({ equal: ' ', added: '+', removed: '-' })[kind] + text),
  );
const marked = ({ text, changed }: ComparedLine) => changed?.map((range) => text.slice(...range)) ?? null;

/** The newer lines, made from the older ones and what the comparison says; fails where it says what is not so. */
function applied(base: readonly string[], { changes }: TextComparison): string[] {
  const made: string[] = [];
  let at = 0;
  for (const { base_start, other_start, lines } of changes) {
    made.push(...base.slice(at, base_start - 1));
    at = base_start - 1;
    expect(made.length).toBe(other_start - 1);
    for (const line of lines) {
      if (line.kind !== 'added') {
        expect([line.text, line.base_line]).toEqual([base[at], at + 1]);
        at += 1;
      }
      if (line.kind !== 'removed') {
        made.push(line.text);
        expect(line.other_line).toBe(made.length);
      }
    }
  }
  return [...made, ...base.slice(at)];
}

/** The words of lines that are not marked as changed, without white space. */
const unmarked = (lines: readonly ComparedLine[]) =>
  lines
    .map(({ text, changed }) => {
      const ranges = changed ?? [[0, text.length]];
      return ranges.reduceRight((rest, [start, end]) => rest.slice(0, start) + rest.slice(end), text);
    })
    .join('')
    .replaceAll(/\s/gu, '');

const words = fc.array(fc.constantFrom('lease', 'rent', 'of', '1,200', 'ä', '料金', '<b>', '\t', ''), { maxLength: 6 });
const text = fc.array(words, { maxLength: 12 }).map((lines) => lines.map((line) => line.join(' ')).join('\n'));

describe('comparing texts', () => {
  it.each<[string, Partial<CompareLimits>]>([
    ['fully', {}],
    ['without surroundings', { context: 0 }],
    ['with everything around', { context: 1000 }],
    ['coarsely', { maxEdits: 1 }],
  ])('makes the newer text of the older one, and the other way round: %s', (_, limits) => {
    fc.assert(
      fc.property(text, text, (base, other) => {
        const comparison = compare(base, other, limits);
        expect(applied(base.split('\n'), comparison)).toEqual(other.split('\n'));
        expect(applied(other.split('\n'), compare(other, base, limits))).toEqual(base.split('\n'));
        expect(comparison.changes.length === 0).toBe(base === other);
        const count = (kind: string) => changedIn(comparison).filter((line) => line.kind === kind).length;
        expect([count('added'), count('removed')]).toEqual([comparison.added, comparison.removed]);
      }),
    );
  });
  it('marks words so that what is not marked is in both', () => {
    fc.assert(
      fc.property(text, text, (base, other) => {
        for (const { lines } of compare(base, other, { context: 0 }).changes) {
          const sides = (['removed', 'added'] as const).map((kind) => lines.filter((line) => line.kind === kind));
          expect(unmarked(sides[0] ?? [])).toBe(unmarked(sides[1] ?? []));
        }
      }),
    );
  });

  it('shows a change with what stands around it', () => {
    const base = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];
    const other = base.map((line) => (line === 'e' ? 'E' : line));
    const comparison = compare(base.join('\n'), other.join('\n'), { context: 1 });
    expect(shown(comparison)).toEqual([[' d', '-e', '+E', ' f']]);
    expect(comparison).toMatchObject({ added: 1, removed: 1, coarse: false, truncated: false });
    expect(comparison.changes[0]).toMatchObject({ base_start: 4, other_start: 4 });
  });
  it('joins changes that stand close, and keeps apart those that do not', () => {
    const base = ['1', 'b', '3', 'd', '5', 'f', '7', 'h', '9'].join('\n');
    const near = compare(base, base.replace('b', 'B').replace('f', 'F'), { context: 2 });
    expect(shown(near)).toEqual([[' 1', '-b', '+B', ' 3', ' d', ' 5', '-f', '+F', ' 7', ' h']]);
    const far = compare(base, base.replace('b', 'B').replace('h', 'H'), { context: 1 });
    expect(shown(far)).toEqual([
      [' 1', '-b', '+B', ' 3'],
      [' 7', '-h', '+H', ' 9'],
    ]);
  });
  it.each([
    ['The rent is 1,200 a month.', 'The rent is 1,350 a month.', ['200'], ['350']],
    ['one two three', 'one 2 drei three', ['two'], ['2 drei']],
    ['料金は千円です', '料金は二千円です', [], ['二']],
    ['  indented', 'indented', [], []],
    ['nothing alike', 'quite different', null, null],
  ])('marks the words that changed: %s', (base, other, gone, come) => {
    const [removed, added] = changedIn(compare(base, other));
    expect([removed && marked(removed), added && marked(added)]).toEqual([gone, come]);
  });
  it('sees that a paragraph was only wrapped anew', () => {
    const changed = changedIn(compare('the quick brown\nfox jumps over', 'the quick\nbrown fox\njumps over'));
    expect(changed.map(marked)).toEqual([[], [], [], [], []]);
  });
  it('takes line ends for equal', () => {
    expect(compare('a\r\nb\rc', 'a\nb\nc').changes).toEqual([]);
  });
  it('never makes markup of what it finds', () => {
    const [, added] = changedIn(compare('<i>x</i>', '<script>x</script>'));
    expect(added?.text).toBe('<script>x</script>');
  });

  it('says on which pages something changed', () => {
    const pages = (...texts: string[]) => texts.map((each, index) => ({ label: `Page ${index + 1}`, text: each }));
    const comparison = compareTexts(pages('a', 'b', 'c', 'd'), pages('a', 'B', 'c'));
    expect(comparison).toMatchObject({
      base_pages: ['Page 1', 'Page 2', 'Page 3', 'Page 4'],
      other_pages: ['Page 1', 'Page 2', 'Page 3'],
      base_pages_changed: [2, 4],
      pages_changed: [2, 3],
      page_pairs: [1, 2, 3, 4].map((page) => ({ base: page, other: page < 4 ? page : null })),
    });
    expect(changedIn(comparison).map(({ kind, page }) => [kind, page])).toEqual([
      ['removed', 2],
      ['added', 2],
      ['removed', 4],
    ]);
  });

  it.each<[string, string[], string[], [number | null, number | null][]]>([
    [
      'put in',
      ['a', 'b', 'c'],
      ['a', 'new', 'b', 'c'],
      [
        [1, 1],
        [null, 2],
        [2, 3],
        [3, 4],
      ],
    ],
    [
      'taken out',
      ['a', 'b', 'c'],
      ['c'],
      [
        [1, null],
        [2, null],
        [3, 1],
      ],
    ],
    [
      'changed and put in',
      ['a', 'b\nrest', 'c'],
      ['new', 'a', 'B\nrest', 'c'],
      [
        [null, 1],
        [1, 2],
        [2, 3],
        [3, 4],
      ],
    ],
    [
      'all different',
      ['a', 'b'],
      ['c'],
      [
        [1, 1],
        [2, null],
      ],
    ],
  ])('finds the pages that belong together: %s', (_, base, other, pairs) => {
    const pages = (texts: string[]) => texts.map((each, index) => ({ label: `Page ${index + 1}`, text: each }));
    const { page_pairs } = compareTexts(pages(base), pages(other));
    expect(page_pairs.map((pair) => [pair.base, pair.other])).toEqual(pairs);
  });
  it('tells a very different text as one change, and says so', () => {
    const lines = (...repeated: string[]) => Array.from({ length: 100 }, () => repeated).flat();
    const [base, other] = [
      ['same', ...lines('a', 'b', 'c'), 'end'],
      ['same', ...lines('c', 'b', 'a'), 'end'],
    ];
    const comparison = compare(base.join('\n'), other.join('\n'), { maxEdits: 100 });
    expect(comparison).toMatchObject({ coarse: true, added: 300, removed: 300 });
    expect(applied(base, comparison)).toEqual(other);
  });
  it('lists a bounded number of changes and counts all', () => {
    const lines = (mark: string) =>
      Array.from({ length: 100 }, (_, index) => `${index}${index % 10 === 5 ? mark : ''}`);
    const comparison = compare(lines('a').join('\n'), lines('b').join('\n'), { context: 0, maxListedLines: 7 });
    expect(comparison).toMatchObject({ truncated: true, added: 10, removed: 10 });
    expect(comparison.changes).toHaveLength(3);
    const long = compare(`x${'a'.repeat(50)}`, `y${'b'.repeat(50)}`, { maxListedLength: 20 });
    expect(long).toMatchObject({ truncated: true, added: 1, removed: 1, changes: [] });
  });
  it('comes to an end with large texts', () => {
    const lines = Array.from({ length: 100_000 }, (_, index) => `line ${(index * 7919) % 100_003}`);
    const edited = lines.map((line, index) => (index % 1000 === 0 ? `${line} edited` : line));
    expect(compare(lines.join('\n'), edited.join('\n'))).toMatchObject({ added: 100, removed: 100, coarse: false });
    expect(compare(lines.join('\n'), lines.toReversed().join('\n')).coarse).toBe(false);
    const few = (of: number) => lines.map((_, index) => `line ${(index * index) % of}`).join('\n');
    expect(compare(few(53), few(59), { timeoutMs: 300 }).coarse).toBe(true);
  });
});

describe('comparing files', () => {
  const fixture = async (name: string) => ({
    fileName: name,
    bytes: new Uint8Array(await readFile(join(import.meta.dirname, '..', '..', 'fixtures', 'documents', name))),
  });
  const plain = (fileName: string, body: string | Buffer) => ({ fileName, bytes: new Uint8Array(Buffer.from(body)) });

  it('takes the text out of documents', async () => {
    const compared = await compareFiles(await fixture('lease.docx'), plain('lease.txt', 'something else'));
    expect(compared).toMatchObject({ comparison: { added: 1, base_pages: [] } });
    const pdf = await compareFiles(await fixture('lease.pdf'), await fixture('columns.pdf'));
    expect(pdf).toMatchObject({ comparison: { base_pages: expect.arrayContaining(['Page 1']) } });
  });
  it.each([
    ['encrypted.pdf', 'password-protected'],
    ['truncated.pdf', 'damaged'],
    ['scanned.pdf', 'no-text'],
  ])('says why there is no text: %s', async (name, code) => {
    const compared = await compareFiles(plain('a.txt', 'text'), await fixture(name));
    expect(compared).toMatchObject({ unavailable: { version: 'other', code } });
  });
  it('says when neither has a text', async () => {
    const binary = plain('a.bin', Buffer.from([0, 1, 2, 3, 0, 255]));
    expect(await compareFiles(binary, binary)).toMatchObject({ unavailable: { version: 'both', code: 'binary' } });
  });
});
