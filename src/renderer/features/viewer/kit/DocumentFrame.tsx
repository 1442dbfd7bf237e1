import { useEffect, useRef } from 'react';
import { restoreStyles } from './sanitise.ts';
import { tameSheet } from './tameStyles.ts';
import './frame.css';

/** What is drawn in a frame. */
export interface FramedDocument {
  /** Sanitised. */
  readonly body: HTMLElement;
  /** Its style sheets; their addresses reach nothing. */
  readonly styles: readonly string[];
}

export interface DocumentFrameProps {
  readonly document: FramedDocument;
  readonly title: string;
  /** Told once it is drawn, with the body of the frame's page; may return what ends it. */
  readonly onDrawn?: (body: HTMLElement) => (() => void) | undefined;
}

/** Nothing but the images that a document brought along, as blobs; style sheets are set without the parser. */
const PAGE =
  '<!doctype html><html><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src \'none\'; img-src blob:"></head><body></body></html>';

const BASE = `
  :root { color-scheme: light; background: #ffffff; color: #1f2328; }
  body { overflow-wrap: break-word; font-family: system-ui, sans-serif; }
  img, svg { max-width: 100%; }
  .missing-image { display: inline-block; padding: 2px 8px; border: 1px dashed #8c8f8a; color: #57606a; font: 13px system-ui, sans-serif; }
  ::highlight(found) { background-color: #ffe58a; color: #1f2328; }
  ::highlight(found-active) { background-color: #f7b955; color: #1f2328; }
`;

/** Links go out by a window of their own, or to a place within; the frame itself never leaves its page. */
function follow(event: MouseEvent): void {
  const link = (event.target as Element | null)?.closest?.('a');
  if (link === null || link === undefined) return;
  event.preventDefault();
  const target = link.getAttribute('href') ?? '';
  if (target.startsWith('#')) {
    const id = decodeURIComponent(target.slice(1));
    link.ownerDocument.getElementById(id)?.scrollIntoView({ block: 'start' });
  } else if (target !== '') window.open(target, '_blank', 'noopener,noreferrer');
}

function draw(frame: HTMLIFrameElement, { body, styles }: FramedDocument): HTMLElement | null {
  const page = frame.contentDocument;
  const view = page?.defaultView;
  if (page === null || view === null || view === undefined) return null;
  page.adoptedStyleSheets = [BASE, ...styles].map((text) => tameSheet(view, text));
  const drawn = page.importNode(body, true);
  page.body.replaceWith(drawn);
  restoreStyles(page);
  page.addEventListener('click', follow);
  // Keys that the document has no use for are the application's, as if they were pressed beside it.
  page.addEventListener('keydown', (event) => {
    if (!frame.dispatchEvent(new KeyboardEvent('keydown', event))) event.preventDefault();
  });
  return drawn;
}

/**
 * A document that brings its own looks, in a page of its own. The frame may not run scripts, send forms, open windows or lead
 * the application away, and its policy lets it load nothing. It keeps the application's origin only so that the application
 * can put the document in and mark what is found in it: with scripts off, nothing in it can use that.
 */
export function DocumentFrame({ document, title, onDrawn }: DocumentFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    let end: (() => void) | undefined;
    const onLoad = () => {
      end?.();
      const body = draw(element, document);
      end = body === null ? undefined : onDrawn?.(body);
    };
    element.addEventListener('load', onLoad);
    element.srcdoc = PAGE;
    return () => {
      element.removeEventListener('load', onLoad);
      end?.();
    };
  }, [document, onDrawn]);
  return <iframe className="document-frame" ref={frame} title={title} sandbox="allow-same-origin" />;
}
