import type Database from 'better-sqlite3';
import { fold } from '../../shared/rules/fold.ts';

/**
 * Ends every text twice, so that its last two characters begin a trigram too and a query of two characters can be answered by
 * the trigrams that begin with them. It also stands for NUL, at which the tokenizer would stop.
 */
const FILLER = '\u0001';
/** Trigrams that are looked up at the most: the rarest few rule out nearly all that the others would. */
const MOST_TERMS = 6;
/** Where the index would propose more than this share of all rows, going through them in order costs less than asking it. */
const USELESS_SHARE = 0.6;
/** Pages that one step of merging writes, so that a step takes some milliseconds. FTS5 takes integers only: hence BigInt. */
const MERGE_PAGES = -200n;

/** Which rows may hold a literal: none, any, or those that an FTS5 expression finds. */
export type Proposal = 'none' | 'all' | { readonly match: string };

/** One contentless FTS5 table of trigrams (schema.ts): text in, proposals out. */
export interface TrigramTable {
  readonly name: string;
  insert(id: number | bigint, text: string): void;
  remove(id: number): void;
  /** Proposes rows for a folded literal, out of `rows` in all; no row that contains it is left out. Null: nothing is known. */
  propose(literal: string | null, rows: number): Proposal;
  /** Merges segments for a moment. @returns whether there is more to do. */
  mergeSome(): boolean;
}

const indexed = (folded: string) => (folded.includes('\0') ? folded.replaceAll('\0', FILLER) : folded);
const quoted = (term: string) => `"${term.replaceAll('"', '""')}"`;

/** Opens a trigram table by its name. */
export function openTrigramTable(database: Database.Database, name: string): TrigramTable {
  const insert = database.prepare(`INSERT INTO ${name} (rowid, body) VALUES (?, ?)`);
  const remove = database.prepare(`DELETE FROM ${name} WHERE rowid = ?`);
  const count = database.prepare<[string], number>(`SELECT doc FROM ${name}_terms WHERE term = ?`).pluck();
  const range = database.prepare<[string, string], { term: string; doc: number }>(
    `SELECT term, doc FROM ${name}_terms WHERE term >= ? AND term < ?`,
  );
  const merge = database.prepare(`INSERT INTO ${name} (${name}, rank) VALUES ('merge', ?)`);
  const changes = database.prepare<[], number>('SELECT total_changes()').pluck();

  function beginningWith(start: string, rows: number): Proposal {
    const terms = range.all(start, `${start}\u{10FFFF}`);
    if (terms.length === 0) return 'none';
    if (terms.some(({ doc }) => doc > rows * USELESS_SHARE)) return 'all';
    return { match: terms.map(({ term }) => quoted(term)).join(' OR ') };
  }

  function containingAll(points: readonly string[], rows: number): Proposal {
    const terms = new Set(points.slice(2).map((_, start) => points.slice(start, start + 3).join('')));
    const counted = [...terms].map((term) => ({ term, doc: count.get(term) ?? 0 }));
    counted.sort((one, other) => one.doc - other.doc);
    const rarest = counted[0]?.doc ?? 0;
    if (rarest === 0) return 'none';
    if (rarest > rows * USELESS_SHARE) return 'all';
    return {
      match: counted
        .slice(0, MOST_TERMS)
        .map(({ term }) => quoted(term))
        .join(' AND '),
    };
  }

  return {
    name,
    insert(id, text) {
      insert.run(id, indexed(fold(text)) + FILLER + FILLER);
    },
    remove(id) {
      remove.run(id);
    },
    propose(literal, rows) {
      if (literal === null) return 'all';
      const points = [...indexed(literal)];
      return points.length < 3 ? beginningWith(points.join(''), rows) : containingAll(points, rows);
    },
    mergeSome() {
      const before = changes.get() ?? 0;
      merge.run(MERGE_PAGES);
      return (changes.get() ?? 0) - before >= 2;
    },
  };
}
