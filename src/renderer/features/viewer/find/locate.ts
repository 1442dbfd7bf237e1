import type { TextSection } from '../view.ts';

/** A place in the text of a document. */
export interface TextPlace {
  readonly section: number;
  readonly start: number;
}

/** Where a line of a text begins; its end when there are fewer. */
function lineStart(text: string, line: number): number {
  let at = 0;
  for (let number = 1; number < line; number += 1) {
    const end = text.indexOf('\n', at);
    if (end < 0) return text.length;
    at = end + 1;
  }
  return at;
}

/** The place that a search result names; null when it names none, or none of this document. */
export function locate(sections: readonly TextSection[], label: string | null, line: number | null): TextPlace | null {
  if (label === null && line === null) return null;
  const section = label === null ? 0 : sections.findIndex((each) => each.label === label);
  const text = sections[section]?.text;
  return text === undefined ? null : { section, start: line === null ? 0 : lineStart(text, line) };
}
