import type { ComparedHunk, ComparedLine, Comparison } from '../../../shared/model/compare.ts';
import { fold } from '../../../shared/rules/fold.ts';

export type DiffView = 'side-by-side' | 'inline';

/** A row of a comparison as it is drawn. */
export type DiffRow =
  /** Unchanged lines are left out before it. */
  | { readonly kind: 'gap'; readonly line: number }
  /** A page, slide or sheet begins. */
  | { readonly kind: 'page'; readonly name: string }
  /** Lines that stand beside one another; inline, the only one, on the side that it belongs to. */
  | { readonly kind: 'lines'; readonly base: ComparedLine | null; readonly other: ComparedLine | null };

/** Lines that were removed stand beside those that were put in their place, as far as both go. */
function paired(lines: readonly ComparedLine[]): DiffRow[] {
  const rows: DiffRow[] = [];
  let removed: ComparedLine[] = [];
  let added: ComparedLine[] = [];
  const flush = () => {
    for (let at = 0; at < Math.max(removed.length, added.length); at += 1) {
      rows.push({ kind: 'lines', base: removed[at] ?? null, other: added[at] ?? null });
    }
    removed = [];
    added = [];
  };
  for (const line of lines) {
    if (line.kind === 'removed') {
      if (added.length > 0) flush();
      removed.push(line);
    } else if (line.kind === 'added') added.push(line);
    else {
      flush();
      rows.push({ kind: 'lines', base: line, other: line });
    }
  }
  flush();
  return rows;
}

const single = (line: ComparedLine): DiffRow => ({
  kind: 'lines',
  base: line.kind === 'added' ? null : line,
  other: line.kind === 'removed' ? null : line,
});

function pageOf(row: DiffRow, { base_pages, other_pages }: Comparison): string | null {
  if (row.kind !== 'lines') return null;
  const { base, other } = row;
  if (other?.page !== null && other?.page !== undefined) return other_pages[other.page - 1] ?? null;
  return base?.page === null || base?.page === undefined ? null : (base_pages[base.page - 1] ?? null);
}

/** Whether nothing is left out before a hunk. */
const isAtStart = ({ base_start, other_start }: ComparedHunk) => base_start <= 1 && other_start <= 1;

/** All rows of a comparison, in order. */
export function diffRows(comparison: Comparison, view: DiffView): readonly DiffRow[] {
  const rows: DiffRow[] = [];
  let page: string | null = null;
  for (const hunk of comparison.changes) {
    if (!isAtStart(hunk)) rows.push({ kind: 'gap', line: hunk.other_start });
    for (const row of view === 'inline' ? hunk.lines.map(single) : paired(hunk.lines)) {
      const name = pageOf(row, comparison);
      if (name !== null && name !== page) rows.push({ kind: 'page', name });
      page = name ?? page;
      rows.push(row);
    }
  }
  return rows;
}

export const isChanged = (row: DiffRow): boolean =>
  row.kind === 'lines' && (row.base?.kind === 'removed' || row.other?.kind === 'added');

/** The row to look at first for a text: a change that has it, else any line, else none. */
export function rowWith(rows: readonly DiffRow[], text: string): number | null {
  const wanted = fold(text.normalize('NFC'));
  const has = (row: DiffRow) =>
    row.kind === 'lines' && [row.base, row.other].some((line) => line !== null && fold(line.text).includes(wanted));
  const at = [rows.findIndex((row) => isChanged(row) && has(row)), rows.findIndex(has)].find((index) => index >= 0);
  return text === '' ? null : (at ?? null);
}

/** Where each change begins. */
export function changeStarts(rows: readonly DiffRow[]): readonly number[] {
  return rows.flatMap((row, index) => {
    const before = rows[index - 1];
    return isChanged(row) && (before === undefined || !isChanged(before)) ? [index] : [];
  });
}

/** Where the first change of a page is; null when none of it is listed. */
export function pageRow(rows: readonly DiffRow[], name: string): number | null {
  const begin = rows.findIndex((row) => row.kind === 'page' && row.name === name);
  const change = rows.findIndex((row, index) => index > begin && isChanged(row));
  return begin === -1 || change === -1 ? null : change;
}
