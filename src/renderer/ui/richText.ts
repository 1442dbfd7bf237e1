import { ElementType, parseDocument } from 'htmlparser2';
import { createElement, type ReactNode } from 'react';

type HtmlNode = ReturnType<typeof parseDocument>['childNodes'][number];

/** Elements whose text is not text for readers; scripts and styles are no elements to the parser. */
const SILENT: ReadonlySet<string> = new Set(['template', 'noscript', 'iframe', 'svg', 'math']);

function nodesOf(nodes: readonly HtmlNode[]): ReactNode[] {
  return nodes.flatMap((node, key): ReactNode[] => {
    if (node.type === ElementType.Text) return [node.data];
    if (node.type !== ElementType.Tag || SILENT.has(node.name)) return [];
    if (node.name === 'br') return [createElement('br', { key })];
    const children = nodesOf(node.children);
    return node.name === 'span' ? [createElement('span', { key }, ...children)] : children;
  });
}

/**
 * The limited renderer of rich text (web-and-phone.md §5): `span` and `br` without attributes; of everything else the text
 * stays. What it gives is made of elements, so nothing of the input is ever read as HTML by the browser.
 */
export function richText(html: string): ReactNode {
  return createElement('span', { className: 'rich-text' }, ...nodesOf(parseDocument(html).childNodes));
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** A text as it stands, set apart from the rich text that it becomes a part of. */
export function setApart(text: string): string {
  return `<span>${text.replace(/[&<>]/gu, (character) => ESCAPES[character] ?? character)}</span>`;
}
