import { isAscii, isUtf8 } from 'node:buffer';
import { analyse } from 'chardet';
import {
  byteOrderMark,
  ENCODING_SAMPLE,
  isTextInBytes,
  isTextInUtf8,
  toNfc,
  unmarkedUtf16,
} from '../../shared/rules/textEncoding.ts';

export interface DecodedText {
  /** NFC. Line ends are kept as they are in the file. */
  readonly text: string;
  readonly encoding: string;
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
  const sample = bytes.subarray(0, ENCODING_SAMPLE);
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isUtf8(buffer)) {
    if (unmarkedUtf16(sample) === null && isTextInUtf8(sample)) {
      return isAscii(buffer)
        ? { text: buffer.toString('latin1'), encoding: 'utf-8' }
        : { text: toNfc(buffer.toString('utf8')), encoding: 'utf-8' };
    }
  }
  const wide = unmarkedUtf16(sample);
  if (wide !== null && bytes.length % 2 === 0) {
    return { text: toNfc(new TextDecoder(wide).decode(bytes)), encoding: wide };
  }
  if (!isTextInBytes(sample)) return null;
  return decodeLegacy(bytes, sample);
}

/** Decodes text whose encoding is known already, without looking at it again: the quick way for verification. */
export function decodeAs(bytes: Uint8Array, encoding: string): string {
  if (encoding !== 'utf-8') return decodeText(bytes)?.text ?? '';
  const mark = byteOrderMark(bytes);
  const body = mark?.encoding === 'utf-8' ? bytes.subarray(mark.length) : bytes;
  const buffer = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return isAscii(buffer) ? buffer.toString('latin1') : toNfc(buffer.toString('utf8'));
}
