import { expose } from 'comlink';
import { createFindHost, type FindHost } from './findHost.ts';

/** What the worker does for the page. */
export interface FindWorker extends FindHost {
  /** The texts that are searched from now on. */
  load(texts: readonly string[]): void;
}

let texts: readonly string[] = [];
const host: FindWorker = {
  ...createFindHost({ texts: () => texts }),
  load(loaded) {
    texts = loaded;
  },
};
expose(host);
