import { isAscii } from 'node:buffer';
import { Script } from 'node:vm';
import { AppError } from '../../shared/errors.ts';
import type { Range, SearchQuery } from '../../shared/model/search.ts';
import { fold } from '../../shared/rules/fold.ts';
import type { AsciiLiteral } from './byteScan.ts';
import { requiredLiteral } from './regexLiteral.ts';

/** A regular expression may take this long in all, and this much more for every million characters that it was given. */
const REGEX_BUDGET_MS = 2000;
const REGEX_MS_PER_MILLION = 30;
/** Text that an expression is given at once: setting up its guard takes as long as a search through this much. */
const REGEX_BATCH = 512 * 1024;
const WORD = /[\p{L}\p{N}\p{M}_]/u;

/** How a query decides about texts and names: the one judge behind counts, snippets and highlights. */
export interface Matcher {
  /** Start and end of every match in each text, not overlapping, in order. @throws AppError `query-too-slow` */
  readonly findAll: (texts: readonly string[]) => readonly (readonly Range[])[];
  /** Their numbers alone, for what is not shown. @throws AppError `query-too-slow` */
  readonly countAll: (texts: readonly string[]) => readonly number[];
  /**
   * Calls back with the start of every match of a text. Null where a match may reach beyond its line, or hang on what is there;
   * else each line may be judged wherever it stands.
   */
  readonly eachInLines: ((text: string, onMatch: (start: number) => void) => void) | null;
  /** Folded literal that every match contains; null when nothing is sure. */
  readonly literal: string | null;
  /** The literal, when it is ASCII and its characters alone decide: UTF-8 can be searched for it as it is. */
  readonly ascii: AsciiLiteral | null;
  /** How much text (UTF-16 code units) is best given to `findAll` at once. */
  readonly batchLength: number;
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

/**
 * Calls `onMatch` for every match of a literal. Without regard to case an expression is twice as quick as folding a text to
 * look through it, and its `iu` is the very same fold (tests/unit/shared/fold.test.ts).
 */
function literalWalker(text: string, { matchCase, wholeWord }: SearchQuery) {
  const expression = new RegExp(RegExp.escape(text), matchCase ? 'gu' : 'giu');
  // From the middle of a character the expression would go back to its beginning, and find the same again for ever.
  const step = String.fromCodePoint(text.codePointAt(0) ?? 0).length;
  return (haystack: string, onMatch: (start: number) => void): void => {
    expression.lastIndex = 0;
    // What matches is as long as the text, so that nothing but its end has to be made known.
    while (expression.test(haystack)) {
      const end = expression.lastIndex;
      if (!wholeWord || standsAlone(haystack, end - text.length, end)) onMatch(end - text.length);
      else expression.lastIndex = end - text.length + step;
    }
  };
}

function asciiLiteral(text: string, { matchCase, wholeWord }: SearchQuery): AsciiLiteral | null {
  const lower = matchCase ? text : fold(text);
  if (wholeWord || !isAscii(Buffer.from(lower))) return null;
  return { lower, upper: matchCase ? text : lower.toUpperCase() };
}

function literalMatcher(query: SearchQuery): Matcher {
  const text = query.text.normalize('NFC');
  const walk = literalWalker(text, query);
  return {
    literal: fold(text),
    ascii: asciiLiteral(text, query),
    batchLength: 1,
    eachInLines: text.includes('\n') ? null : walk,
    findAll: (texts) =>
      texts.map((haystack) => {
        const ranges: Range[] = [];
        walk(haystack, (start) => ranges.push([start, start + text.length]));
        return ranges;
      }),
    countAll: (texts) =>
      texts.map((haystack) => {
        let count = 0;
        walk(haystack, () => {
          count += 1;
        });
        return count;
      }),
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
  const source = query.text.normalize('NFC');
  let expression: RegExp;
  try {
    expression = new RegExp(source, query.matchCase ? 'gmu' : 'gimu');
  } catch (error) {
    throw new AppError('query-invalid', error instanceof Error ? error.message : String(error));
  }
  const findIn = (text: string) => {
    const found: Range[] = [];
    for (const match of text.matchAll(expression)) {
      const end = match.index + match[0].length;
      if (end > match.index && (!query.wholeWord || standsAlone(text, match.index, end)))
        found.push([match.index, end]);
    }
    return found;
  };
  let budgetMs = REGEX_BUDGET_MS;
  const findAll = (texts: readonly string[]) => {
    const length = texts.reduce((sum, text) => sum + text.length, 0);
    const started = performance.now();
    const found = limited(() => texts.map(findIn), budgetMs);
    const left = budgetMs - (performance.now() - started) + (length / 1e6) * REGEX_MS_PER_MILLION;
    budgetMs = Math.min(left, REGEX_BUDGET_MS);
    return found;
  };
  const literal = requiredLiteral(source);
  return {
    literal: literal === null ? null : fold(literal),
    ascii: null,
    batchLength: REGEX_BATCH,
    eachInLines: null,
    findAll,
    countAll: (texts) => findAll(texts).map((ranges) => ranges.length),
  };
}

/** Makes the judge of a query. @throws AppError `query-invalid` for an expression that is none. */
export function createMatcher(query: SearchQuery): Matcher {
  return query.regex ? regexMatcher(query) : literalMatcher(query);
}
