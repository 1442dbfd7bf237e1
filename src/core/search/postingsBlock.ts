/**
 * A block of postings: entries in the order of their trigrams. An entry is four numbers and rows, all as LEB128: how much the
 * trigram is more than the one before it, twice how many rows have it (and one for a bitmap), how many bytes they take, how much
 * the last row is more than the first, then the rows, each as how much it is more than the one before it. Rows that stand close
 * together take less as a bitmap: the first row, then a bit each from it to the last one, the lowest of a byte first.
 */

/** How large a block becomes, unless one trigram alone has more rows. */
const BLOCK_BYTES = 16 * 1024;
const MOST_BYTES_OF_A_NUMBER = 5;
/** Rows that span less are of small segments, which are merged soon: taking bitmaps apart for that takes longer than they save. */
const LEAST_BITMAP_SPAN = 4096;

/** A trigram and where its rows stand in a block. */
export interface BlockEntry {
  readonly trigram: number;
  readonly count: number;
  readonly isBitmap: boolean;
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
  const entry = { trigram: 0, count: 0, isBitmap: false, data: Buffer.alloc(0) as Buffer, start: 0, end: 0, span: 0 };
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
      const counted = readNumber(data);
      entry.count = counted >>> 1;
      entry.isBitmap = counted % 2 === 1;
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
    const counted = readNumber(data);
    const bytes = readNumber(data);
    const span = readNumber(data);
    const start = position;
    const end = start + bytes;
    if (trigram > wanted) return null;
    if (trigram === wanted)
      return { trigram, count: counted >>> 1, isBitmap: counted % 2 === 1, data, start, end, span };
    position = end;
  }
  return null;
}

/** Fills an array with the rows of a bitmap from `position` on, the first bit of which is that of `first`. */
function readBits(data: Buffer, end: number, first: number, rows: Uint32Array): void {
  let to = 0;
  for (let base = first; position < end; position += 1, base += 8) {
    for (let bits = data[position] ?? 0; bits !== 0; bits &= bits - 1) {
      rows[to] = base + 31 - Math.clz32(bits & -bits);
      to += 1;
    }
  }
}

/** The rows of an entry. */
export function readRows({ count, isBitmap, data, start, end }: BlockEntry): Uint32Array {
  const rows = new Uint32Array(count);
  position = start;
  let row = readNumber(data);
  if (isBitmap) {
    readBits(data, end, row, rows);
    return rows;
  }
  rows[0] = row;
  for (let at = 1; at < count; at += 1) {
    row += readNumber(data);
    rows[at] = row;
  }
  return rows;
}

/** Those of the rows that an entry has too. */
export function withRowsIn(rows: Uint32Array, { count, isBitmap, data, start, span }: BlockEntry): Uint32Array {
  let kept = 0;
  position = start;
  let row = readNumber(data);
  if (isBitmap) {
    const bits = position;
    for (let at = 0; at < rows.length; at += 1) {
      const each = rows[at] ?? 0;
      const bit = each - row;
      if (bit < 0 || bit > span || (((data[bits + (bit >>> 3)] ?? 0) >>> (bit & 7)) & 1) === 0) continue;
      rows[kept] = each;
      kept += 1;
    }
    return rows.subarray(0, kept);
  }
  for (let read = 1, at = 0; at < rows.length; read += 1) {
    while (at < rows.length && (rows[at] ?? 0) < row) at += 1;
    if (rows[at] === row) {
      rows[kept] = row;
      kept += 1;
      at += 1;
    }
    if (read >= count) break;
    row += readNumber(data);
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
    /** Bytes at the end, for the caller to fill. */
    zeros(bytes: number): Buffer {
      length += bytes;
      return data.subarray(length - bytes, length).fill(0);
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
  const bitmap = createBytes();
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

  /** The rows of the trigram as a bitmap; null when that is not worth while. */
  function packed(): Buffer | null {
    const span = row - firstRow;
    const bits = (span >>> 3) + 1;
    if (span < LEAST_BITMAP_SPAN || rows.length() <= bits + MOST_BYTES_OF_A_NUMBER) return null;
    bitmap.clear();
    bitmap.room(bits + MOST_BYTES_OF_A_NUMBER);
    bitmap.number(firstRow);
    const filled = bitmap.zeros(bits);
    const written = rows.written();
    position = 0;
    for (let bit = readNumber(written) - firstRow; ; bit += readNumber(written)) {
      filled[bit >>> 3] = (filled[bit >>> 3] ?? 0) | (1 << (bit & 7));
      if (position >= written.length) return bitmap.written();
    }
  }

  function endTrigram(): void {
    if (count === 0) return;
    const bits = packed();
    const written = bits ?? rows.written();
    const bytes = written.length + 4 * MOST_BYTES_OF_A_NUMBER;
    if (block.length() + bytes > BLOCK_BYTES) endBlock();
    if (first === -1) first = trigram;
    block.room(bytes);
    block.number(trigram - before);
    block.number(2 * count + (bits === null ? 0 : 1));
    block.number(written.length);
    block.number(row - firstRow);
    block.append(written, 0, written.length);
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
      if (entry.isBitmap) {
        rows.room(entry.count * MOST_BYTES_OF_A_NUMBER);
        for (const each of readRows(entry)) put(each);
        return;
      }
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
