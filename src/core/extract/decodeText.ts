import { isAscii, isUtf8 } from 'node:buffer';
import { analyse } from 'chardet';

/** Bytes that are looked at to tell text from other content, and to guess a legacy code page. */
const SAMPLE = 64 * 1024;
/** A text may hold stray control characters; this share of them it may not. Valid UTF-8 without a NUL is given more. */
const MAX_CONTROL_SHARE = 0.01;
const MAX_CONTROL_SHARE_IN_UTF8 = 0.3;

export interface DecodedText {
  /** NFC. Line ends are kept as they are in the file. */
  readonly text: string;
  readonly encoding: string;
}

/** NFC, without the cost of normalising where nothing can change: Latin-1 text is always NFC. */
export function toNfc(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is Latin-1 as a whole
  return /[^\u0000-\u00FF]/u.test(text) ? text.normalize('NFC') : text;
}

function startsWith(bytes: Uint8Array, ...mark: number[]): boolean {
  return mark.every((byte, position) => bytes[position] === byte);
}

/** The encoding that a byte-order mark names, and the mark's length. */
function byteOrderMark(
  bytes: Uint8Array,
): { encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'utf-32le' | 'utf-32be'; length: number } | null {
  if (startsWith(bytes, 0xef, 0xbb, 0xbf)) return { encoding: 'utf-8', length: 3 };
  if (startsWith(bytes, 0xff, 0xfe, 0, 0)) return { encoding: 'utf-32le', length: 4 };
  if (startsWith(bytes, 0, 0, 0xfe, 0xff)) return { encoding: 'utf-32be', length: 4 };
  if (startsWith(bytes, 0xff, 0xfe)) return { encoding: 'utf-16le', length: 2 };
  if (startsWith(bytes, 0xfe, 0xff)) return { encoding: 'utf-16be', length: 2 };
  return null;
}

function decodeUtf32(bytes: Uint8Array, littleEndian: boolean): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: string[] = [];
  for (let offset = 0; offset + 4 <= bytes.length; offset += 4) {
    const point = view.getUint32(offset, littleEndian);
    parts.push(point <= 0x10ffff ? String.fromCodePoint(point) : '\uFFFD');
  }
  return parts.join('');
}

/** UTF-16 without a mark: nearly every other byte of Western text is zero, always on the same side. */
function unmarkedUtf16(sample: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (sample.length < 8 || sample.length % 2 !== 0) return null;
  let even = 0;
  let odd = 0;
  for (let position = 0; position < sample.length; position += 2) {
    if (sample[position] === 0) even += 1;
    if (sample[position + 1] === 0) odd += 1;
  }
  const pairs = sample.length / 2;
  if (odd > pairs * 0.4 && even < pairs * 0.02) return 'utf-16le';
  if (even > pairs * 0.4 && odd < pairs * 0.02) return 'utf-16be';
  return null;
}

const IS_CONTROL = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < 9 || (byte > 13 && byte < 32 && byte !== 27) || byte === 127 ? 1 : 0,
);

function controlShare(sample: Uint8Array): number {
  let control = 0;
  for (let at = 0; at < sample.length; at += 1) control += IS_CONTROL[sample[at] ?? 0] ?? 0;
  return sample.length === 0 ? 0 : control / sample.length;
}

/** A guess counts only when every byte has a meaning in it; windows-1252 comes last, where nearly every byte has one. */
function decodeLegacy(bytes: Uint8Array, sample: Uint8Array): DecodedText {
  for (const { name: encoding } of [...analyse(sample), { name: 'windows-1252' }]) {
    try {
      return {
        text: toNfc(new TextDecoder(encoding, { fatal: true }).decode(bytes)),
        encoding: encoding.toLowerCase(),
      };
    } catch (error) {
      // A byte without meaning (TypeError), or a guess that this platform has no table for (RangeError).
      if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
    }
  }
  return { text: Buffer.from(bytes).toString('latin1'), encoding: 'iso-8859-1' };
}

/**
 * The text of a plain file in whatever encoding it is, or null when it is no text: byte-order marks first, then UTF-8 (nearly
 * every file), UTF-16 by its pattern of zeros, and at last a detected legacy code page. A text with a stray NUL or control
 * character is still text, as `rg --text` has it.
 */
export function decodeText(bytes: Uint8Array): DecodedText | null {
  const mark = byteOrderMark(bytes);
  if (mark !== null) {
    const body = bytes.subarray(mark.length);
    if (mark.encoding === 'utf-32le' || mark.encoding === 'utf-32be') {
      return { text: toNfc(decodeUtf32(body, mark.encoding === 'utf-32le')), encoding: mark.encoding };
    }
    return { text: toNfc(new TextDecoder(mark.encoding).decode(body)), encoding: mark.encoding };
  }
  const sample = bytes.subarray(0, SAMPLE);
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isUtf8(buffer)) {
    const most = sample.includes(0) ? MAX_CONTROL_SHARE : MAX_CONTROL_SHARE_IN_UTF8;
    if (unmarkedUtf16(sample) === null && controlShare(sample) <= most) {
      return isAscii(buffer)
        ? { text: buffer.toString('latin1'), encoding: 'utf-8' }
        : { text: toNfc(buffer.toString('utf8')), encoding: 'utf-8' };
    }
  }
  const wide = unmarkedUtf16(sample);
  if (wide !== null && bytes.length % 2 === 0) {
    return { text: toNfc(new TextDecoder(wide).decode(bytes)), encoding: wide };
  }
  if (controlShare(sample) > MAX_CONTROL_SHARE || sample.includes(0)) return null;
  return decodeLegacy(bytes, sample);
}

/** Decodes text whose encoding is known already, without looking at it again: the quick way for verification. */
export function decodeAs(bytes: Uint8Array, encoding: string): string {
  if (encoding !== 'utf-8') return decodeText(bytes)?.text ?? '';
  const body = startsWith(bytes, 0xef, 0xbb, 0xbf) ? bytes.subarray(3) : bytes;
  const buffer = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return isAscii(buffer) ? buffer.toString('latin1') : toNfc(buffer.toString('utf8'));
}
