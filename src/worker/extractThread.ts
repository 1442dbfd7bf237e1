import { parentPort } from 'node:worker_threads';
import type { ExtractRequest } from '../core/extract/extractor.ts';
import { extractText } from '../core/extract/extractText.ts';

/** The extraction thread: one file in, its text or the reason out. Its owner ends it when a file costs too much. */
parentPort?.on('message', ({ bytes, fileName, limits }: ExtractRequest) => {
  void extractText(bytes, fileName, limits).then((extraction) => parentPort?.postMessage(extraction));
});
