import { decodeWhole } from '../text/decoding.ts';

const HEAD_BYTES = 2048;

/** An HTML file's text, by the encoding that it names where it is not Unicode anyway. */
export function decodeHtml(bytes: Uint8Array<ArrayBuffer>): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // Not UTF-8: the page may say what it is.
  }
  const head = new TextDecoder('windows-1252').decode(bytes.subarray(0, HEAD_BYTES));
  const named = /<meta[^>]+charset\s*=\s*["']?\s*([\w-]+)/iu.exec(head)?.[1];
  try {
    if (named !== undefined) return new TextDecoder(named).decode(bytes);
  } catch (error) {
    // An encoding that nobody knows.
    if (!(error instanceof RangeError)) throw error;
  }
  return decodeWhole(bytes) ?? '';
}
