import { firstAbove } from '../ordered.ts';
import type { FoundMatch } from '../view.ts';
import type { Token } from './highlighter.ts';
import { segmentsOf } from './segments.ts';

/** The matches of a text, with where each ends in a list of its own to look in. */
export interface RowMatches {
  readonly matches: readonly FoundMatch[];
  readonly ends: readonly number[];
  readonly active: FoundMatch | undefined;
}

export const NO_MATCHES: RowMatches = { matches: [], ends: [], active: undefined };

/** Prepares matches of one text for its rows. */
export const rowMatches = (matches: readonly FoundMatch[], active: FoundMatch | undefined): RowMatches => ({
  matches,
  ends: matches.map(({ end }) => end),
  active,
});

export interface RowTextProps {
  readonly text: string;
  /** Where the row begins in its text. */
  readonly start: number;
  readonly colours: readonly Token[];
  readonly found: RowMatches;
}

/** A row with its colours and with what was found in it. */
export function RowText({ text, start, colours, found: { matches, ends, active } }: RowTextProps) {
  // An empty row is as high as any other.
  if (text === '') return '\u200b';
  const marked: FoundMatch[] = [];
  for (let at = firstAbove(ends, start); at < matches.length; at += 1) {
    const match = matches[at];
    if (match === undefined || match.start >= start + text.length) break;
    marked.push(match);
  }
  const marks = marked.map((match) => [match.start - start, match.end - start] as [number, number]);
  return segmentsOf(text, colours, marks).map(({ start: at, text: part, names, mark }) =>
    mark >= 0 ? (
      <mark key={at} className={names} data-active={marked[mark] === active}>
        {part}
      </mark>
    ) : names === '' ? (
      part
    ) : (
      <span key={at} className={names}>
        {part}
      </span>
    ),
  );
}
