import { diffArrays } from 'diff';
import { firstAbove } from './ordered.ts';

/** Where a range of the one text stands in the other; null where it does not. */
export type Alignment = (start: number, end: number) => readonly [start: number, end: number] | null;

/** A text without what layout changes: its letters, decomposed, and where each of them stands in the text. */
interface Letters {
  readonly text: string;
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** White space, hyphens of any kind, and the marks that PDF libraries leave where a word was broken. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: PDFium marks a broken word with U+0002
const LAYOUT = /[\s\p{Cf}\u0002\uFFFE\u2010\u2011-]/gu;
const CLUSTER = /\P{M}\p{M}*|\p{M}+/gu;
/** Words that differ beyond this are two texts: looking for what they share takes too long, and marks little. */
const MAX_WORD_EDITS = 2000;
const MAX_LETTER_EDITS = 100;

function lettersOf(source: string): Letters {
  const parts: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  for (const { 0: cluster, index } of source.matchAll(CLUSTER)) {
    const letters = cluster.normalize('NFKD').replace(LAYOUT, '');
    // Decomposed, a character may be many letters.
    for (let letter = 0; letter < letters.length; letter += 1) {
      starts.push(index);
      ends.push(index + cluster.length);
    }
    parts.push(letters);
  }
  return { text: parts.join(''), starts, ends };
}

/** Lengths of the words that letters make up, by the white space of the text that they are from. */
function wordLengths(source: string, { starts, ends }: Letters, from: number, to: number): readonly number[] {
  const lengths: number[] = [];
  let begin = from;
  for (let at = from + 1; at <= to; at += 1) {
    if (at < to && starts[at] === (ends[at - 1] ?? 0)) continue;
    if (at < to && starts[at] === starts[at - 1]) continue;
    if (at < to && !/\s/u.test(source.slice(ends[at - 1], starts[at]))) continue;
    lengths.push(at - begin);
    begin = at;
  }
  return lengths;
}

/** Letter of the drawn text for each letter of the layer, -1 where there is none. */
function pairLetters(layer: Letters, drawn: Letters, layerSource: string, drawnSource: string): Int32Array {
  const pairs = new Int32Array(layer.text.length).fill(-1);
  const join = (from: number, to: number, length: number) => {
    for (let offset = 0; offset < length; offset += 1) pairs[from + offset] = to + offset;
  };
  const shorter = Math.min(layer.text.length, drawn.text.length);
  let head = 0;
  while (head < shorter && layer.text[head] === drawn.text[head]) head += 1;
  join(0, 0, head);
  let tail = 0;
  while (tail < shorter - head && layer.text.at(-1 - tail) === drawn.text.at(-1 - tail)) tail += 1;
  join(layer.text.length - tail, drawn.text.length - tail, tail);
  const layerEnd = layer.text.length - tail;
  const drawnEnd = drawn.text.length - tail;
  if (head === layerEnd || head === drawnEnd) return pairs;

  const words = (letters: Letters, source: string, to: number) => {
    let at = head;
    return wordLengths(source, letters, head, to).map((length) => {
      at += length;
      return letters.text.slice(at - length, at);
    });
  };
  const changes = diffArrays(words(layer, layerSource, layerEnd), words(drawn, drawnSource, drawnEnd), {
    maxEditLength: MAX_WORD_EDITS,
  });
  let from = head;
  let to = head;
  let removed = '';
  let added = '';
  // Between words that agree, letters are compared: a word that a line end broke is two words in one of the texts.
  const joinWithin = () => {
    let within = from - removed.length;
    let withinDrawn = to - added.length;
    const rest = diffArrays([...removed], [...added], { maxEditLength: MAX_LETTER_EDITS }) ?? [];
    for (const { value, added: isAdded, removed: isRemoved } of rest) {
      const length = value.join('').length;
      if (!isAdded && !isRemoved) join(within, withinDrawn, length);
      if (!isAdded) within += length;
      if (!isRemoved) withinDrawn += length;
    }
    removed = '';
    added = '';
  };
  for (const { value, added: isAdded, removed: isRemoved } of changes ?? []) {
    const text = value.join('');
    if (isRemoved) removed += text;
    else if (isAdded) added += text;
    else {
      if (removed !== '' && added !== '') joinWithin();
      removed = '';
      added = '';
      join(from, to, text.length);
    }
    if (!isAdded) from += text.length;
    if (!isRemoved) to += text.length;
  }
  if (removed !== '' && added !== '') joinWithin();
  return pairs;
}

function occurrences(text: string, part: string): readonly number[] {
  const found: number[] = [];
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) found.push(at);
  return found;
}

/**
 * Tells where ranges of a document's text layer stand in what is drawn of it. The two are the same text taken out by
 * different libraries: white space, hyphens, ligatures and composition are not compared. Where more differs, a diff joins what
 * is the same; and where they have another order, the same number of occurrences tells which is which.
 */
export function alignTexts(layer: string, drawn: string): Alignment {
  const from = lettersOf(layer);
  const to = lettersOf(drawn);
  const pairs = pairLetters(from, to, layer, drawn);
  const counted = new Map<string, readonly [layer: readonly number[], drawn: readonly number[]]>();

  /** Drawn letters for some of the layer, by which of all occurrences of the same they are. */
  function byOccurrence(first: number, end: number): number {
    const part = from.text.slice(first, end);
    const [inLayer, inDrawn] = counted.get(part) ?? [occurrences(from.text, part), occurrences(to.text, part)];
    counted.set(part, [inLayer, inDrawn]);
    return inLayer.length === inDrawn.length ? (inDrawn[inLayer.indexOf(first)] ?? -1) : -1;
  }

  function drawnLetters(first: number, end: number): number {
    const start = pairs[first] ?? -1;
    for (let at = first; at < end; at += 1) {
      if (start < 0 || pairs[at] !== start + at - first) return byOccurrence(first, end);
    }
    return start;
  }

  /** For a range that is nothing but layout: what stands between the letters on both of its sides. */
  function between(start: number, end: number, next: number): readonly [number, number] | null {
    const before = next === 0 ? -1 : (pairs[next - 1] ?? -1);
    const after = next === pairs.length ? to.text.length : (pairs[next] ?? -1);
    if ((next > 0 && before < 0) || after !== before + 1) return null;
    const gapStart = before < 0 ? 0 : (to.ends[before] ?? 0);
    const gap = drawn.slice(gapStart, to.starts[after] ?? drawn.length);
    const at = gap.indexOf(layer.slice(start, end));
    return at < 0 ? null : [gapStart + at, gapStart + at + end - start];
  }

  return (start, end) => {
    const first = firstAbove(from.ends, start);
    const next = firstAbove(from.starts, end - 1);
    if (first >= next) return between(start, end, first);
    const at = drawnLetters(first, next);
    return at < 0 ? null : [to.starts[at] ?? 0, to.ends[at + next - first - 1] ?? 0];
  };
}
