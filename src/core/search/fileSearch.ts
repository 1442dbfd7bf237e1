import { setImmediate as afterwards } from 'node:timers';
import type Database from 'better-sqlite3';
import type { Range } from '../../shared/model/search.ts';
import { byteItems } from './byteItems.ts';
import type { ByteScan } from './byteScan.ts';
import { type CurrentText, openCurrentTexts } from './currentText.ts';
import { nameOf } from './entry.ts';
import { type FileEntry, openFileCorpus, rowSet } from './fileCorpus.ts';
import { createMatcher, type Matcher } from './matcher.ts';
import { matchItems } from './matchItems.ts';
import type { Sections } from './prepare.ts';
import { createQueryFilter } from './queryFilter.ts';
import type { ShardPostings } from './shardPostings.ts';
import { createSlices, type ShardSearch } from './shardSearch.ts';
import { createTally, type NameHit, NO_RANGES, NOTHING, type Tally } from './tally.ts';

interface JudgeOptions {
  readonly matcher: Matcher;
  readonly scan: ByteScan;
  readonly tally: Tally;
  readonly itemsPerResult: number;
}

/** Looks through texts as they come: in their bytes where these decide, else decoded, as many at once as the matcher likes. */
function createJudge({ matcher, scan, tally, itemsPerResult }: JudgeOptions) {
  let waiting: { hit: NameHit<FileEntry>; text: string; sections: Sections | null }[] = [];
  let waitingLength = 0;

  const itemsOf = (text: string, sections: Sections | null, known?: readonly Range[]) =>
    matchItems(text, known ?? matcher.findAll([text])[0] ?? NO_RANGES, sections, itemsPerResult);

  function settle(): void {
    if (waiting.length === 0) return;
    const judged = waiting.map(({ text }) => text);
    const ranges = tally.isListing() ? matcher.findAll(judged) : null;
    const counts = ranges?.map((each) => each.length) ?? matcher.countAll(judged);
    for (const [index, { hit, text, sections }] of waiting.entries()) {
      const found = { matches: counts[index] ?? 0, length: text.length, sections };
      tally.add(hit, found, () => itemsOf(text, sections, ranges?.[index]));
    }
    waiting = [];
    waitingLength = 0;
  }

  return {
    settle,
    look(hit: NameHit<FileEntry>, text: CurrentText | null): void {
      if (text === null) {
        settle();
        tally.add(hit, NOTHING, () => []);
        return;
      }
      const { decode, sections, scanned } = text;
      const { ascii: literal, eachInLines } = matcher;
      if (literal !== null && eachInLines !== null && scanned !== null) {
        const { size, length } = scanned;
        const found = { matches: scan.count(literal, size), length, sections };
        tally.add(hit, found, () => byteItems(scan, size, { literal, matcher }, itemsPerResult));
        return;
      }
      const decoded = decode();
      waiting.push({ hit, text: decoded, sections });
      waitingLength += decoded.length;
      if (waitingLength >= matcher.batchLength) settle();
    },
  };
}

/** Makes the search over the files of a shard. @param scan may be one that others use, too: it is done with at once */
export function createFileSearch(database: Database.Database, postings: ShardPostings, scan: ByteScan): ShardSearch {
  const corpus = openFileCorpus(database);
  const textBound = database.prepare<[], number>('SELECT coalesce(max(id), 0) FROM texts').pluck();
  const texts = openCurrentTexts(database, scan);

  return {
    async run(asked, hooks, signal) {
      const { query } = asked;
      const matcher = createMatcher(query);
      const filter = createQueryFilter(asked);
      const accepts = (entry: FileEntry) => filter.isOpen || filter.accepts(entry);
      const tally = createTally(query.limit, asked.stream ? hooks.onHits : null);
      const slices = createSlices(signal);
      const stale: string[] = [];
      const onStale = (path: string) => stale.push(path);

      const isNamed = new Set<number>();
      const names = rowSet(postings.fileNames.propose(matcher.literal, corpus.bound()));
      const propose = () => rowSet(postings.texts.propose(matcher.literal, textBound.get() ?? 0));
      // For two characters that takes as long as dozens of files, which names mostly tell: these are read without asking.
      let proposed = matcher.literal?.length === 2 ? null : propose();

      const judge = createJudge({ matcher, scan, tally, itemsPerResult: query.itemsPerResult });
      const look = (hit: NameHit<FileEntry>) =>
        judge.look(hit, proposed?.has(hit.entry.textId) === false ? null : texts.read(hit.entry, onStale));
      // Of those that somebody waits for the small ones first: they take the least time.
      const inOrder = (page: FileEntry[]) => (tally.isListing() ? page.sort((a, b) => a.size - b.size) : page);

      try {
        for (const page of corpus.named(names)) {
          if (!tally.isListing()) proposed ??= propose();
          const entries = inOrder(page.filter(accepts));
          const found = matcher.findAll(entries.map(nameOf));
          for (const [index, entry] of entries.entries()) {
            const name = found[index] ?? NO_RANGES;
            if (name.length === 0) continue;
            isNamed.add(entry.id);
            look({ entry, name, message: NO_RANGES });
            if (slices.isOver()) await slices.breathe(tally.send);
          }
        }
        judge.settle();
        tally.send();
        proposed ??= propose();
        for (const page of corpus.pages(proposed, tally.isListing)) {
          for (const entry of inOrder(page)) {
            if (isNamed.has(entry.id) || !accepts(entry)) continue;
            look({ entry, name: NO_RANGES, message: NO_RANGES });
            if (slices.isOver()) await slices.breathe(tally.send);
          }
        }
        judge.settle();
        tally.send();
        if (stale.length > 0) hooks.onStale(stale);
        const unsearched = corpus.unsearched();
        return tally.answer(filter.isOpen ? unsearched.length : unsearched.filter(filter.accepts).length);
      } finally {
        // After the answer: the next query, such as that of the next key, is answered sooner.
        afterwards(() => {
          if (database.open) corpus.refresh();
        });
      }
    },
  };
}
