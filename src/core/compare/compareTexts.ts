import type { ComparedHunk, ComparedLine, TextComparison } from '../../shared/model/compare.ts';
import type { TextSection } from '../extract/types.ts';
import { align, type Block, blocksOf, numbered, type Run } from './alignment.ts';
import { changedWords } from './changedWords.ts';
import { pairPages } from './pairPages.ts';

/** How much work a comparison may be, and how long its answer. */
export interface CompareLimits {
  /** Unchanged lines around each change. */
  readonly context: number;
  /** Lines that may differ between two that are sure to belong together, before all there counts as changed. */
  readonly maxEdits: number;
  readonly timeoutMs: number;
  /** Lines and UTF-16 code units that the list of changes may have. */
  readonly maxListedLines: number;
  readonly maxListedLength: number;
}

export const COMPARE_LIMITS: CompareLimits = {
  context: 3,
  maxEdits: 10_000,
  timeoutMs: 1_000,
  maxListedLines: 50_000,
  maxListedLength: 2 * 1024 * 1024,
};

export interface Lines {
  readonly texts: readonly string[];
  /** Page of each line, from 1; null for a text without pages. */
  readonly pages: readonly number[] | null;
  readonly labels: readonly string[];
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
  // One for all: words are marked as long as there is time, since whoever waits would rather have the lines.
  const deadline = Date.now() + limits.timeoutMs;
  const [base, other] = [linesOf(baseSections), linesOf(otherSections)];
  const [baseNumbers = [], otherNumbers = []] = numbered(base.texts, other.texts);
  const { runs, coarse } = align(baseNumbers, otherNumbers, limits.maxEdits, deadline);
  const blocks = blocksOf(runs);
  const total = (kind: Run['kind']) => runs.reduce((sum, run) => sum + (run.kind === kind ? run.count : 0), 0);
  const { hunks, truncated } = hunksOf(base, other, blocks, limits, deadline);
  return {
    changes: hunks,
    added: total('added'),
    removed: total('removed'),
    base_pages: [...base.labels],
    other_pages: [...other.labels],
    page_pairs: pairPages(base, other, blocks),
    base_pages_changed: pagesOf(base, blocks, 'base'),
    pages_changed: pagesOf(other, blocks, 'other'),
    coarse,
    truncated,
  };
}
