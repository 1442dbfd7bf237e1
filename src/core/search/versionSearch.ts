import type Database from 'better-sqlite3';
import type { Range } from '../../shared/model/search.ts';
import type { ByteScan } from './byteScan.ts';
import { createMatcher, type Matcher } from './matcher.ts';
import { countInTexts, createLineCounts, textOf } from './pack.ts';
import { createQueryFilter } from './queryFilter.ts';
import type { ShardPostings } from './shardPostings.ts';
import type { ShardQuery } from './shardProtocol.ts';
import { createSlices, type ShardSearch, type Slices } from './shardSearch.ts';
import { NO_RANGES } from './tally.ts';
import {
  openVersionCorpus,
  type PackedVersion,
  type PackOfVersions,
  type VersionCorpus,
  type VersionNames,
} from './versionCorpus.ts';
import { createCurrentListing, createHistoryListing, type FoundNames } from './versionListing.ts';

/** A version whose name or message holds the query. */
interface NamedVersion extends FoundNames {
  readonly time: number;
  readonly packId: number | null;
}

const NOT_NAMED: FoundNames = { name: NO_RANGES, message: NO_RANGES };

/** What the filters of a query ask of versions: shelves are told by what a pack knows, all else by their rows. */
function createVersionFilter(asked: ShardQuery) {
  const all = createQueryFilter({ ...asked, missingRoots: [] });
  const others = createQueryFilter({ ...asked, missingRoots: [], shelfIds: null });
  const shelves = asked.shelfIds === null ? null : new Set(asked.shelfIds);
  const currentOnly = asked.corpus === 'current-versions';
  return {
    currentOnly,
    accepts: all.isOpen ? null : all.accepts,
    ofRows: others.isOpen ? null : others.accepts,
    ofPacked:
      currentOnly || shelves !== null
        ? ({ isCurrent, shelfId }: PackedVersion) =>
            (!currentOnly || isCurrent) && (shelves === null || shelves.has(shelfId))
        : null,
    ofNames: ({ shelfId }: VersionNames) => shelves === null || shelves.has(shelfId),
  };
}

type VersionFilter = ReturnType<typeof createVersionFilter>;

/** Counts the matches in the texts of some versions by putting each of them together. */
async function countWholeTexts(
  matcher: Matcher,
  pack: PackOfVersions,
  versions: readonly PackedVersion[],
  slices: Slices,
): Promise<Uint32Array> {
  const counts = new Uint32Array(pack.firstRuns.length - 1);
  let places: number[] = [];
  let texts: string[] = [];
  let length = 0;
  const settle = () => {
    for (const [index, count] of matcher.countAll(texts).entries()) counts[places[index] ?? 0] = count;
    [places, texts, length] = [[], [], 0];
  };
  for (const place of new Set(versions.map((version) => version.place))) {
    const text = textOf(pack, place);
    places.push(place);
    texts.push(text);
    length += text.length;
    if (length < matcher.batchLength) continue;
    settle();
    await slices.breathe();
  }
  settle();
  return counts;
}

/** Finds the versions whose names match, and in the history those whose commit messages do: a message tells of a change, not of what stands now. */
async function findNames(
  corpus: VersionCorpus,
  postings: ShardPostings,
  matcher: Matcher,
  filter: VersionFilter,
  slices: Slices,
): Promise<Map<number, NamedVersion>> {
  const named = new Map<number, NamedVersion>();
  const proposal = postings.versionNames.propose(matcher.literal, corpus.bound());
  if (proposal === 'none') return named;
  for (const page of corpus.names(proposal, filter.currentOnly)) {
    // Many versions have the same name, and a commit gives all of its versions the same message.
    const texts = [...new Set(page.flatMap(({ name, message }) => (filter.currentOnly ? [name] : [name, message])))];
    const found = matcher.findAll(texts);
    const ranges = new Map(texts.map((text, index): [string, readonly Range[]] => [text, found[index] ?? NO_RANGES]));
    for (const each of page) {
      const name = ranges.get(each.name) ?? NO_RANGES;
      const message = filter.currentOnly ? NO_RANGES : (ranges.get(each.message) ?? NO_RANGES);
      if (name.length + message.length === 0 || !filter.ofNames(each)) continue;
      named.set(each.id, { time: each.time, packId: each.packId, name, message });
    }
    await slices.breathe();
  }
  return named;
}

