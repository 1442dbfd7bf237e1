import type { MatchItem, Range, SearchQuery } from '../../shared/model/search.ts';
import { sectionsOf } from './entry.ts';
import type { Matcher } from './matcher.ts';
import { matchItems } from './matchItems.ts';
import { textOf } from './pack.ts';
import type { Place } from './queryFilter.ts';
import { PLACE } from './rank.ts';
import type { ShardAnswer, ShardHit } from './shardProtocol.ts';
import type { Slices } from './shardSearch.ts';
import { createTally, NO_RANGES, resultOf } from './tally.ts';
import type { VersionCorpus, VersionEntry } from './versionCorpus.ts';

/** Results whose details are made without a pause. */
const DETAILED_AT_ONCE = 20;

/** A version that a query finds, before anything of it is read that is not needed to count it. */
export interface FoundVersion {
  readonly id: number;
  readonly time: number;
  /** In its text. */
  readonly matches: number;
  readonly name: readonly Range[];
  readonly message: readonly Range[];
}

/** Gathers the versions that a query finds: exact counts over all, and the results of those that come first. */
export interface VersionListing {
  add(found: readonly FoundVersion[]): void;
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
  readonly onHits: ((hits: readonly ShardHit[]) => void) | null;
}

/** Makes the items of versions whose texts hold the query, each text of theirs once. */
function createItemsReader({ corpus, query, matcher }: ListingParts) {
  const keyOf = ({ packId, place }: VersionEntry) => `${packId} ${place}`;
  return (entries: readonly VersionEntry[]): ((entry: VersionEntry) => readonly MatchItem[]) => {
    const items = new Map<string, readonly MatchItem[]>();
    let waiting: { readonly entry: VersionEntry; readonly text: string }[] = [];
    let length = 0;
    const settle = () => {
      const ranges = matcher.findAll(waiting.map(({ text }) => text));
      for (const [index, { entry, text }] of waiting.entries()) {
        const found = matchItems(text, ranges[index] ?? NO_RANGES, sectionsOf(entry), query.itemsPerResult);
        items.set(keyOf(entry), found);
      }
      [waiting, length] = [[], 0];
    };
    const distinct = query.itemsPerResult === 0 ? [] : new Map(entries.map((entry) => [keyOf(entry), entry])).values();
    for (const entry of distinct) {
      const pack = entry.packId === null ? null : corpus.pack(entry.packId);
      if (pack === null) continue;
      const text = textOf(pack, entry.place);
      waiting.push({ entry, text });
      length += text.length;
      if (length >= matcher.batchLength) settle();
    }
    settle();
    return (entry) => items.get(keyOf(entry)) ?? [];
  };
}

/** Lists the current versions, ranked as files are. */
export function createCurrentListing(parts: ListingParts): VersionListing {
  const { corpus, query, accepts, onHits } = parts;
  const tally = createTally(query.limit, onHits);
  const readItems = createItemsReader(parts);
  return {
    add(found) {
      const entries = corpus.entries(found.map(({ id }) => id));
      for (const { id, matches, name, message } of found) {
        const entry = entries.get(id);
        if (entry === undefined || accepts?.(entry) === false) continue;
        const text = { matches, length: entry.length, sections: sectionsOf(entry) };
        tally.add({ entry, name, message }, text, () => (matches === 0 ? [] : readItems([entry])(entry)));
      }
    },
    send: tally.send,
    answer: async (notSearched) => tally.answer(notSearched),
  };
}

const rankOfFound = ({ name }: FoundVersion) => (name.length > 0 ? PLACE.name : PLACE.body);

function foremostFirst(a: FoundVersion, b: FoundVersion): number {
  return rankOfFound(b) - rankOfFound(a) || b.time - a.time || b.id - a.id;
}

/** Lists the history as it happened, the latest first, names before contents: only of those that are listed rows are read. */
export function createHistoryListing(parts: ListingParts): VersionListing {
  const { corpus, query, accepts, onHits, slices } = parts;
  const { limit } = query;
  const readItems = createItemsReader(parts);
  const sent = new Map<number, ShardHit>();
  let foremost: FoundVersion[] = [];
  /** What comes after it is not listed. */
  let last: FoundVersion | null = null;
  let total = 0;
  let files = 0;

  function keepForemost(): void {
    foremost = foremost.sort(foremostFirst).slice(0, limit);
    if (foremost.length === limit) last = foremost.at(-1) ?? null;
  }

  /** The results of those that are still there, by their numbers. */
  function hitsOf(found: readonly FoundVersion[]): Map<number, ShardHit> {
    const entries = corpus.entries(found.map(({ id }) => id));
    const withText = found.filter(({ matches }) => matches > 0).flatMap(({ id }) => entries.get(id) ?? []);
    const itemsOf = readItems(withText);
    const hits = new Map<number, ShardHit>();
    for (const each of found) {
      const entry = entries.get(each.id);
      if (entry === undefined) continue;
      const { name, message, matches } = each;
      const result = resultOf({ entry, name, message }, matches, matches === 0 ? [] : itemsOf(entry));
      hits.set(each.id, { rank: rankOfFound(each), result });
    }
    return hits;
  }

  return {
    add(found) {
      const entries = accepts === null ? null : corpus.entries(found.map(({ id }) => id));
      for (const each of found) {
        if (entries !== null) {
          const entry = entries.get(each.id);
          if (entry === undefined || accepts?.(entry) === false) continue;
        }
        files += 1;
        total += each.matches;
        if (last !== null && foremostFirst(last, each) < 0) continue;
        foremost.push(each);
        if (foremost.length >= 2 * limit) keepForemost();
      }
    },
    send() {
      if (onHits === null || sent.size >= limit) return;
      const room = Math.min(limit - sent.size, DETAILED_AT_ONCE);
      const hits = hitsOf(foremost.filter(({ id }) => !sent.has(id)).slice(0, room));
      for (const [id, hit] of hits) sent.set(id, hit);
      if (hits.size > 0) onHits([...hits.values()]);
    },
    async answer(notSearched) {
      keepForemost();
      const hits = foremost.flatMap(({ id }) => sent.get(id) ?? []);
      const left = foremost.filter(({ id }) => !sent.has(id));
      for (let from = 0; from < left.length; from += DETAILED_AT_ONCE) {
        hits.push(...hitsOf(left.slice(from, from + DETAILED_AT_ONCE)).values());
        await slices.breathe();
      }
      return { total, files, notSearched, hits };
    },
  };
}
