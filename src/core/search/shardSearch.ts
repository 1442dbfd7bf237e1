import { setImmediate as afterwards } from 'node:timers';
import { setImmediate } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import { AppError } from '../../shared/errors.ts';
import type { MatchItem, Range, SearchResult } from '../../shared/model/search.ts';
import { type CorpusReader, type Entry, nameOf, openCorpora, textSet } from './corpora.ts';
import { type CurrentText, openCurrentTexts } from './currentText.ts';
import { createMatcher, type Matcher } from './matcher.ts';
import { matchItems } from './matchItems.ts';
import type { Sections } from './prepare.ts';
import { createQueryFilter, namesOf } from './queryFilter.ts';
import { isInHeading, mayHaveHeadings, PLACE, rankOf } from './rank.ts';
import type { ShardPostings } from './shardPostings.ts';
import type { ShardAnswer, ShardHit, ShardQuery } from './shardProtocol.ts';

/** A search gives way to other work of its thread after so long, and hears then whether it was cancelled. */
const SLICE_MS = 5;
/** Hits are sent on when so many have come together, at the latest at the end of a slice. */
const BATCH = 20;

export interface ShardSearchHooks {
  readonly onHits: (hits: readonly ShardHit[]) => void;
  /** Files that are no longer what the index says. */
  readonly onStale: (paths: readonly string[]) => void;
}

/** Runs queries over one shard. */
export interface ShardSearch {
  run(asked: ShardQuery, hooks: ShardSearchHooks, signal: AbortSignal): Promise<ShardAnswer>;
}

/** What names and messages say of an entry, before its text is looked at. */
interface NameHit {
  readonly entry: Entry;
  readonly name: readonly Range[];
  readonly message: readonly Range[];
}

const NO_RANGES: readonly Range[] = [];

function byPlace(a: NameHit, b: NameHit): number {
  const [first, second] = [a.entry, b.entry];
  const later = second.time - first.time;
  return later || (first.path < second.path ? -1 : 1);
}

function nameItems({ entry, name, message }: NameHit): MatchItem[] {
  const items: MatchItem[] = [];
  if (name.length > 0) items.push({ type: 'Filename', number: 1, line: null, text: nameOf(entry), ranges: [...name] });
  if (message.length > 0) {
    const text = entry.version?.message ?? '';
    items.push({ type: 'Message', number: 1, line: null, text, ranges: [...message] });
  }
  return items;
}

function resultOf({ entry, name, message }: NameHit, matches: number, content: readonly MatchItem[]): SearchResult {
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
    items: [...(matches === 0 || message.length > 0 ? nameItems({ entry, name, message }) : []), ...content],
  };
}

/** Entries whose names match, and in the history those whose commit messages do: a message tells of a change, not of what stands now. */
function findNames(
  corpus: CorpusReader,
  matcher: Matcher,
  accepts: (entry: Entry) => boolean,
  withMessages: boolean,
): NameHit[] {
  const proposal = corpus.names.propose(matcher.literal, corpus.entryBound());
  if (proposal === 'none') return [];
  const entries = corpus.named(proposal).filter(accepts);
  const names = matcher.findAll(entries.map(nameOf));
  const messages = withMessages ? matcher.findAll(entries.map(({ version }) => version?.message ?? '')) : [];
  return entries
    .map((entry, index) => ({
      entry,
      name: names[index] ?? NO_RANGES,
      message: messages[index] ?? NO_RANGES,
    }))
    .filter(({ name, message }) => name.length > 0 || message.length > 0);
}

/** What was found in the text of an entry, before its details. */
interface TextHit {
  readonly matches: number;
  /** Of the text, in UTF-16 code units. */
  readonly length: number;
  readonly sections: Sections | null;
}

const NOTHING: TextHit = { matches: 0, length: 0, sections: null };

/**
 * Gathers verified hits: exact counts over everything, and the details of those that are listed. The first that are found are
 * sent on at once; better ones that come later take their places in the answer. `byTime`: the first are the best.
 */
function createTally(limit: number, byTime: boolean, onHits: ((hits: readonly ShardHit[]) => void) | null) {
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
    /** Whether every hit is listed as yet, so that details are wanted of each. */
    isListing: () => files < limit,
    /** Adds a hit; it is asked for its items when it is listed. */
    add(hit: NameHit, { matches, length, sections }: TextHit, itemsOf: () => readonly MatchItem[]): void {
      const isNamed = hit.name.length > 0;
      if (matches === 0 && !isNamed && hit.message.length === 0) return;
      const isFirst = files < limit;
      files += 1;
      total += matches;
      if (byTime) {
        if (isFirst) list({ rank: isNamed ? PLACE.name : PLACE.body, result: resultOf(hit, matches, itemsOf()) }, true);
        return;
      }
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
    answer(notSearched: number): ShardAnswer {
      keepBest();
      return { total, files, notSearched, hits };
    },
  };
}

