import { analyse } from 'chardet';
import {
  byteOrderMark,
  ENCODING_SAMPLE,
  isTextInBytes,
  isTextInUtf8,
  toNfc,
  unmarkedUtf16,
} from '../../../../shared/rules/textEncoding.ts';

/** How bytes are read as text. */
export interface TextEncoding {
  /** A label that `TextDecoder` knows. */
  readonly name: string;
  /** Bytes before the text. */
  readonly markLength: number;
}

function decodes(name: string, bytes: Uint8Array, isCut: boolean): boolean {
  try {
    new TextDecoder(name, { fatal: true }).decode(bytes, { stream: isCut });
    return true;
  } catch (error) {
    // A byte without meaning (TypeError), or an encoding that the browser does not know (RangeError).
    if (error instanceof TypeError || error instanceof RangeError) return false;
    throw error;
  }
}

/** The code page of a text that is not UTF-8, by what its beginning looks like. */
export function legacyEncoding(sample: Uint8Array): TextEncoding {
  const guess = analyse(sample).find(({ name }) => decodes(name, sample, true));
  return { name: guess?.name ?? 'windows-1252', markLength: 0 };
}

/** The encoding of a text by its beginning, as the extraction tells it (src/core/extract/decodeText.ts); null for no text. */
export function encodingOf(sample: Uint8Array, isCut: boolean): TextEncoding | null {
  const mark = byteOrderMark(sample);
  // Browsers know no UTF-32.
  if (mark !== null)
    return mark.encoding.startsWith('utf-32') ? null : { name: mark.encoding, markLength: mark.length };
  const wide = unmarkedUtf16(sample.length % 2 === 0 || !isCut ? sample : sample.subarray(0, -1));
  if (wide === null && isTextInUtf8(sample) && decodes('utf-8', sample, isCut)) return { name: 'utf-8', markLength: 0 };
  if (wide !== null) return { name: wide, markLength: 0 };
  return isTextInBytes(sample) ? legacyEncoding(sample) : null;
}

/** A whole text; null for what is none. */
export function decodeWhole(bytes: Uint8Array): string | null {
  const encoding = encodingOf(bytes.subarray(0, ENCODING_SAMPLE), bytes.length > ENCODING_SAMPLE);
  if (encoding === null) return null;
  // Only the beginning was looked at: what is no UTF-8 further on is in a code page.
  const { name, markLength } =
    encoding.name === 'utf-8' && !decodes('utf-8', bytes, false)
      ? legacyEncoding(bytes.subarray(0, ENCODING_SAMPLE))
      : encoding;
  return toNfc(new TextDecoder(name).decode(bytes.subarray(markLength)));
}

/** Text kept back in search of a place to cut it. */
const MOST_KEPT = 1024 * 1024;

/** Makes text of parts NFC as the whole would be: what a part ends with may be composed with what the next begins with. */
export function createNormalizer(): (part: string, isLast: boolean) => string {
  let kept = '';
  return (part, isLast) => {
    const text = kept + part;
    let cut = text.length - 1;
    // Before U+0300 no character is composed with one before it; and CR LF stay together.
    while (cut > 0 && (text.charCodeAt(cut) >= 0x300 || text.charCodeAt(cut) === 10)) cut -= 1;
    if (isLast || (cut <= 0 && text.length > MOST_KEPT)) cut = text.length;
    kept = text.slice(Math.max(0, cut));
    return toNfc(text.slice(0, Math.max(0, cut)));
  };
}
