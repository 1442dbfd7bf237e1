import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SearchIndex } from '../src/core/search/types.ts';
import { SearchQuery } from '../src/shared/model/search.ts';
import { openIndex } from '../src/worker/openIndex.ts';
import { workFolder } from './corpus.ts';
import { type BenchReport, describeMachine, goal, percentile } from './report.ts';

export const description = 'how soon an edited file is found, alone and in a burst, and what a burst loses';

const FILES = 20_000;
const FILES_OF_A_FOLDER = 200;
const EDITS = 40;
const BURST = 5000;
const LARGE_BURST = 25_000;

const LINES = Array.from({ length: 40 }, (_, line) => `line ${line} of a document with some words in it`).join('\n');
const nameOf = (number: number) =>
  join(`folder ${Math.floor(number / FILES_OF_A_FOLDER)}`, `document ${number % FILES_OF_A_FOLDER}.txt`);

function write(folder: string, number: number, word: string): void {
  const path = join(folder, nameOf(number));
  if (number % FILES_OF_A_FOLDER === 0) mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, `${LINES}\n${number} ${word}\n`);
}

async function count(index: SearchIndex, text: string): Promise<number> {
  const query = SearchQuery.parse({ text, scope: 'current', limit: 1, itemsPerResult: 0 });
  return (await index.search(query, { corpus: 'files' })).files;
}

/** Milliseconds until so many files hold a word; whenever the index says that something moved, it is asked. */
async function untilFound(index: SearchIndex, text: string, files: number): Promise<number> {
  const started = performance.now();
  for (;;) {
    const moved = new Promise<void>((resolve) => {
      const stop = index.onStatus(() => {
        stop();
        resolve();
      });
    });
    if ((await count(index, text)) >= files) return performance.now() - started;
    await Promise.race([moved, new Promise((done) => setTimeout(done, 20))]);
  }
}

/** Edits files of a watched folder one by one and many at once. */
export async function run(): Promise<BenchReport> {
  const work = workFolder('watch');
  const folder = join(work, 'files');
  for (let number = 0; number < FILES; number += 1) write(folder, number, 'first');
  const index = await openIndex({ file: join(work, 'index.db') });
  try {
    await index.setRoots([folder]);
    await index.watch();
    await index.waitForIdle(2 ** 31 - 1);
    const alone: number[] = [];
    for (let edit = 0; edit < EDITS; edit += 1) {
      write(folder, edit * 3, `alone${edit}x`);
      alone.push(await untilFound(index, `alone${edit}x`, 1));
    }
    await index.waitForIdle(2 ** 31 - 1);

    const inBurst: number[] = [];
    for (let number = 0; number < BURST; number += 1) {
      write(folder, number, 'burst');
      // The writer gives way now and then, as another process would be another thread.
      if (number % 100 === 0) await new Promise((done) => setImmediate(done));
    }
    for (const number of [0, BURST / 4, BURST / 2, BURST - 1]) {
      write(folder, number, `within${number}x`);
      inBurst.push(await untilFound(index, `within${number}x`, 1));
    }
    await index.waitForIdle(2 ** 31 - 1);

    for (let number = 0; number < LARGE_BURST; number += 1) {
      write(folder, FILES + number, 'large');
      if (number % 100 === 0) await new Promise((done) => setImmediate(done));
    }
    renameSync(join(folder, 'folder 1'), join(folder, 'folder renamed'));
    const started = performance.now();
    await untilFound(index, 'large', LARGE_BURST);
    const seconds = (performance.now() - started) / 1000;
    await index.waitForIdle(2 ** 31 - 1);
    const lost = LARGE_BURST - (await count(index, 'large')) + Math.abs(FILES + LARGE_BURST - index.status().files);
    return {
      name: 'watch',
      machine: describeMachine(),
      goals: [
        goal('an edited file findable, p95', percentile(alone, 0.95), 'ms', { atMost: 500 }),
        goal(`the same in a burst of ${BURST}, the slowest of ${inBurst.length}`, Math.max(...inBurst), 'ms', {
          atMost: 2000,
        }),
        goal(`files lost of a burst of ${LARGE_BURST} and a renamed folder`, lost, 'files', { atMost: 0 }),
      ],
      rows: [{ files: FILES, 'alone p50 ms': percentile(alone, 0.5), 'large burst found in s': seconds }],
    };
  } finally {
    await index.close();
    rmSync(work, { recursive: true, force: true });
  }
}
