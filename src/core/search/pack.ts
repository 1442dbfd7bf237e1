import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import Database from 'better-sqlite3';
import type { AsciiLiteral, ByteScan } from './byteScan.ts';

/** Texts of a pack at most, and UTF-16 code units of all their lines; a larger text stands alone. */
const MOST_TEXTS = 64;
const MOST_LENGTH = 512 * 1024;
const NUMBER_BYTES = 4;
/** A checksum, so that damage is seen and not taken for a text. */
const COMPRESSION = { params: { [constants.ZSTD_c_checksumFlag]: 1, [constants.ZSTD_c_compressionLevel]: 5 } };

/**
 * Texts that have most of their lines in common, as successive versions of a document do. Each is a sequence of runs of lines
 * that stand one after the other in `bytes`, so that what is found there once is known of every text.
 */
export interface Pack {
  /** Lines of all texts in UTF-8, joined by line ends: what one text brought in that those before it have not. */
  readonly bytes: Buffer;
  /** Where each line begins in the bytes, and one place more: where another would. */
  readonly starts: Uint32Array;
  /** The same as a string; made when it is first asked for, then kept. */
  readonly decoded: () => DecodedLines;
  /** First line and the line after the last of each run, text after text. */
  readonly runs: Uint32Array;
  /** Where the runs of each text begin, and one place more. */
  readonly firstRuns: Uint32Array;
  readonly changes: PackChanges;
}

/** Lines as a string, and where each begins in it, and one place more. */
interface DecodedLines {
  readonly lines: string;
  readonly starts: Uint32Array;
}

/**
 * What sets each text apart from the one before: with the number of matches before a line for that line, the sum of
 * `weights` times `lines` is by how much more matches it has. Texts that were edited a little have few of them.
 */
interface PackChanges {
  readonly lines: Uint32Array;
  readonly weights: Int32Array;
  /** Where those of each text begin, and one place more. */
  readonly firsts: Uint32Array;
}

/** Texts on their way into a pack. */
export interface PackBuilder {
  /** Adds a text after those that are there; false, and nothing is changed, when there is no room for it. */
  add(text: string): boolean;
  /** How many texts there are. */
  count(): number;
  /** @returns what `decodePack` reads, and the lines of all texts */
  encode(): { readonly body: Buffer; readonly lines: string };
}

/** Where each line of a text begins, and one place more. */
function lineStarts(lines: string | Buffer): Uint32Array {
  const starts = [0];
  for (let at = lines.indexOf('\n'); at !== -1; at = lines.indexOf('\n', at + 1)) starts.push(at + 1);
  starts.push(lines.length + 1);
  return Uint32Array.from(starts);
}

/** Unpacks what was written. @throws SqliteError as for any other part of the database that is damaged */
function sound(body: Uint8Array): Buffer {
  try {
    return zstdDecompressSync(body);
  } catch {
    throw new Database.SqliteError('a pack of texts is damaged', 'SQLITE_CORRUPT');
  }
}

function changesOf({ starts, runs, firstRuns }: Pick<Pack, 'starts' | 'runs' | 'firstRuns'>): PackChanges {
  const lines: number[] = [];
  const weights: number[] = [];
  const firsts = new Uint32Array(firstRuns.length);
  const weightOf = new Int32Array(starts.length);
  for (let place = 0; place + 1 < firstRuns.length; place += 1) {
    const [before, from, to] = [firstRuns[place - 1] ?? 0, firstRuns[place] ?? 0, firstRuns[place + 1] ?? 0];
    for (let at = before; at < to; at += 1) {
      const line = runs[at] ?? 0;
      // A run adds what is before its end, but for what is before its start; a run of the text before takes it back.
      weightOf[line] = (weightOf[line] ?? 0) + (((at & 1) === 1) === at >= from ? 1 : -1);
    }
    for (const line of runs.subarray(before, to)) {
      const weight = weightOf[line] ?? 0;
      if (weight === 0) continue;
      lines.push(line);
      weights.push(weight);
      weightOf[line] = 0;
    }
    firsts[place + 1] = lines.length;
  }
  return { lines: Uint32Array.from(lines), weights: Int32Array.from(weights), firsts };
}

