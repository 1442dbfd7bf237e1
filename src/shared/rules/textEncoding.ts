/** Telling in which encoding a plain text is, for the extraction and for the viewer alike. */

/** Bytes that are looked at to tell text from other content, and to guess a legacy code page. */
export const ENCODING_SAMPLE = 64 * 1024;
/** A text may hold stray control characters; this share of them it may not. Valid UTF-8 without a NUL is given more. */
const MAX_CONTROL_SHARE = 0.01;
const MAX_CONTROL_SHARE_IN_UTF8 = 0.3;

/** Beyond Latin-1. By code units, not by characters (the flag `u`), which takes ten times as long over Latin-1. */
const BEYOND_LATIN_1 = /[\u0100-\uFFFF]/;

/** NFC, without the cost of normalising where nothing can change: Latin-1 text is always NFC. */
export function toNfc(text: string): string {
  return BEYOND_LATIN_1.test(text) ? text.normalize('NFC') : text;
}

function startsWith(bytes: Uint8Array, ...mark: number[]): boolean {
  return mark.every((byte, position) => bytes[position] === byte);
}

/** The encoding that a byte-order mark names, and the mark's length. */
export function byteOrderMark(
  bytes: Uint8Array,
): { encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'utf-32le' | 'utf-32be'; length: number } | null {
  if (startsWith(bytes, 0xef, 0xbb, 0xbf)) return { encoding: 'utf-8', length: 3 };
  if (startsWith(bytes, 0xff, 0xfe, 0, 0)) return { encoding: 'utf-32le', length: 4 };
  if (startsWith(bytes, 0, 0, 0xfe, 0xff)) return { encoding: 'utf-32be', length: 4 };
  if (startsWith(bytes, 0xff, 0xfe)) return { encoding: 'utf-16le', length: 2 };
  if (startsWith(bytes, 0xfe, 0xff)) return { encoding: 'utf-16be', length: 2 };
  return null;
}

/** UTF-16 without a mark: nearly every other byte of Western text is zero, always on the same side. */
export function unmarkedUtf16(sample: Uint8Array): 'utf-16le' | 'utf-16be' | null {
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

/** Whether the beginning of valid UTF-8 is text. */
export function isTextInUtf8(sample: Uint8Array): boolean {
  return controlShare(sample) <= (sample.includes(0) ? MAX_CONTROL_SHARE : MAX_CONTROL_SHARE_IN_UTF8);
}

/** Whether bytes that are not valid UTF-8 are text in some code page. */
export function isTextInBytes(sample: Uint8Array): boolean {
  return controlShare(sample) <= MAX_CONTROL_SHARE && !sample.includes(0);
}
