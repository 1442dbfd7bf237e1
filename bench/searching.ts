import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { SearchIndex } from '../src/core/search/types.ts';
import { SearchQuery } from '../src/shared/model/search.ts';
import { fold } from '../src/shared/rules/fold.ts';
import { openIndex } from '../src/worker/openIndex.ts';
import { corpusFolder, createRandom, listFiles, sampleTexts, workFolder } from './corpus.ts';
import { recoll, timeRecoll } from './peers.ts';
import { type BenchOptions, type BenchReport, describeMachine, goal, isInstalled, percentile } from './report.ts';

export const description =
  'queries drawn from the corpus: first fifty and exact totals, against ripgrep and a plain scan';

const PER_KIND = 12;
const LISTED = 50;
/** Queries of a kind for which every file is read, too. */
const SCANNED = 2;

/** Queries of one kind, each a piece of a text of the corpus. */
type Kinds = Readonly<Record<string, readonly string[]>>;

function drawQueries(texts: readonly string[]): Kinds {
  const random = createRandom(3);
  const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)];
  const draw = (pattern: RegExp): string[] => {
    const found = new Set<string>();
    for (let tries = 0; tries < 20_000 && found.size < PER_KIND; tries += 1) {
      const line = pick((pick(texts) ?? '').split(/\r?\n/u)) ?? '';
      const piece = pick([...line.matchAll(pattern)])?.[0] ?? '';
      const length = [...piece].length;
      if (length >= 2 && length <= 50 && !piece.includes('\uFFFD')) found.add(piece);
    }
    return [...found];
  };
  return {
    common: draw(/\p{L}{4,20}/gu),
    'part of a word': draw(/(?<=\p{L})\p{L}{3,6}(?=\p{L})/gu),
    phrase: draw(/[\p{L}\d]+ [\p{L}\d]+ [\p{L}\d]+/gu),
    code: draw(/\w+[_(=;>-][^\s]*[^ ]{2,20}/gu),
    'two characters': draw(/[\p{L}\d][\p{L}\d]/gu),
    'not ASCII': draw(/[^\p{ASCII}]{2,8}/gu),
  };
}

const queryOf = (text: string, limit: number) =>
  SearchQuery.parse({ text, scope: 'current', limit, itemsPerResult: limit === LISTED ? 10 : 0 });

interface Timing {
  readonly first: number;
  readonly total: number;
}

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

/** The same of ripgrep, with the counts that it gives. */
function timeRipgrep(folder: string, text: string): Promise<Timing & { readonly counts: ReadonlyMap<string, number> }> {
  const args = [
    '-iFa',
    '--no-ignore',
    '--hidden',
    '--no-messages',
    '--count-matches',
    '--with-filename',
    '--null',
    '-e',
    text,
    folder,
  ];
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn('rg', args, { stdio: ['ignore', 'pipe', 'ignore'] });
    const parts: Buffer[] = [];
    let lines = 0;
    let first: number | null = null;
    child.on('error', reject);
    child.stdout.on('data', (part: Buffer) => {
      parts.push(part);
      for (const byte of part) if (byte === 10) lines += 1;
      if (lines >= LISTED) first ??= performance.now() - started;
    });
    child.on('close', () => {
      const total = performance.now() - started;
      const counts = new Map<string, number>();
      for (const line of Buffer.concat(parts).toString('utf8').split('\n')) {
        const [path, count] = line.split('\0');
        if (path !== undefined && count !== undefined) counts.set(path, Number(count));
      }
      resolve({ first: first ?? total, total, counts });
    });
  });
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

/** Reads everything, so that whoever comes first does not fetch the files from disk for the others. */
function warm(files: readonly string[]): void {
  for (const file of files) readFileSync(file);
}

/** Files on which two searches differ, leaving out those that the index lists as not searched. */
function differences(
  ours: ReadonlyMap<string, number>,
  theirs: ReadonlyMap<string, number>,
  skipped: ReadonlySet<string>,
): number {
  const paths = new Set([...ours.keys(), ...theirs.keys()]);
  return [...paths].filter((path) => !skipped.has(path) && ours.get(path) !== theirs.get(path)).length;
}

/** Runs the queries of every kind over the corpus. */
export async function run({ corpus }: BenchOptions): Promise<BenchReport> {
  const folder = corpusFolder(corpus);
  const work = workFolder('search');
  const files = listFiles(folder);
  const kinds = drawQueries(sampleTexts(files, 20e6));
  const hasRipgrep = isInstalled('rg', '--version');
  const index = await openIndex({ file: join(work, 'index.db') });
  try {
    await index.setRoots([folder]);
    await index.waitForIdle(2 ** 31 - 1);
    const skipped = new Set((await index.skipped()).map(({ path }) => path));
    const configuration = join(work, 'recoll');
    const hasRecoll = typeof (await recoll(folder, await index.indexedBytes(), configuration)) !== 'string';
    const rows: Record<string, string | number | null>[] = [];
    const byKind: Record<string, unknown> = {};
    const all = { first: [] as number[], total: [] as number[], rgFirst: [] as number[], rgTotal: [] as number[] };
    let slower = 0;
    let disagreements = 0;
    for (const [kind, queries] of Object.entries(kinds)) {
      warm(files);
      const ours: Timing[] = [];
      const theirs: Timing[] = [];
      const scans: number[] = [];
      const counted: ReadonlyMap<string, number>[] = [];
      for (const text of queries) {
        const timing = await time(index, text);
        ours.push(timing);
        if (!hasRipgrep) continue;
        const peer = await timeRipgrep(folder, text);
        theirs.push(peer);
        counted.push(peer.counts);
        if (peer.first < timing.first) slower += 1;
      }
      // Apart, since a list of all results leaves much behind for whoever comes next.
      for (const [position, text] of queries.entries()) {
        if (position < SCANNED) {
          const plain = scan(files, text);
          scans.push(plain.total);
          counted[position] ??= plain.counts;
        }
        const peer = counted[position];
        if (peer === undefined) continue;
        const { results } = await index.search(queryOf(text, 100_000), { corpus: 'files' });
        const counts = new Map(
          results.filter(({ matches }) => matches > 0).map(({ path, matches }) => [path, matches]),
        );
        if (differences(counts, peer, skipped) > 0) disagreements += 1;
      }
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
      };
      rows.push({
        kind,
        queries: queries.length,
        'first 50 p50': percentile(figures(ours, 'first'), 0.5),
        p95: percentile(figures(ours, 'first'), 0.95),
        'total p50': percentile(figures(ours, 'total'), 0.5),
        'total p95': percentile(figures(ours, 'total'), 0.95),
        'rg first 50 p50': hasRipgrep ? percentile(figures(theirs, 'first'), 0.5) : null,
        'rg total p50': hasRipgrep ? percentile(figures(theirs, 'total'), 0.5) : null,
        'rg total p95': hasRipgrep ? percentile(figures(theirs, 'total'), 0.95) : null,
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
