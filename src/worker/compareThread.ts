import { parentPort } from 'node:worker_threads';
import { type Compared, type ComparedFile, compareFiles, compareTableFiles } from '../core/compare/compareFiles.ts';
import type { TableComparison, TextComparison } from '../shared/model/compare.ts';

/** What can be compared of two files. */
export interface Comparisons {
  readonly texts: TextComparison;
  readonly tables: TableComparison;
}

/** What goes to the thread; the bytes are handed over. */
export interface CompareRequest {
  readonly of: keyof Comparisons;
  readonly base: ComparedFile;
  readonly other: ComparedFile;
  readonly limits: { readonly context: number };
}

async function compare({ of, base, other, limits }: CompareRequest): Promise<Compared<Comparisons[keyof Comparisons]>> {
  return of === 'texts' ? compareFiles(base, other, limits) : compareTableFiles(base, other, limits);
}

/** The comparison thread: two files in, what they differ in out. Its owner ends it when they cost too much. */
parentPort?.on('message', (request: CompareRequest) => {
  void compare(request).then((compared) => parentPort?.postMessage(compared));
});
