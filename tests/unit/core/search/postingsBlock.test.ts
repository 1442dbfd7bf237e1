import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createBlockWriter,
  createEntryReader,
  lookUp,
  readRows,
  withRowsIn,
} from '../../../../src/core/search/postingsBlock.ts';

type Rows = readonly number[];
type Lists = ReadonlyMap<number, Rows>;

/** Rows of any density: scattered, in runs, dense with gaps, and dense for as long as a bitmap takes to be worth while. */
const rows: fc.Arbitrary<Rows> = fc
  .tuple(
    fc.integer({ min: 1, max: 100_000 }),
    fc.array(
      fc.oneof(
        { weight: 5, arbitrary: fc.record({ gap: fc.constant(1), times: fc.constant(1) }) },
        fc.record({ gap: fc.integer({ min: 1, max: 9 }), times: fc.integer({ min: 1, max: 3000 }) }),
        fc.record({ gap: fc.integer({ min: 1, max: 1e6 }), times: fc.constant(1) }),
      ),
      { maxLength: 30 },
    ),
  )
  .map(([first, stretches]) => {
    const found = [first];
    for (const { gap, times } of stretches) {
      for (let left = times; left > 0; left -= 1) found.push((found.at(-1) ?? 0) + gap);
    }
    return found;
  });
const lists = fc
  .uniqueArray(fc.tuple(fc.integer({ min: 0, max: 0xffff_ffff }), rows), {
    selector: ([trigram]) => trigram,
    minLength: 1,
    maxLength: 12,
  })
  .map((entries): Lists => new Map(entries.toSorted(([a], [b]) => a - b)));

/** Where segments end. */
const borders = fc
  .uniqueArray(fc.integer({ min: 1, max: 200_000 }), { maxLength: 4 })
  .map((each) => each.toSorted((a, b) => a - b));

function written(write: (writer: ReturnType<typeof createBlockWriter>) => void): { first: number; data: Buffer }[] {
  const blocks: { first: number; data: Buffer }[] = [];
  const writer = createBlockWriter((first, data) => blocks.push({ first, data: Buffer.from(data) }));
  write(writer);
  writer.end();
  return blocks;
}

const blocksOf = (given: Lists) =>
  written((writer) => {
    for (const [trigram, each] of given) for (const row of each) writer.add(trigram, row);
  });

function read(blocks: readonly { readonly data: Buffer }[]): Lists {
  const reader = createEntryReader();
  const found = new Map<number, Rows>();
  for (const { data } of blocks) {
    reader.begin(data);
    while (reader.next()) {
      const { entry } = reader;
      const each = [...readRows(entry)];
      expect([entry.count, entry.span]).toEqual([each.length, (each.at(-1) ?? 0) - (each[0] ?? 0)]);
      found.set(entry.trigram, each);
    }
  }
  return found;
}

const bytesOf = (blocks: readonly { readonly data: Buffer }[]) =>
  blocks.reduce((sum, { data }) => sum + data.length, 0);

describe('blocks of postings', () => {
  it('hold the rows of every trigram, however dense they are', () => {
    fc.assert(
      fc.property(lists, rows, (given, others) => {
        const blocks = blocksOf(given);
        expect(read(blocks)).toEqual(given);
        for (const [trigram, each] of given) {
          const block = blocks.findLast(({ first }) => first <= trigram);
          const entry = block === undefined ? null : lookUp(block.data, trigram);
          expect(entry).not.toBeNull();
          if (entry === null) continue;
          const isIn = new Set(each);
          const both = others.filter((row) => isIn.has(row));
          expect([...withRowsIn(Uint32Array.from(others), entry)]).toEqual(both);
          const some = each.filter((_, at) => at % 3 === 0);
          const asked = [...new Set([...some, ...others])].sort((a, b) => a - b);
          expect([...withRowsIn(Uint32Array.from(asked), entry)]).toEqual(asked.filter((row) => isIn.has(row)));
          if (!given.has(trigram + 1) && block !== undefined) expect(lookUp(block.data, trigram + 1)).toBeNull();
        }
      }),
    );
  });
  it('are the same when they are put together from others', () => {
    fc.assert(
      fc.property(lists, borders, (given, at) => {
        const between = (from: number, to: number): Lists =>
          new Map(
            [...given]
              .map(([trigram, each]) => [trigram, each.filter((row) => row >= from && row < to)] as const)
              .filter(([, each]) => each.length > 0),
          );
        const parts = [0, ...at].map((from, part) => blocksOf(between(from, at[part] ?? Infinity)));
        const entries = parts.map((blocks) => {
          const reader = createEntryReader();
          const found = new Map<number, ReturnType<typeof lookUp>>();
          for (const { data } of blocks) {
            reader.begin(data);
            while (reader.next()) found.set(reader.entry.trigram, { ...reader.entry });
          }
          return found;
        });
        const merged = written((writer) => {
          for (const trigram of given.keys()) {
            for (const part of entries) {
              const entry = part.get(trigram);
              if (entry != null) writer.addEntry(entry);
            }
          }
        });
        expect(read(merged)).toEqual(given);
        expect(merged).toEqual(blocksOf(given));
      }),
    );
  });
  it('take a bit for each text where many of them have a trigram, and bytes where few have it', () => {
    const everySecond = Array.from({ length: 10_000 }, (_, at) => 5 + 2 * at);
    expect(bytesOf(blocksOf(new Map([[7, everySecond]])))).toBeLessThan(20_000 / 8 + 20);
    const everyHundredth = Array.from({ length: 100 }, (_, at) => 5 + 100 * at);
    expect(bytesOf(blocksOf(new Map([[7, everyHundredth]])))).toBeLessThan(120);
  });
});
