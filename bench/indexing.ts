import { execFileSync } from 'node:child_process';
import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { fold } from '../src/shared/rules/fold.ts';
import { corpusFolder, listFiles, readAll, sampleTexts, workFolder } from './corpus.ts';
import { codesearch, type PeerFigures, recoll } from './peers.ts';
import { type BenchOptions, type BenchReport, describeMachine, goal } from './report.ts';

export const description =
  'building the index, against bare FTS5 insertion, a bare look at every file, codesearch and recoll';

const FLOOR_BYTES = 40e6;

interface IndexFigures {
  readonly files: number;
  readonly bytes: number;
  readonly seconds: number;
  readonly indexBytes: number;
  readonly peakRssBytes: number;
}

const ROOT = join(import.meta.dirname, '..');

/** Our index as it ships, in a process of its own, so that its memory is its own and holds no compiler. */
function indexOnce(folder: string, file: string): IndexFigures {
  const args = [join(ROOT, 'out', 'main', 'cli.js'), 'index', folder, '--db', file, '--json'];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 1 << 30 })) as IndexFigures;
}

/** Megabytes a second that one connection inserts of text that is in memory and folded. */
function bareInsertion(texts: readonly string[], file: string): number {
  const folded = texts.map(fold);
  const bytes = folded.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const database = new Database(file);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = NORMAL');
  database.exec(
    "CREATE VIRTUAL TABLE bare USING fts5 (body, tokenize = 'trigram case_sensitive 1', detail = none, content = '', contentless_delete = 1)",
  );
  const insert = database.prepare('INSERT INTO bare (rowid, body) VALUES (?, ?)');
  const insertSome = database.transaction((from: number) => {
    for (const [index, text] of folded.slice(from, from + 1000).entries()) insert.run(BigInt(from + index + 1), text);
  });
  const started = performance.now();
  for (let from = 0; from < folded.length; from += 1000) insertSome(from);
  const seconds = (performance.now() - started) / 1000;
  database.close();
  return bytes / 1e6 / seconds;
}

/** Seconds for finding every file and asking for its size and time. */
function bareScan(folder: string): number {
  const started = performance.now();
  const waiting = [folder];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const entry of readdirSync(next, { withFileTypes: true })) {
      const path = join(next, entry.name);
      if (entry.isDirectory()) waiting.push(path);
      else lstatSync(path);
    }
  }
  return (performance.now() - started) / 1000;
}

function peerRow(what: string, peer: PeerFigures | string, bytes: number): Record<string, string | number> {
  if (typeof peer === 'string') return { what, note: peer };
  return {
    what,
    seconds: peer.seconds,
    'MB/s': bytes / 1e6 / peer.seconds,
    'index MB': peer.bytes / 1e6,
    'RSS MB': peer.peakRssBytes / 1e6,
  };
}

/** Builds the index of the corpus and everything that it is compared with. */
export async function run({ corpus }: BenchOptions): Promise<BenchReport> {
  const folder = corpusFolder(corpus);
  execFileSync(process.execPath, [join(ROOT, 'scripts', 'build.mjs')], { stdio: ['ignore', 2, 2] });
  const work = workFolder('index');
  try {
    const files = listFiles(folder);
    const texts = sampleTexts(files, FLOOR_BYTES);
    const before = bareInsertion(texts, join(work, 'floor-1.db'));
    readAll(files);
    const cold = indexOnce(folder, join(work, 'index.db'));
    const after = bareInsertion(texts, join(work, 'floor-2.db'));
    const floor = (before + after) / 2;
    bareScan(folder);
    const scan = bareScan(folder);
    const again = indexOnce(folder, join(work, 'index.db'));
    const peer = await codesearch(folder, join(work, 'csearchindex'));
    const other = await recoll(folder, cold.bytes, join(work, 'recoll'));
    const speed = cold.bytes / 1e6 / cold.seconds;
    const absent = 'cindex is not installed';
    return {
      name: 'index',
      machine: describeMachine(),
      goals: [
        goal('cold index against bare trigram insertion', speed / floor, 'x', { atLeast: 1.5 }),
        goal(
          'cold index against cindex',
          peer === null ? null : peer.seconds / cold.seconds,
          'x',
          { atLeast: 0.5 },
          peer === null ? absent : undefined,
        ),
        goal('index / text', cold.indexBytes / cold.bytes, 'x', { atMost: 0.22 }),
        goal('peak memory', cold.peakRssBytes / 1e6, 'MB', { atMost: 400 }),
        goal(
          "peak memory against cindex's",
          peer === null ? null : cold.peakRssBytes / peer.peakRssBytes,
          'x',
          { atMost: 0.4 },
          peer === null ? absent : undefined,
        ),
        goal('unchanged restart against find and stat', again.seconds / scan, 'x', { atMost: 3 }),
      ],
      figures: {
        corpus: { files: cold.files, bytes: cold.bytes },
        index: {
          seconds: cold.seconds,
          mbPerSecond: speed,
          bytes: cold.indexBytes,
          ratio: cold.indexBytes / cold.bytes,
          peakRssBytes: cold.peakRssBytes,
        },
        restart: { seconds: again.seconds, findAndStatSeconds: scan },
        floor: { mbPerSecond: floor },
        peers: {
          ...(peer === null ? {} : { cindex: { ...peer, mbPerSecond: cold.bytes / 1e6 / peer.seconds } }),
          ...(typeof other === 'string' ? {} : { recoll: { ...other, mbPerSecond: cold.bytes / 1e6 / other.seconds } }),
        },
      },
      rows: [
        { what: 'corpus', files: cold.files, MB: cold.bytes / 1e6 },
        {
          what: 'cold index',
          seconds: cold.seconds,
          'MB/s': speed,
          'index MB': cold.indexBytes / 1e6,
          'RSS MB': cold.peakRssBytes / 1e6,
        },
        {
          what: 'floor: bare FTS5 insertion, before and after',
          'MB/s': floor,
          note: `${before.toFixed(1)}, ${after.toFixed(1)}`,
        },
        { what: 'unchanged restart', seconds: again.seconds },
        { what: 'floor: find and stat', seconds: scan },
        peerRow('cindex', peer ?? 'not installed, not measured', cold.bytes),
        peerRow('recoll', other, cold.bytes),
      ],
    };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
