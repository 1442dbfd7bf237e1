import { Parser } from 'htmlparser2';
import { escapeHtml } from '../http/escapeHtml.ts';

/** What a notice may be made of. All else is dropped, with its attributes; its text stays. */
const ALLOWED = new Set(
  'p br b strong i em u s ul ol li h2 h3 h4 blockquote code pre hr span a table thead tbody tr th td'.split(' '),
);
const VOID = new Set(['br', 'hr']);
/** Elements whose text is not text for readers. */
const SILENT = new Set(['script', 'style', 'template', 'noscript', 'iframe', 'object', 'svg', 'math', 'title', 'head']);

function isSafeAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  return ['https:', 'http:', 'mailto:'].includes(new URL(address).protocol);
}

/**
 * Rebuilds HTML from what is allowed alone, so that nothing of the input is passed on as it was. Readers' pages show it in a
 * frame without scripts besides.
 */
export function sanitizeHtml(html: string): string {
  let out = '';
  let silent = 0;
  const open: string[] = [];
  const parser = new Parser({
    onopentag(name, attributes) {
      if (SILENT.has(name)) silent += 1;
      if (silent > 0 || !ALLOWED.has(name)) return;
      const address = name === 'a' ? (attributes.href ?? '') : '';
      out += isSafeAddress(address)
        ? `<a href="${escapeHtml(address)}" rel="noopener noreferrer" target="_blank">`
        : `<${name}>`;
      if (!VOID.has(name)) open.push(name);
    },
    ontext(text) {
      if (silent === 0) out += escapeHtml(text);
    },
    onclosetag(name) {
      if (SILENT.has(name)) {
        silent = Math.max(0, silent - 1);
        return;
      }
      if (silent > 0 || !open.includes(name)) return;
      for (let last = open.pop(); last !== undefined; last = open.pop()) {
        out += `</${last}>`;
        if (last === name) break;
      }
    },
  });
  parser.end(html);
  while (open.length > 0) out += `</${open.pop()}>`;
  return out;
}
