import type { Found, FoundMatch, TextSection } from '../view.ts';

/** What was found on a page. */
export interface PageFound {
  readonly section: TextSection;
  /** Their section is that of the page, 0. */
  readonly matches: readonly FoundMatch[];
  /** Which of them is looked at; -1 for none. */
  readonly active: number;
}

/** What was found, by the page that it is on. */
export interface FoundByPage {
  readonly pages: ReadonlyMap<number, PageFound>;
  /** The page that is looked at; null for none. */
  readonly active: number | null;
}

/** web-and-phone.md §9: longer than elsewhere, as marking a page takes longer. */
export const FIND_DEBOUNCE_MS = 300;

const LABEL = /^Page (\d+)$/u;

/** The page that a part of the text is, from 0; null for a part that is none. */
export function pageOfLabel(label: string | null): number | null {
  const number = Number(LABEL.exec(label ?? '')?.[1] ?? 0);
  return number > 0 ? number - 1 : null;
}

/** Deals what was found in a document's text layer to its pages. */
export function foundByPage({ matches, active }: Found, sections: readonly TextSection[]): FoundByPage {
  const dealt = new Map<number, { section: TextSection; matches: FoundMatch[]; active: number }>();
  let activePage: number | null = null;
  for (const [index, { section: sectionIndex, start, end }] of matches.entries()) {
    const section = sections[sectionIndex];
    const page = pageOfLabel(section?.label ?? null);
    if (section === undefined || page === null) continue;
    const onPage = dealt.get(page) ?? { section, matches: [], active: -1 };
    dealt.set(page, onPage);
    if (index === active) {
      onPage.active = onPage.matches.length;
      activePage = page;
    }
    onPage.matches.push({ section: 0, start, end });
  }
  return { pages: dealt, active: activePage };
}
