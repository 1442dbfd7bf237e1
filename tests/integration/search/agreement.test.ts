import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fold } from '../../../src/shared/rules/fold.ts';
import { createIndexFixture, type IndexFixture } from './indexFixture.ts';

const WORDS =
  'static int return struct while_ok v2 Größe ÜBERSICHT naïve Ελλάδα ΟΔΟΣ οδος Привет МИР 契約 契約書 文件 検索 한국어 🙂 👩‍💻 שלום مرحبا ſtatic K-12 İzmir ß ẞ µm foo-bar a.b "quoted" OR NOT * ( ) %_ \\d {}';

/** Numbers that look random and are the same at every run. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
}

const random = createRandom(7);
const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;

function randomText(): string {
  const words = WORDS.split(' ');
  const lines = Array.from({ length: 1 + Math.floor(random() * 30) }, () =>
    Array.from({ length: Math.floor(random() * 12) }, () => pick(words)).join(pick([' ', '  ', '', '\t', ', '])),
  );
  const text = lines.join(pick(['\n', '\r\n']));
  // One NUL in a long text is a stray one; in a short text it says that it is none.
  return text + pick(['', '\n', 'zq', text.length > 500 ? '\0' : '']);
}

/** The plain way: every file is read and every occurrence counted. */
function countEach(texts: ReadonlyMap<string, string>, query: string): Map<string, number> {
  const needle = fold(query.normalize('NFC'));
  const found = new Map<string, number>();
  for (const [path, text] of texts) {
    const count = fold(text.normalize('NFC')).split(needle).length - 1;
    if (count > 0) found.set(path, count);
  }
  return found;
}

describe('search agrees with reading every file', () => {
  let fixture: IndexFixture;
  const texts = new Map<string, string>();

  beforeAll(async () => {
    fixture = await createIndexFixture({});
    for (let index = 0; index < 400; index += 1) {
      const path = fixture.write(`${index % 7}/${index % 13}/x${index}.txt`, randomText());
      texts.set(path, readFileSync(path, 'utf8'));
    }
    await fixture.index.setRoots([fixture.folder]);
    await fixture.index.waitForIdle(60_000);
  });
  afterAll(() => fixture.dispose());

  it('finds the same files with the same counts, for pieces of the texts of 2 to 50 characters', async () => {
    const all = [...texts.values()];
    const queries = new Set<string>([
      'zq',
      'Zq',
      '契約',
      'in',
      '  ',
      '\t',
      '"quoted" OR',
      "'; DROP",
      '👩‍💻',
      'ſT',
      'ΣΟ',
    ]);
    while (queries.size < 300) {
      const points = [...pick(all)];
      const start = Math.floor(random() * points.length);
      const piece = points.slice(start, start + 2 + Math.floor(random() ** 3 * 48)).join('');
      if ([...piece].length >= 2 && !/[\r\n]/u.test(piece)) queries.add(piece);
    }
    for (const text of queries) {
      if ([...text].length < 2) continue;
      const { total, files, results } = await fixture.find({ text, limit: 100_000, itemsPerResult: 10_000 });
      const expected = countEach(texts, text);
      const ours = new Map(results.filter(({ matches }) => matches > 0).map(({ path, matches }) => [path, matches]));
      expect(ours, JSON.stringify(text)).toEqual(expected);
      expect(files).toBe(results.length);
      expect(total).toBe([...expected.values()].reduce((sum, count) => sum + count, 0));
      for (const { path, matches, items } of results.filter((each) => each.matches > 0)) {
        expect(
          items.reduce((sum, { ranges }) => sum + ranges.length, 0),
          path,
        ).toBe(matches);
        for (const { text: line, ranges } of items) {
          for (const [from, to] of ranges) expect(fold(line.slice(from, to))).toBe(fold(text.normalize('NFC')));
        }
      }
    }
  });

  it('names the line on which a match is, as an editor counts them', async () => {
    const { results } = await fixture.find({ text: 'struct', itemsPerResult: 10_000, limit: 1000 });
    expect(results.length).toBeGreaterThan(50);
    for (const { path, items } of results) {
      const lines = (texts.get(path) ?? '').split(/\r?\n/u);
      for (const { line, text } of items) expect(lines[(line ?? 0) - 1]).toBe(text);
    }
  });
});
