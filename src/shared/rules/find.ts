/** A text that is searched, whole or still coming in. A string is one. */
export interface FindText {
  readonly length: number;
  /** Left out for a text that is there as a whole. */
  readonly isWhole?: boolean;
  slice(start: number, end: number): string;
}

/** A match, in UTF-16 code units of its text. */
export interface TextMatch {
  /** Which of the texts. */
  readonly section: number;
  readonly start: number;
  readonly end: number;
}

/** Searched at once: some milliseconds, so that what runs it can stop in between. */
const SLICE = 1024 * 1024;
const SYNTAX = /[\\^$.*+?()[\]{}|/]/gu;

/** Whether the character at a position is the second half of the one before. */
function isWithinCharacter(text: string, position: number): boolean {
  return /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/u.test(text.slice(position - 1, position + 1));
}

/**
 * Finds a literal in texts, in any case, as the search does (src/core/search/matcher.ts): by the same fold, no two matches
 * overlapping, so that the two count the same. Each step gives what a slice of the texts holds, or null where a text has
 * to come in further first. Who wants no more just stops asking.
 */
export function* findSteps(texts: readonly FindText[], query: string): Generator<readonly TextMatch[] | null, void> {
  const wanted = query.normalize('NFC');
  if (wanted === '') return;
  const expression = new RegExp(wanted.replace(SYNTAX, '\\$&'), 'giu');
  for (const [section, text] of texts.entries()) {
    let at = 0;
    while (true) {
      // How far the text reaches is asked before each step: it may have grown.
      const isWhole = text.isWhole ?? true;
      const reach = isWhole ? text.length : text.length - wanted.length;
      if (at >= reach) {
        if (isWhole) break;
        yield null;
        continue;
      }
      const slice = text.slice(at, Math.min(text.length, at + SLICE + wanted.length));
      const matches: TextMatch[] = [];
      let next = Math.min(SLICE, reach - at);
      if (isWithinCharacter(slice, next)) next -= 1;
      expression.lastIndex = 0;
      while (expression.test(slice)) {
        const end = expression.lastIndex;
        const start = end - wanted.length;
        // The next slice begins there, and has more behind it.
        if (start >= next) break;
        matches.push({ section, start: at + start, end: at + end });
        if (end > next) next = end;
      }
      at += next;
      yield matches;
    }
  }
}
