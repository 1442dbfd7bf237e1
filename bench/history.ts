import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { SearchIndex, VersionRecord } from '../src/core/search/types.ts';
import { SearchQuery } from '../src/shared/model/search.ts';
import { fold } from '../src/shared/rules/fold.ts';
import { openIndex } from '../src/worker/openIndex.ts';
import { corpusFolder, createRandom, listFiles, workFolder } from './corpus.ts';
import { type BenchOptions, type BenchReport, describeMachine, goal, isInstalled, percentile } from './report.ts';

export const description = 'searching every version of documents, against git log -S over the same history';

const DOCUMENTS = 400;
const VERSIONS = 8000;
/** Bytes of a document's first version. */
const SIZES = { least: 2000, most: 60_000 };
const QUERIES = 40;
/** Of all queries; each takes git seconds. */
/** A query is asked so often; its time is the median, since a single pause of a machine is as long as a query. */
const ROUNDS = 3;
const ASKED_GIT = 5;

interface Version {
  readonly record: VersionRecord;
  readonly text: string;
}

/** Documents that are edited a few lines at a time, as the versions of one shelf in the order of their commits. */
function makeHistory(folder: string): { versions: Version[]; inserted: string[] } {
  const random = createRandom(5);
  const below = (count: number) => Math.floor(random() * count);
  const files = listFiles(folder).filter((file) => {
    const { size } = statSync(file);
    return size >= SIZES.least && size <= SIZES.most;
  });
  const step = Math.max(1, Math.floor(files.length / DOCUMENTS));
  const documents = Array.from({ length: DOCUMENTS }, (_, index) => ({
    name: `part ${index % 9}/document ${index}.txt`,
    lines: readFileSync(files[(index * step) % files.length] ?? '', 'utf8').split('\n'),
    number: 0,
  }));
  const inserted: string[] = [];
  const anyLine = () => {
    const { lines } = documents[below(DOCUMENTS)] as (typeof documents)[number];
    return lines[below(lines.length)] ?? '';
  };
  const versions = Array.from({ length: VERSIONS }, (_, at): Version => {
    // Some documents are edited far more often than others.
    const document = documents[
      at < DOCUMENTS ? at : Math.floor(DOCUMENTS * random() ** 2)
    ] as (typeof documents)[number];
    document.number += 1;
    if (document.number > 1) {
      for (let edit = 1 + below(6); edit > 0; edit -= 1) {
        const line = `${anyLine()} ${anyLine().slice(0, 40)}`;
        inserted.push(line);
        document.lines.splice(below(document.lines.length), below(2), line);
      }
    }
    const text = document.lines.join('\n');
    const record: VersionRecord = {
      versionId: `v${at}`,
      documentId: document.name,
      shelfId: 'shelf',
      libraryName: 'Library',
      shelfName: 'Shelf',
      documentName: document.name,
      number: document.number,
      isCurrent: false,
      sha256: createHash('sha256').update(text).digest('hex'),
      size: Buffer.byteLength(text),
      commitHash: String(at).padStart(40, '0'),
      commitMessage: `Commit ${at}`,
      author: 'somebody',
      committedAt: new Date(1_600_000_000_000 + at * 60_000).toISOString(),
    };
    return { record, text };
  });
  return { versions, inserted };
}

/** The same history as a git repository of one branch. */
async function makeRepository(folder: string, versions: readonly Version[]): Promise<void> {
  mkdirSync(folder);
  spawnSync('git', ['init', '-q', '--initial-branch=main', folder], { stdio: 'ignore' });
  const importer = spawn('git', ['-C', folder, 'fast-import', '--quiet'], { stdio: ['pipe', 'ignore', 'inherit'] });
  const ended = once(importer, 'exit');
  for (const { record, text } of versions) {
    const seconds = Math.floor(Date.parse(record.committedAt) / 1000);
    const head = `commit refs/heads/main\ncommitter s <s@example.org> ${seconds} +0000\ndata <<E\n${record.commitMessage}\nE\n`;
    const body = `M 644 inline ${record.documentName}\ndata ${Buffer.byteLength(text)}\n${text}\n`;
    if (!importer.stdin.write(head + body)) await once(importer.stdin, 'drain');
  }
  importer.stdin.end();
  await ended;
  spawnSync('git', ['-C', folder, 'gc', '-q'], { stdio: 'ignore' });
}

