import type { Range, SearchQuery } from '../../shared/model/search.ts';
import { sectionsOf } from './entry.ts';
import type { Matcher } from './matcher.ts';
import type { LineCounts } from './pack.ts';
import type { Place } from './queryFilter.ts';
import { PLACE } from './rank.ts';
import type { ShardAnswer, ShardHit } from './shardProtocol.ts';
import type { Slices } from './shardSearch.ts';
import { createTally, resultOf } from './tally.ts';
import type { VersionCorpus, VersionEntry } from './versionCorpus.ts';
import { createVersionItems } from './versionItems.ts';

/** Versions whose rows are read at once. */
const PAGE = 256;
/** Results whose details are made without a pause. */
const DETAILED_AT_ONCE = 20;

/** What names and messages say of a version. */
export interface FoundNames {
  readonly name: readonly Range[];
  readonly message: readonly Range[];
}

/** Gathers the versions that a query finds: exact counts over all, and the results of those that come first. */
export interface VersionListing {
  /** Adds a version of which there is something found: no object is made for one that is only counted. */
  add(id: number, time: number, matches: number, names: FoundNames): void;
  /** Sends results on, as long as not all that will be listed were sent. */
  send(): void;
  answer(notSearched: number): Promise<ShardAnswer>;
}

/** What a listing is made of. */
export interface ListingParts {
  readonly corpus: VersionCorpus;
  readonly query: SearchQuery;
  readonly matcher: Matcher;
  readonly slices: Slices;
  /** What the query asks of a version, for which its row has to be read; null when there is nothing. */
  readonly accepts: ((place: Place) => boolean) | null;
  /** How often its lines hold the query; null where that has to be looked for in whole texts. */
  readonly found: LineCounts | null;
  readonly onHits: ((hits: readonly ShardHit[]) => void) | null;
}

/** A version that a query finds, before its row is read. */
interface FoundVersion {
  readonly id: number;
  readonly time: number;
  /** In its text. */
  readonly matches: number;
  readonly names: FoundNames;
}

/** Reads the rows of versions in pages, and hands on those that are accepted. */
function createRowReader(
  { corpus, accepts }: ListingParts,
  onEntry: (found: FoundVersion, entry: VersionEntry) => void,
) {
  let page: FoundVersion[] = [];
  function settle(): void {
    if (page.length === 0) return;
    const entries = corpus.entries(page.map(({ id }) => id));
    for (const found of page) {
      const entry = entries.get(found.id);
      if (entry !== undefined && accepts?.(entry) !== false) onEntry(found, entry);
    }
    page = [];
  }
  return {
    add(found: FoundVersion): void {
      page.push(found);
      if (page.length >= PAGE) settle();
    },
    settle,
  };
}

/** Lists the current versions, ranked as files are. */
export function createCurrentListing(parts: ListingParts): VersionListing {
  const { corpus, query, matcher, found, onHits } = parts;
  const tally = createTally(query.limit, onHits);
  const items = createVersionItems(corpus, query, matcher, found);
  const rows = createRowReader(parts, ({ matches, names }, entry) => {
    const text = { matches, length: entry.length, sections: sectionsOf(entry) };
    tally.add({ entry, ...names }, text, () => (matches === 0 ? [] : items.read([entry])(entry)));
  });
  return {
    add: (id, time, matches, names) => rows.add({ id, time, matches, names }),
    send() {
      rows.settle();
      tally.send();
    },
    async answer(notSearched) {
      rows.settle();
      return tally.answer(notSearched);
    },
  };
}

const rankOfFound = ({ names }: FoundVersion) => (names.name.length > 0 ? PLACE.name : PLACE.body);

function foremostFirst(a: FoundVersion, b: FoundVersion): number {
  return rankOfFound(b) - rankOfFound(a) || b.time - a.time || b.id - a.id;
}

/** Lists the history as it happened, the latest first, names before contents: rows are read of what is listed. */
export function createHistoryListing(parts: ListingParts): VersionListing {
  const { corpus, query, matcher, accepts, found, onHits, slices } = parts;
  const { limit } = query;
  const items = createVersionItems(corpus, query, matcher, found);
  const rows = createRowReader(parts, ({ id, time, matches, names }) => count(id, time, matches, names));
  const sent = new Map<number, ShardHit>();
  /** Versions with matches in their texts, whether or not they are wanted. */
  const holds = new Uint8Array(corpus.bound() + 1);
  let foremost: FoundVersion[] = [];
  /** What is older is not listed, unless its name counts. */
  let oldest = -Infinity;
  let total = 0;
  let files = 0;

  function keepForemost(): void {
    foremost = foremost.sort(foremostFirst).slice(0, limit);
    const last = foremost.at(-1);
    if (foremost.length === limit && last !== undefined) {
      oldest = rankOfFound(last) === PLACE.body ? last.time : Infinity;
    }
  }

  function count(id: number, time: number, matches: number, names: FoundNames): void {
    files += 1;
    total += matches;
    if (time < oldest && names.name.length === 0) return;
    foremost.push({ id, time, matches, names });
    if (foremost.length >= 2 * limit) keepForemost();
  }

  /** The results of those that are still there, by their numbers. */
  function hitsOf(versions: readonly FoundVersion[]): Map<number, ShardHit> {
    const entries = corpus.entries(versions.map(({ id }) => id));
    const withText = versions.filter(({ matches }) => matches > 0).flatMap(({ id }) => entries.get(id) ?? []);
    const itemsOf = items.read(withText);
    const hits = new Map<number, ShardHit>();
    for (const each of versions) {
      const entry = entries.get(each.id);
      if (entry === undefined) continue;
      const { names, matches } = each;
      const result = resultOf({ entry, ...names }, matches, matches === 0 ? [] : itemsOf(entry));
      hits.set(each.id, { rank: rankOfFound(each), result });
    }
    return hits;
  }

  /** Tells of those that hold what the next version of their document does not: known once all are found. */
  function withRemovals(hits: ReadonlyMap<number, ShardHit>): ShardHit[] {
    const next = corpus.next([...hits.keys()].filter((id) => holds[id] === 1));
    return [...hits].map(([id, { rank, result }]) => {
      const after = next.get(id);
      // A version that came after the search began was not looked at.
      if (after === undefined || holds[after.id] !== 0) return { rank, result };
      const { id: _, ...removedIn } = after;
      return { rank, result: { ...result, removedIn } };
    });
  }

  return {
    add(id, time, matches, names) {
      if (matches > 0) holds[id] = 1;
      if (accepts === null) count(id, time, matches, names);
      else rows.add({ id, time, matches, names });
    },
    send() {
      rows.settle();
      if (onHits === null || sent.size >= limit) return;
      const room = Math.min(limit - sent.size, DETAILED_AT_ONCE);
      const hits = hitsOf(foremost.filter(({ id }) => !sent.has(id)).slice(0, room));
      for (const [id, hit] of hits) sent.set(id, hit);
      if (hits.size > 0) onHits([...hits.values()]);
    },
    async answer(notSearched) {
      rows.settle();
      keepForemost();
      const hits = new Map<number, ShardHit>();
      for (const { id } of foremost) {
        const hit = sent.get(id);
        if (hit !== undefined) hits.set(id, hit);
      }
      const left = foremost.filter(({ id }) => !sent.has(id));
      for (let from = 0; from < left.length; from += DETAILED_AT_ONCE) {
        for (const [id, hit] of hitsOf(left.slice(from, from + DETAILED_AT_ONCE))) hits.set(id, hit);
        await slices.breathe();
      }
      return { total, files, notSearched, hits: withRemovals(hits) };
    },
  };
}
