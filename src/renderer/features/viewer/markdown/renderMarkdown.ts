import MarkdownIt from 'markdown-it';
import { type BlobUrls, embeddedImage } from '../kit/blobUrls.ts';
import { readHtml } from '../kit/readHtml.ts';
import { documentLink, sanitise } from '../kit/sanitise.ts';

export interface RenderedMarkdown {
  readonly body: HTMLElement;
  /** Gives back the images that it brought along. */
  readonly close: () => void;
}

/** Values that many tools keep before the text; a reader of the text sees them as what they are. */
const FRONT_MATTER = /^---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/u;
const CODE_OF_LANGUAGE = 'pre > code[class^="language-"]';
const TASK = /^\[([ xX])\]\s+/u;

/** Names the headings as the places that host of Markdown let links lead to. */
function nameHeadings(body: HTMLElement): void {
  const taken = new Map<string, number>();
  for (const heading of body.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
    const name = (heading.textContent ?? '')
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
      .replace(/\s/gu, '-');
    const count = taken.get(name) ?? 0;
    taken.set(name, count + 1);
    heading.id = count === 0 ? name : `${name}-${count}`;
  }
}

/** Items that begin with `[ ]` or `[x]` are tasks. */
function drawTasks(body: HTMLElement): void {
  for (const item of body.querySelectorAll('li')) {
    const holder = item.firstElementChild?.localName === 'p' ? item.firstElementChild : item;
    const text = holder.firstChild;
    const mark = text instanceof Text ? TASK.exec(text.data) : null;
    if (mark === null || !(text instanceof Text)) continue;
    text.data = text.data.slice(mark[0].length);
    item.className = 'task';
    const box = document.createElement('input');
    box.type = 'checkbox';
    box.disabled = true;
    box.defaultChecked = mark[1] !== ' ';
    box.ariaLabel = holder.textContent;
    holder.prepend(box);
  }
}

/** Colours code of languages that are known; their grammars are loaded when a text has such code. */
async function colourCode(body: HTMLElement): Promise<void> {
  const blocks = [...body.querySelectorAll<HTMLElement>(CODE_OF_LANGUAGE)];
  if (blocks.length === 0) return;
  const { default: highlighter } = await import('highlight.js/lib/common');
  for (const block of blocks) {
    const language = block.className.slice('language-'.length);
    if (highlighter.getLanguage(language) === undefined) continue;
    const { value } = highlighter.highlight(block.textContent ?? '', { language, ignoreIllegals: true });
    const coloured = new DOMParser().parseFromString(`<pre>${value}</pre>`, 'text/html').querySelector('pre');
    if (coloured !== null) block.replaceChildren(...coloured.childNodes);
  }
}

/**
 * Markdown as elements. HTML in it stays the text that it is, links lead outside or to headings, and of images only those are
 * drawn that are written into the text itself.
 */
export async function renderMarkdown(
  source: string,
  urls: BlobUrls,
  missingImage: (description: string) => string,
): Promise<RenderedMarkdown> {
  const markdown = new MarkdownIt({ html: false, linkify: true });
  const html = markdown.render(source.replace(FRONT_MATTER, '```yaml\n$1\n```\n'));
  const body = sanitise(readHtml(html, false).html, {
    image: (address) => embeddedImage(urls, address),
    link: documentLink,
    missingImage,
  });
  nameHeadings(body);
  drawTasks(body);
  await colourCode(body);
  return { body, close: urls.close };
}
