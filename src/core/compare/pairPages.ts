import type { PagePair } from '../../shared/model/compare.ts';
import type { Block } from './alignment.ts';

/** What pages are told from. */
interface PagedLines {
  /** Page of each line, from 1; null for a text without pages. */
  readonly pages: readonly number[] | null;
  readonly labels: readonly string[];
}

/** How many lines two pages share, by the page of the newer text and then that of the older one. */
function sharedLines(base: readonly number[], other: readonly number[], blocks: readonly Block[]) {
  const shared = new Map<number, Map<number, number>>();
  for (const block of blocks) {
    if (!block.isEqual) continue;
    for (let at = 0; at < block.base[1] - block.base[0]; at += 1) {
      const [from, to] = [base[block.base[0] + at] ?? 0, other[block.other[0] + at] ?? 0];
      const counts = shared.get(to) ?? new Map<number, number>();
      shared.set(to, counts.set(from, (counts.get(from) ?? 0) + 1));
    }
  }
  return shared;
}

/** Pages between two pairs: as many as both have stand beside one another, the others alone. */
function* between(fromBase: number, toBase: number, fromOther: number, toOther: number): Generator<PagePair> {
  for (let at = 0; fromBase + at < toBase || fromOther + at < toOther; at += 1) {
    yield {
      base: fromBase + at < toBase ? fromBase + at : null,
      other: fromOther + at < toOther ? fromOther + at : null,
    };
  }
}

/**
 * Which pages of two texts belong together: those that share most of their lines. So a page that was put in stands alone, and
 * those after it beside what they were.
 */
export function pairPages(base: PagedLines, other: PagedLines, blocks: readonly Block[]): PagePair[] {
  if (base.pages === null || other.pages === null) return [];
  const shared = sharedLines(base.pages, other.pages, blocks);
  const pairs: PagePair[] = [];
  let [nextBase, nextOther] = [1, 1];
  for (const [to, counts] of shared) {
    const known = [...counts].filter(([from]) => from >= nextBase);
    const [from] = known.toSorted((a, b) => b[1] - a[1])[0] ?? [];
    if (from === undefined) continue;
    pairs.push(...between(nextBase, from, nextOther, to), { base: from, other: to });
    [nextBase, nextOther] = [from + 1, to + 1];
  }
  pairs.push(...between(nextBase, base.labels.length + 1, nextOther, other.labels.length + 1));
  return pairs;
}
