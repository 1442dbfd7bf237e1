import { spawn } from 'node:child_process';
import type { SearchIndex } from '../src/core/search/types.ts';
import { SearchQuery } from '../src/shared/model/search.ts';
import { createRandom } from './corpus.ts';

/** So many results are listed at first. */
export const LISTED = 50;
const ALL = 100_000;

/** Queries of one kind, each a piece of a text of the corpus. */
export type Kinds = Readonly<Record<string, readonly string[]>>;

/** Draws up to so many queries of each kind; the same in every run. */
export function drawQueries(texts: readonly string[], perKind: number): Kinds {
  const random = createRandom(3);
  const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)];
  const draw = (pattern: RegExp): string[] => {
    const found = new Set<string>();
    for (let tries = 0; tries < 20_000 && found.size < perKind; tries += 1) {
      const line = pick((pick(texts) ?? '').split(/\r?\n/u)) ?? '';
      const piece = pick([...line.matchAll(pattern)])?.[0] ?? '';
      const length = [...piece].length;
      if (length >= 2 && length <= 50 && !piece.includes('\uFFFD')) found.add(piece);
    }
    return [...found];
  };
  return {
    common: draw(/\p{L}{4,20}/gu),
    'part of a word': draw(/(?<=\p{L})\p{L}{3,6}(?=\p{L})/gu),
    phrase: draw(/[\p{L}\d]+ [\p{L}\d]+ [\p{L}\d]+/gu),
    name: draw(/[\p{L}\d]+(?:_[\p{L}\d]+)+/gu),
    code: draw(/\w+[_(=;>-][^\s]*[^ ]{2,20}/gu),
    'part of a sentence': draw(/\p{L}[^\r\n]{28,48}\p{L}/gu),
    'two characters': draw(/[\p{L}\d][\p{L}\d]/gu),
    'not ASCII': draw(/[^\p{ASCII}]{2,8}/gu),
  };
}

/** A search for a text as files are searched in the panel; more than the first fifty are listed without their lines. */
export const queryOf = (text: string, limit: number) =>
  SearchQuery.parse({ text, scope: 'current', limit, itemsPerResult: limit === LISTED ? 10 : 0 });

/** Milliseconds to the first fifty files with their lines and counts, and to the exact totals. */
export interface Timing {
  readonly first: number;
  readonly total: number;
}

/** Times ripgrep, with the counts that it gives: the same literals without regard to case, over every file. */
export function timeRipgrep(
  folder: string,
  text: string,
): Promise<Timing & { readonly counts: ReadonlyMap<string, number> }> {
  const args = [
    '-iFa',
    '--no-ignore',
    '--hidden',
    '--no-messages',
    '--count-matches',
    '--with-filename',
    '--null',
    '-e',
    text,
    folder,
  ];
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn('rg', args, { stdio: ['ignore', 'pipe', 'ignore'] });
    const parts: Buffer[] = [];
    let lines = 0;
    let first: number | null = null;
    child.on('error', reject);
    child.stdout.on('data', (part: Buffer) => {
      parts.push(part);
      for (const byte of part) if (byte === 10) lines += 1;
      if (lines >= LISTED) first ??= performance.now() - started;
    });
    child.on('close', () => {
      const total = performance.now() - started;
      const counts = new Map<string, number>();
      for (const line of Buffer.concat(parts).toString('utf8').split('\n')) {
        const [path, count] = line.split('\0');
        if (path !== undefined && count !== undefined) counts.set(path, Number(count));
      }
      resolve({ first: first ?? total, total, counts });
    });
  });
}

/** What a search counts: in each file that it lists, and over all; a list may end before all are in it. */
export interface Counts {
  readonly byPath: ReadonlyMap<string, number>;
  readonly total: number;
  readonly isWhole: boolean;
}

/** What the index counts. */
export async function countsOf(index: SearchIndex, text: string): Promise<Counts> {
  const { results, total, limitHit } = await index.search(queryOf(text, ALL), { corpus: 'files' });
  const found = results.filter(({ matches }) => matches > 0);
  return { byPath: new Map(found.map(({ path, matches }) => [path, matches])), total, isWhole: !limitHit };
}

/**
 * Files on which the index differs from a search without one, leaving out those that it lists as not searched. Of a list that ends,
 * the files in it, and one more when the totals differ.
 */
export function differences(
  { byPath, total, isWhole }: Counts,
  theirs: ReadonlyMap<string, number>,
  skipped: ReadonlySet<string>,
): number {
  const paths = isWhole ? new Set([...byPath.keys(), ...theirs.keys()]) : byPath.keys();
  const differing = [...paths].filter((path) => !skipped.has(path) && byPath.get(path) !== theirs.get(path)).length;
  let theirTotal = 0;
  for (const [path, count] of theirs) if (!skipped.has(path)) theirTotal += count;
  return differing + (total === theirTotal ? 0 : 1);
}
