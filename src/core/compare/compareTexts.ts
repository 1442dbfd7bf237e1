import { diffArrays } from 'diff';
import type { ComparedHunk, ComparedLine, TextComparison } from '../../shared/model/compare.ts';
import type { TextSection } from '../extract/types.ts';
import { changedWords } from './changedWords.ts';

/** How much work a comparison may be, and how long its answer. */
export interface CompareLimits {
  /** Unchanged lines around each change. */
  readonly context: number;
  /** Lines that may differ before the comparison becomes coarse. */
  readonly maxEdits: number;
  readonly timeoutMs: number;
  /** Lines and UTF-16 code units that the list of changes may have. */
  readonly maxListedLines: number;
  readonly maxListedLength: number;
}

export const COMPARE_LIMITS: CompareLimits = {
  context: 3,
  maxEdits: 10_000,
  timeoutMs: 5_000,
  maxListedLines: 50_000,
  maxListedLength: 2 * 1024 * 1024,
};

interface Lines {
  readonly texts: readonly string[];
  /** Page of each line, from 1; null for a text without pages. */
  readonly pages: readonly number[] | null;
  readonly labels: readonly string[];
}

/** A run of lines: how many, and in which of the texts they stand. */
interface Run {
  readonly kind: ComparedLine['kind'];
  readonly count: number;
}

/** A text of one section is the whole, and has no pages. */
const hasPages = (sections: readonly TextSection[]) => sections.some(({ label }) => label !== 'Content');

function linesOf(sections: readonly TextSection[]): Lines {
  const split = sections.map(({ text }) => text.split(/\r\n?|\n/u));
  return {
    texts: split.flat(),
    pages: hasPages(sections) ? split.flatMap((lines, index) => lines.map(() => index + 1)) : null,
    labels: hasPages(sections) ? sections.map(({ label }) => label) : [],
  };
}

/** Numbers for lines, the same for equal ones, so that comparing two is one step however long they are. */
function numbered(...texts: (readonly string[])[]): number[][] {
  const numbers = new Map<string, number>();
  return texts.map((lines) =>
    lines.map((line) => {
      const number = numbers.get(line) ?? numbers.size;
      numbers.set(line, number);
      return number;
    }),
  );
}

function commonStart(a: readonly number[], b: readonly number[]): number {
  const most = Math.min(a.length, b.length);
  let length = 0;
  while (length < most && a[length] === b[length]) length += 1;
  return length;
}

function commonEnd(a: readonly number[], b: readonly number[], start: number): number {
  const most = Math.min(a.length, b.length) - start;
  let length = 0;
  while (length < most && a[a.length - 1 - length] === b[b.length - 1 - length]) length += 1;
  return length;
}

/** What is equal, removed and added, in order; removed lines come before the added ones in their place. */
function runsOf(base: readonly number[], other: readonly number[], limits: CompareLimits) {
  const start = commonStart(base, other);
  const end = commonEnd(base, other, start);
  const from = base.slice(start, base.length - end);
  const to = other.slice(start, other.length - end);
  const found =
    from.length === 0 || to.length === 0
      ? null
      : diffArrays(from, to, { timeout: limits.timeoutMs, maxEditLength: limits.maxEdits });
  const between: Run[] = found?.map(({ added, removed, count }) => ({
    kind: added ? 'added' : removed ? 'removed' : 'equal',
    count,
  })) ?? [
    { kind: 'removed', count: from.length },
    { kind: 'added', count: to.length },
  ];
  const runs: Run[] = [{ kind: 'equal', count: start }, ...between, { kind: 'equal', count: end }];
  return { runs: runs.filter(({ count }) => count > 0), coarse: found === undefined };
}

/** Unchanged lines between two changes, or the lines of one change. */
interface Block {
  readonly isEqual: boolean;
  readonly base: readonly [number, number];
  readonly other: readonly [number, number];
}

