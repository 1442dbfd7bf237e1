import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { SearchIndex } from '../src/core/search/types.ts';
import { fold } from '../src/shared/rules/fold.ts';
import { openIndex } from '../src/worker/openIndex.ts';
import { corpusFolder, listFiles, readAll, sampleTexts, workFolder } from './corpus.ts';
import { codesearch, recoll, timeCodesearch, timeRecoll } from './peers.ts';
import {
  countsOf,
  differences,
  drawQueries,
  type Kinds,
  LISTED,
  queryOf,
  type Timing,
  timeRipgrep,
} from './queries.ts';
import { type BenchOptions, type BenchReport, describeMachine, goal, isInstalled, percentile } from './report.ts';

export const description =
  'queries drawn from the corpus: first fifty and exact totals, against ripgrep and a plain scan';

const PER_KIND = 13;
/** Queries of a kind for which every file is read, too. */
const SCANNED = 2;

/** Milliseconds to the first fifty files with their lines and counts, and to the exact totals. */
async function time(index: SearchIndex, text: string): Promise<Timing> {
  const started = performance.now();
  let listed = 0;
  let first: number | null = null;
  await index.search(queryOf(text, LISTED), {
    corpus: 'files',
    onResults: (results) => {
      listed += results.length;
      if (listed >= LISTED) first ??= performance.now() - started;
    },
  });
  const total = performance.now() - started;
  return { first: first ?? total, total };
}

/** Every file is read, folded and looked through: what any search costs without an index. */
function scan(
  files: readonly string[],
  text: string,
): { readonly total: number; readonly counts: ReadonlyMap<string, number> } {
  const needle = fold(text);
  const started = performance.now();
  const counts = new Map<string, number>();
  for (const file of files) {
    const haystack = fold(readFileSync(file, 'utf8'));
    let count = 0;
    for (let at = haystack.indexOf(needle); at !== -1; at = haystack.indexOf(needle, at + needle.length)) count += 1;
    if (count > 0) counts.set(file, count);
  }
  return { total: performance.now() - started, counts };
}

/** Runs all queries one after the other over files that are in memory. @returns what came of each, in their order, by kind */
async function inARow<T>(
  kinds: Kinds,
  files: readonly string[],
  runOne: (text: string) => Promise<T>,
): Promise<ReadonlyMap<string, readonly T[]>> {
  readAll(files);
  const found = new Map<string, T[]>();
  for (const [kind, queries] of Object.entries(kinds)) {
    const ofKind: T[] = [];
    for (const text of queries) ofKind.push(await runOne(text));
    found.set(kind, ofKind);
  }
  return found;
}

