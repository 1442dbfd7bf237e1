import Database from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openTrigramTable } from '../../../../src/core/search/trigramTable.ts';
import { fold } from '../../../../src/shared/rules/fold.ts';

function createTable() {
  const database = new Database(':memory:');
  database.exec(`CREATE VIRTUAL TABLE words USING fts5 (body, tokenize = 'trigram case_sensitive 1', detail = none,
    content = '', contentless_delete = 1); CREATE VIRTUAL TABLE words_terms USING fts5vocab (words, row)`);
  const table = openTrigramTable(database, 'words');
  const proposed = (literal: string, rows: readonly number[]) => {
    const proposal = table.propose(fold(literal), rows.length);
    if (proposal === 'all') return new Set(rows);
    if (proposal === 'none') return new Set<number>();
    return new Set(
      database.prepare<[string], number>('SELECT rowid FROM words WHERE words MATCH ?').pluck().all(proposal.match),
    );
  };
  return { database, table, proposed };
}

describe('the trigram table', () => {
  it('leaves out no text that contains a literal', () => {
    const unit = fc.oneof(
      fc.constantFrom('a', 'B', 'ß', '"', ' ', '*', '\0', 'Σ', '契', '😀'),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    );
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit, maxLength: 30 }), { minLength: 1, maxLength: 12 }),
        fc.nat(),
        fc.nat(),
        fc.integer({ min: 1, max: 8 }),
        (texts, which, from, length) => {
          const { database, table, proposed } = createTable();
          const rows = texts.map((text, index) => {
            table.insert(index + 1, text);
            return index + 1;
          });
          const points = [...(texts[which % texts.length] ?? '')];
          const literal = points
            .slice(from % Math.max(1, points.length))
            .slice(0, length)
            .join('');
          fc.pre(literal !== '');
          const found = proposed(literal, rows);
          for (const [index, text] of texts.entries()) {
            if (fold(text).includes(fold(literal))) expect(found.has(index + 1)).toBe(true);
          }
          database.close();
        },
      ),
      { numRuns: 300 },
    );
  });
  it('narrows down, at the end of a text too, and forgets what was removed', () => {
    const { table, proposed } = createTable();
    const rows = Array.from({ length: 50 }, (_, index) => index + 1);
    for (const row of rows) table.insert(row, row === 7 ? 'a rare zq' : `common text ${row}`);
    expect(proposed('zq', rows)).toEqual(new Set([7]));
    expect(proposed('rare', rows)).toEqual(new Set([7]));
    expect(proposed('unheard of', rows)).toEqual(new Set());
    table.remove(7);
    expect(proposed('zq', rows)).toEqual(new Set());
  });
});
