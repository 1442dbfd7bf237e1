import { Script } from 'node:vm';
import { AppError } from '../../shared/errors.ts';
import type { MatchItem, Range, SearchQuery } from '../../shared/model/search.ts';
import { fold } from '../../shared/rules/fold.ts';

/** A regular expression may take this long in all, whatever it is given. */
const REGEX_BUDGET_MS = 2000;
/** Longer lines are shown by windows around their matches. */
const LONG_LINE = 400;
const WINDOW = 120;
const WORD = /[\p{L}\p{N}\p{M}_]/u;

/** Start and end of every match in a text, not overlapping, in order. */
export type FindMatches = (text: string) => readonly Range[];

/** How a query decides about texts and names: the one judge behind counts, snippets and highlights. */
export interface Matcher {
  readonly find: FindMatches;
  /**
   * Everything that calls `find` runs in here: an expression that backtracks without end is stopped.
   * @throws AppError `query-too-slow`
   */
  readonly guard: <T>(work: () => T) => T;
  /** Literal that every match contains, folded; null when nothing is sure (a regular expression). */
  readonly literal: string | null;
}

function isWordBefore(text: string, position: number): boolean {
  if (position === 0) return false;
  const low = text.charCodeAt(position - 1);
  const start = low >= 0xdc00 && low <= 0xdfff ? position - 2 : position - 1;
  return WORD.test(String.fromCodePoint(text.codePointAt(Math.max(0, start)) ?? 0x20));
}

function isWordAt(text: string, position: number): boolean {
  const point = text.codePointAt(position);
  return point !== undefined && WORD.test(String.fromCodePoint(point));
}

/** Whether a match stands alone: no word goes on across its edges where the match itself has a word there. */
function standsAlone(text: string, start: number, end: number): boolean {
  return !(isWordAt(text, start) && isWordBefore(text, start)) && !(isWordBefore(text, end) && isWordAt(text, end));
}

function literalFinder(literal: string, { matchCase, wholeWord }: SearchQuery): FindMatches {
  return (text) => {
    const haystack = matchCase ? text : fold(text);
    const ranges: Range[] = [];
    for (let from = haystack.indexOf(literal); from !== -1; ) {
      const end = from + literal.length;
      const taken = !wholeWord || standsAlone(text, from, end);
      if (taken) ranges.push([from, end]);
      from = haystack.indexOf(literal, taken ? end : from + 1);
    }
    return ranges;
  };
}

const RUN = new Script('globalThis.__armariumRegexRun()');

/** Runs `work` with a time limit that also ends a regular expression that backtracks without end. */
function limited<T>(work: () => T, timeoutMs: number): T {
  const scope = globalThis as { __armariumRegexRun?: () => T };
  scope.__armariumRegexRun = work;
  try {
    return RUN.runInThisContext({ timeout: Math.max(1, Math.ceil(timeoutMs)) }) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') {
      throw new AppError('query-too-slow', `the expression took more than ${REGEX_BUDGET_MS / 1000} seconds`);
    }
    throw error;
  } finally {
    delete scope.__armariumRegexRun;
  }
}

function regexMatcher(query: SearchQuery): Matcher {
  let expression: RegExp;
  try {
    expression = new RegExp(query.text.normalize('NFC'), query.matchCase ? 'gmu' : 'gimu');
  } catch (error) {
    throw new AppError('query-invalid', error instanceof Error ? error.message : String(error));
  }
  let budgetMs = REGEX_BUDGET_MS;
  return {
    literal: null,
    find(text) {
      const found: Range[] = [];
      for (const match of text.matchAll(expression)) {
        const end = match.index + match[0].length;
        if (end > match.index && (!query.wholeWord || standsAlone(text, match.index, end)))
          found.push([match.index, end]);
      }
      return found;
    },
    guard(work) {
      const started = performance.now();
      const result = limited(work, budgetMs);
      budgetMs -= performance.now() - started;
      return result;
    },
  };
}

/** Makes the judge of a query. @throws AppError `query-invalid` for an expression that is none. */
export function createMatcher(query: SearchQuery): Matcher {
  if (query.regex) return regexMatcher(query);
  const text = query.text.normalize('NFC');
  const folded = fold(text);
  return { find: literalFinder(query.matchCase ? text : folded, query), literal: folded, guard: (work) => work() };
}

/** Label and start of each section of a text; a plain text has one. */
export type Sections = readonly (readonly [label: string, start: number])[];

const WHOLE: Sections = [['Content', 0]];

/** A piece of a line, its matches moved along. */
function windowed(line: string, matches: readonly Range[]): { text: string; ranges: Range[] }[] {
  if (line.length <= LONG_LINE) return [{ text: line, ranges: [...matches] }];
  const pieces: { text: string; ranges: Range[] }[] = [];
  let index = 0;
  while (index < matches.length) {
    const [first] = matches[index] as Range;
    const start = Math.max(0, first - WINDOW);
    const end = Math.min(line.length, start + LONG_LINE);
    const inside: Range[] = [];
    while (index < matches.length) {
      const [from, to] = matches[index] as Range;
      if (from >= end) break;
      inside.push([from - start, Math.min(to, end) - start]);
      index += 1;
    }
    pieces.push({ text: line.slice(start, end), ranges: inside });
  }
  return pieces;
}

/** Items for the matches of a text: one a line, or one a piece of a long line, at most `limit` of them. */
export function matchItems(
  text: string,
  matches: readonly Range[],
  sections: Sections | null,
  limit: number,
): MatchItem[] {
  const items: MatchItem[] = [];
  const parts = sections ?? WHOLE;
  let section = 0;
  let line = 1;
  let counted = parts[0]?.[1] ?? 0;
  for (let index = 0; index < matches.length && items.length < limit; ) {
    const [start] = matches[index] as Range;
    while (section + 1 < parts.length && (parts[section + 1]?.[1] ?? 0) <= start) {
      section += 1;
      line = 1;
      counted = parts[section]?.[1] ?? 0;
    }
    for (let at = text.indexOf('\n', counted); at !== -1 && at < start; at = text.indexOf('\n', counted)) {
      line += 1;
      counted = at + 1;
    }
    const lineEnd = text.indexOf('\n', start);
    const end = lineEnd === -1 ? text.length : lineEnd;
    const shown = text.slice(counted, text.charCodeAt(end - 1) === 13 ? end - 1 : end);
    const first = index;
    const inLine: Range[] = [];
    while (index < matches.length && (matches[index] as Range)[0] <= end) {
      const [from, to] = matches[index] as Range;
      inLine.push([from - counted, Math.min(to - counted, shown.length)]);
      index += 1;
    }
    let number = first + 1;
    for (const piece of windowed(shown, inLine)) {
      if (items.length >= limit) break;
      items.push({ type: parts[section]?.[0] ?? 'Content', number, line, text: piece.text, ranges: piece.ranges });
      number += piece.ranges.length;
    }
  }
  return items;
}
