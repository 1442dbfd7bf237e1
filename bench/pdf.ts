import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createExtractor } from '../src/core/extract/extractor.ts';
import { workerEntry } from '../src/worker/entries.ts';
import { listFiles, pdfFolder } from './corpus.ts';
import { type BenchOptions, type BenchReport, describeMachine, goal, isInstalled } from './report.ts';

export const description = 'taking the text out of PDFs with two threads, against pdftotext';

const THREADS = 2;

interface Texts {
  readonly seconds: number;
  /** Text by file; missing where there is none. */
  readonly texts: ReadonlyMap<string, string>;
  readonly pages: number;
}

async function extractAll(files: readonly string[], threads: number): Promise<Texts> {
  const texts = new Map<string, string>();
  let pages = 0;
  const waiting = [...files];
  const extractors = Array.from({ length: threads }, () =>
    createExtractor({ threadEntry: workerEntry('extractThread') }),
  );
  // Starting the threads and loading the library is no part of it: an index does so once.
  await Promise.all(extractors.map((each) => each.extract(readFileSync(files[0] ?? ''), 'first.pdf')));
  const started = performance.now();
  await Promise.all(
    extractors.map(async (extractor) => {
      for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
        const extraction = await extractor.extract(readFileSync(file), file);
        if (!extraction.ok) continue;
        pages += extraction.sections.length;
        texts.set(file, extraction.sections.map(({ text }) => text).join('\n'));
      }
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  await Promise.all(extractors.map((each) => each.close()));
  return { seconds, texts, pages };
}

/** One process after the other, as a program that calls it would. */
function pdftotext(files: readonly string[]): { seconds: number; texts: ReadonlyMap<string, string> } {
  const texts = new Map<string, string>();
  const started = performance.now();
  for (const file of files) {
    const { stdout } = spawnSync('pdftotext', [file, '-'], { encoding: 'utf8', maxBuffer: 1 << 30 });
    texts.set(file, stdout);
  }
  return { seconds: (performance.now() - started) / 1000, texts };
}

function wordCounts(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  const plain = text.replace(/\u00AD\s*/gu, '').normalize('NFKC');
  for (const [word] of plain.matchAll(/[\p{L}\p{N}]+/gu)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** Share of the words of both that both have. */
function agreement(ours: ReadonlyMap<string, string>, theirs: ReadonlyMap<string, string>): number {
  let same = 0;
  let all = 0;
  for (const [file, text] of theirs) {
    const [mine, its] = [wordCounts(ours.get(file) ?? ''), wordCounts(text)];
    for (const word of new Set([...mine.keys(), ...its.keys()])) {
      const [first, second] = [mine.get(word) ?? 0, its.get(word) ?? 0];
      same += Math.min(first, second);
      all += Math.max(first, second);
    }
  }
  return all === 0 ? 1 : same / all;
}

/** Takes the text out of all PDFs of a folder, and compares. */
export async function run({ corpus }: BenchOptions): Promise<BenchReport> {
  const files = listFiles(pdfFolder(corpus)).filter((file) => /\.pdf$/iu.test(file));
  for (const file of files) readFileSync(file);
  const one = await extractAll(files, 1);
  const two = await extractAll(files, THREADS);
  const peer = isInstalled('pdftotext', '-v') ? pdftotext(files) : null;
  const note = peer === null ? 'pdftotext (poppler) is not installed' : undefined;
  return {
    name: 'pdf',
    machine: describeMachine(),
    goals: [
      goal('two threads against pdftotext', peer && peer.seconds / two.seconds, 'x', { atLeast: 2.2 }, note),
      goal('words that pdftotext finds too', peer && agreement(two.texts, peer.texts), 'of 1', { atLeast: 0.99 }, note),
    ],
    rows: [
      {
        files: files.length,
        'without text': files.length - two.texts.size,
        pages: two.pages,
        'pages/s, one thread': one.pages / one.seconds,
        'two threads': two.pages / two.seconds,
        pdftotext: peer && two.pages / peer.seconds,
      },
    ],
  };
}
