import { align, type Block, blocksOf, numbered } from './alignment.ts';

/** Rows of one and the other table that are the same row; null where only one has it. Numbers from 0. */
export interface PairedRow {
  readonly from: number | null;
  readonly to: number | null;
  /** With the same cells. */
  readonly isEqual: boolean;
}

export interface AlignedRows {
  readonly pairs: readonly PairedRow[];
  /** Cells that differ between rows of a pair. */
  readonly cellsChanged: number;
  readonly coarse: boolean;
}

type Rows = readonly (readonly string[])[];

/** Rows of a change that are held against each other, each with each. */
const MAX_COMPARED = 40_000;
/** Two rows are the same, changed, when they share at least this much of their cells that hold something. */
const MIN_SHARED = 0.5;
const MIN_DISTINCT = 0.95;
const MAX_KEYS = 3;

/** How much of two rows is the same, from 0 to 1; what is empty in both says nothing. */
function likeness(a: readonly string[], b: readonly string[]): number {
  let [same, all] = [0, 0];
  for (const [column, value] of a.entries()) {
    if (value === '' && b[column] === '') continue;
    all += 1;
    if (value === b[column]) same += 1;
  }
  return all === 0 ? 0 : same / all;
}

const differences = (a: readonly string[], b: readonly string[]) =>
  a.filter((value, column) => value !== b[column]).length;

/** Which rows of a change are like which, in order, so that all together are as like as can be. */
function likest(base: Rows, other: Rows): (readonly [number, number])[] {
  const width = other.length + 1;
  const best = new Float64Array((base.length + 1) * width);
  const at = (row: number, column: number) => best[row * width + column] ?? 0;
  const like = new Float64Array(base.length * other.length);
  for (let row = base.length - 1; row >= 0; row -= 1) {
    for (let column = other.length - 1; column >= 0; column -= 1) {
      const shared = likeness(base[row] ?? [], other[column] ?? []);
      like[row * other.length + column] = shared;
      const paired = shared >= MIN_SHARED ? shared + at(row + 1, column + 1) : 0;
      best[row * width + column] = Math.max(paired, at(row + 1, column), at(row, column + 1));
    }
  }
  const pairs: (readonly [number, number])[] = [];
  let [row, column] = [0, 0];
  while (row < base.length && column < other.length) {
    const shared = like[row * other.length + column] ?? 0;
    if (shared >= MIN_SHARED && at(row, column) === shared + at(row + 1, column + 1)) {
      pairs.push([row, column]);
      row += 1;
      column += 1;
    } else if (at(row, column) === at(row + 1, column)) row += 1;
    else column += 1;
  }
  return pairs;
}

/** Columns whose cells nearly all differ, so that they may tell rows apart; the leftmost few. */
function keyColumns(base: Rows, other: Rows): readonly number[] {
  const distinct = (rows: Rows, column: number) => new Set(rows.map((row) => row[column] ?? '')).size / rows.length;
  const isKey = (column: number) => Math.min(distinct(base, column), distinct(other, column)) >= MIN_DISTINCT;
  return (base[0] ?? []).keys().filter(isKey).take(MAX_KEYS).toArray();
}

/** Which rows of a large change have the same key, in order; of several keys, by the one with which rows are most alike. */
function byKey(base: Rows, other: Rows, maxEdits: number, deadline: number) {
  const tries = keyColumns(base, other).map((key) => {
    const [a = [], b = []] = numbered(...[base, other].map((rows) => rows.map((row) => row[key] ?? '')));
    const { runs, coarse } = align(a, b, maxEdits, deadline);
    const pairs = blocksOf(runs).flatMap((block) =>
      block.isEqual
        ? Array.from(
            { length: block.base[1] - block.base[0] },
            (_, at) => [block.base[0] + at, block.other[0] + at] as const,
          )
        : [],
    );
    const alike = pairs.reduce((sum, [from, to]) => sum + likeness(base[from] ?? [], other[to] ?? []), 0);
    return { pairs, coarse, alike };
  });
  return tries.toSorted((one, two) => two.alike - one.alike)[0] ?? { pairs: [], coarse: true };
}

/**
 * Which rows of two tables belong together, in order: rows that are equal, and of those between, the ones that are most alike;
 * of very many, those with the same key. All rows have as many cells, of the same columns.
 */
export function alignRows(base: Rows, other: Rows, maxEdits: number, deadline: number): AlignedRows {
  const keyOf = (rows: Rows) => rows.map((row) => row.join('\u0000'));
  const [a = [], b = []] = numbered(keyOf(base), keyOf(other));
  // What this cannot tell in half of the time, keys may.
  const { runs } = align(a, b, maxEdits, (Date.now() + deadline) / 2);
  const pairs: PairedRow[] = [];
  let cellsChanged = 0;
  let coarse = false;

  function putChanged({ base: [from, toBefore], other: [into, intoBefore] }: Block): void {
    const [older, newer] = [base.slice(from, toBefore), other.slice(into, intoBefore)];
    const isSmall = older.length * newer.length <= MAX_COMPARED;
    const found = isSmall ? { pairs: likest(older, newer), coarse: false } : byKey(older, newer, maxEdits, deadline);
    coarse ||= found.coarse;
    let [row, column] = [0, 0];
    for (const [left, right] of [...found.pairs, [older.length, newer.length] as const]) {
      for (; row < left; row += 1) pairs.push({ from: from + row, to: null, isEqual: false });
      for (; column < right; column += 1) pairs.push({ from: null, to: into + column, isEqual: false });
      if (left === older.length) return;
      const changed = differences(older[left] ?? [], newer[right] ?? []);
      cellsChanged += changed;
      pairs.push({ from: from + left, to: into + right, isEqual: changed === 0 });
      [row, column] = [left + 1, right + 1];
    }
  }

  for (const block of blocksOf(runs)) {
    if (!block.isEqual) putChanged(block);
    else {
      for (let at = 0; at < block.base[1] - block.base[0]; at += 1) {
        pairs.push({ from: block.base[0] + at, to: block.other[0] + at, isEqual: true });
      }
    }
  }
  return { pairs, cellsChanged, coarse };
}
