import type { MatchItem, Range, SearchResult } from '../../shared/model/search.ts';
import { type Entry, nameOf } from './entry.ts';
import type { Sections } from './prepare.ts';
import { namesOf } from './queryFilter.ts';
import { isInHeading, mayHaveHeadings, PLACE, rankOf } from './rank.ts';
import type { ShardAnswer, ShardHit } from './shardProtocol.ts';

/** Hits are sent on when so many have come together, at the latest at the end of a slice. */
const BATCH = 10;

/** What names and messages say of an entry, before its text is looked at. */
export interface NameHit<E extends Entry = Entry> {
  readonly entry: E;
  readonly name: readonly Range[];
  readonly message: readonly Range[];
}

/** What was found in the text of an entry, before its details. */
export interface TextHit {
  readonly matches: number;
  /** Of the text, in UTF-16 code units. */
  readonly length: number;
  readonly sections: Sections | null;
}

export const NO_RANGES: readonly Range[] = [];
export const NOTHING: TextHit = { matches: 0, length: 0, sections: null };

function nameItems({ entry, name, message }: NameHit): MatchItem[] {
  const items: MatchItem[] = [];
  if (name.length > 0) items.push({ type: 'Filename', number: 1, line: null, text: nameOf(entry), ranges: [...name] });
  if (message.length > 0) {
    const text = entry.version?.message ?? '';
    items.push({ type: 'Message', number: 1, line: null, text, ranges: [...message] });
  }
  return items;
}

/** Puts together the result of an entry from what its name, its message and its text say. */
export function resultOf(hit: NameHit, matches: number, content: readonly MatchItem[]): SearchResult {
  const { entry, name, message } = hit;
  const { version } = entry;
  const { library, shelf } = namesOf(entry);
  return {
    id: version?.versionId ?? entry.path,
    filename: nameOf(entry),
    filenameRanges: [...name],
    path: entry.path,
    libraryName: library,
    shelfName: shelf,
    shelfId: entry.shelfId,
    documentId: entry.documentId,
    versionId: version?.versionId ?? null,
    versionNumber: version?.number ?? null,
    lastModified: new Date(entry.time).toISOString(),
    size: entry.size,
    matches,
    commitHash: version?.commitHash ?? null,
    commitMessage: version?.message ?? null,
    author: entry.author,
    items: [...(matches === 0 || message.length > 0 ? nameItems(hit) : []), ...content],
  };
}

/**
 * Gathers verified hits of what stands now: exact counts over everything, and the details of those that rank best. The first
 * that are found are sent on at once; better ones that come later take their places in the answer.
 */
export interface Tally {
  /** Whether every hit is listed as yet, so that details are wanted of each. */
  isListing(): boolean;
  /** Adds a hit; it is asked for its items when it is listed. */
  add(hit: NameHit, found: TextHit, itemsOf: () => readonly MatchItem[]): void;
  send(): void;
  answer(notSearched: number): ShardAnswer;
}

/** Makes an empty tally. @param onHits told of the first hits, when somebody wants them before the answer */
export function createTally(limit: number, onHits: ((hits: readonly ShardHit[]) => void) | null): Tally {
  const now = Date.now();
  let hits: ShardHit[] = [];
  let batch: ShardHit[] = [];
  let total = 0;
  let files = 0;
  /** What ranks lower is not listed. */
  let threshold = -Infinity;

  function send(): void {
    if (batch.length > 0) onHits?.(batch);
    batch = [];
  }

  function keepBest(): void {
    hits = hits.sort((a, b) => b.rank - a.rank).slice(0, limit);
    if (hits.length === limit) threshold = hits.at(-1)?.rank ?? threshold;
  }

  function list(found: ShardHit, isFirst: boolean): void {
    hits.push(found);
    if (isFirst) batch.push(found);
    if (batch.length >= BATCH) send();
    if (hits.length >= 2 * limit) keepBest();
  }

  return {
    isListing: () => files < limit,
    add(hit, { matches, length, sections }, itemsOf) {
      const isNamed = hit.name.length > 0;
      if (matches === 0 && !isNamed) return;
      const isFirst = files < limit;
      files += 1;
      total += matches;
      const { time, path } = hit.entry;
      const rank = (place: number) => rankOf(place, matches, length, now - time);
      const mayBeHeading = !isNamed && mayHaveHeadings(path, sections);
      const atBest = isNamed ? PLACE.name : mayBeHeading ? PLACE.heading : PLACE.body;
      if (!isFirst && rank(atBest) <= threshold) return;
      const items = itemsOf();
      const place = mayBeHeading && !isInHeading(items, path, sections) ? PLACE.body : atBest;
      list({ rank: rank(place), result: resultOf(hit, matches, items) }, isFirst);
    },
    send,
    answer(notSearched) {
      keepBest();
      return { total, files, notSearched, hits };
    },
  };
}