/** Reads what a builder has encoded. */
export function decodePack(body: Uint8Array): Pack {
  const data = sound(body);
  let at = 0;
  const numbers = (length: number) => {
    const read = new Uint32Array(length);
    for (let index = 0; index < length; index += 1) read[index] = data.readUInt32LE(at + index * NUMBER_BYTES);
    at += length * NUMBER_BYTES;
    return read;
  };
  const [count = 0] = numbers(1);
  const firstRuns = new Uint32Array(count + 1);
  for (const [index, length] of numbers(count).entries()) firstRuns[index + 1] = (firstRuns[index] ?? 0) + 2 * length;
  const runs = numbers(firstRuns[count] ?? 0);
  const bytes = data.subarray(at);
  const starts = lineStarts(bytes);
  let known: DecodedLines | null = null;
  const decoded = () => {
    if (known === null) {
      const lines = bytes.toString('utf8');
      known = { lines, starts: lines.length === bytes.length ? starts : lineStarts(lines) };
    }
    return known;
  };
  return { bytes, starts, decoded, runs, firstRuns, changes: changesOf({ starts, runs, firstRuns }) };
}

/** Some lines as they came, from `first` to before `end`. */
function linesOf({ bytes, starts }: Pack, first: number, end: number): string {
  return bytes.toString('utf8', starts[first] ?? 0, (starts[end] ?? 0) - 1);
}

/** Puts a text together, as it came. */
export function textOf(pack: Pack, place: number): string {
  const { runs, firstRuns } = pack;
  const pieces: string[] = [];
  for (let at = firstRuns[place] ?? 0; at < (firstRuns[place + 1] ?? 0); at += 2) {
    pieces.push(linesOf(pack, runs[at] ?? 0, runs[at + 1] ?? 0));
  }
  return pieces.join('\n');
}

/** Makes a builder, of nothing or to go on with the texts of a pack. */
export function createPackBuilder(before: Pack | null): PackBuilder {
  const known = before === null ? null : before.decoded().lines;
  const lines = known === null ? [] : known.split('\n');
  const runsOfTexts: number[][] = [];
  const placeOf = new Map<string, number>();
  let length = known === null ? 0 : known.length + 1;
  for (let place = lines.length - 1; place >= 0; place -= 1) placeOf.set(lines[place] ?? '', place);
  for (let place = 0; place + 1 < (before?.firstRuns.length ?? 0); place += 1) {
    runsOfTexts.push([...(before?.runs.subarray(before.firstRuns[place], before.firstRuns[place + 1]) ?? [])]);
  }

  /** Adds lines that no text has had. Those that a text repeats stay where they are, so that its runs are long. */
  function keep(added: readonly string[]): void {
    for (const line of added) {
      if (!placeOf.has(line)) placeOf.set(line, lines.length);
      lines.push(line);
    }
  }

  return {
    add(text) {
      const runs: number[] = [];
      const added: string[] = [];
      let addedLength = 0;
      let next = -1;
      for (const line of text.split('\n')) {
        let place = lines[next] === line ? next : placeOf.get(line);
        if (place === undefined) {
          place = lines.length + added.length;
          added.push(line);
          addedLength += line.length + 1;
        }
        if (place === next) runs[runs.length - 1] = place + 1;
        else runs.push(place, place + 1);
        next = place + 1;
      }
      const isFirst = runsOfTexts.length === 0;
      if (!isFirst && (runsOfTexts.length >= MOST_TEXTS || length + addedLength > MOST_LENGTH)) return false;
      keep(added);
      length += addedLength;
      runsOfTexts.push(runs);
      return true;
    },
    count: () => runsOfTexts.length,
    encode() {
      const numbers = [runsOfTexts.length, ...runsOfTexts.map((runs) => runs.length / 2), ...runsOfTexts.flat()];
      const joined = lines.join('\n');
      const text = Buffer.from(joined, 'utf8');
      const data = Buffer.allocUnsafe(numbers.length * NUMBER_BYTES + text.length);
      for (const [index, number] of numbers.entries()) data.writeUInt32LE(number, index * NUMBER_BYTES);
      text.copy(data, numbers.length * NUMBER_BYTES);
      return { body: zstdCompressSync(data, COMPRESSION), lines: joined };
    },
  };
}

