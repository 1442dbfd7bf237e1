import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** What the signed-in library page may load before its first content, in bytes after gzip; on phones less. */
export const FIRST_LOAD_BUDGET = {
  'index.html': { scripts: 150_000, styles: 12_000 },
  'phone.html': { scripts: 130_000, styles: 12_000 },
} as const;

/** The pages of the two layouts. */
export type FirstPage = keyof typeof FIRST_LOAD_BUDGET;

const BUILT = join(import.meta.dirname, '..', '..', 'out', 'web');

/** The parts that a page loads beside its entry: its screen, and the messages of the language in which they are longest. */
const PARTS = ['features/libraries/LibraryPage.tsx', 'i18n/de.first.ts'];

/** A part of Vite's manifest. */
interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

/** A file, and its size after gzip. */
export interface LoadedFile {
  readonly file: string;
  readonly bytes: number;
}

/** The size that a text of the build has on the network. */
export function sizeOnNetwork(file: string): number {
  return gzipSync(readFileSync(join(BUILT, file)), { level: 9 }).length;
}

/** What the built library page loads before its first content, largest first. */
export function firstLoad(page: FirstPage = 'index.html'): {
  readonly scripts: readonly LoadedFile[];
  readonly styles: readonly LoadedFile[];
} {
  const manifest = JSON.parse(readFileSync(join(BUILT, '.vite', 'manifest.json'), 'utf8')) as Record<string, Chunk>;
  const chunks = new Set<Chunk>();
  const add = (name: string) => {
    const chunk = manifest[name];
    if (chunk === undefined) throw new Error(`the build has no ${name}`);
    if (chunks.has(chunk)) return;
    chunks.add(chunk);
    chunk.imports?.forEach(add);
  };
  [page, ...PARTS].forEach(add);
  const sized = (files: readonly string[]) =>
    [...new Set(files)].map((file) => ({ file, bytes: sizeOnNetwork(file) })).sort((a, b) => b.bytes - a.bytes);
  return {
    scripts: sized([...chunks].map(({ file }) => file)),
    styles: sized([...chunks].flatMap(({ css = [] }) => css)),
  };
}
