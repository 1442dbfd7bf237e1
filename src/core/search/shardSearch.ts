import { setImmediate as afterwards } from 'node:timers';
import { setImmediate } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import { AppError } from '../../shared/errors.ts';
import type { MatchItem, Range, SearchQuery, SearchResult } from '../../shared/model/search.ts';
import { type CorpusReader, type Entry, nameOf, openCorpora, textSet } from './corpora.ts';
import { type CurrentText, openCurrentTexts } from './currentText.ts';
import { createMatcher, type Matcher } from './matcher.ts';
import { matchItems } from './matchItems.ts';
import { createQueryFilter, namesOf } from './queryFilter.ts';
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

/** Gathers verified hits: exact counts over everything, details for those that can be listed. */
function createTally(query: SearchQuery, onHits: ((hits: readonly ShardHit[]) => void) | null) {
  const hits: ShardHit[] = [];
  // Versions share texts: what was said of one holds for all that carry it.
  const itemsOfText = new Map<number, readonly MatchItem[]>();
  let batch: ShardHit[] = [];
  let total = 0;
  let files = 0;

  function contentItems(entry: Entry, text: CurrentText | null, ranges: readonly Range[]): readonly MatchItem[] {
    const shared = entry.version === null ? null : entry.textId;
    const known = shared === null ? undefined : itemsOfText.get(shared);
    if (known !== undefined || text === null) return known ?? [];
    const items = matchItems(text.text, ranges, text.sections, query.itemsPerResult);
    if (shared !== null) itemsOfText.set(shared, items);
    return items;
  }

  function send(): void {
    if (batch.length > 0) onHits?.(batch);
    batch = [];
  }

  return {
    /** Whether another hit would be listed, so that its details are wanted. */
    isListing: () => hits.length < query.limit,
    hasItems: (textId: number) => itemsOfText.has(textId),
    add(hit: NameHit, text: CurrentText | null, matches: number, ranges: readonly Range[]): void {
      if (matches === 0 && hit.name.length === 0 && hit.message.length === 0) return;
      files += 1;
      total += matches;
      if (hits.length >= query.limit) return;
      const items = matches === 0 ? [] : contentItems(hit.entry, text, ranges);
      const found = { nameHit: hit.name.length > 0, result: resultOf(hit, matches, items) };
      hits.push(found);
      batch.push(found);
      if (batch.length >= BATCH) send();
    },
    send,
    answer: (notSearched: number): ShardAnswer => ({ total, files, notSearched, hits }),
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
      const tally = createTally(query, asked.stream ? hooks.onHits : null);
      const stale: string[] = [];
      const onStale = (path: string) => stale.push(path);

      const named = new Map(
        findNames(corpus, matcher, accepts, asked.corpus === 'all-versions').map((hit) => [hit.entry.id, hit]),
      );
      const messageOnly = [...named.values()].filter(({ name }) => name.length === 0).map(({ entry }) => entry.id);
      const proposed = textSet(postings.texts.propose(matcher.literal, textBound.get() ?? 0));
      const nameFirst = [...named.values()].filter(({ name }) => name.length > 0).sort(byPlace);
      const first = new Set(nameFirst.map(({ entry }) => entry.id));

      const matchesOfText = new Map<number, number>();
      let waiting: { hit: NameHit; text: CurrentText }[] = [];
      let waitingLength = 0;
      let sliceEnds = performance.now() + SLICE_MS;

      const settle = () => {
        if (waiting.length === 0) return;
        const judged = waiting.map(({ text }) => text.text);
        const ranges = tally.isListing() ? matcher.findAll(judged) : null;
        const counts = ranges?.map((each) => each.length) ?? matcher.countAll(judged);
        for (const [index, { hit, text }] of waiting.entries()) {
          const matches = counts[index] ?? 0;
          const { textId, version } = hit.entry;
          if (version !== null && textId !== null) matchesOfText.set(textId, matches);
          tally.add(hit, text, matches, ranges?.[index] ?? NO_RANGES);
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
        const known = textId === null ? undefined : matchesOfText.get(textId);
        if (known !== undefined && textId !== null) {
          if (known === 0 || !tally.isListing() || tally.hasItems(textId)) {
            settle();
            tally.add(hit, null, known, NO_RANGES);
            return;
          }
        }
        const text = mayContain ? texts.read(hit.entry, onStale) : null;
        if (text === null) {
          settle();
          tally.add(hit, null, 0, NO_RANGES);
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
