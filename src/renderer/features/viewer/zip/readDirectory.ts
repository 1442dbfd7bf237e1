import { refused } from '../kit/refusal.ts';

/** A file or folder in an archive, as the archive lists it. */
export interface ArchiveEntry {
  /** With its folders; that of a folder ends in a slash. */
  readonly path: string;
  /** Unpacked, in bytes. */
  readonly size: number;
  /** Local time of whoever packed it, as archives know no other; null when there is none. */
  readonly changedAt: Date | null;
  readonly isEncrypted: boolean;
}

/** Bytes of the archive from one place to another. */
export type ReadRange = (start: number, end: number) => Promise<Uint8Array<ArrayBuffer>>;

const END = 0x06054b50;
const END_64 = 0x06064b50;
const LOCATOR_64 = 0x07064b50;
const ENTRY = 0x02014b50;
const END_SIZE = 22;
const LOCATOR_SIZE = 20;
const ENTRY_SIZE = 46;
const LONGEST_COMMENT = 0xffff;
/** A list of more is an attack on its reader. */
const MOST_LIST_BYTES = 64 * 1024 * 1024;
const ENCRYPTED = 1;
const UNICODE = 0x800;

/** The letters of MS-DOS beyond ASCII, in which names are written that do not say otherwise. */
const DOS_LETTERS =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00A0';

function nameOf(bytes: Uint8Array, flags: number): string {
  try {
    // Many packers write UTF-8 without saying so; hardly anything else reads as such by chance.
    return new TextDecoder('utf-8', { fatal: (flags & UNICODE) === 0 }).decode(bytes);
  } catch {
    // The letters of MS-DOS, then.
    return Array.from(bytes, (byte) => (byte < 128 ? String.fromCharCode(byte) : DOS_LETTERS[byte - 128])).join('');
  }
}

function momentOf(date: number, time: number): Date | null {
  const [year, month, day] = [1980 + (date >> 9), (date >> 5) & 15, date & 31];
  if (month === 0 || day === 0) return null;
  return new Date(year, month - 1, day, time >> 11, (time >> 5) & 63, (time & 31) * 2);
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

interface Directory {
  readonly start: number;
  readonly length: number;
}

/** Where the list stands in archives of more than 4 GB or 65,535 entries. */
async function directory64(tail: DataView, end: number, read: ReadRange): Promise<Directory | null> {
  const locator = end - LOCATOR_SIZE;
  if (locator < 0 || tail.getUint32(locator, true) !== LOCATOR_64) return null;
  const at = Number(tail.getBigUint64(locator + 8, true));
  const record = viewOf(await read(at, at + 56));
  if (record.byteLength < 56 || record.getUint32(0, true) !== END_64) throw refused('damaged');
  return { length: Number(record.getBigUint64(40, true)), start: Number(record.getBigUint64(48, true)) };
}

async function findDirectory(size: number, read: ReadRange): Promise<Directory> {
  const from = Math.max(0, size - END_SIZE - LONGEST_COMMENT - LOCATOR_SIZE);
  const tail = viewOf(await read(from, size));
  for (let at = tail.byteLength - END_SIZE; at >= 0; at -= 1) {
    if (tail.getUint32(at, true) !== END) continue;
    const large = await directory64(tail, at, read);
    if (large !== null) return large;
    return { length: tail.getUint32(at + 12, true), start: tail.getUint32(at + 16, true) };
  }
  throw refused('damaged');
}

/** The unpacked size, which is in the extra field where four bytes are too few for it. */
function sizeOf(list: DataView, at: number, extra: number, extraEnd: number): number {
  const size = list.getUint32(at + 24, true);
  if (size !== 0xffffffff) return size;
  for (let field = extra; field + 12 <= extraEnd; field += 4 + list.getUint16(field + 2, true)) {
    if (list.getUint16(field, true) === 1) return Number(list.getBigUint64(field + 4, true));
  }
  return size;
}

/**
 * Lists a ZIP by the directory at its end. Nothing is unpacked and hardly anything of it read, so that neither its size nor
 * what is in it matters. @throws AppError `unsupported` when it has no whole list
 */
export async function readDirectory(size: number, read: ReadRange): Promise<readonly ArchiveEntry[]> {
  const { start, length } = await findDirectory(size, read);
  if (length > MOST_LIST_BYTES) throw refused('unpacksTooLarge');
  if (start + length > size) throw refused('damaged');
  const bytes = length === 0 ? new Uint8Array() : await read(start, start + length);
  const list = viewOf(bytes);
  const entries: ArchiveEntry[] = [];
  let at = 0;
  while (at + ENTRY_SIZE <= list.byteLength && list.getUint32(at, true) === ENTRY) {
    const flags = list.getUint16(at + 8, true);
    const nameStart = at + ENTRY_SIZE;
    const extra = nameStart + list.getUint16(at + 28, true);
    const extraEnd = extra + list.getUint16(at + 30, true);
    const next = extraEnd + list.getUint16(at + 32, true);
    if (next > list.byteLength) throw refused('damaged');
    entries.push({
      path: nameOf(bytes.subarray(nameStart, extra), flags).replaceAll('\\', '/'),
      size: sizeOf(list, at, extra, extraEnd),
      changedAt: momentOf(list.getUint16(at + 14, true), list.getUint16(at + 12, true)),
      isEncrypted: (flags & ENCRYPTED) !== 0,
    });
    at = next;
  }
  if (at !== list.byteLength) throw refused('damaged');
  return entries;
}