function blocksOf(runs: readonly Run[]): Block[] {
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

function changedLines(base: Lines, other: Lines, block: Block, deadline: number): ComparedLine[] {
  const removed = base.texts.slice(...block.base);
  const added = other.texts.slice(...block.other);
  const words = changedWords(removed, added, deadline);
  return [
    ...removed.map((text, index): ComparedLine => {
      const at = block.base[0] + index;
      const changed = words?.removed[index] ?? null;
      return { kind: 'removed', text, base_line: at + 1, other_line: null, page: base.pages?.[at] ?? null, changed };
    }),
    ...added.map((text, index): ComparedLine => {
      const at = block.other[0] + index;
      const changed = words?.added[index] ?? null;
      return { kind: 'added', text, base_line: null, other_line: at + 1, page: other.pages?.[at] ?? null, changed };
    }),
  ];
}

/** Lines `from` to before `to` of an unchanged block. */
function equalLines(other: Lines, block: Block, from: number, to: number): ComparedLine[] {
  return other.texts.slice(block.other[0] + from, block.other[0] + to).map((text, index) => {
    const at = from + index;
    const [base_line, other_line] = [block.base[0] + at + 1, block.other[0] + at + 1];
    return { kind: 'equal', text, base_line, other_line, page: other.pages?.[other_line - 1] ?? null, changed: null };
  });
}

/** As many lines from the first as there is room for. */
function fitting(lines: readonly ComparedLine[], maxLines: number, maxLength: number): ComparedLine[] {
  let length = 0;
  const end = lines.slice(0, maxLines).findIndex(({ text }) => {
    length += text.length;
    return length > maxLength;
  });
  return lines.slice(0, end === -1 ? maxLines : end);
}

const lengthOf = (lines: readonly ComparedLine[]) => lines.reduce((sum, { text }) => sum + text.length, 0);

/** The changes with their surroundings, as many as there is room for. Those whose surroundings touch are one. */
function hunksOf(base: Lines, other: Lines, blocks: readonly Block[], limits: CompareLimits, deadline: number) {
  const { context, maxListedLines, maxListedLength } = limits;
  const hunks: ComparedHunk[] = [];
  let [lines, length] = [0, 0];
  for (const [index, block] of blocks.entries()) {
    if (block.isEqual) continue;
    const gap = index === 0 ? 0 : block.base[0] - (blocks[index - 1]?.base[0] ?? 0);
    const shown = Math.min(gap, context);
    const before = blocks[index - 1];
    const open = gap <= 2 * context ? hunks.at(-1) : undefined;
    // The lines after the last change are in its hunk already.
    const from = open === undefined ? gap - shown : shown;
    const lead = before === undefined ? [] : equalLines(other, before, from, gap);
    const after = blocks[index + 1];
    const trail =
      after === undefined ? [] : equalLines(other, after, 0, Math.min(context, after.base[1] - after.base[0]));
    const changed = changedLines(base, other, block, deadline);
    const whole = [...lead, ...changed, ...trail];
    const [linesLeft, lengthLeft] = [maxListedLines - lines, maxListedLength - length];
    const fits = whole.length <= linesLeft && lengthOf(whole) <= lengthLeft;
    // Of a change that is too long, something of both sides.
    const listed = fits
      ? whole
      : (['removed', 'added'] as const).flatMap((kind) =>
          fitting(
            changed.filter((line) => line.kind === kind),
            Math.floor(linesLeft / 2),
            Math.floor(lengthLeft / 2),
          ),
        );
    const skipped = fits ? gap - from : 0;
    if (open !== undefined && fits) open.lines.push(...listed);
    else if (listed.length > 0) {
      hunks.push({
        base_start: block.base[0] - skipped + 1,
        other_start: block.other[0] - skipped + 1,
        lines: listed,
      });
    }
    if (!fits) return { hunks, truncated: true };
    lines += whole.length;
    length += lengthOf(whole);
  }
  return { hunks, truncated: false };
}

/** The pages that changes stand on; what went from between two pages counts for the one before it. */
function pagesOf({ pages }: Lines, blocks: readonly Block[], side: 'base' | 'other'): number[] {
  if (pages === null) return [];
  const changed = new Set<number>();
  for (const block of blocks) {
    if (block.isEqual) continue;
    const [from, to] = block[side];
    for (const page of from === to ? pages.slice(Math.max(0, from - 1), Math.max(1, from)) : pages.slice(from, to)) {
      changed.add(page);
    }
  }
  return [...changed].sort((a, b) => a - b);
}

/**
 * Compares two texts line by line, and changed lines word by word. Line ends count as equal whatever they are made of. It is
 * right for any two texts: what takes too long is told in larger pieces, never wrongly.
 */
export function compareTexts(
  baseSections: readonly TextSection[],
  otherSections: readonly TextSection[],
  overrides: Partial<CompareLimits> = {},
): TextComparison {
  const limits = { ...COMPARE_LIMITS, ...overrides };
  const [base, other] = [linesOf(baseSections), linesOf(otherSections)];
  const [baseNumbers = [], otherNumbers = []] = numbered(base.texts, other.texts);
  const { runs, coarse } = runsOf(baseNumbers, otherNumbers, limits);
  const blocks = blocksOf(runs);
  const total = (kind: Run['kind']) => runs.reduce((sum, run) => sum + (run.kind === kind ? run.count : 0), 0);
  const { hunks, truncated } = hunksOf(base, other, blocks, limits, Date.now() + limits.timeoutMs);
  return {
    changes: hunks,
    added: total('added'),
    removed: total('removed'),
    base_pages: [...base.labels],
    other_pages: [...other.labels],
    base_pages_changed: pagesOf(base, blocks, 'base'),
    pages_changed: pagesOf(other, blocks, 'other'),
    coarse,
    truncated,
  };
}
