import { diffArrays } from 'diff';
import type { TextRange } from '../../shared/model/compare.ts';

/** More is compared line by line only: nobody reads marks in a text that changed as a whole. */
const MAX_LENGTH = 200_000;
const MAX_EDITS = 2_000;
/** Texts that share less of the shorter one than this have nothing to do with each other. */
const MIN_SHARED = 0.25;

/** Words, single characters of scripts that write without spaces, white space, and any other character by itself. */
const TOKEN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[[\p{L}\p{M}\p{N}_]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]]+|\s+|./gsv;

interface Token {
  /** What it is compared by: all white space is equal, so that text that was only wrapped anew is. */
  readonly key: string;
  readonly line: number;
  readonly start: number;
  readonly end: number;
}

function tokensOf(lines: readonly string[]): Token[] {
  return lines.flatMap((text, line) => {
    const tokens = Array.from(text.matchAll(TOKEN), ({ 0: token, index }): Token => {
      return { key: /^\s/u.test(token) ? ' ' : token, line, start: index, end: index + token.length };
    });
    const lineBreak = { key: ' ', line, start: text.length, end: text.length };
    // White space beside a line break is part of it.
    const inner = tokens.filter(({ key, start, end }) => key !== ' ' || (start > 0 && end < text.length));
    return line === lines.length - 1 ? inner : [...inner, lineBreak];
  });
}

/** The tokens' places, those that only white space parts joined. */
function rangesOf(tokens: readonly Token[], lines: readonly string[]): TextRange[][] {
  const ranges: TextRange[][] = lines.map(() => []);
  for (const { key, line, start, end } of tokens) {
    if (key === ' ') continue;
    const own = ranges[line] ?? [];
    const last = own.at(-1);
    if (last !== undefined && /^\s*$/u.test(lines[line]?.slice(last[1], start) ?? '')) last[1] = end;
    else own.push([start, end]);
  }
  return ranges;
}

const lettersIn = (tokens: readonly Token[]) =>
  tokens.reduce((sum, { key }) => sum + (/^[\p{L}\p{N}]/u.test(key) ? key.length : 0), 0);

/**
 * Which words differ between the removed and the added lines of one change, for each line; null where saying so is no help:
 * one side is empty, or they share too little, or it would take too long.
 */
export function changedWords(
  removed: readonly string[],
  added: readonly string[],
  deadline: number,
): { readonly removed: TextRange[][]; readonly added: TextRange[][] } | null {
  if (removed.length === 0 || added.length === 0) return null;
  const length = [...removed, ...added].reduce((sum, text) => sum + text.length, 0);
  const timeout = deadline - Date.now();
  if (length > MAX_LENGTH || timeout <= 0) return null;
  const [from, to] = [tokensOf(removed), tokensOf(added)];
  const found = diffArrays(
    from.map(({ key }) => key),
    to.map(({ key }) => key),
    { timeout, maxEditLength: MAX_EDITS },
  );
  if (found === undefined) return null;
  const gone: Token[] = [];
  const come: Token[] = [];
  let [at, into] = [0, 0];
  for (const change of found) {
    if (change.removed) gone.push(...from.slice(at, at + change.count));
    if (change.added) come.push(...to.slice(into, into + change.count));
    if (!change.added) at += change.count;
    if (!change.removed) into += change.count;
  }
  const all = lettersIn(from);
  const shared = all - lettersIn(gone);
  if (shared < MIN_SHARED * Math.min(all, lettersIn(to))) return null;
  return { removed: rangesOf(gone, removed), added: rangesOf(come, added) };
}
