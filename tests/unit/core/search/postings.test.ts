import Database from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openPostings, postingsTables } from '../../../../src/core/search/postings.ts';
import { createTrigramReader } from '../../../../src/core/search/trigrams.ts';
import { fold } from '../../../../src/shared/rules/fold.ts';

const OPTIONS = { name: 'words', owner: 'texts', reader: createTrigramReader() };

function createIndex() {
  const database = new Database(':memory:');
  database.exec(`CREATE TABLE texts (id INTEGER PRIMARY KEY); ${postingsTables('words')}`);
  const postings = openPostings(database, OPTIONS);
  const insertText = database.prepare('INSERT INTO texts (id) VALUES (?)');
  const rows = () => database.prepare<[], number>('SELECT id FROM texts').pluck().all();
  return {
    database,
    postings,
    /** One transaction, and so one segment. */
    put: database.transaction((texts: readonly (readonly [row: number, text: string])[]) => {
      for (const [row, text] of texts) {
        insertText.run(row);
        postings.add(row, text);
      }
      postings.flush();
    }),
    remove: (row: number) => database.prepare('DELETE FROM texts WHERE id = ?').run(row),
    mergeAll() {
      while (postings.mergeSome(true));
    },
    segments: () => Number(database.prepare('SELECT count(*) FROM words_segments').pluck().get()),
    blocks: () => Number(database.prepare('SELECT count(*) FROM words_blocks').pluck().get()),
    /** Rows that may hold the literal, gone ones left out. */
    proposed(literal: string): Set<number> {
      const there = rows();
      const proposal = postings.propose(fold(literal), there.length);
      if (proposal === 'all') return new Set(there);
      if (proposal === 'none') return new Set();
      const found = [...proposal.rows];
      expect(found).toEqual(found.toSorted((a, b) => a - b));
      return new Set(found.filter((row) => there.includes(row)));
    },
  };
}

const unit = fc.oneof(
  fc.constantFrom('a', 'B', 'ß', '"', ' ', '*', '\0', 'Σ', 'K', '契', '約', '😀', '\uD83D'),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
);

