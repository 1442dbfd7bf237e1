import DOMPurify from 'dompurify';
import { tameStyle } from './tameStyles.ts';

/** What becomes of addresses in a document. */
export interface Addresses {
  /** Where an image is had, from the address that the document gives; null for an image that is not shown. */
  readonly image: (source: string) => string | null;
  /** Where a link leads: outside, or to `#` and an id; null for a link that leads nowhere. */
  readonly link: (target: string) => string | null;
  /** What stands where an image is not shown. */
  readonly missingImage: (description: string) => string;
  /** How ids of the document are written, so that several documents can stand in one page. */
  readonly id?: (id: string) => string;
}

/** Where style attributes wait until they can be set without the parser, which the content policy forbids them to. */
export const KEPT_STYLE = 'data-kept-style';

const RULES = {
  USE_PROFILES: { html: true, svg: true, mathMl: true },
  FORBID_TAGS:
    'style form input button textarea select option fieldset dialog audio video source track picture map area'.split(
      ' ',
    ),
  FORBID_ATTR:
    'srcset background poster ping autofocus tabindex accesskey contenteditable popover popovertarget command commandfor name'.split(
      ' ',
    ),
  ALLOW_DATA_ATTR: false,
  ADD_ATTR: [KEPT_STYLE],
  ADD_URI_SAFE_ATTR: [KEPT_STYLE],
  ALLOW_ARIA_ATTR: false,
  // What is no address, or one of these.
  ALLOWED_URI_REGEXP: /^(?:(?:https?|mailto|blob):|[^a-z]|[a-z+.-]+(?:[^a-z+.:-]|$))/iu,
};

/** The links that documents may lead outside by. */
export const outsideLink = (target: string): string | null => (/^(?:https?:|mailto:)/iu.test(target) ? target : null);

/** Links that lead outside or within the document itself. */
export const documentLink = (target: string): string | null => (target.startsWith('#') ? target : outsideLink(target));

function purifier({ image, link, missingImage, id = (own) => own }: Addresses) {
  const purify = DOMPurify(window);
  // Before the attributes are judged, and in a document that loads nothing: no address of the document is ever asked for.
  purify.addHook('beforeSanitizeAttributes', (node) => {
    if (!(node instanceof Element)) return;
    if (node.localName === 'img') {
      const url = image(node.getAttribute('src') ?? '');
      if (url === null) {
        const note = node.ownerDocument.createElement('span');
        note.className = 'missing-image';
        note.textContent = missingImage(node.getAttribute('alt') ?? '');
        node.replaceWith(note);
        return;
      }
      node.setAttribute('src', url);
      node.setAttribute('loading', 'lazy');
      if (!node.hasAttribute('alt')) node.setAttribute('alt', '');
    } else if (node.localName === 'a') {
      const target = link(node.getAttribute('href') ?? node.getAttribute('xlink:href') ?? '');
      node.removeAttribute('href');
      node.removeAttribute('xlink:href');
      if (target !== null) node.setAttribute('href', target);
      // How old pages name the places that links lead to.
      const name = node.getAttribute('name');
      if (name !== null && node.id === '') node.id = name;
    } else {
      node.removeAttribute('href');
      node.removeAttribute('xlink:href');
      node.removeAttribute('src');
    }
    const own = node.getAttribute('id');
    if (own !== null) node.setAttribute('id', id(own));
  });
  purify.addHook('afterSanitizeAttributes', (node) => {
    if (node.localName === 'a' && outsideLink(node.getAttribute('href') ?? '') !== null) {
      node.setAttribute('target', '_blank');
      node.setAttribute('rel', 'noopener noreferrer');
    }
    const style = node.getAttribute('style');
    if (style === null) return;
    node.removeAttribute('style');
    node.setAttribute(KEPT_STYLE, style);
  });
  return purify;
}

/** The body of an HTML text without anything that runs, loads, sends or leads away. */
export function sanitise(html: string, addresses: Addresses): HTMLElement {
  const root = purifier(addresses).sanitize(html, { ...RULES, WHOLE_DOCUMENT: true, RETURN_DOM: true });
  const body = root instanceof Element ? root.querySelector('body') : null;
  return body ?? document.implementation.createHTMLDocument().body;
}

/** The same of elements that were made from a document. */
export function sanitiseElement(element: HTMLElement, addresses: Addresses): void {
  purifier(addresses).sanitize(element, { ...RULES, IN_PLACE: true });
}

/** Gives sanitised elements, once they stand in their page, the styles that they came with. */
export function restoreStyles(root: ParentNode): void {
  for (const element of root.querySelectorAll<HTMLElement | SVGElement>(`[${KEPT_STYLE}]`)) {
    element.style.cssText = tameStyle(element.getAttribute(KEPT_STYLE) ?? '');
    element.removeAttribute(KEPT_STYLE);
  }
}