/** Makes the search over the versions of a shard. @param scan may be one that others use, too: it is done with at once */
export function createVersionSearch(database: Database.Database, postings: ShardPostings, scan: ByteScan): ShardSearch {
  const corpus = openVersionCorpus(database);

  return {
    async run(asked, hooks, signal) {
      const { query, documentIds } = asked;
      const matcher = createMatcher(query);
      const slices = createSlices(signal);
      const filter = createVersionFilter(asked);
      const createListing = filter.currentOnly ? createCurrentListing : createHistoryListing;
      const onHits = asked.stream ? hooks.onHits : null;
      const found = matcher.eachInLines === null ? null : createLineCounts(matcher.eachInLines, matcher.ascii, scan);
      const listing = createListing({ corpus, query, matcher, found, slices, accepts: filter.ofRows, onHits });
      /** Versions that are done with, by their numbers; those that came after the search began count as such. */
      const isSeen = new Uint8Array(corpus.bound() + 1);
      const named = await findNames(corpus, postings, matcher, filter, slices);
      let newestPack = corpus.packBound();

      const isWanted = (version: PackedVersion) =>
        isSeen[version.id] === 0 && (filter.ofPacked === null || filter.ofPacked(version));

      /** Adds what was found in a pack. A loop, since there may be thousands of versions in the packs of a query. */
      const list = (pack: PackOfVersions, counts: Uint32Array | null): void => {
        for (const version of pack.versions) {
          if (!isWanted(version)) continue;
          const { id, time, place } = version;
          isSeen[id] = 1;
          const matches = counts === null ? 0 : (counts[place] ?? 0);
          const names = named.size === 0 ? undefined : named.get(id);
          if (matches > 0 || names !== undefined) listing.add(id, time, matches, names ?? NOT_NAMED);
        }
      };
      const look = async (packId: number): Promise<void> => {
        const pack = corpus.pack(packId);
        if (pack === null || !pack.versions.some(isWanted)) return;
        if (found === null) {
          list(pack, await countWholeTexts(matcher, pack, pack.versions.filter(isWanted), slices));
          return;
        }
        const before = found.of(pack);
        list(pack, before === null ? null : countInTexts(pack, before));
      };
      const lookAt = async (packIds: readonly number[]): Promise<void> => {
        for (const packId of packIds) {
          await look(packId);
          if (slices.isOver()) await slices.breathe(listing.send);
        }
      };

      const ofDocuments = documentIds === null ? null : corpus.packsOfDocuments(documentIds);
      const proposed = corpus
        .packIds(postings.packs.propose(matcher.literal, newestPack))
        .filter((id) => ofDocuments === null || ofDocuments.has(id));
      const isProposed = new Set<number | null>(proposed);
      for (const [id, names] of named) {
        if (isProposed.has(names.packId)) continue;
        isSeen[id] = 1;
        listing.add(id, names.time, 0, names);
      }
      const isNamed = new Set([...named.values()].map(({ packId }) => packId));
      // Names come before contents.
      await lookAt(proposed.filter((id) => isNamed.has(id)));
      await lookAt(proposed.filter((id) => !isNamed.has(id)));
      // What was in a pack that a writer replaced meanwhile is in a newer one.
      for (let newer = corpus.packsAfter(newestPack); newer.length > 0; newer = corpus.packsAfter(newestPack)) {
        newestPack = newer[0] ?? newestPack;
        await lookAt(newer);
      }
      listing.send();
      const unsearched = corpus.unsearched(filter.currentOnly);
      return listing.answer(filter.accepts === null ? unsearched.length : unsearched.filter(filter.accepts).length);
    },
  };
}
