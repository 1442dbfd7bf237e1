import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { openIndex } from '../src/worker/openIndex.ts';
import { corpusFolder, listFiles, sampleTexts, workFolder } from './corpus.ts';
import { countsOf, differences, drawQueries, timeRipgrep } from './queries.ts';
import { type BenchOptions, type BenchReport, describeMachine, goal, isInstalled } from './report.ts';

export const description = 'files and counts of 1,000 queries drawn from the corpus, against those of ripgrep';

const PER_KIND = 125;

/** Asks both every query, and compares file by file. */
export async function run({ corpus }: BenchOptions): Promise<BenchReport> {
  const folder = corpusFolder(corpus);
  const work = workFolder('agreement');
  const kinds = drawQueries(sampleTexts(listFiles(folder), 20e6), PER_KIND);
  const hasRipgrep = isInstalled('rg', '--version');
  const index = await openIndex({ file: join(work, 'index.db') });
  try {
    await index.setRoots([folder]);
    await index.waitForIdle(2 ** 31 - 1);
    const skipped = new Set((await index.skipped()).map(({ path }) => path));
    const rows: Record<string, string | number | null>[] = [];
    for (const [kind, queries] of Object.entries(kinds)) {
      const differing: string[] = [];
      let files = 0;
      for (const text of hasRipgrep ? queries : []) {
        const { counts } = await timeRipgrep(folder, text);
        files += counts.size;
        if (differences(await countsOf(index, text), counts, skipped) > 0) differing.push(text);
      }
      rows.push({
        kind,
        queries: queries.length,
        'files found': files,
        differ: differing.length,
        which: differing.join(' | '),
      });
    }
    const sum = (column: string) => rows.reduce((total, row) => total + Number(row[column]), 0);
    const note = hasRipgrep ? `of ${sum('queries')}` : 'ripgrep is not installed';
    const disagreements = hasRipgrep ? sum('differ') : null;
    return {
      name: 'agreement',
      machine: describeMachine(),
      figures: { disagreements, queries: sum('queries') },
      goals: [goal('queries with a file or count that differs', disagreements, 'queries', { atMost: 0 }, note)],
      rows,
    };
  } finally {
    await index.close();
    rmSync(work, { recursive: true, force: true });
  }
}
