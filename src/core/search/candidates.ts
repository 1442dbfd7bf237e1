import type Database from 'better-sqlite3';

/** Trigrams that are looked up at the most: the rarest few rule out nearly all that the others would. */
const MAX_TRIGRAMS = 6;

/** Finds the texts that may contain a literal: a superset, which verification narrows down. */
export interface Candidates {
  /** Ids of texts, or null when the index cannot tell and every text has to be looked at. */
  texts(literal: string | null): ReadonlySet<number> | null;
}

/** Makes the look-up over a shard's trigram index. `literal` is folded and has at least two characters. */
export function createCandidates(database: Database.Database): Candidates {
  const documents = database.prepare<[string], number>('SELECT doc FROM trigram_counts WHERE term = ?').pluck();
  const matching = database.prepare<[string], number>('SELECT rowid FROM trigrams WHERE trigrams MATCH ?').pluck();
  const beginning = database
    .prepare<[string, string], number>('SELECT DISTINCT doc FROM trigram_places WHERE term >= ? AND term < ?')
    .pluck();

  return {
    texts(literal) {
      if (literal === null) return null;
      const characters = [...literal.replaceAll('\0', '\uFFFD')];
      if (characters.length < 2) return null;
      if (characters.length === 2) return new Set(beginning.all(literal, `${literal}\u{10FFFF}`));
      const trigrams = new Set(characters.slice(2).map((_, start) => characters.slice(start, start + 3).join('')));
      const counted: { trigram: string; count: number }[] = [];
      for (const trigram of trigrams) {
        const count = documents.get(trigram);
        if (count === undefined) return new Set();
        counted.push({ trigram, count });
      }
      const rarest = counted.sort((a, b) => a.count - b.count).slice(0, MAX_TRIGRAMS);
      return new Set(matching.all(rarest.map(({ trigram }) => `"${trigram.replaceAll('"', '""')}"`).join(' AND ')));
    },
  };
}
