import { crc32 } from 'node:zlib';
import Database from 'better-sqlite3';
import {
  type BlockEntry,
  createBlockWriter,
  createEntryReader,
  lookUp,
  readRows,
  withRowsIn,
} from './postingsBlock.ts';
import { createPostingsBuffer } from './postingsBuffer.ts';
import { type TrigramRange, type TrigramReader, trigramsBeginningWith, trigramsOf } from './trigrams.ts';

const CHECKSUM_BYTES = 4;
/** So many segments at the newer end, none much larger than the others, become one. */
const FAN_IN = 12;
/** Postings of the smallest segments that are told apart by size. */
const SMALLEST = 4096;
/** Entries that are merged, and blocks that are deleted, without a pause: some milliseconds of work. */
const MERGED_AT_ONCE = 50_000;
const DELETED_AT_ONCE = 100;
/** Blocks of a segment that are fetched together for merging. */
const FETCHED_AT_ONCE = 8;
/** So few rows are looked at sooner than another trigram that might rule some of them out. */
const FEW_ROWS = 2;
/** Trigrams of a literal that are looked up before any rows are read, if they are not a third of all. */
const ASKED_AT_FIRST = 6;
/** A trigram of more than this share of all rows rules out so few of them that asking it costs more than looking at them. */
const USELESS_SHARE = 0.6;
const NO_ROWS = new Uint32Array();

/** Which rows may hold a literal: none, any, or these, in ascending order. */
export type Proposal = 'none' | 'all' | { readonly rows: Uint32Array };

/**
 * An index of trigrams over texts that are known by ascending numbers: text in, proposals out. It is written in segments, each
 * the postings of one transaction, that are merged as they become many; a row that is gone stays in its segment until then, and
 * whoever reads a proposal does not find it. A segment is blocks of entries, one a trigram (postingsBlock.ts), each under the
 * first trigram in it.
 */
export interface Postings {
  /** Adds a text to what the next `flush` writes. Numbers ascend, and are never used again. */
  add(row: number, text: string): void;
  /** Writes what was added, as part of the caller's transaction. */
  flush(): void;
  /** Forgets what was added, because the caller's transaction failed. */
  discard(): void;
  /** Proposes rows for a folded literal, out of `rows` in all; no row that contains it is left out. Null: nothing is known. */
  propose(literal: string | null, rows: number): Proposal;
  /** Merges for a moment what has become many segments; with `all`, everything. @returns whether there is more to do */
  mergeSome(all: boolean): boolean;
  /** Reads some blocks from a place on, to find damage early. @returns where to go on; null at the end */
  checkSome(from: number): number | null;
}

/** Tables of the postings of one kind of text. */
export const postingsTables = (name: string) => `
CREATE TABLE ${name}_segments (
  id INTEGER PRIMARY KEY AUTOINCREMENT, state TEXT NOT NULL, first_row INTEGER NOT NULL, last_row INTEGER NOT NULL,
  postings INTEGER NOT NULL
);
CREATE TABLE ${name}_blocks (id INTEGER PRIMARY KEY, segment INTEGER NOT NULL, first INTEGER NOT NULL, data BLOB NOT NULL);
CREATE UNIQUE INDEX ${name}_blocks_by_first ON ${name}_blocks (segment, first);
`;

interface Segment {
  readonly id: number;
  readonly first_row: number;
  readonly last_row: number;
  readonly postings: number;
}

interface BlockRow {
  readonly first: number;
  readonly data: Buffer;
}

/** The entries of a block, once its checksum says that they are what was written. */
function sound(block: Buffer): Buffer {
  const end = block.length - CHECKSUM_BYTES;
  const data = block.subarray(0, Math.max(0, end));
  if (end < 0 || crc32(data) !== block.readUInt32LE(end)) {
    throw new Database.SqliteError('a block of postings is damaged', 'SQLITE_CORRUPT');
  }
  return data;
}

/**
 * Puts a checksum after the entries of a block. What it returns is good until the next call: a merge makes so many blocks, and so
 * little else, that they would not be collected before all of them were there.
 */
function createSeal(): (data: Buffer) => Buffer {
  let room = Buffer.alloc(0);
  return (data) => {
    const length = data.length + CHECKSUM_BYTES;
    if (room.length < length) room = Buffer.allocUnsafeSlow(2 * length);
    data.copy(room);
    room.writeUInt32LE(crc32(data), data.length);
    return room.subarray(0, length);
  };
}

const levelOf = ({ postings }: Segment) =>
  Math.max(0, Math.floor(Math.log(postings / SMALLEST) / Math.log(FAN_IN)) + 1);

/** The segments to merge, out of all from the oldest to the newest. */
function dueForMerge(segments: readonly Segment[], all: boolean): readonly Segment[] {
  if (all) return segments.length > 1 ? segments : [];
  const levels = segments.map(levelOf);
  for (let level = 0; level <= Math.max(0, ...levels); level += 1) {
    const tail = levels.length - 1 - levels.findLastIndex((each) => each > level);
    if (tail >= FAN_IN) return segments.slice(-tail);
  }
  return [];
}

