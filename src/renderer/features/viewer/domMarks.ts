import { type Alignment, alignTexts } from './align.ts';
import { firstAbove } from './ordered.ts';
import type { Found, FoundMatch, TextSection } from './view.ts';

/** Marks matches in a document that is drawn as elements. */
export interface DomMarks {
  /** As `Findable.show`. */
  show(found: Found | null, sections: readonly TextSection[]): void;
  /** To be called when other elements are drawn than before: their text is looked at anew. */
  redraw(): void;
  /** Takes the marks away for good. */
  close(): void;
}

/** The text of an element, and where in it each of its text nodes begins. */
interface DrawnText {
  readonly nodes: readonly Text[];
  readonly starts: readonly number[];
  readonly align: Alignment;
}

function drawnText(root: HTMLElement, layer: string): DrawnText {
  const nodes: Text[] = [];
  const starts: number[] = [];
  const parts: string[] = [];
  let length = 0;
  const walker = root.ownerDocument.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const text = node as Text;
    nodes.push(text);
    starts.push(length);
    // What stands in different elements is as a rule no one word; the alignment does without white space.
    parts.push(text.data, '\n');
    length += text.data.length + 1;
  }
  return { nodes, starts, align: alignTexts(layer, parts.join('')) };
}

function rangeIn({ nodes, starts, align }: DrawnText, { start, end }: FoundMatch): Range | null {
  const drawn = align(start, end);
  if (drawn === null) return null;
  const at = (position: number): readonly [Text | undefined, number] => {
    const index = firstAbove(starts, position) - 1;
    return [nodes[index], position - (starts[index] ?? 0)];
  };
  const [first, firstOffset] = at(drawn[0]);
  const [last, lastOffset] = at(Math.max(drawn[0], drawn[1] - 1));
  if (first === undefined || last === undefined) return null;
  const range = first.ownerDocument.createRange();
  range.setStart(first, Math.min(firstOffset, first.data.length));
  range.setEnd(last, Math.min(lastOffset + 1, last.data.length));
  return range;
}

/** The window's highlight of a name, which all documents that it shows have together. */
function highlightOf(view: (Window & typeof globalThis) | null, name: string): Highlight | null {
  const highlights = view?.CSS.highlights;
  if (view === null || highlights === undefined) return null;
  const highlight = highlights.get(name) ?? new view.Highlight();
  highlights.set(name, highlight);
  return highlight;
}

const centred = (start: number, end: number, roomStart: number, roomEnd: number) =>
  start >= roomStart && end <= roomEnd ? 0 : (start + end - roomStart - roomEnd) / 2;

/** Scrolls everything around a range so that it is in sight; what is in sight already stays where it is. */
export function revealRange(range: Range): void {
  for (let box = range.startContainer.parentElement; box !== null; box = box.parentElement) {
    const isPage = box === box.ownerDocument.scrollingElement;
    const { overflowX, overflowY } = getComputedStyle(box);
    if (!isPage && overflowX === 'visible' && overflowY === 'visible') continue;
    const room = isPage ? new DOMRect(0, 0, box.clientWidth, box.clientHeight) : box.getBoundingClientRect();
    const { top, bottom, left, right } = range.getBoundingClientRect();
    box.scrollBy({
      top: centred(top, bottom, room.top, room.top + box.clientHeight),
      left: centred(left, right, room.left, room.left + box.clientWidth),
      behavior: 'instant',
    });
  }
}

/**
 * Makes the marks of a document. Each element of `sectionRoots` holds what is drawn of the section at the same place; their
 * texts need not be the same to the letter. Marked is by the browser's own highlights (`::highlight(found)` and
 * `::highlight(found-active)`), so that the document itself stays as it is; a browser that has none shows the active match as
 * selected text.
 */
export function createDomMarks(root: HTMLElement, sectionRoots: readonly HTMLElement[]): DomMarks {
  const view = root.ownerDocument.defaultView;
  const found = highlightOf(view, 'found');
  const active = highlightOf(view, 'found-active');
  let drawn = new Map<number, DrawnText>();
  let drawnOf: readonly TextSection[] = [];
  let shown: Found | null = null;
  let marked: readonly (readonly [Highlight, Range])[] = [];

  function textOf(section: number, sections: readonly TextSection[]): DrawnText | null {
    if (sections !== drawnOf) {
      drawn = new Map();
      drawnOf = sections;
    }
    const element = sectionRoots[section];
    const layer = sections[section];
    if (element === undefined || layer === undefined) return null;
    const text = drawn.get(section) ?? drawnText(element, layer.text);
    drawn.set(section, text);
    return text;
  }

  function clear(): void {
    for (const [highlight, range] of marked) highlight.delete(range);
    marked = [];
  }

  function mark({ matches, active: activeIndex }: Found, sections: readonly TextSection[], reveal: boolean): void {
    const next: [Highlight, Range][] = [];
    for (const [index, match] of matches.entries()) {
      const text = textOf(match.section, sections);
      const range = text === null ? null : rangeIn(text, match);
      if (range === null) continue;
      const highlight = index === activeIndex ? active : found;
      highlight?.add(range);
      if (highlight !== null) next.push([highlight, range]);
      if (index !== activeIndex || !reveal) continue;
      revealRange(range);
      if (active !== null) continue;
      view?.getSelection()?.removeAllRanges();
      view?.getSelection()?.addRange(range);
    }
    marked = next;
  }

  return {
    show(now, sections) {
      clear();
      shown = now;
      if (now !== null) mark(now, sections, true);
    },
    redraw() {
      clear();
      drawn = new Map();
      if (shown !== null) mark(shown, drawnOf, false);
    },
    close: clear,
  };
}
