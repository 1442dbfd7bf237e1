import { Parser } from 'htmlparser2';

/** Elements without an end, which HTML does not know either. */
const VOID: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta source track wbr'.split(' '),
);
/** What holds no text of the book. */
const LEFT_OUT: ReadonlySet<string> = new Set(['head', 'script', 'style', 'template', 'noscript']);
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string) => text.replace(/[&<>"]/gu, (character) => ESCAPES[character] ?? character);

const attributesOf = (attributes: Readonly<Record<string, string>>) =>
  Object.entries(attributes)
    .filter(([name]) => /^[a-z][\w:-]*$/iu.test(name) && !/^(?:on|xmlns)/iu.test(name))
    .map(([name, value]) => ` ${name}="${escaped(value)}"`)
    .join('');

/**
 * A chapter, which is XHTML, as HTML: elements may end in it where HTML knows no end. Read by a parser that makes no elements,
 * so that nothing in it is taken for code on the way. The images of drawings, as which covers often come, are images.
 */
export function chapterHtml(chapter: string): string {
  const parts: string[] = [];
  let leftOut = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const local = name.split(':').at(-1)?.toLowerCase() ?? '';
        if (LEFT_OUT.has(local)) leftOut += 1;
        if (leftOut > 0) return;
        if (local === 'image') {
          parts.push(`<img${attributesOf({ src: attributes['xlink:href'] ?? attributes.href ?? '', alt: '' })}>`);
        } else if (local !== 'svg') parts.push(`<${local}${attributesOf(attributes)}>`);
      },
      onclosetag(name) {
        const local = name.split(':').at(-1)?.toLowerCase() ?? '';
        if (LEFT_OUT.has(local)) leftOut -= 1;
        else if (leftOut === 0 && local !== 'image' && local !== 'svg' && !VOID.has(local)) parts.push(`</${local}>`);
      },
      ontext(text) {
        if (leftOut === 0) parts.push(escaped(text));
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.write(chapter);
  parser.end();
  return parts.join('');
}
