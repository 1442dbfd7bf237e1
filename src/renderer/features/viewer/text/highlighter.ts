import hljs from 'highlight.js/lib/common';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import latex from 'highlight.js/lib/languages/latex';
import powershell from 'highlight.js/lib/languages/powershell';
import { extensionOf } from '../../../ui/fileKind.ts';
import { firstAbove } from '../ordered.ts';
import type { TextStore } from './textStore.ts';

/** A part of a row in a colour of its own: start, end, and the classes that highlight.js gives it. */
export type Token = readonly [start: number, end: number, names: string];

hljs.registerLanguage('dockerfile', dockerfile);
hljs.registerLanguage('latex', latex);
hljs.registerLanguage('powershell', powershell);

/** A text of this length is read as a whole. */
const WHOLE_LENGTH = 300_000;
/** A longer one in blocks of rows, each with some rows before it, so that what began there is known. */
const BLOCK = 200;
const LEAD = 150;
const BLOCK_LENGTH = 120_000;
/** Logs and data beyond this have no colours. */
const LONGEST = 20_000_000;
const BLOCKS_KEPT = 40;

const BY_NAME: Readonly<Record<string, string>> = { makefile: 'makefile', dockerfile: 'dockerfile' };

/** The language of a file by its name; null for plain text. */
export function languageOf(name: string): string | null {
  const base = name.slice(name.lastIndexOf('/') + 1).toLowerCase();
  const language = BY_NAME[base] ?? extensionOf(name);
  return language !== 'txt' && language !== 'log' && hljs.getLanguage(language) !== undefined ? language : null;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" };

/** The coloured parts of a text, in order. The library's answer is read for its classes and lengths, and never shown. */
export function tokensOf(text: string, language: string): Token[] {
  const { value } = hljs.highlight(text, { language, ignoreIllegals: true });
  const tokens: Token[] = [];
  const open: string[] = [];
  let at = 0;
  for (const [part, names, entity] of value.matchAll(/<span class="([^"]*)">|<\/span>|&([a-z]+|#x27);|[^<&]+/gu)) {
    if (names !== undefined) open.push(names);
    else if (part === '</span>') open.pop();
    else {
      const length = entity === undefined ? part.length : (ENTITIES[entity] ?? part).length;
      const inside = open.at(-1);
      const last = tokens.at(-1);
      if (inside !== undefined) {
        if (last !== undefined && last[1] === at && last[2] === inside)
          tokens[tokens.length - 1] = [last[0], at + length, inside];
        else tokens.push([at, at + length, inside]);
      }
      at += length;
    }
  }
  return tokens;
}

/** Colours the rows of a text. */
export interface Highlighter {
  /** For each of some rows. */
  rows(from: number, to: number): readonly (readonly Token[])[];
}

/** A part of the text, with its tokens. */
interface Block {
  readonly start: number;
  readonly tokens: readonly Token[];
  readonly starts: readonly number[];
}

/** Makes the colours of a text, block by block as they are asked for. */
export function createHighlighter(store: TextStore, language: string): Highlighter {
  const blocks = new Map<number, Block>();

  function read(start: number, end: number): Block {
    const tokens = tokensOf(store.slice(start, end), language);
    return { start, tokens, starts: tokens.map(([from]) => from) };
  }

  function blockOf(row: number): Block {
    const isSmall = store.isWhole && store.length <= WHOLE_LENGTH;
    const number = isSmall ? -1 : Math.floor(row / BLOCK);
    const known = blocks.get(number);
    if (known !== undefined) return known;
    const [first] = store.rows(Math.max(0, number * BLOCK - LEAD), Math.max(0, number * BLOCK - LEAD) + 1);
    const [after] = store.rows((number + 1) * BLOCK, (number + 1) * BLOCK + 1);
    const start = isSmall ? 0 : (first?.start ?? 0);
    const end = isSmall ? store.length : Math.min(after?.start ?? store.length, start + BLOCK_LENGTH);
    const block = read(start, end);
    // What is still coming in is looked at again.
    if (isSmall || after !== undefined || store.isWhole) blocks.set(number, block);
    const [oldest] = blocks.keys();
    if (blocks.size > BLOCKS_KEPT && oldest !== undefined) blocks.delete(oldest);
    return block;
  }

  return {
    rows(from, to) {
      if (store.length > LONGEST) return [];
      return store.rows(from, to).map(({ start, text }, index) => {
        const block = blockOf(from + index);
        const begin = start - block.start;
        const tokens: Token[] = [];
        for (let at = Math.max(0, firstAbove(block.starts, begin) - 1); at < block.tokens.length; at += 1) {
          const [tokenStart, tokenEnd, names] = block.tokens[at] ?? [0, 0, ''];
          if (tokenStart >= begin + text.length) break;
          if (tokenEnd > begin) {
            tokens.push([Math.max(0, tokenStart - begin), Math.min(text.length, tokenEnd - begin), names]);
          }
        }
        return tokens;
      });
    },
  };
}
