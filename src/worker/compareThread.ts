import { parentPort } from 'node:worker_threads';
import { type ComparedFile, compareFiles } from '../core/compare/compareFiles.ts';
import type { CompareLimits } from '../core/compare/compareTexts.ts';

/** What goes to the thread; the bytes are handed over. */
export interface CompareRequest {
  readonly base: ComparedFile;
  readonly other: ComparedFile;
  readonly limits: Partial<CompareLimits>;
}

/** The comparison thread: two files in, what they differ in out. Its owner ends it when they cost too much. */
parentPort?.on('message', ({ base, other, limits }: CompareRequest) => {
  void compareFiles(base, other, limits).then((compared) => parentPort?.postMessage(compared));
});
