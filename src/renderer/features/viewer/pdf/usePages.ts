import type { PDFDocumentProxy } from 'pdfjs-dist';
import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import {
  anchorAt,
  currentPage,
  GAP,
  layOut,
  type PageLayout,
  type PageSize,
  pagesNear,
  type Sight,
  scrollOf,
} from './pageLayout.ts';
import type { PageStep } from './pageLinks.ts';
import type { RoomPoint } from './usePinch.ts';
import { clampZoom, type Zoom, zoomFactor } from './zoom.ts';

/** Pages this far beyond the sight are drawn too, in heights of the sight. */
const AHEAD = 1;
const RESTING_MS = 100;

/** Pages that stand in the document, those of them that are in sight, and the one that is read. */
interface Shown {
  readonly first: number;
  readonly last: number;
  readonly firstInSight: number;
  readonly lastInSight: number;
  readonly current: number;
}

/** A point of a page to go to, as a share of its height; the page's top where there is none. */
export interface PagePoint {
  readonly page: number;
  readonly y?: number;
}

interface Fit {
  readonly zoom: Zoom;
  /** The page that `width` and `page` go by. */
  readonly basis: PageSize;
  /** What stays where it is in the room when the size changes; its middle where it is null. */
  readonly at: RoomPoint | null;
}

function sightOf(element: HTMLElement | null): Sight {
  if (element === null) return { left: 0, top: 0, width: 0, height: 0 };
  const { scrollLeft: left, scrollTop: top, clientWidth: width, clientHeight: height } = element;
  return { left, top, width, height };
}

function shownIn(layout: PageLayout, sight: Sight): Shown {
  const [first, last] = pagesNear(layout, sight, sight.height * AHEAD);
  const [firstInSight, lastInSight] = pagesNear(layout, sight, 0);
  return { first, last, firstInSight, lastInSight, current: currentPage(layout, sight) };
}

const isSame = (a: Shown, b: Shown) => (Object.keys(a) as (keyof Shown)[]).every((key) => a[key] === b[key]);

/** The room that an element has for pages. */
function useRoom(element: RefObject<HTMLElement | null>): PageSize {
  const [room, setRoom] = useState<PageSize>({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const observed = element.current;
    if (observed === null) return undefined;
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = observed;
      setRoom((before) => (before.width === width && before.height === height ? before : { width, height }));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(observed);
    return () => observer.disconnect();
  }, [element]);
  return room;
}

export interface PagesOptions {
  readonly pdf: PDFDocumentProxy;
  readonly firstSize: PageSize;
  /** The page that is in sight when the document opens, from 0. */
  readonly startPage: number;
  readonly scroller: RefObject<HTMLElement | null>;
}

/**
 * Where all pages stand, which of them are there, and how one gets from one to another. Sizes are learned when pages come
 * near; what is in sight stays in its place when others turn out to be larger or smaller than was thought.
 */
