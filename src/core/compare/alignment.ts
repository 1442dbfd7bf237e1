import { diffArrays } from 'diff';

/** What is taken apart so often was made to be hard to compare. */
const MAX_DEPTH = 50;

/** What stands in a row: in both, only in the older sequence, or only in the newer one. */
export interface Run {
  readonly kind: 'equal' | 'removed' | 'added';
  readonly count: number;
}

/** All of both sequences in order. `coarse`: where it would have taken too long, more counts as changed than did. */
export interface Alignment {
  readonly runs: readonly Run[];
  readonly coarse: boolean;
}

/** Unchanged items between two changes, or the items of one change: from where to before where in each sequence. */
export interface Block {
  readonly isEqual: boolean;
  readonly base: readonly [number, number];
  readonly other: readonly [number, number];
}

/** A part of both sequences, each from where to before where. */
interface Part {
  readonly base: readonly [number, number];
  readonly other: readonly [number, number];
}

/** Numbers for texts, the same for equal ones, so that comparing two is one step however long they are. */
export function numbered(...texts: (readonly string[])[]): number[][] {
  const numbers = new Map<string, number>();
  return texts.map((lines) =>
    lines.map((line) => {
      const number = numbers.get(line) ?? numbers.size;
      numbers.set(line, number);
      return number;
    }),
  );
}

function commonStart(a: readonly number[], b: readonly number[], { base, other }: Part): number {
  const most = Math.min(base[1] - base[0], other[1] - other[0]);
  let length = 0;
  while (length < most && a[base[0] + length] === b[other[0] + length]) length += 1;
  return length;
}

function commonEnd(a: readonly number[], b: readonly number[], { base, other }: Part): number {
  const most = Math.min(base[1] - base[0], other[1] - other[0]);
  let length = 0;
  while (length < most && a[base[1] - 1 - length] === b[other[1] - 1 - length]) length += 1;
  return length;
}

/** Where what occurs once in a part of a sequence stands; -1 for what occurs more often. */
function placesOfSingles(items: readonly number[], [from, to]: readonly [number, number]): Map<number, number> {
  const places = new Map<number, number>();
  for (let at = from; at < to; at += 1) {
    const item = items[at] ?? -1;
    places.set(item, places.has(item) ? -1 : at);
  }
  return places;
}

/** The longest run of pairs, given by their places in the older sequence, that is in order in the newer one too. */
function longestInOrder(pairs: readonly (readonly [number, number])[]): (readonly [number, number])[] {
  // Of all runs of a length, the one that ends first in the newer sequence is the best to go on with.
  const ends: number[] = [];
  const before = new Int32Array(pairs.length);
  for (const [index, [, place]] of pairs.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[ends[middle] ?? 0]?.[1] ?? 0) < place) low = middle + 1;
      else high = middle;
    }
    before[index] = ends[low - 1] ?? -1;
    ends[low] = index;
  }
  const found: (readonly [number, number])[] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at] ?? -1) {
    const pair = pairs[at];
    if (pair !== undefined) found.push(pair);
  }
  return found.reverse();
}

/** What occurs once in both belongs together: it takes large sequences apart into small ones. */
function anchorsOf(a: readonly number[], b: readonly number[], { base, other }: Part) {
  const inOther = placesOfSingles(b, other);
  const pairs: (readonly [number, number])[] = [];
  let hasCommon = false;
  for (const [item, place] of placesOfSingles(a, base)) {
    const there = inOther.get(item);
    hasCommon ||= there !== undefined;
    if (place >= 0 && there !== undefined && there >= 0) pairs.push([place, there]);
  }
  return { anchors: longestInOrder(pairs), hasCommon };
}

/**
 * What two sequences have in common, and what not; what was removed comes before what was added in its place. Where more than
 * `maxEdits` items differ between two that are sure to belong together, or the time is over, all there counts as changed.
 */
export function align(a: readonly number[], b: readonly number[], maxEdits: number, deadline: number): Alignment {
  const runs: { kind: Run['kind']; count: number }[] = [];
  let coarse = false;

  function put(kind: Run['kind'], count: number): void {
    const last = runs.at(-1);
    if (last?.kind === kind) last.count += count;
    else if (count > 0) runs.push({ kind, count });
  }

  function replace({ base, other }: Part): void {
    put('removed', base[1] - base[0]);
    put('added', other[1] - other[0]);
  }

  /** Step by step, where nothing else tells what belongs together. */
  function search(part: Part): void {
    const found = diffArrays(a.slice(...part.base), b.slice(...part.other), {
      timeout: Math.max(1, deadline - Date.now()),
      maxEditLength: maxEdits,
    });
    if (found === undefined) {
      coarse = true;
      replace(part);
    }
    for (const { added, removed, count } of found ?? []) put(added ? 'added' : removed ? 'removed' : 'equal', count);
  }

  function visit(whole: Part, depth: number): void {
    const start = commonStart(a, b, whole);
    put('equal', start);
    const rest: Part = {
      base: [whole.base[0] + start, whole.base[1]],
      other: [whole.other[0] + start, whole.other[1]],
    };
    const end = commonEnd(a, b, rest);
    visitChanged({ base: [rest.base[0], rest.base[1] - end], other: [rest.other[0], rest.other[1] - end] }, depth);
    put('equal', end);
  }

  function visitChanged(part: Part, depth: number): void {
    const { anchors, hasCommon } = anchorsOf(a, b, part);
    if (!hasCommon) {
      replace(part);
      return;
    }
    if (anchors.length === 0 || depth === MAX_DEPTH) {
      search(part);
      return;
    }
    let [base, other] = [part.base[0], part.other[0]];
    for (const [inBase, inOther] of anchors) {
      visit({ base: [base, inBase], other: [other, inOther] }, depth + 1);
      put('equal', 1);
      [base, other] = [inBase + 1, inOther + 1];
    }
    visit({ base: [base, part.base[1]], other: [other, part.other[1]] }, depth + 1);
  }

  visit({ base: [0, a.length], other: [0, b.length] }, 0);
  return { runs, coarse };
}

/** Where what is equal and what changed stands in both sequences. */
export function blocksOf(runs: readonly Run[]): Block[] {
  const blocks: Block[] = [];
  let [base, other] = [0, 0];
  for (const { kind, count } of runs) {
    const to = [kind === 'added' ? base : base + count, kind === 'removed' ? other : other + count] as const;
    const last = blocks.at(-1);
    const isEqual = kind === 'equal';
    if (last !== undefined && last.isEqual === isEqual) {
      blocks[blocks.length - 1] = { isEqual, base: [last.base[0], to[0]], other: [last.other[0], to[1]] };
    } else blocks.push({ isEqual, base: [base, to[0]], other: [other, to[1]] });
    [base, other] = to;
  }
  return blocks;
}
