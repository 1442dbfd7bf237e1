import type { Remote } from 'comlink';
import { wrap } from 'comlink';
import type { FindEngine, TextSection } from '../view.ts';
import type { FindWorker } from './findWorker.ts';
import { locate } from './locate.ts';

/** An engine that holds a worker, until it is closed. */
export interface LayerEngine extends FindEngine {
  close(): void;
}

/** Makes the engine over a document's text layer. The worker has the text from the start, so that no query has to send it. */
export function createLayerEngine(sections: readonly TextSection[]): LayerEngine {
  const worker = new Worker(new URL('./findWorker.ts', import.meta.url), { type: 'module' });
  const remote: Remote<FindWorker> = wrap(worker);
  const ready = remote.load(sections.map(({ text }) => text));
  return {
    async search(run, query, limit) {
      await ready;
      return remote.search(run, query, limit);
    },
    locate: async (label, line) => locate(sections, label, line),
    close: () => worker.terminate(),
  };
}
