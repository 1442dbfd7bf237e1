import type { MatchItem, SearchQuery } from '../../shared/model/search.ts';
import { sectionsOf } from './entry.ts';
import type { Matcher } from './matcher.ts';
import { matchItems } from './matchItems.ts';
import { type LineCounts, type MatchesBefore, matchedLines, type Pack, textOf } from './pack.ts';
import { NO_RANGES } from './tally.ts';
import type { VersionCorpus, VersionEntry } from './versionCorpus.ts';

/** Makes the items of versions whose texts hold a query. */
export interface VersionItems {
  /** Looks at each text of the versions once. */
  read(entries: readonly VersionEntry[]): (entry: VersionEntry) => readonly MatchItem[];
}

const keyOf = ({ packId, place }: VersionEntry) => `${packId} ${place}`;

/** The items of a text that is all `Content`, of which no more is put together than the lines that hold the query. */
function itemsOfLines(
  matcher: Matcher,
  pack: Pack,
  place: number,
  before: MatchesBefore | null,
  limit: number,
): MatchItem[] {
  const items: MatchItem[] = [];
  if (before === null) return items;
  let earlier = 0;
  for (const [line, text] of matchedLines(pack, place, before)) {
    if (items.length >= limit) break;
    const ranges = matcher.findAll([text])[0] ?? NO_RANGES;
    for (const item of matchItems(text, ranges, null, limit - items.length)) {
      items.push({ ...item, line, number: item.number + earlier });
    }
    earlier += ranges.length;
  }
  return items;
}

/** Makes the reader of a query's items. @param found of the lines of packs, as the query was counted in them */
export function createVersionItems(
  corpus: VersionCorpus,
  query: SearchQuery,
  matcher: Matcher,
  found: LineCounts | null,
): VersionItems {
  const { itemsPerResult } = query;

  return {
    read(entries) {
      const items = new Map<string, readonly MatchItem[]>();
      let waiting: { readonly entry: VersionEntry; readonly text: string }[] = [];
      let length = 0;

      const settle = () => {
        const ranges = matcher.findAll(waiting.map(({ text }) => text));
        for (const [index, { entry, text }] of waiting.entries()) {
          const itemsOfText = matchItems(text, ranges[index] ?? NO_RANGES, sectionsOf(entry), itemsPerResult);
          items.set(keyOf(entry), itemsOfText);
        }
        [waiting, length] = [[], 0];
      };

      const distinct = itemsPerResult === 0 ? [] : new Map(entries.map((entry) => [keyOf(entry), entry])).values();
      for (const entry of distinct) {
        const pack = entry.packId === null ? null : corpus.pack(entry.packId);
        if (pack === null) continue;
        if (found !== null && entry.sections === null) {
          items.set(keyOf(entry), itemsOfLines(matcher, pack, entry.place, found.of(pack), itemsPerResult));
          continue;
        }
        const text = textOf(pack, entry.place);
        waiting.push({ entry, text });
        length += text.length;
        if (length >= matcher.batchLength) settle();
      }
      settle();
      return (entry) => items.get(keyOf(entry)) ?? [];
    },
  };
}
