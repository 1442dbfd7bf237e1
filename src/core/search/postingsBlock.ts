/**
 * A block of postings: entries in the order of their trigrams. An entry is four numbers and rows, all as LEB128: how much the
 * trigram is more than the one before it, how many rows have it, how many bytes they take, how much the last row is more than
 * the first, then the rows, each as how much it is more than the one before it.
 */

/** How large a block becomes, unless one trigram alone has more rows. */
const BLOCK_BYTES = 16 * 1024;
const MOST_BYTES_OF_A_NUMBER = 5;

/** A trigram and where its rows stand in a block. */
export interface BlockEntry {
  readonly trigram: number;
  readonly count: number;
  readonly data: Buffer;
  /** Where the rows begin and end. */
  readonly start: number;
  readonly end: number;
  /** The last row, less the first one. */
  readonly span: number;
}

let position = 0;

/** Reads the number at `position`, and moves on. One place for it, since this is read hundreds of millions of times. */
function readNumber(data: Buffer): number {
  let byte = data[position++] ?? 0;
  if (byte < 0x80) return byte;
  let value = byte & 0x7f;
  for (let factor = 128; ; factor *= 128) {
    byte = data[position++] ?? 0;
    value += (byte & 0x7f) * factor;
    if (byte < 0x80) return value;
  }
}

/** Goes through the entries of blocks. One object for all of them: merging reads millions. */
export interface EntryReader {
  /** The entry that `next` came to. */
  readonly entry: BlockEntry;
  begin(data: Buffer): void;
  /** @returns whether there was another entry */
  next(): boolean;
}

/** Makes a reader, of nothing at first. */
export function createEntryReader(): EntryReader {
  const entry = { trigram: 0, count: 0, data: Buffer.alloc(0) as Buffer, start: 0, end: 0, span: 0 };
  return {
    entry,
    begin(data) {
      entry.data = data;
      entry.trigram = 0;
      entry.end = 0;
    },
    next() {
      const { data, end } = entry;
      if (end >= data.length) return false;
      position = end;
      entry.trigram += readNumber(data);
      entry.count = readNumber(data);
      const bytes = readNumber(data);
      entry.span = readNumber(data);
      entry.start = position;
      entry.end = position + bytes;
      return true;
    },
  };
}

/** The entry of one trigram; null when the block has none. */
export function lookUp(data: Buffer, wanted: number): BlockEntry | null {
  let trigram = 0;
  position = 0;
  while (position < data.length) {
    trigram += readNumber(data);
    const count = readNumber(data);
    const bytes = readNumber(data);
    const span = readNumber(data);
    const end = position + bytes;
    if (trigram >= wanted) return trigram === wanted ? { trigram, count, data, start: position, end, span } : null;
    position = end;
  }
  return null;
}

/** The rows of an entry. */
export function readRows({ count, data, start }: BlockEntry): Uint32Array {
  const rows = new Uint32Array(count);
  let row = 0;
  position = start;
  for (let at = 0; at < count; at += 1) {
    row += readNumber(data);
    rows[at] = row;
  }
  return rows;
}

/** Those of the rows that an entry has too. */
export function withRowsIn(rows: Uint32Array, { count, data, start }: BlockEntry): Uint32Array {
  let [kept, at, row] = [0, 0, 0];
  position = start;
  for (let read = 0; read < count && at < rows.length; read += 1) {
    row += readNumber(data);
    while (at < rows.length && (rows[at] ?? 0) < row) at += 1;
    if (rows[at] !== row) continue;
    rows[kept] = row;
    kept += 1;
    at += 1;
  }
  return rows.subarray(0, kept);
}

/** Bytes that grow as they are written. */
function createBytes() {
  let data = Buffer.allocUnsafe(2 * BLOCK_BYTES);
  let length = 0;
  return {
    length: () => length,
    room(bytes: number): void {
      if (length + bytes <= data.length) return;
      const larger = Buffer.allocUnsafe(2 * (length + bytes));
      data.copy(larger, 0, 0, length);
      data = larger;
    },
    number(value: number): void {
      let rest = value;
      while (rest >= 0x80) {
        data[length++] = (rest % 128) | 0x80;
        rest = Math.floor(rest / 128);
      }
      data[length++] = rest;
    },
    append(other: Buffer, start: number, end: number): void {
      // Most are a few bytes, for which a loop is quicker than a call.
      if (end - start > 32) length += other.copy(data, length, start, end);
      else for (let at = start; at < end; at += 1) data[length++] = other[at] ?? 0;
    },
    written: () => data.subarray(0, length),
    clear(): void {
      length = 0;
    },
  };
}

/** Puts postings, which come in the order of trigrams and rows, into blocks. */
export interface BlockWriter {
  add(trigram: number, row: number): void;
  /** All rows of an entry, which come after those that its trigram has by now. */
  addEntry(entry: BlockEntry): void;
  end(): void;
}

/** Makes a writer; what it gives to `onBlock` is good for as long as that takes. */
export function createBlockWriter(onBlock: (first: number, data: Buffer) => void): BlockWriter {
  const block = createBytes();
  const rows = createBytes();
  let trigram = -1;
  let count = 0;
  let firstRow = 0;
  let row = 0;
  let first = -1;
  let before = 0;

  function endBlock(): void {
    if (block.length() > 0) onBlock(first, block.written());
    block.clear();
    first = -1;
    before = 0;
  }

  function endTrigram(): void {
    if (count === 0) return;
    const bytes = rows.length() + 4 * MOST_BYTES_OF_A_NUMBER;
    if (block.length() + bytes > BLOCK_BYTES) endBlock();
    if (first === -1) first = trigram;
    block.room(bytes);
    block.number(trigram - before);
    block.number(count);
    block.number(rows.length());
    block.number(row - firstRow);
    block.append(rows.written(), 0, rows.length());
    rows.clear();
    before = trigram;
    count = 0;
    row = 0;
  }

  function put(next: number): void {
    rows.number(next - row);
    if (count === 0) firstRow = next;
    row = next;
    count += 1;
  }

  return {
    add(nextTrigram, nextRow) {
      if (nextTrigram !== trigram) {
        endTrigram();
        trigram = nextTrigram;
      } else if (nextRow === row) return;
      rows.room(MOST_BYTES_OF_A_NUMBER);
      put(nextRow);
    },
    addEntry(entry) {
      if (entry.trigram !== trigram) {
        endTrigram();
        trigram = entry.trigram;
      }
      const { data, start, end, span } = entry;
      position = start;
      const entryFirst = readNumber(data);
      rows.room(end - start + MOST_BYTES_OF_A_NUMBER);
      put(entryFirst);
      rows.append(data, position, end);
      row = entryFirst + span;
      count += entry.count - 1;
    },
    end() {
      endTrigram();
      endBlock();
    },
  };
}
