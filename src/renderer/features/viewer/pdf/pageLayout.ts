/** Width and height of a page as it is read, in points of 1/72 inch. */
export interface PageSize {
  readonly width: number;
  readonly height: number;
}

/** Where a page stands among all of them, in pixels of the screen. */
export interface PageBox {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Places of all pages, one below the other. */
export interface PageLayout {
  readonly boxes: readonly PageBox[];
  readonly width: number;
  readonly height: number;
}

/** A point of a page as shares of its size, and where in the room for the pages it stands. */
export interface Anchor {
  readonly page: number;
  readonly x: number;
  readonly y: number;
  /** Pixels from the left and top of the room. */
  readonly atLeft: number;
  readonly atTop: number;
}

/** What can be seen of all pages. */
export interface Sight {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Around and between pages. */
export const GAP = 12;
const PIXELS_PER_POINT = 96 / 72;

/** Pixels of the screen that a point of a page takes at a zoom. */
export const pixelsPerPoint = (zoom: number) => zoom * PIXELS_PER_POINT;

/** The size that a page has after it was turned by a multiple of 90 degrees. */
export const turned = ({ width, height }: PageSize, rotation: number): PageSize =>
  rotation % 180 === 0 ? { width, height } : { width: height, height: width };

export interface LayoutOptions {
  /** By page; a page that was not looked at yet is taken to be like the first. */
  readonly sizes: readonly (PageSize | undefined)[];
  readonly zoom: number;
  readonly rotation: number;
  /** Narrower pages stand in the middle of it. */
  readonly room: number;
}

/** Places all pages, by sizes that are known so far. */
export function layOut({ sizes, zoom, rotation, room }: LayoutOptions): PageLayout {
  const scale = pixelsPerPoint(zoom);
  const usual = sizes[0] ?? { width: 0, height: 0 };
  let top = GAP;
  let widest = 0;
  const placed = Array.from(sizes, (known) => {
    const { width, height } = turned(known ?? usual, rotation);
    const box = { top, width: Math.floor(width * scale), height: Math.floor(height * scale) };
    top += box.height + GAP;
    widest = Math.max(widest, box.width);
    return box;
  });
  const width = Math.max(room, widest + 2 * GAP);
  return { boxes: placed.map((box) => ({ ...box, left: Math.round((width - box.width) / 2) })), width, height: top };
}

/** Index of the page at a height; between two pages the one above. */
export function pageAt({ boxes }: PageLayout, top: number): number {
  let low = 0;
  let high = boxes.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((boxes[middle]?.top ?? 0) <= top) low = middle;
    else high = middle - 1;
  }
  return Math.max(0, low);
}

/** First and last page that are in sight or so near to it. */
export function pagesNear(layout: PageLayout, { top, height }: Sight, margin: number): readonly [number, number] {
  return [pageAt(layout, top - margin), pageAt(layout, top + height + margin)];
}

/** The page that is read: what stands in the upper third of the sight, and at both ends the first and the last. */
export function currentPage(layout: PageLayout, { top, height }: Sight): number {
  if (top <= 0) return 0;
  if (top + height >= layout.height - 1) return Math.max(0, layout.boxes.length - 1);
  return pageAt(layout, top + height / 3);
}

/** What stands at a point of the room, to be kept there when all pages get other places. */
export function anchorAt(layout: PageLayout, { left, top }: Sight, atLeft: number, atTop: number): Anchor {
  const page = pageAt(layout, top + atTop);
  const box = layout.boxes[page] ?? { left: 0, top: 0, width: 1, height: 1 };
  return {
    page,
    x: (left + atLeft - box.left) / Math.max(1, box.width),
    y: (top + atTop - box.top) / Math.max(1, box.height),
    atLeft,
    atTop,
  };
}

/** Where to scroll so that an anchor stands where it did. */
export function scrollOf({ boxes }: PageLayout, { page, x, y, atLeft, atTop }: Anchor) {
  const box = boxes[page] ?? { left: 0, top: 0, width: 0, height: 0 };
  return { left: box.left + x * box.width - atLeft, top: box.top + y * box.height - atTop };
}