/** Runs the queries of every kind over the corpus. */
export async function run({ corpus }: BenchOptions): Promise<BenchReport> {
  const folder = corpusFolder(corpus);
  const work = workFolder('search');
  const files = listFiles(folder);
  const kinds = drawQueries(sampleTexts(files, 20e6), PER_KIND);
  const hasRipgrep = isInstalled('rg', '--version');
  const index = await openIndex({ file: join(work, 'index.db') });
  try {
    await index.setRoots([folder]);
    await index.waitForIdle(2 ** 31 - 1);
    const skipped = new Set((await index.skipped()).map(({ path }) => path));
    const configuration = join(work, 'recoll');
    const hasRecoll = typeof (await recoll(folder, await index.indexedBytes(), configuration)) !== 'string';
    const codesearchIndex = join(work, 'codesearch');
    const hasCodesearch = (await codesearch(folder, codesearchIndex)) !== null;
    const rows: Record<string, string | number | null>[] = [];
    const byKind: Record<string, unknown> = {};
    const all = { first: [] as number[], total: [] as number[], rgFirst: [] as number[], rgTotal: [] as number[] };
    let slower = 0;
    let disagreements = 0;
    // As they are used: neither finds what the other left of the processor's caches, nor a system that is busy with what the
    // comparisons below leave behind.
    const oursByKind = await inARow(kinds, files, (text) => time(index, text));
    const theirsByKind = hasRipgrep ? await inARow(kinds, files, (text) => timeRipgrep(folder, text)) : null;
    for (const [kind, queries] of Object.entries(kinds)) {
      const ours = oursByKind.get(kind) ?? [];
      const theirs = theirsByKind?.get(kind) ?? [];
      const scans: number[] = [];
      const counted = theirs.map(({ counts }) => counts);
      slower += theirs.filter(({ first }, position) => first < (ours[position]?.first ?? 0)).length;
      for (const [position, text] of queries.entries()) {
        if (position < SCANNED) {
          const plain = scan(files, text);
          scans.push(plain.total);
          counted[position] ??= plain.counts;
        }
        const peer = counted[position];
        if (peer === undefined) continue;
        if (differences(await countsOf(index, text), peer, skipped) > 0) disagreements += 1;
      }
      const countedBy = hasCodesearch ? queries.map((text) => timeCodesearch(codesearchIndex, text)) : [];
      const figures = (timings: readonly Timing[], key: keyof Timing) => timings.map((timing) => timing[key]);
      all.first.push(...figures(ours, 'first'));
      all.total.push(...figures(ours, 'total'));
      all.rgFirst.push(...figures(theirs, 'first'));
      all.rgTotal.push(...figures(theirs, 'total'));
      const both = (values: readonly number[]) => ({ p50: percentile(values, 0.5), p95: percentile(values, 0.95) });
      byKind[kind] = {
        first50: both(figures(ours, 'first')),
        total: both(figures(ours, 'total')),
        ripgrep: { ...both(figures(theirs, 'total')), first50: both(figures(theirs, 'first')) },
        ...(hasCodesearch ? { codesearch: both(countedBy) } : {}),
      };
      rows.push({
        kind,
        queries: queries.length,
        'first 50 p50': percentile(figures(ours, 'first'), 0.5),
        p95: percentile(figures(ours, 'first'), 0.95),
        'total p50': percentile(figures(ours, 'total'), 0.5),
        'total p95': percentile(figures(ours, 'total'), 0.95),
        'rg first 50 p50': hasRipgrep ? percentile(figures(theirs, 'first'), 0.5) : null,
        'ratio p50': hasRipgrep
          ? percentile(figures(ours, 'first'), 0.5) / percentile(figures(theirs, 'first'), 0.5)
          : null,
        'rg total p50': hasRipgrep ? percentile(figures(theirs, 'total'), 0.5) : null,
        'rg total p95': hasRipgrep ? percentile(figures(theirs, 'total'), 0.95) : null,
        'csearch total p50': hasCodesearch ? percentile(countedBy, 0.5) : null,
        'recoll first 50 p50': hasRecoll
          ? percentile(
              queries.map((text) => timeRecoll(configuration, text, LISTED)),
              0.5,
            )
          : null,
        'plain scan': percentile(scans, 0.5),
      });
    }
    const ratio = (ours: readonly number[], theirs: readonly number[], share: number) =>
      hasRipgrep ? percentile(ours, share) / percentile(theirs, share) : null;
    const note = hasRipgrep ? undefined : 'ripgrep is not installed';
    const queries = Object.values(kinds).flat().length;
    return {
      name: 'search',
      machine: describeMachine(),
      figures: { kinds: byKind, disagreements, queries },
      goals: [
        goal('first 50, p50 against ripgrep', ratio(all.first, all.rgFirst, 0.5), 'x', { atMost: 0.03 }, note),
        goal('first 50, p95 against ripgrep', ratio(all.first, all.rgFirst, 0.95), 'x', { atMost: 0.12 }, note),
        goal('totals, p50 against ripgrep', ratio(all.total, all.rgTotal, 0.5), 'x', { atMost: 0.12 }, note),
        goal('totals, p95 against ripgrep', ratio(all.total, all.rgTotal, 0.95), 'x', { atMost: 0.8 }, note),
        goal(
          'queries on which ripgrep has its first 50 sooner',
          hasRipgrep ? slower : null,
          'queries',
          { atMost: 0 },
          note ?? `of ${queries}`,
        ),
        goal('queries with a file or count that differs', disagreements, 'queries', { atMost: 0 }, `of ${queries}`),
      ],
      rows,
    };
  } finally {
    await index.close();
    rmSync(work, { recursive: true, force: true });
  }
}
