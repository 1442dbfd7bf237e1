import { deEncapsulateSync } from 'rtf-stream-parser';
import type { TextSection } from '../types.ts';

const START = /^\s*\{\\rtf\d?/u;
/** Groups that are not read as the document's text: a reader of RTF passes by what it does not know and is marked so. */
const UNSEEN = /\{\\(info|pict|object|nonshppict|bkmkstart|bkmkend|xe|tc)(?![a-z])/gu;

/** Whether it is RTF: a plain text may have its name. */
export function isRtf(bytes: Uint8Array): boolean {
  return START.test(Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 64)).toString('latin1'));
}

/**
 * An RTF document as one section. The parser is one for mails, which are text or HTML wrapped in RTF: any other document is
 * given to it as wrapped text, with the ends of cells and rows as tabs and lines, since it knows of no tables.
 * @throws for what is no whole RTF
 */
export function extractRtf(bytes: Uint8Array): TextSection[] {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString('latin1')
    .replace(START, (start) => `${start}\\fromtext`)
    .replace(UNSEEN, '{\\*\\$1')
    .replace(/(?<!\\)((?:\\\\)*)\\(?:nest)?cell(?![a-z])/gu, '$1\\tab')
    .replace(/(?<!\\)((?:\\\\)*)\\(?:nest)?row(?![a-z])/gu, '$1\\par');
  const { text } = deEncapsulateSync(Buffer.from(source, 'latin1'), {
    mode: 'either',
    warn: () => undefined,
    decode: (part, encoding) => new TextDecoder(encoding).decode(part),
  });
  return [{ label: 'Content', text: String(text).replace(/\t+(?=\r?\n|$)/gu, '') }];
}
