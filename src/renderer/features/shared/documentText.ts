import type { Range } from '../../../shared/model/search.ts';
import { findInLine, splitLines } from '../../ui/textLines.ts';

/** A part of a text as the server gives it: a page, a sheet, a slide, or all of a plain file. */
export interface Section {
  readonly label: string;
  readonly text: string;
}

/** A row of the reader: the name of a part, or a line of it. */
export interface TextRow {
  readonly kind: 'label' | 'line';
  readonly text: string;
}

/** A match, by the row it is in. */
export interface TextMatch {
  readonly row: number;
  readonly range: Range;
}

/** Matches beyond this are not counted (web-and-phone.md §9). */
export const MOST_MATCHES = 500;

/** The whole of a plain file: its one section needs no name. */
const PLAIN = 'Content';

/** Parts joined where an answer of the server cut them. */
export function joinSections(sections: readonly Section[]): readonly Section[] {
  const joined: Section[] = [];
  for (const section of sections) {
    const last = joined.at(-1);
    if (last?.label === section.label) joined[joined.length - 1] = { ...last, text: last.text + section.text };
    else joined.push(section);
  }
  return joined;
}

/** The rows of a text. */
export function rowsOf(sections: readonly Section[]): readonly TextRow[] {
  return joinSections(sections).flatMap(({ label, text }) => [
    ...(label === PLAIN || label === '' ? [] : [{ kind: 'label', text: label } as const]),
    ...splitLines(text).map((line) => ({ kind: 'line', text: line }) as const),
  ]);
}

/** Where a text occurs, up to as many as are told apart. */
export function findInRows(rows: readonly TextRow[], query: string): readonly TextMatch[] {
  const matches: TextMatch[] = [];
  for (const [row, { kind, text }] of rows.entries()) {
    if (kind === 'label') continue;
    for (const range of findInLine(text, query)) {
      matches.push({ row, range });
      if (matches.length === MOST_MATCHES) return matches;
    }
  }
  return matches;
}
