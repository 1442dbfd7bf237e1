import type { Range } from '../../../../shared/model/search.ts';
import type { Token } from './highlighter.ts';

/** A piece of a row that looks the same throughout. */
export interface Segment {
  readonly start: number;
  readonly text: string;
  /** Classes of its colour; empty for none. */
  readonly names: string;
  /** Index of the range that it is in; -1 for none. */
  readonly mark: number;
}

/** Cuts a row where its colours and its marks begin and end. */
export function segmentsOf(text: string, tokens: readonly Token[], marks: readonly Range[]): Segment[] {
  const edges = new Set([0, text.length]);
  for (const [start, end] of [...tokens, ...marks]) {
    edges.add(Math.max(0, start));
    edges.add(Math.min(text.length, end));
  }
  const sorted = [...edges].sort((a, b) => a - b);
  const segments: Segment[] = [];
  let token = 0;
  let mark = 0;
  for (const [index, start] of sorted.entries()) {
    const end = sorted[index + 1];
    if (end === undefined) break;
    while (token < tokens.length && (tokens[token]?.[1] ?? 0) <= start) token += 1;
    while (mark < marks.length && (marks[mark]?.[1] ?? 0) <= start) mark += 1;
    const [tokenStart, , names] = tokens[token] ?? [end, end, ''];
    const markStart = marks[mark]?.[0] ?? end;
    segments.push({
      start,
      text: text.slice(start, end),
      names: tokenStart <= start ? names : '',
      mark: markStart <= start ? mark : -1,
    });
  }
  return segments;
}
