const EXTENSION = import.meta.url.endsWith('.ts') ? 'ts' : 'js';

/**
 * Where a thread's or process's entry stands: beside this file, in the sources and in the bundle alike (the bundle keeps all
 * entries in one folder).
 */
export function workerEntry(name: 'shardThread' | 'extractThread' | 'compareThread' | 'indexProcess'): URL {
  return new URL(`./${name}.${EXTENSION}`, import.meta.url);
}
