import { Parser } from 'htmlparser2';
import { KEPT_STYLE } from './sanitise.ts';

/** HTML without what browsers look at while they read it. */
export interface ReadHtml {
  readonly html: string;
  /** The style sheets that are written into it; those that it would load stay away. */
  readonly styles: readonly string[];
}

/** Elements without an end. */
const VOID: ReadonlySet<string> = new Set('area br col embed hr img input source track wbr'.split(' '));
/** What is of the page and not of its text; of the first few the contents are not either. */
const SILENT: ReadonlySet<string> = new Set('title script style template noscript'.split(' '));
const UNWRAPPED: ReadonlySet<string> = new Set('html head meta link base'.split(' '));
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string) => text.replace(/[&<>"]/gu, (character) => ESCAPES[character] ?? character);

const UNREAD = { page: /^(?:on|xmlns)/iu, book: /^(?:on|xmlns|style$)/iu };

const attributesOf = (attributes: Readonly<Record<string, string>>, unread: RegExp) =>
  Object.entries(attributes)
    .filter(([name]) => /^[a-z][\w:-]*$/iu.test(name) && !unread.test(name))
    .map(([name, value]) => ` ${name === 'style' ? KEPT_STYLE : name}="${escaped(value)}"`)
    .join('');

/**
 * Reads a page, or a chapter of a book, which is XHTML: elements may end in it where HTML knows no end. The parser makes no
 * elements, so that the browser does not take anything in it for code, styles or addresses before it is sanitised; what it
 * gives still has to be. Of a book,
 * styles are left out, and the images of drawings, as which covers often come, are images.
 */
export function readHtml(source: string, isBook: boolean): ReadHtml {
  const unread = isBook ? UNREAD.book : UNREAD.page;
  const parts: string[] = [];
  const styles: string[] = [];
  let silent = 0;
  let style: { media: string; text: string } | null = null;
  const localOf = (name: string) => name.split(':').at(-1)?.toLowerCase() ?? '';
  const isDropped = (local: string) => UNWRAPPED.has(local) || (isBook && (local === 'image' || local === 'svg'));
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const local = localOf(name);
        if (SILENT.has(local)) silent += 1;
        if (local === 'style') style = { media: attributes.media ?? '', text: '' };
        if (silent > 0) return;
        if (isBook && local === 'image') {
          parts.push(
            `<img${attributesOf({ src: attributes['xlink:href'] ?? attributes.href ?? '', alt: '' }, unread)}>`,
          );
        } else if (!isDropped(local)) parts.push(`<${local}${attributesOf(attributes, unread)}>`);
      },
      onclosetag(name) {
        const local = localOf(name);
        if (local === 'style' && style !== null) {
          const media = style.media.replace(/[{};]/gu, '');
          styles.push(media === '' ? style.text : `@media ${media} {${style.text}}`);
          style = null;
        }
        if (SILENT.has(local)) silent -= 1;
        else if (silent === 0 && !isDropped(local) && !VOID.has(local)) parts.push(`</${local}>`);
      },
      ontext(text) {
        if (style !== null) style.text += text;
        if (silent === 0) parts.push(escaped(text));
      },
    },
    { xmlMode: isBook, decodeEntities: true },
  );
  parser.write(source);
  parser.end();
  return { html: parts.join(''), styles };
}
