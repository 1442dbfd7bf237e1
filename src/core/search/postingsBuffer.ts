import type { TrigramReader } from './trigrams.ts';

const FIRST_CAPACITY = 1 << 16;
const DIGIT_BITS = 16;
const DIGITS = 1 << DIGIT_BITS;

/** Postings that wait to be written: pairs of a trigram and a row. */
export interface PostingsBuffer {
  add(row: number, text: string): void;
  size(): number;
  firstRow(): number;
  lastRow(): number;
  /** Gives all pairs in the order of trigrams, those of one in the order of rows, and forgets them. */
  drain(onPosting: (trigram: number, row: number) => void): void;
  clear(): void;
}

interface Pairs {
  readonly trigrams: Uint32Array;
  readonly rows: Uint32Array;
}

function createPairs(capacity: number): Pairs {
  return { trigrams: new Uint32Array(capacity), rows: new Uint32Array(capacity) };
}

/** Makes an empty buffer. */
export function createPostingsBuffer(reader: TrigramReader): PostingsBuffer {
  const starts = new Uint32Array(DIGITS);
  let pairs = createPairs(FIRST_CAPACITY);
  let spare = createPairs(0);
  let size = 0;
  let row = 0;
  let first = 0;

  function put(trigram: number): void {
    if (size === pairs.rows.length) {
      const more = createPairs(2 * size);
      more.trigrams.set(pairs.trigrams);
      more.rows.set(pairs.rows);
      pairs = more;
    }
    pairs.trigrams[size] = trigram;
    pairs.rows[size] = row;
    size += 1;
  }

  /** One pass of a radix sort: stable, so that rows stay in order. */
  function sortBy(shift: number, from: Pairs, to: Pairs): void {
    starts.fill(0);
    for (let at = 0; at < size; at += 1) {
      const digit = ((from.trigrams[at] ?? 0) >>> shift) & (DIGITS - 1);
      starts[digit] = (starts[digit] ?? 0) + 1;
    }
    let sum = 0;
    for (let digit = 0; digit < DIGITS; digit += 1) {
      const count = starts[digit] ?? 0;
      starts[digit] = sum;
      sum += count;
    }
    for (let at = 0; at < size; at += 1) {
      const trigram = from.trigrams[at] ?? 0;
      const digit = (trigram >>> shift) & (DIGITS - 1);
      const place = starts[digit] ?? 0;
      starts[digit] = place + 1;
      to.trigrams[place] = trigram;
      to.rows[place] = from.rows[at] ?? 0;
    }
  }

  return {
    add(nextRow, text) {
      if (size === 0) first = nextRow;
      row = nextRow;
      reader.read(text, put);
    },
    size: () => size,
    firstRow: () => first,
    lastRow: () => row,
    drain(onPosting) {
      if (spare.rows.length < size) spare = createPairs(size);
      sortBy(0, pairs, spare);
      sortBy(DIGIT_BITS, spare, pairs);
      for (let at = 0; at < size; at += 1) onPosting(pairs.trigrams[at] ?? 0, pairs.rows[at] ?? 0);
      size = 0;
    },
    clear() {
      size = 0;
    },
  };
}
