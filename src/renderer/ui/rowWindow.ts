import { type RefObject, useCallback, useEffect, useLayoutEffect, useState } from 'react';
import { NO_ROWS, type RowRange, rowsInSight } from './rowsInSight.ts';

/** Rows drawn beyond the sight on each side, so that scrolling does not run into blank ones. */
const SPARE = 8;
/** Kept free of a row that is brought into sight: the bars above and below the list. */
const MARGIN_ABOVE = 72;
const MARGIN_BELOW = 96;

export interface RowWindow extends RowRange {
  /** Brings a row into sight. */
  readonly reveal: (index: number) => void;
}

/**
 * Which rows of a long list stand in the window's sight. All rows are equally tall, so that a list of a hundred thousand costs
 * no more than one of ten: their places follow from the element that holds them, and no row is ever measured.
 */
export function useRowWindow(body: RefObject<HTMLElement | null>, count: number): RowWindow {
  const [range, setRange] = useState(NO_ROWS);
  const look = useCallback(
    (spare: number) => {
      if (body.current === null) return;
      const { top, height } = body.current.getBoundingClientRect();
      const next = rowsInSight(-top, height / Math.max(1, count), window.innerHeight, count, spare);
      setRange((before) => (before.first === next.first && before.end === next.end ? before : next));
    },
    [body, count],
  );
  // What is seen is drawn first: the spare rows come when it stands.
  useLayoutEffect(() => look(0), [look]);
  useEffect(() => {
    const lookAround = () => look(SPARE);
    const later = setTimeout(lookAround);
    // Also told of what is put above the list and moves it.
    const observer = new ResizeObserver(lookAround);
    observer.observe(document.body);
    addEventListener('scroll', lookAround, { passive: true });
    addEventListener('resize', lookAround);
    return () => {
      clearTimeout(later);
      observer.disconnect();
      removeEventListener('scroll', lookAround);
      removeEventListener('resize', lookAround);
    };
  }, [look]);

  const reveal = (index: number) => {
    if (body.current === null) return;
    const { top, height } = body.current.getBoundingClientRect();
    const row = height / Math.max(1, count);
    const above = top + index * row - MARGIN_ABOVE;
    const below = top + (index + 1) * row + MARGIN_BELOW - window.innerHeight;
    if (above < 0) scrollBy(0, above);
    else if (below > 0) scrollBy(0, below);
  };
  return { ...range, reveal };
}