/** Pieces of lines that came in with one version or another. */
function drawQueries(inserted: readonly string[]): string[] {
  const random = createRandom(9);
  const found = new Set<string>();
  while (found.size < QUERIES) {
    const line = inserted[Math.floor(random() * inserted.length)] ?? '';
    const start = Math.floor(random() * line.length);
    const piece = line.slice(start, start + 4 + Math.floor(random() * 20)).trim();
    if (piece.length >= 4) found.add(piece);
  }
  return [...found];
}

const queryOf = (text: string, limit: number) =>
  SearchQuery.parse({ text, scope: 'history', limit, itemsPerResult: limit === 50 ? 10 : 0 });

async function time(index: SearchIndex, text: string): Promise<number> {
  const started = performance.now();
  await index.search(queryOf(text, 50), { corpus: 'all-versions' });
  return performance.now() - started;
}

/** Whether the index finds just the versions that hold a text. */
async function agrees(index: SearchIndex, text: string, folded: ReadonlyMap<string, string>): Promise<boolean> {
  const { results } = await index.search(queryOf(text, 100_000), { corpus: 'all-versions' });
  const found = new Set(results.filter(({ matches }) => matches > 0).map(({ id }) => id));
  const needle = fold(text.normalize('NFC'));
  return [...folded].every(([id, each]) => each.includes(needle) === found.has(id));
}

/** Builds the history, indexes it, and asks both. */
export async function run({ corpus }: BenchOptions): Promise<BenchReport> {
  const work = workFolder('history');
  const { versions, inserted } = makeHistory(corpusFolder(corpus));
  const texts = new Map(versions.map(({ record, text }) => [record.sha256, text]));
  const distinctBytes = [...texts.values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const folded = new Map(versions.map(({ record, text }) => [record.versionId, fold(text.normalize('NFC'))]));
  const queries = drawQueries(inserted);
  const repository = join(work, 'repository');
  const hasGit = isInstalled('git', '--version');
  if (hasGit) await makeRepository(repository, versions);
  const index = await openIndex({ file: join(work, 'index.db') });
  try {
    const started = performance.now();
    const records = versions.map(({ record }) => record);
    for (let from = 0; from < records.length; from += 500) {
      await index.putVersions(records.slice(from, from + 500), async (sha256) => Buffer.from(texts.get(sha256) ?? ''));
    }
    await index.waitForIdle(2 ** 31 - 1);
    const seconds = (performance.now() - started) / 1000;
    const { indexBytes } = index.status();
    for (const text of queries) await time(index, text);
    const rounds: number[][] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const times: number[] = [];
      for (const text of queries) times.push(await time(index, text));
      rounds.push(times);
    }
    const ours = queries.map((_, query) =>
      percentile(
        rounds.map((times) => times[query] ?? 0),
        0.5,
      ),
    );
    let disagreements = 0;
    // Apart, since thousands of listed results leave much behind for whoever comes next.
    for (const text of queries) if (!(await agrees(index, text, folded))) disagreements += 1;
    const theirs = queries.slice(0, hasGit ? ASKED_GIT : 0).map((text) => {
      const begun = performance.now();
      spawnSync('git', ['-C', repository, 'log', '--oneline', '-i', '-S', text], { stdio: 'ignore' });
      return performance.now() - begun;
    });
    const note = hasGit ? undefined : 'git is not installed';
    const ratio = hasGit ? percentile(theirs, 0.5) / percentile(ours, 0.95) : null;
    return {
      name: 'history',
      machine: describeMachine(),
      goals: [
        goal('p50 of git log -S against p95', ratio, 'x', { atLeast: 150 }, note),
        goal('index / distinct text, texts included', indexBytes / distinctBytes, 'x', { atMost: 0.1 }),
        goal('queries with a version that differs', disagreements, 'queries', { atMost: 0 }, `of ${queries.length}`),
      ],
      rows: [
        {
          versions: versions.length,
          'distinct MB': distinctBytes / 1e6,
          'index MB': indexBytes / 1e6,
          'indexed in s': seconds,
          'query p50 ms': percentile(ours, 0.5),
          'p95 ms': percentile(ours, 0.95),
          'git log -S p50 ms': hasGit ? percentile(theirs, 0.5) : null,
        },
      ],
    };
  } finally {
    await index.close();
    rmSync(work, { recursive: true, force: true });
  }
}
