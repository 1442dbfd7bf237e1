/**
 * A block of postings: entries in the order of their trigrams. An entry is four numbers and rows, all as LEB128: how much the
 * trigram is more than the one before it, twice how many rows have it (and one for a bitmap), how many bytes they take, how much
 * the last row is more than the first, then the rows, each as how much it is more than the one before it. Rows that stand close
 * together take less as a bitmap: the first row, then a bit each from the multiple of eight at or below it to the last one, the
 * lowest of a byte first; so that bitmaps are put together by whole bytes.
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

/** The row of the first bit of a bitmap. */
const baseOf = (firstRow: number) => firstRow - (firstRow % 8);

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

/** Bytes that a number takes. */
function lengthOf(value: number): number {
  let length = 1;
  for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) length += 1;
  return length;
}

/** Fills an array with the rows of a bitmap, the first bit of which is that of `first`. */
function readBits(data: Buffer, start: number, end: number, first: number, rows: Uint32Array): void {
  let to = 0;
  for (let at = start, base = first; at < end; at += 1, base += 8) {
    for (let bits = data[at] ?? 0; bits !== 0; bits &= bits - 1) {
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
    readBits(data, position, end, baseOf(row), rows);
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
    const base = baseOf(row);
    const last = row + span;
    for (let at = 0; at < rows.length; at += 1) {
      const each = rows[at] ?? 0;
      const bit = each - base;
      if (bit < 0 || each > last || (((data[bits + (bit >>> 3)] ?? 0) >>> (bit & 7)) & 1) === 0) continue;
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
    written: () => data.subarray(0, length),
    clear(): void {
      length = 0;
    },
  };
}

/** Rows as bits, which grow as rows are added. */
function createBits() {
  /** All zero behind `length`. */
  let data = Buffer.alloc(2 * BLOCK_BYTES);
  let length = 0;
  let base = 0;
  return {
    length: () => length,
    begin(firstRow: number): void {
      data.fill(0, 0, length);
      length = 0;
      base = baseOf(firstRow);
    },
    /** Makes room for a row, and for all before it. */
    reach(row: number): void {
      length = Math.max(length, ((row - base) >>> 3) + 1);
      if (length <= data.length) return;
      const larger = Buffer.alloc(2 * length);
      data.copy(larger);
      data = larger;
    },
    set(row: number): void {
      const bit = row - base;
      data[bit >>> 3] = (data[bit >>> 3] ?? 0) | (1 << (bit & 7));
    },
    /** Adds a bitmap, all rows of which come after those that are there. */
    put(firstRow: number, bitmap: Buffer, start: number, end: number): void {
      const at = (baseOf(firstRow) - base) >>> 3;
      data[at] = (data[at] ?? 0) | (bitmap[start] ?? 0);
      bitmap.copy(data, at + 1, start + 1, end);
    },
    /** @param count how many rows there are */
    rows(count: number): Uint32Array {
      const rows = new Uint32Array(count);
      readBits(data, 0, length, base, rows);
      return rows;
    },
    written: () => data.subarray(0, length),
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
  /** The rows of the trigram as numbers, until a bitmap of some of them comes, then as bits. */
  const rows = createBytes();
  const bits = createBits();
  let areBits = false;
  /** Of bits, the least bytes that they take as numbers. */
  let asNumbers = 0;
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

  function toBits(): void {
    areBits = true;
    asNumbers = rows.length();
    bits.begin(firstRow);
    bits.reach(row);
    const written = rows.written();
    position = 0;
    for (let each = 0; position < written.length; ) {
      each += readNumber(written);
      bits.set(each);
    }
    rows.clear();
  }

  function toNumbers(): void {
    areBits = false;
    const each = bits.rows(count);
    rows.room(count * MOST_BYTES_OF_A_NUMBER);
    for (let at = 0; at < count; at += 1) rows.number((each[at] ?? 0) - (each[at - 1] ?? 0));
  }

  /** Makes bits or numbers of the rows, whichever takes less. */
  function pack(): void {
    const asBits = ((row - baseOf(firstRow)) >>> 3) + 1 + MOST_BYTES_OF_A_NUMBER;
    const isWorthBits = (bytes: number) => row - firstRow >= LEAST_BITMAP_SPAN && bytes > asBits;
    if (areBits && !isWorthBits(asNumbers)) toNumbers();
    if (!areBits && isWorthBits(rows.length())) toBits();
  }

  function endTrigram(): void {
    if (count === 0) return;
    pack();
    const bytes = areBits ? bits.length() + lengthOf(firstRow) : rows.length();
    const room = bytes + 4 * MOST_BYTES_OF_A_NUMBER;
    if (block.length() + room > BLOCK_BYTES) endBlock();
    if (first === -1) first = trigram;
    block.room(room);
    block.number(trigram - before);
    block.number(2 * count + (areBits ? 1 : 0));
    block.number(bytes);
    block.number(row - firstRow);
    if (areBits) block.number(firstRow);
    const written = areBits ? bits.written() : rows.written();
    block.append(written, 0, written.length);
    rows.clear();
    areBits = false;
    before = trigram;
    count = 0;
    row = 0;
  }

  function goTo(next: number): void {
    if (next === trigram) return;
    endTrigram();
    trigram = next;
  }

  function put(next: number): void {
    if (count === 0) firstRow = next;
    if (areBits) {
      bits.reach(next);
      bits.set(next);
      asNumbers += 1;
    } else {
      rows.room(MOST_BYTES_OF_A_NUMBER);
      rows.number(next - row);
    }
    row = next;
    count += 1;
  }

  return {
    add(nextTrigram, nextRow) {
      goTo(nextTrigram);
      if (count === 0 || nextRow !== row) put(nextRow);
    },
    addEntry(entry) {
      goTo(entry.trigram);
      const { data, start, end, span } = entry;
      position = start;
      const entryFirst = readNumber(data);
      if (entry.isBitmap) {
        const bitmap = position;
        if (count === 0) firstRow = row = entryFirst;
        if (!areBits) toBits();
        bits.reach(entryFirst + span);
        bits.put(entryFirst, data, bitmap, end);
        asNumbers += entry.count;
        count += entry.count;
      } else if (areBits) {
        for (let each = entryFirst, left = entry.count; left > 0; left -= 1) {
          put(each);
          if (left > 1) each += readNumber(data);
        }
      } else {
        put(entryFirst);
        rows.room(end - position);
        rows.append(data, position, end);
        count += entry.count - 1;
      }
      row = entryFirst + span;
    },
    end() {
      endTrigram();
      endBlock();
    },
  };
}
