import { fold } from '../../shared/rules/fold.ts';

/**
 * A trigram is three UTF-16 code units of folded text as a number of 32 bits. Three ASCII characters have a number of their
 * own below 2^21; with others among them it is the hash of the first two (16 bits) before the third (15 bits) under a set
 * highest bit, so that trigrams with the same first two stand together either way. That two share a number is possible and
 * harmless: the index proposes, the text decides.
 */
const WIDE = 0x80000000;

/**
 * Between the two stand the joints of words, by a hash: a space between letters or digits with the three characters on either
 * side. Texts have all trigrams of a phrase of common words far more often than the phrase.
 */
const FIRST_JOINT = 1 << 21;
const JOINT_BITS = 16;
const BESIDE_JOINT = 3;

/**
 * Ends every text twice, so that its last two characters begin a trigram too and a query of two characters can be answered by
 * the trigrams that begin with them.
 */
const FILLER = '\u0001\u0001';

/** Trigrams from `from` to before `to`. */
export type TrigramRange = readonly [from: number, to: number];

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII as a whole
const NOT_ASCII = /[^\u0000-\u007F]/u;

function pairHash(first: number, second: number): number {
  return (Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b)) >>> 16;
}

function wideTrigram(first: number, second: number, third: number): number {
  return (WIDE | (pairHash(first, second) << 15) | (third & 0x7fff)) >>> 0;
}

function trigramOf(first: number, second: number, third: number): number {
  return (first | second | third) < 128 ? (first << 14) | (second << 7) | third : wideTrigram(first, second, third);
}

/** Whether a code unit of folded text is of a word: an ASCII letter or digit, or anything beyond ASCII. */
const IS_OF_WORD = Uint8Array.from({ length: 128 }, (_, code) => (/[a-z0-9]/u.test(String.fromCharCode(code)) ? 1 : 0));
const isOfWord = (unit: number) => unit > 127 || IS_OF_WORD[unit] === 1;

/** The number of the joint at a space; 0 where there is none. */
function jointAt(folded: string, space: number): number {
  if (!isOfWord(folded.charCodeAt(space - 1)) || !isOfWord(folded.charCodeAt(space + 1))) return 0;
  let hash = 0;
  for (let at = space - BESIDE_JOINT; at <= space + BESIDE_JOINT; at += 1) {
    hash = Math.imul(hash ^ folded.charCodeAt(at), 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return FIRST_JOINT + (hash >>> (32 - JOINT_BITS));
}

/** Calls `onJoint` for every joint of folded text that has three characters on both sides. */
function eachJoint(folded: string, onJoint: (joint: number) => void): void {
  const last = folded.length - 1 - BESIDE_JOINT;
  for (let at = folded.indexOf(' ', BESIDE_JOINT); at !== -1 && at <= last; at = folded.indexOf(' ', at + 1)) {
    const joint = jointAt(folded, at);
    if (joint !== 0) onJoint(joint);
  }
}

/**
 * The trigrams of a folded literal of at least three code units, and the joints of its words, each once. The joints come first,
 * which few texts have, then trigrams that do not overlap, which together tell as much as all.
 */
export function trigramsOf(literal: string): number[] {
  const found = new Set<number>();
  eachJoint(literal, (joint) => found.add(joint));
  for (let phase = 2; phase < 5; phase += 1) {
    for (let at = phase; at < literal.length; at += 3) {
      found.add(trigramOf(literal.charCodeAt(at - 2), literal.charCodeAt(at - 1), literal.charCodeAt(at)));
    }
  }
  return [...found];
}

/** The trigrams that begin with a folded literal of two code units: with an ASCII third where both are, and with any other. */
export function trigramsBeginningWith(literal: string): TrigramRange[] {
  const [first, second] = [literal.charCodeAt(0), literal.charCodeAt(1)];
  const wide = wideTrigram(first, second, 0);
  const ranges: TrigramRange[] = [[wide, wide + 0x8000]];
  if ((first | second) < 128) ranges.unshift([trigramOf(first, second, 0), trigramOf(first, second, 0) + 128]);
  return ranges;
}

/** Takes texts apart. */
export interface TrigramReader {
  /** Calls `onTrigram` for every trigram and joint of a text that need not be folded, nearly always once for each. */
  read(text: string, onTrigram: (trigram: number) => void): void;
}

const SEEN_BITS = 16;

/** Makes a reader with memory of its own (5 MB), to be used over and over. */
export function createTrigramReader(): TrigramReader {
  // In which turn each was seen last. In 16 bits, of which more fit into the processor's cache.
  const seenAscii = new Uint16Array(1 << 21);
  // What falls on the same place pushes out what was there, which is then told of again.
  const seenWide = new Uint32Array(1 << SEEN_BITS);
  const seenWideIn = new Uint16Array(1 << SEEN_BITS);
  const seenJoint = new Uint16Array(1 << JOINT_BITS);
  let turn = 0;

  function readAscii(text: string, onTrigram: (trigram: number) => void): void {
    let code = (text.charCodeAt(0) << 7) | text.charCodeAt(1);
    for (let at = 2; at < text.length; at += 1) {
      code = ((code << 7) | text.charCodeAt(at)) & 0x1fffff;
      if (seenAscii[code] === turn) continue;
      seenAscii[code] = turn;
      onTrigram(code);
    }
  }

  function readFolded(text: string, onTrigram: (trigram: number) => void): void {
    let first = text.charCodeAt(0);
    let second = text.charCodeAt(1);
    for (let at = 2; at < text.length; at += 1) {
      const third = text.charCodeAt(at);
      if ((first | second | third) < 128) {
        const code = (first << 14) | (second << 7) | third;
        if (seenAscii[code] !== turn) {
          seenAscii[code] = turn;
          onTrigram(code);
        }
      } else {
        const code = wideTrigram(first, second, third);
        const place = Math.imul(code, 0x9e3779b1) >>> (32 - SEEN_BITS);
        if (seenWide[place] !== code || seenWideIn[place] !== turn) {
          seenWide[place] = code;
          seenWideIn[place] = turn;
          onTrigram(code);
        }
      }
      first = second;
      second = third;
    }
  }

  return {
    read(text, onTrigram) {
      turn += 1;
      if (turn === 0x1_0000) {
        seenAscii.fill(0);
        seenWideIn.fill(0);
        seenJoint.fill(0);
        turn = 1;
      }
      const isAscii = !NOT_ASCII.test(text);
      const folded = isAscii ? text.toLowerCase() : fold(text);
      if (isAscii) readAscii(folded + FILLER, onTrigram);
      else readFolded(folded + FILLER, onTrigram);
      eachJoint(folded, (joint) => {
        const place = joint - FIRST_JOINT;
        if (seenJoint[place] === turn) return;
        seenJoint[place] = turn;
        onTrigram(joint);
      });
    },
  };
}
