import type { Range } from '../../shared/model/search.ts';
import { splitByRanges } from './ranges.ts';

/** A text with marks at its ranges. Never parsed as HTML. */
export function Highlight({ text, ranges }: { readonly text: string; readonly ranges: readonly Range[] }) {
  return splitByRanges(text, ranges).map((piece) =>
    piece.marked ? <mark key={piece.at}>{piece.text}</mark> : <span key={piece.at}>{piece.text}</span>,
  );
}
