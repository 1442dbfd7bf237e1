import type { PagePair, TextComparison } from '../model/compare.ts';

/** What became of a page from one version to another. */
export type PageMark = 'changed' | 'added' | 'removed' | null;

/** What of a comparison says which pages changed. */
export type PageChanges = Pick<TextComparison, 'base_pages_changed' | 'pages_changed'>;

/**
 * What became of two pages that belong together, by their texts. A page beside which another was put in or taken out counts as
 * changed on one side only: it did not change itself.
 */
export function pageMark({ base_pages_changed, pages_changed }: PageChanges, { base, other }: PagePair): PageMark {
  if (base === null) return 'added';
  if (other === null) return 'removed';
  return base_pages_changed.includes(base) && pages_changed.includes(other) ? 'changed' : null;
}

/** The page that a text names first (`page 3`, `Seite 3`); null when it names none. */
export function pageNamed(text: string): number | null {
  const [, digits] = /(?:^|[^\p{L}\p{N}])(?:pages?|pg?\.|Seiten?|S\.)\s*(\d{1,5})(?!\p{N})/iu.exec(text) ?? [];
  return digits === undefined ? null : Number(digits);
}