/** Makes the search over a shard's database. */
export function createShardSearch(database: Database.Database, postings: ShardPostings): ShardSearch {
  const corpora = openCorpora(database, postings);
  const textBound = database.prepare<[], number>('SELECT coalesce(max(id), 0) FROM texts').pluck();
  const texts = openCurrentTexts(database);

  return {
    async run(asked, hooks, signal) {
      const { query } = asked;
      const matcher = createMatcher(query);
      const corpus = corpora[asked.corpus];
      const filter = createQueryFilter(asked);
      const accepts = (entry: Entry) => filter.isOpen || filter.accepts(entry);
      const byTime = asked.corpus === 'all-versions';
      const tally = createTally(query.limit, byTime, asked.stream ? hooks.onHits : null);
      const stale: string[] = [];
      const onStale = (path: string) => stale.push(path);

      const named = new Map(findNames(corpus, matcher, accepts, byTime).map((hit) => [hit.entry.id, hit]));
      const messageOnly = [...named.values()].filter(({ name }) => name.length === 0).map(({ entry }) => entry.id);
      const proposed = textSet(postings.texts.propose(matcher.literal, textBound.get() ?? 0));
      const nameFirst = [...named.values()].filter(({ name }) => name.length > 0).sort(byPlace);
      const first = new Set(nameFirst.map(({ entry }) => entry.id));

      // Versions share texts: what was found in one holds for all that carry it.
      const hitOfText = new Map<number, TextHit>();
      const itemsOfText = new Map<number, readonly MatchItem[]>();
      let waiting: { hit: NameHit; text: CurrentText }[] = [];
      let waitingLength = 0;
      let sliceEnds = performance.now() + SLICE_MS;

      const settle = () => {
        if (waiting.length === 0) return;
        const judged = waiting.map(({ text }) => text.text);
        const ranges = tally.isListing() ? matcher.findAll(judged) : null;
        const counts = ranges?.map((each) => each.length) ?? matcher.countAll(judged);
        for (const [index, { hit, text }] of waiting.entries()) {
          const { textId, version } = hit.entry;
          const sharedId = version === null ? null : textId;
          const found = { matches: counts[index] ?? 0, length: text.text.length, sections: text.sections };
          if (sharedId !== null) hitOfText.set(sharedId, found);
          tally.add(hit, found, () => {
            const places = ranges?.[index] ?? matcher.findAll([text.text])[0] ?? NO_RANGES;
            const items = matchItems(text.text, places, text.sections, query.itemsPerResult);
            if (sharedId !== null) itemsOfText.set(sharedId, items);
            return items;
          });
        }
        waiting = [];
        waitingLength = 0;
      };
      const breathe = async () => {
        if (performance.now() < sliceEnds) return;
        tally.send();
        await setImmediate();
        if (signal.aborted) throw new AppError('cancelled', 'the search was cancelled');
        sliceEnds = performance.now() + SLICE_MS;
      };
      const look = (hit: NameHit, mayContain: boolean) => {
        const { textId } = hit.entry;
        const known = textId === null ? undefined : hitOfText.get(textId);
        const items = textId === null ? undefined : itemsOfText.get(textId);
        if (known !== undefined && (known.matches === 0 || items !== undefined || (byTime && !tally.isListing()))) {
          settle();
          tally.add(hit, known, () => items ?? []);
          return;
        }
        const text = mayContain ? texts.read(hit.entry, onStale) : null;
        if (text === null) {
          settle();
          tally.add(hit, NOTHING, () => []);
          return;
        }
        waiting.push({ hit, text });
        waitingLength += text.text.length;
        if (waitingLength >= matcher.batchLength) settle();
      };

      for (const hit of nameFirst) {
        look(hit, proposed.has(hit.entry.textId));
        await breathe();
      }
      settle();
      tally.send();
      for (const page of corpus.pages(proposed, messageOnly)) {
        for (const entry of page) {
          if (first.has(entry.id) || !accepts(entry)) continue;
          look(named.get(entry.id) ?? { entry, name: NO_RANGES, message: NO_RANGES }, proposed.has(entry.textId));
          await breathe();
        }
      }
      settle();
      tally.send();
      if (stale.length > 0) hooks.onStale(stale);
      const unsearched = corpus.unsearched();
      // After the answer: the next query, such as that of the next key, is answered sooner.
      afterwards(() => {
        if (database.open) corpus.refresh();
      });
      return tally.answer(filter.isOpen ? unsearched.length : unsearched.filter(filter.accepts).length);
    },
  };
}