/** How many matches there are in the lines before each line of a pack. */
export type MatchesBefore = Uint32Array;

/** What a query finds in the lines of packs. */
export interface LineCounts {
  /** Null when there is nothing. */
  of(pack: Pack): MatchesBefore | null;
}

/** What is remembered of the lines of packs for the versions in them that will be listed. */
const REMEMBERED_BYTES = 8_000_000;

/**
 * Makes the counter of a query whose matches do not reach beyond their lines.
 * @param eachMatch tells the starts of all matches in order
 * @param literal what the matches are, where bytes decide; they are looked through in the buffer of `scan`
 */
export function createLineCounts(
  eachMatch: (text: string, onMatch: (start: number) => void) => void,
  literal: AsciiLiteral | null,
  scan: ByteScan,
): LineCounts {
  /** By the starts of their lines, which stay the same array when the versions of a pack are read anew. */
  const remembered = new Map<Uint32Array, MatchesBefore>();
  let bytes = 0;

  /** Tells where the matches are, with where lines begin in what they were found in. */
  function eachStart(pack: Pack, onMatch: (start: number, starts: Uint32Array) => void): void {
    if (literal !== null && scan.take(pack.bytes) !== null) {
      const { length } = pack.bytes;
      const step = literal.lower.length;
      for (let at = scan.find(literal, 0, length); at !== -1; at = scan.find(literal, at + step, length)) {
        onMatch(at, pack.starts);
      }
      return;
    }
    const { lines, starts } = pack.decoded();
    eachMatch(lines, (start) => onMatch(start, starts));
  }

  function count(pack: Pack): MatchesBefore | null {
    const before = new Uint32Array(pack.starts.length);
    let line = 0;
    let found = 0;
    eachStart(pack, (start, starts) => {
      while ((starts[line + 1] ?? 0) <= start) {
        line += 1;
        before[line] = found;
      }
      found += 1;
    });
    return found === 0 ? null : before.fill(found, line + 1);
  }

  return {
    of(pack) {
      const known = remembered.get(pack.starts);
      if (known !== undefined) return known;
      const before = count(pack);
      if (before === null || bytes > REMEMBERED_BYTES) return before;
      bytes += before.byteLength;
      remembered.set(pack.starts, before);
      return before;
    },
  };
}

/** Sums up for each text what was found in its lines. */
export function countInTexts({ changes: { lines, weights, firsts } }: Pack, before: MatchesBefore): Uint32Array {
  const counts = new Uint32Array(firsts.length - 1);
  let count = 0;
  let at = 0;
  for (let place = 0; place < counts.length; place += 1) {
    for (const end = firsts[place + 1] ?? 0; at < end; at += 1)
      count += (weights[at] ?? 0) * (before[lines[at] ?? 0] ?? 0);
    counts[place] = count;
  }
  return counts;
}

/** The lines of a text in which something was found, in order, with their numbers from 1. */
export function* matchedLines(
  pack: Pack,
  place: number,
  before: MatchesBefore,
): Generator<readonly [number: number, text: string], undefined> {
  const { runs, firstRuns } = pack;
  let number = 1;
  for (let at = firstRuns[place] ?? 0; at < (firstRuns[place + 1] ?? 0); at += 2) {
    const [first, end] = [runs[at] ?? 0, runs[at + 1] ?? 0];
    if (before[first] !== before[end]) {
      for (let line = first; line < end; line += 1) {
        if (before[line] === before[line + 1]) continue;
        yield [number + line - first, linesOf(pack, line, line + 1)];
      }
    }
    number += end - first;
  }
}