export function usePages({ pdf, firstSize, startPage, scroller }: PagesOptions) {
  const sizes = useRef<(PageSize | undefined)[]>([]);
  if (sizes.current.length === 0) sizes.current = Array.from({ length: pdf.numPages }, () => undefined);
  sizes.current[0] ??= firstSize;
  const [learned, setLearned] = useState(0);
  const [fit, setFit] = useState<Fit>({ zoom: 'width', basis: firstSize, at: null });
  const [rotation, setRotation] = useState(0);
  const [jump, setJump] = useState<PagePoint>({ page: startPage });
  const room = useRoom(scroller);
  const factor = zoomFactor(fit.zoom, fit.basis, rotation, room);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `learned` says that `sizes` holds others than before
  const layout = useMemo(
    () => layOut({ sizes: sizes.current, zoom: factor, rotation, room: room.width }),
    [learned, factor, rotation, room.width],
  );
  const [shown, setShown] = useState<Shown>(() => shownIn(layout, sightOf(null)));
  const sight = useRef<Sight>(sightOf(null));
  const placed = useRef<{ layout: PageLayout; fit: Fit; jump: PagePoint | null }>({ layout, fit, jump: null });
  const isMoving = useRef(false);

  const look = useCallback(() => {
    sight.current = sightOf(scroller.current);
    const next = shownIn(layout, sight.current);
    setShown((before) => (isSame(before, next) ? before : next));
  }, [layout, scroller]);

  useLayoutEffect(() => {
    const element = scroller.current;
    const before = placed.current;
    if (element === null || room.width === 0) return;
    if (jump !== before.jump) {
      const box = layout.boxes[jump.page];
      const offset = jump.y === undefined ? -GAP : jump.y * (box?.height ?? 0) - GAP;
      element.scrollTo({ top: (box?.top ?? 0) + offset, left: (layout.width - element.clientWidth) / 2 });
    } else if (layout !== before.layout) {
      const { width, height } = sight.current;
      // Sizes that were learned leave the top as it is; another zoom, the point that it was made at.
      const at = fit === before.fit ? { left: width / 2, top: 0 } : (fit.at ?? { left: width / 2, top: height / 2 });
      element.scrollTo(scrollOf(layout, anchorAt(before.layout, sight.current, at.left, at.top)));
    }
    placed.current = { layout, fit, jump };
    look();
  }, [layout, fit, jump, room, look, scroller]);

  useEffect(() => {
    const element = scroller.current;
    let resting: ReturnType<typeof setTimeout> | undefined;
    const onScroll = () => {
      isMoving.current = true;
      clearTimeout(resting);
      resting = setTimeout(() => {
        isMoving.current = false;
      }, RESTING_MS);
      look();
    };
    element?.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      clearTimeout(resting);
      element?.removeEventListener('scroll', onScroll);
    };
  }, [look, scroller]);

  const learn = useCallback(
    (page: number, size: PageSize) => {
      const known = sizes.current[page];
      if (known?.width === size.width && known.height === size.height) return;
      sizes.current[page] = size;
      const usual = sizes.current[0];
      if (known === undefined && usual?.width === size.width && usual.height === size.height) return;
      sight.current = sightOf(scroller.current);
      setLearned((count) => count + 1);
    },
    [scroller],
  );

  /** Goes to a point, whose page has to be known: where within it the point is goes by its height. */
  const goTo = useCallback(
    async ({ page, y }: PagePoint) => {
      const target = Math.min(Math.max(0, page), pdf.numPages - 1);
      if (sizes.current[target] === undefined) {
        const { width, height } = (await pdf.getPage(target + 1)).getViewport({ scale: 1 });
        learn(target, { width, height });
      }
      setJump(y === undefined ? { page: target } : { page: target, y });
    },
    [pdf, learn],
  );

  // What is done next goes by what is there then; the functions themselves stay, and with them what they were given to.
  const now = useRef({ factor, shown });
  now.current = { factor, shown };

  const zoomTo = useCallback(
    (zoom: Zoom, at: Fit['at'] = null) => {
      sight.current = sightOf(scroller.current);
      setFit({ zoom, basis: sizes.current[now.current.shown.current] ?? firstSize, at });
    },
    [scroller, firstSize],
  );

  const zoomBy = useCallback(
    (times: number, at: RoomPoint) => zoomTo(clampZoom(now.current.factor * times), at),
    [zoomTo],
  );

  const turn = useCallback(() => {
    setRotation((degrees) => (degrees + 90) % 360);
    setJump({ page: now.current.shown.current });
  }, []);

  const step = useCallback(
    (to: PageStep) => {
      const { current } = now.current.shown;
      const targets = { NextPage: current + 1, PrevPage: current - 1, FirstPage: 0, LastPage: pdf.numPages - 1 };
      void goTo({ page: targets[to] });
    },
    [goTo, pdf],
  );

  const isInSight = useCallback((page: number) => {
    const { firstInSight, lastInSight } = now.current.shown;
    return page >= firstInSight && page <= lastInSight;
  }, []);

  return {
    layout,
    shown,
    zoom: fit.zoom,
    factor,
    rotation,
    isMoving,
    learn,
    goTo,
    step,
    zoomTo,
    zoomBy,
    turn,
    isInSight,
  };
}
