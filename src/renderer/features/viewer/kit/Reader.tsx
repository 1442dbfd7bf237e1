import { useEffect, useRef } from 'react';
import readerSheet from './reader.css?inline';
import { restoreStyles } from './sanitise.ts';
import './kit.css';

export interface ReaderProps {
  /** Sanitised, with no style sheets of its own. */
  readonly body: HTMLElement;
  readonly label: string;
  /** Told once it is drawn, with the element that scrolls and the one that holds the text; may return what ends it. */
  readonly onDrawn?: (scroller: HTMLElement, text: HTMLElement) => (() => void) | undefined;
}

let sheet: CSSStyleSheet | null = null;

function readerStyle(): CSSStyleSheet {
  if (sheet === null) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(readerSheet);
  }
  return sheet;
}

/** Links within the document scroll to what they name, without changing the page's address. */
function followWithin(event: MouseEvent, text: HTMLElement): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const target = link?.getAttribute('href');
  if (!target?.startsWith('#')) return;
  event.preventDefault();
  const id = target.slice(1);
  text.querySelector(`[id="${CSS.escape(id)}"]`)?.scrollIntoView({ block: 'start' });
}

/**
 * A document of running text in our own style. It stands in a shadow tree: neither ids nor classes of a document meet those of
 * the application, and its text can still be marked and selected.
 */
export function Reader({ body, label, onDrawn }: ReaderProps) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (host.current === null) return;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [readerStyle()];
    const scroller = document.createElement('section');
    scroller.className = 'reader';
    scroller.tabIndex = 0;
    scroller.ariaLabel = label;
    const text = document.createElement('div');
    text.className = 'text';
    text.append(...body.cloneNode(true).childNodes);
    scroller.append(text);
    root.replaceChildren(scroller);
    restoreStyles(text);
    text.addEventListener('click', (event) => followWithin(event, text));
    return onDrawn?.(scroller, text);
  }, [body, label, onDrawn]);
  return <div className="reader-host" ref={host} />;
}
