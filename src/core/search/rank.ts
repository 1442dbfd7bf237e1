import type { MatchItem } from '../../shared/model/search.ts';
import { hasPlainHeadings, isPlainHeading } from '../extract/headings.ts';
import type { Sections } from './prepare.ts';

/** Where a query was found counts before anything else: in a name, in a heading, in the body. */
export const PLACE = { name: 2, heading: 1, body: 0 } as const;

/** A text of this length (UTF-16 code units) has as many matches as its length lets expect. */
const USUAL_LENGTH = 20_000;
/** How soon more matches stop counting, and how much of that hangs on the length: the usual numbers of BM25. */
const SATURATION = 1.2;
const LENGTH_SHARE = 0.75;
/** Recency counts half after so long. */
const HALF_RECENT_MS = 90 * 24 * 3600 * 1000;
const RECENCY_SHARE = 0.3;

/**
 * What orders results: the place, and within it how dense the matches are and how recent the file is, as a number below 1.
 * Comparable between shards.
 */
export function rankOf(place: number, matches: number, length: number, ageMs: number): number {
  const expected = SATURATION * (1 - LENGTH_SHARE + (LENGTH_SHARE * length) / USUAL_LENGTH);
  const density = matches / (matches + expected);
  const recency = HALF_RECENT_MS / (HALF_RECENT_MS + Math.max(0, ageMs));
  return place + (1 - RECENCY_SHARE) * density + RECENCY_SHARE * recency * 0.999;
}

/** Whether a text may have headings at all, so that looking for a match in one is worth while. */
export function mayHaveHeadings(fileName: string, sections: Sections | null): boolean {
  return sections === null ? hasPlainHeadings(fileName) : sections.some(([, , headings]) => headings !== undefined);
}

/** Whether one of the items is a heading of its text. */
export function isInHeading(items: readonly MatchItem[], fileName: string, sections: Sections | null): boolean {
  if (!mayHaveHeadings(fileName, sections)) return false;
  if (sections === null) return items.some(({ text }) => isPlainHeading(text));
  const headings = new Map(sections.map(([label, , lines]) => [label, new Set(lines)]));
  return items.some(({ type, line }) => line !== null && headings.get(type)?.has(line) === true);
}