describe('the index of trigrams', () => {
  it('takes texts apart in the same way, however many there were before', () => {
    const reader = createTrigramReader();
    const told = (text: string) => {
      const found: number[] = [];
      reader.read(text, (trigram) => found.push(trigram));
      return found;
    };
    const texts = ['the theme of the theatre', 'ἡ θάλασσα, ἡ θάλασσα'];
    const expected = texts.map(told);
    for (const each of expected) expect(new Set(each).size).toBe(each.length);
    for (let turn = 0; turn < 2 ** 16; turn += 1) reader.read('the', () => undefined);
    expect(texts.map(told)).toEqual(expected);
  });
  it('leaves out no text that contains a literal, however it is written, merged and thinned out', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit, maxLength: 30 }), { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.nat(29), { maxLength: 5 }),
        fc.integer({ min: 0, max: 4 }),
        fc.tuple(fc.nat(), fc.nat(), fc.integer({ min: 2, max: 8 })),
        (texts, perSegment, gone, merges, [which, from, length]) => {
          const index = createIndex();
          const numbered = texts.map((text, at) => [at + 1, text] as const);
          for (let start = 0; start < numbered.length; start += perSegment) {
            index.put(numbered.slice(start, start + perSegment));
            if (merges > 0) index.postings.mergeSome(merges > 2);
          }
          for (const at of gone) index.remove(at + 1);
          if (merges % 2 === 1) index.mergeAll();
          const literal = (texts[which % texts.length] ?? '').slice(from % 20).slice(0, length);
          fc.pre(literal.length >= 2);
          const found = index.proposed(literal);
          for (const [row, text] of numbered) {
            const isThere = !gone.includes(row - 1);
            if (isThere && fold(text).includes(fold(literal))) expect(found.has(row)).toBe(true);
          }
          index.database.close();
        },
      ),
      { numRuns: 500 },
    );
  });
  it('narrows down, at the end of a text too', () => {
    const index = createIndex();
    const rows = Array.from({ length: 50 }, (_, at) => at + 1);
    index.put(rows.map((row) => [row, row === 7 ? 'a rare 契約 zq' : `common text ${row}`] as const));
    expect(index.proposed('zq')).toEqual(new Set([7]));
    expect(index.proposed('契約')).toEqual(new Set([7]));
    expect(index.proposed('RARE')).toEqual(new Set([7]));
    expect(index.proposed('unheard of')).toEqual(new Set());
    expect(index.proposed('common text')).toEqual(new Set(rows.filter((row) => row !== 7)));
    expect(index.postings.propose('co', 50)).toBe('all');
    expect(index.postings.propose(null, 50)).toBe('all');
  });
  it('tells a phrase from its words', () => {
    const index = createIndex();
    const phrases = [
      'the mode is written with the write mode within',
      'in write mode with a pen',
      'In WRITE MODE WITH',
    ];
    const others = ['he writes in a mode with words', 'write  mode with', 'write_mode with', 'mode with'];
    const texts = Array.from({ length: 90 }, (_, at) => (at < 3 ? phrases[at] : others[at % 4]) ?? '');
    index.put(texts.map((text, at) => [at + 1, text] as const));
    expect(index.postings.propose('write mode with', 90)).toEqual({ rows: Uint32Array.of(1, 2, 3) });
    expect(index.postings.propose('ite mode wit', 90)).toEqual({ rows: Uint32Array.of(1, 2, 3) });
  });
  it('becomes few segments, and no more room than its rows need', () => {
    const index = createIndex();
    const text = (row: number) => `text ${row} about ${(row * 7919).toString(36)}`;
    for (let row = 1; row <= 200; row += 1) {
      index.put([[row, text(row)]]);
      while (index.postings.mergeSome(false));
    }
    expect(index.segments()).toBeLessThan(16);
    for (let row = 1; row <= 190; row += 1) index.remove(row);
    index.mergeAll();
    expect([index.segments(), index.blocks()]).toEqual([1, 1]);
    expect(index.proposed(text(195))).toEqual(new Set([195]));
    for (let row = 191; row <= 200; row += 1) index.remove(row);
    index.put([
      [201, 'one'],
      [202, 'two'],
    ]);
    index.remove(201);
    index.remove(202);
    index.mergeAll();
    expect([index.segments(), index.blocks()]).toEqual([0, 0]);
  });
  it('keeps a trigram of many rows, and rows far apart', () => {
    const index = createIndex();
    const far = [1, 2, 1000, 70_000, 3_000_000];
    index.put(far.map((row) => [row, 'the same everywhere'] as const));
    const many = Array.from({ length: 30_000 }, (_, at) => 3_000_001 + at);
    index.put(many.map((row) => [row, row % 2 === 0 ? 'even same' : 'odd']));
    index.mergeAll();
    const proposal = index.postings.propose('same', 1e9);
    expect(proposal).toHaveProperty('rows.length', far.length + 15_000);
  });
  it('takes back what a transaction that fails has added', () => {
    const index = createIndex();
    index.postings.add(1, 'never written');
    index.postings.discard();
    index.put([[2, 'written']]);
    expect(index.postings.propose('never', 1)).toBe('none');
    expect(index.proposed('written')).toEqual(new Set([2]));
  });
  it('goes on where a process ended in the midst of merging', () => {
    const index = createIndex();
    for (let row = 1; row <= 20; row += 1) index.put([[row, `row ${row} of twenty`]]);
    index.postings.mergeSome(false);
    const again = openPostings(index.database, OPTIONS);
    expect(again.propose('row 13', 20)).toEqual({ rows: Uint32Array.of(13) });
    while (again.mergeSome(true));
    expect(again.propose('row 13', 20)).toEqual({ rows: Uint32Array.of(13) });
    expect([index.segments(), index.blocks()]).toEqual([1, 1]);
  });
  it('finds a changed bit wherever it is, by query and by check', () => {
    const index = createIndex();
    index.put([[1, 'a text whose block is damaged']]);
    const data = index.database.prepare('SELECT data FROM words_blocks').pluck().get() as Buffer;
    fc.assert(
      fc.property(fc.nat(data.length * 8 - 1), (bit) => {
        const damaged = Buffer.from(data);
        damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        index.database.prepare('UPDATE words_blocks SET data = ?').run(damaged);
        expect(() => index.postings.checkSome(0)).toThrow('damaged');
        expect(() => index.postings.propose('damaged', 1)).toThrow('damaged');
      }),
      { numRuns: 50 },
    );
  });
});