/**
 * Opens the postings of a kind of text.
 * @param options `owner` is the table whose `id` numbers the texts: what is not in it any more is left out when segments are merged
 */
export function openPostings(
  database: Database.Database,
  { name, owner, reader }: { readonly name: string; readonly owner: string; readonly reader: TrigramReader },
): Postings {
  const one = <T extends unknown[], R>(sql: string) => database.prepare<T, R>(sql);
  const live = one<[], Segment>(
    `SELECT id, first_row, last_row, postings FROM ${name}_segments WHERE state = 'live' ORDER BY first_row`,
  );
  const dropped = one<[], number>(`SELECT id FROM ${name}_segments WHERE state = 'dropped' LIMIT 1`).pluck();
  const insertSegment = one(`INSERT INTO ${name}_segments (state, first_row, last_row, postings) VALUES (?, ?, ?, ?)`);
  const setState = one(`UPDATE ${name}_segments SET state = ?, postings = ? WHERE id = ?`);
  const deleteSegment = one(`DELETE FROM ${name}_segments WHERE id = ?`);
  const insertBlock = one(`INSERT INTO ${name}_blocks (segment, first, data) VALUES (?, ?, ?)`);
  const blockOf = one<[number, number], Buffer>(
    `SELECT data FROM ${name}_blocks WHERE segment = ? AND first <= ? ORDER BY first DESC LIMIT 1`,
  ).pluck();
  const blocksAfter = one<[number, number, number], BlockRow>(
    `SELECT first, data FROM ${name}_blocks WHERE segment = ? AND first > ? ORDER BY first LIMIT ?`,
  );
  const blocksWithin = one<[number, number, number], Buffer>(
    `SELECT data FROM ${name}_blocks WHERE segment = ? AND first >= ? AND first < ? ORDER BY first`,
  ).pluck();
  const firstAtMost = one<[number, number], number | null>(
    `SELECT max(first) FROM ${name}_blocks WHERE segment = ? AND first <= ?`,
  ).pluck();
  const deleteBlocks = one(
    `DELETE FROM ${name}_blocks WHERE id IN (SELECT id FROM ${name}_blocks WHERE segment = ? LIMIT ${DELETED_AT_ONCE})`,
  );
  const someBlocks = one<[number], { id: number; data: Buffer }>(
    `SELECT id, data FROM ${name}_blocks WHERE id > ? ORDER BY id LIMIT 500`,
  );
  const rowsBetween = one<[number, number], number>(`SELECT id FROM ${owner} WHERE id BETWEEN ? AND ?`).pluck();
  const buffer = createPostingsBuffer(reader);
  const seal = createSeal();
  let merge: { step(): boolean } | null = null;

  // What a process that ended had begun to merge is nobody's.
  database.prepare(`UPDATE ${name}_segments SET state = 'dropped' WHERE state = 'unfinished'`).run();

  function writerOf(segment: number) {
    return createBlockWriter((first, data) => insertBlock.run(segment, first, seal(data)));
  }

  function find(segment: Segment, trigram: number): BlockEntry | null {
    const block = blockOf.get(segment.id, trigram);
    return block === undefined ? null : lookUp(sound(block), trigram);
  }

  /**
   * Rows of a segment that have all trigrams, or of which so few are left that looking at them costs less than asking on. What
   * `rows` in all leave to be ruled out tells whether a trigram is worth reading.
   */
  function rowsWithAll(segment: Segment, trigrams: readonly number[], rows: number): Uint32Array {
    const entries: BlockEntry[] = [];
    for (const trigram of trigrams.slice(0, Math.max(ASKED_AT_FIRST, trigrams.length / 3))) {
      const entry = find(segment, trigram);
      if (entry === null) return NO_ROWS;
      entries.push(entry);
    }
    entries.sort((a, b) => a.count - b.count);
    let found: Uint32Array | null = null;
    const narrow = (entry: BlockEntry) => {
      if (found === null) found = readRows(entry);
      else if (entry.count <= rows * USELESS_SHARE) found = withRowsIn(found, entry);
      return found;
    };
    const isEnough = () => found !== null && found.length <= FEW_ROWS;
    for (const entry of entries) if (!isEnough()) narrow(entry);
    for (const trigram of trigrams.slice(entries.length)) {
      if (isEnough()) break;
      const entry = find(segment, trigram);
      if (entry === null) return NO_ROWS;
      narrow(entry);
    }
    return found ?? NO_ROWS;
  }

  function containingAll(literal: string, rows: number): Proposal {
    const trigrams = trigramsOf(literal);
    return concatenated(live.all().map((segment) => rowsWithAll(segment, trigrams, rows)));
  }

  function beginningWith(literal: string, rows: number): Proposal {
    const segments = live.all();
    const last = segments.at(-1)?.last_row ?? 0;
    const taken = new Uint8Array(last + 1);
    for (const segment of segments) {
      for (const range of trigramsBeginningWith(literal)) {
        if (!mark(segment, range, taken, rows * USELESS_SHARE)) return 'all';
      }
    }
    const found: number[] = [];
    for (let row = taken.indexOf(1); row !== -1; row = taken.indexOf(1, row + 1)) found.push(row);
    return found.length === 0 ? 'none' : { rows: Uint32Array.from(found) };
  }

  /** Marks the rows of all trigrams of a range; false as soon as one alone has more than `most` of them. */
  function mark(segment: Segment, [from, to]: TrigramRange, taken: Uint8Array, most: number): boolean {
    const first = firstAtMost.get(segment.id, from) ?? from;
    const reader = createEntryReader();
    for (const block of blocksWithin.all(segment.id, first, to)) {
      reader.begin(sound(block));
      while (reader.next() && reader.entry.trigram < to) {
        if (reader.entry.trigram < from) continue;
        if (reader.entry.count > most) return false;
        for (const row of readRows(reader.entry)) taken[row] = 1;
      }
    }
    return true;
  }

  /** A merge of segments, in steps; between them everything else may go on, for what is merged stays readable. */
  function beginMerge(inputs: readonly Segment[]) {
    const [first_row, last_row] = [inputs[0]?.first_row ?? 0, inputs.at(-1)?.last_row ?? 0];
    const isThere = new Uint8Array(last_row - first_row + 1);
    const rowsThere = rowsBetween.all(first_row, last_row);
    for (const row of rowsThere) isThere[row - first_row] = 1;
    // Numbers are given without gaps, so each gap is a row that is gone.
    const areAllThere = rowsThere.length === isThere.length;
    const { lastInsertRowid } = insertSegment.run('unfinished', first_row, last_row, 0);
    const output = Number(lastInsertRowid);
    const writer = writerOf(output);
    const cursors = inputs.map(({ id }) => createCursor(id));
    let postings = 0;

    /** Merges the entries of the next trigram. @returns how many there were */
    function mergeNext(): number {
      let trigram = Infinity;
      for (const { entry } of cursors) if (entry !== null && entry.trigram < trigram) trigram = entry.trigram;
      let count = 0;
      for (const cursor of cursors) {
        const { entry } = cursor;
        if (entry === null || entry.trigram !== trigram) continue;
        count += 1;
        if (areAllThere) {
          writer.addEntry(entry);
          postings += entry.count;
        } else {
          for (const row of readRows(entry)) {
            if (isThere[row - first_row] !== 1) continue;
            writer.add(trigram, row);
            postings += 1;
          }
        }
        cursor.next();
      }
      return count;
    }

    const step = database.transaction((): boolean => {
      for (let done = 0; done < MERGED_AT_ONCE; ) {
        const count = mergeNext();
        if (count === 0) {
          writer.end();
          for (const { id } of inputs) setState.run('dropped', 0, id);
          setState.run(postings === 0 ? 'dropped' : 'live', postings, output);
          return false;
        }
        done += count;
      }
      return true;
    });
    return { step };
  }

  /** Goes through the entries of a segment; the one that it stands at is good until `next`. */
  function createCursor(segment: number) {
    let blocks: BlockRow[] = [];
    let after = -1;
    const reader = createEntryReader();
    const cursor: { entry: BlockEntry | null; next(): void } = {
      entry: null,
      next() {
        while (!reader.next()) {
          if (blocks.length === 0) blocks = blocksAfter.all(segment, after, FETCHED_AT_ONCE);
          const block = blocks.shift();
          if (block === undefined) {
            cursor.entry = null;
            return;
          }
          after = block.first;
          reader.begin(sound(block.data));
        }
        cursor.entry = reader.entry;
      },
    };
    cursor.next();
    return cursor;
  }

  const deleteSome = database.transaction((segment: number) => {
    if (deleteBlocks.run(segment).changes < DELETED_AT_ONCE) deleteSegment.run(segment);
  });

  return {
    add: (row, text) => buffer.add(row, text),
    flush() {
      if (buffer.size() === 0) return;
      const { lastInsertRowid } = insertSegment.run('live', buffer.firstRow(), buffer.lastRow(), buffer.size());
      const writer = writerOf(Number(lastInsertRowid));
      buffer.drain(writer.add);
      writer.end();
    },
    discard: () => buffer.clear(),
    propose(literal, rows) {
      if (literal === null || literal.length < 2) return 'all';
      return literal.length === 2 ? beginningWith(literal, rows) : containingAll(literal, rows);
    },
    mergeSome(all) {
      if (merge !== null) {
        if (!merge.step()) merge = null;
        return true;
      }
      const old = dropped.get();
      if (old !== undefined) {
        deleteSome(old);
        return true;
      }
      const inputs = dueForMerge(live.all(), all);
      if (inputs.length === 0) return false;
      merge = beginMerge(inputs);
      return true;
    },
    checkSome(from) {
      const blocks = someBlocks.all(from);
      for (const { data } of blocks) sound(data);
      return blocks.at(-1)?.id ?? null;
    },
  };
}

/** Rows of segments one after the other, which ascend because the segments do. */
function concatenated(parts: readonly Uint32Array[]): Proposal {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  if (length === 0) return 'none';
  const rows = new Uint32Array(length);
  let at = 0;
  for (const part of parts) {
    rows.set(part, at);
    at += part.length;
  }
  return { rows };
}
