import { Parser } from 'htmlparser2';
import { toNfc } from '../../../shared/rules/textEncoding.ts';
import { decodeText } from '../decodeText.ts';
import { HEADING_MARK } from '../headings.ts';
import type { TextSection } from '../types.ts';
import { type Archive, resolvePart } from './archive.ts';
import { parseXml } from './xml.ts';

const UNSEEN = new Set(['script', 'style', 'template', 'noscript', 'svg', 'math', 'object', 'iframe']);
const BLOCKS = new Set(
  (
    'address article aside blockquote br caption dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 ' +
    'h5 h6 header hr legend li main nav ol option p pre section summary table tbody td tfoot th thead title tr ul'
  ).split(' '),
);

const EMPTY_HEADING = `\n${HEADING_MARK}\n`;
const HEADINGS = new Set(['title', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6']);

/** The text that a reader of the page sees, with its title and the texts that stand for images; headings are marked. */
export function htmlText(html: string): string {
  const parts: string[] = [];
  let unseen = 0;
  let preformatted = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (UNSEEN.has(name)) unseen += 1;
        else if (name === 'pre') preformatted += 1;
        if (BLOCKS.has(name)) parts.push('\n');
        if (HEADINGS.has(name)) parts.push(HEADING_MARK);
        if (unseen === 0 && attributes.alt !== undefined) parts.push(` ${attributes.alt} `);
      },
      onclosetag(name) {
        if (UNSEEN.has(name)) unseen = Math.max(0, unseen - 1);
        else if (name === 'pre') preformatted = Math.max(0, preformatted - 1);
        if (BLOCKS.has(name)) parts.push('\n');
      },
      ontext(text) {
        if (unseen === 0) parts.push(preformatted > 0 ? text : text.replace(/\s+/gu, ' '));
      },
    },
    { decodeEntities: true },
  );
  parser.write(html);
  parser.end();
  return toNfc(
    parts
      .join('')
      .replace(/[ \t\u00A0]+/gu, ' ')
      .replace(/ ?\n ?/gu, '\n')
      .replaceAll(EMPTY_HEADING, '\n')
      .replace(/\n{2,}/gu, '\n')
      .trim(),
  );
}

/** The code page that the page itself names in its first bytes. */
function declaredCharset(bytes: Uint8Array): string | null {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 2048)).toString('latin1');
  return (
    /<meta[^>]+charset\s*=\s*["']?\s*([\w-]+)/iu.exec(head)?.[1] ??
    /<\?xml[^>]+encoding=["']([\w-]+)/iu.exec(head)?.[1] ??
    null
  );
}

function decodeHtml(bytes: Uint8Array): string | null {
  const decoded = decodeText(bytes);
  const declared = declaredCharset(bytes);
  if (declared === null || decoded?.encoding.startsWith('utf-')) return decoded?.text ?? null;
  try {
    return new TextDecoder(declared).decode(bytes);
  } catch (error) {
    // A charset that nobody knows: what was detected serves.
    if (!(error instanceof RangeError)) throw error;
    return decoded?.text ?? null;
  }
}

/** An HTML file as one section, or null when it is no text at all. */
export function extractHtml(bytes: Uint8Array): TextSection[] | null {
  const html = decodeHtml(bytes);
  return html === null ? null : [{ label: 'Content', text: htmlText(html) }];
}

/** An EPUB as one section: its chapters in reading order. */
export function extractEpub(archive: Archive): TextSection[] {
  let packagePath = '';
  parseXml(archive.read('META-INF/container.xml') ?? '', {
    open(name, attributes) {
      if (name === 'rootfile' && packagePath === '') packagePath = attributes['full-path'] ?? '';
    },
  });
  const items = new Map<string, string>();
  const spine: string[] = [];
  parseXml(archive.read(packagePath) ?? '', {
    open(name, attributes) {
      const local = name.split(':').at(-1);
      if (local === 'item' && attributes.id !== undefined) items.set(attributes.id, attributes.href ?? '');
      else if (local === 'itemref' && attributes.idref !== undefined) spine.push(attributes.idref);
    },
  });
  const chapters = spine
    .map((id) => items.get(id))
    .filter((href) => href !== undefined)
    .map((href) => htmlText(archive.read(resolvePart(packagePath, decodeURIComponent(href))) ?? ''));
  return [{ label: 'Content', text: chapters.join('\n') }];
}
