import type Database from 'better-sqlite3';

/** Ends every text, so that its last one or two characters begin a trigram too. It also stands for NUL, at which the tokenizer stops. */
const FILLER = '\u0001';
/** Trigrams that are asked at once; more hardly narrow the answer. */
const MOST_TERMS = 6;
/** When the index proposes more than this share of all rows, reading them in order costs less than asking it. */
const USELESS_SHARE = 0.6;

/** Rows that may hold a literal; `all` when the index cannot narrow them down. */
export type Candidates = 'all' | readonly number[];

const prepared = (folded: string) => folded.replaceAll('\0', FILLER);
const quoted = (term: string) => `"${term.replaceAll('"', '""')}"`;

/** One contentless FTS5 table of trigrams (schema.ts): folded text in, candidate rows out. */
export interface TrigramTable {
  insert(id: number, folded: string): void;
  remove(id: number): void;
  /** Rows whose text may contain the folded literal: none that does is left out. `rows` is how many there are in all. */
  candidates(folded: string, rows: number): Candidates;
  /** Merges segments for a while. @returns whether there is more to merge. */
  mergeSome(): boolean;
}

/** Opens a trigram table by its name. */
export function openTrigramTable(database: Database.Database, name: string): TrigramTable {
  const insert = database.prepare(`INSERT INTO ${name} (rowid, body) VALUES (?, ?)`);
  const remove = database.prepare(`DELETE FROM ${name} WHERE rowid = ?`);
  const match = database.prepare(`SELECT rowid FROM ${name} WHERE ${name} MATCH ?`).pluck();
  const count = database.prepare(`SELECT doc FROM ${name}_terms WHERE term = ?`).pluck();
  const range = database.prepare(`SELECT term, doc FROM ${name}_terms WHERE term >= ? AND term < ?`).raw();
  // FTS5 takes its numbers as integers only, which better-sqlite3 binds from BigInt.
  const merge = database.prepare(`INSERT INTO ${name} (${name}, rank) VALUES ('merge', ?)`);
  const changes = database.prepare('SELECT total_changes()').pluck();

  function beginningWith(start: string, rows: number): Candidates {
    const terms = range.all(start, `${start}\u{10FFFF}`) as [string, number][];
    if (terms.length === 0) return [];
    if (terms.some(([, documents]) => documents > rows * USELESS_SHARE)) return 'all';
    return match.all(terms.map(([term]) => quoted(term)).join(' OR ')) as number[];
  }

  function containingAll(points: readonly string[], rows: number): Candidates {
    const terms = new Set(points.slice(2).map((point, index) => `${points[index]}${points[index + 1]}${point}`));
    const counted = [...terms].map((term) => ({ term, documents: (count.get(term) as number | undefined) ?? 0 }));
    counted.sort((one, other) => one.documents - other.documents);
    const rarest = counted[0]?.documents ?? 0;
    if (rarest === 0) return [];
    if (rarest > rows * USELESS_SHARE) return 'all';
    const asked = counted.slice(0, MOST_TERMS).map(({ term }) => quoted(term));
    return match.all(asked.join(' AND ')) as number[];
  }

  return {
    insert(id, folded) {
      insert.run(id, prepared(folded) + FILLER + FILLER);
    },
    remove(id) {
      remove.run(id);
    },
    candidates(folded, rows) {
      const literal = prepared(folded);
      const points = [...literal];
      return points.length < 3 ? beginningWith(literal, rows) : containingAll(points, rows);
    },
    mergeSome() {
      const before = changes.get() as number;
      merge.run(-500n);
      return (changes.get() as number) - before >= 2;
    },
  };
}
