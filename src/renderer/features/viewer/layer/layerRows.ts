import { createTextStore } from '../text/textStore.ts';
import type { TextSection } from '../view.ts';

/** A row of a text layer: the name of a part, or a line of it. */
export interface LayerRow {
  readonly kind: 'label' | 'line';
  readonly text: string;
  readonly section: number;
  /** Where the line begins in its part. */
  readonly start: number;
  /** Number of the line that it begins, from 1. */
  readonly line: number | null;
}

/** The whole of a document without parts: it needs no name. */
const WHOLE = 'Content';
/** The text of a page is one line; only what is longer than any page is shown in pieces. */
const LONGEST_LINE = 20_000;

/** The rows of a text layer. */
export function layerRows(sections: readonly TextSection[]): readonly LayerRow[] {
  const rows: LayerRow[] = [];
  for (const [section, { label, text }] of sections.entries()) {
    if (label !== WHOLE && label !== '') rows.push({ kind: 'label', text: label, section, start: 0, line: null });
    const store = createTextStore(LONGEST_LINE);
    store.append(text);
    store.end();
    for (const row of store.rows(0, store.rowCount)) rows.push({ kind: 'line', section, ...row });
  }
  return rows;
}
