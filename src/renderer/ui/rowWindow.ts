import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { isWithin, NO_ROWS, type RowRange, rowsInSight, sharedRows, widened } from './rowsInSight.ts';

/** Rows drawn beyond the sight on each side, so that scrolling does not run into blank ones. */
const SPARE = 8;
/** Kept free of a row that is brought into sight: the bars above and below the list. */
const MARGIN_ABOVE = 72;
const MARGIN_BELOW = 96;
/** Pixels a millisecond from which on nobody reads more than names. */
const QUICK = 1.5;
/** So long after the last quick move a list rests. */
const REST_MS = 100;
/** Rows made whole in one frame. */
const STEP = 6;

interface Rows {
  readonly drawn: RowRange;
  readonly whole: RowRange;
}

export interface RowWindow extends Rows {
  /** Brings a row into sight. */
  readonly reveal: (index: number) => void;
}

/**
 * Tells how quickly the window is scrolled, in pixels a millisecond: of the last two moves the quicker, since one that comes late
 * is no rest. Rows made whole because a frame took long would make the next one longer.
 */
function createSpeed(): () => number {
  let [at, place, last] = [performance.now(), window.scrollY, 0];
  return () => {
    const [now, here] = [performance.now(), window.scrollY];
    const speed = Math.abs(here - place) / Math.max(1, now - at);
    const quicker = Math.max(speed, last);
    [at, place, last] = [now, here, speed];
    return quicker;
  };
}

/** The rows after a look: whole ones stay so, and those that come in do too, when they are few and come slowly. */
function rowsAfter({ drawn, whole }: Rows, next: RowRange, isQuick: boolean): Rows {
  const arriving = next.end - next.first - sharedRows(next, drawn);
  const isCalm = !isQuick && arriving <= SPARE && isWithin(drawn, whole);
  return { drawn: next, whole: isCalm ? next : whole };
}

const isSame = (a: RowRange, b: RowRange) => a.first === b.first && a.end === b.end;

/**
 * Which rows of a long list stand in the window's sight. All rows are equally tall, so that a list of a hundred thousand costs
 * no more than one of ten: their places follow from the element that holds them, and no row is ever measured. What comes into
 * sight at once or quickly is not `whole` yet: it is drawn by its words alone, and made whole, some rows a frame, when the list
 * rests.
 */
export function useRowWindow(body: RefObject<HTMLElement | null>, count: number): RowWindow {
  const [rows, setRows] = useState<Rows>({ drawn: NO_ROWS, whole: NO_ROWS });
  const latest = useRef(rows);
  const show = useCallback((next: Rows) => {
    const { drawn, whole } = latest.current;
    if (isSame(next.drawn, drawn) && isSame(next.whole, whole)) return;
    latest.current = next;
    setRows(next);
  }, []);
  const look = useCallback(
    (spare: number, isQuick: boolean) => {
      if (body.current === null) return;
      const { top, height } = body.current.getBoundingClientRect();
      const next = rowsInSight(-top, height / Math.max(1, count), window.innerHeight, count, spare);
      show(rowsAfter(latest.current, next, isQuick));
    },
    [body, count, show],
  );
  // What is seen is drawn first: the spare rows come when it stands.
  useLayoutEffect(() => look(0, true), [look]);
  useEffect(() => {
    const speed = createSpeed();
    let resting: ReturnType<typeof setTimeout>;
    let frame = 0;
    const makeWhole = () => {
      const { drawn, whole } = latest.current;
      const next = widened(whole, drawn, STEP);
      show({ drawn, whole: next });
      if (!isWithin(drawn, next)) frame = requestAnimationFrame(makeWhole);
    };
    const lookAround = () => {
      const isQuick = speed() > QUICK;
      look(SPARE, isQuick);
      clearTimeout(resting);
      cancelAnimationFrame(frame);
      resting = setTimeout(makeWhole, isQuick ? REST_MS : 0);
    };
    // Told of it at first, and of what is put above the list and moves it.
    const observer = new ResizeObserver(lookAround);
    observer.observe(document.body);
    addEventListener('scroll', lookAround, { passive: true });
    addEventListener('resize', lookAround);
    return () => {
      clearTimeout(resting);
      cancelAnimationFrame(frame);
      observer.disconnect();
      removeEventListener('scroll', lookAround);
      removeEventListener('resize', lookAround);
    };
  }, [look, show]);

  const reveal = (index: number) => {
    if (body.current === null) return;
    const { top, height } = body.current.getBoundingClientRect();
    const row = height / Math.max(1, count);
    const above = top + index * row - MARGIN_ABOVE;
    const below = top + (index + 1) * row + MARGIN_BELOW - window.innerHeight;
    if (above < 0) scrollBy(0, above);
    else if (below > 0) scrollBy(0, below);
  };
  return { ...rows, reveal };
}
