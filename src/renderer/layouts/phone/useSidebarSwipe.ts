import { useEffect } from 'react';
import { isSwipe, type Moment, pullOf } from './gestures.ts';

/** How a finger is flung is told by where it was so long before. */
const FLING_MS = 100;

const momentOf = ({ clientX: x, clientY: y }: Touch, { timeStamp: time }: Event): Moment => ({ x, y, time });

/** Lets the sidebar follow the finger; its style sheet reads how far. */
function follow(pixels: number | null): void {
  const { style, dataset } = document.documentElement;
  if (pixels === null) {
    style.removeProperty('--pull');
    delete dataset.pulled;
    return;
  }
  style.setProperty('--pull', `${pixels}px`);
  dataset.pulled = '';
}

/** Opens the sidebar by a swipe from the left edge, and closes it by one to the left. */
export function useSidebarSwipe(isOpen: boolean, setOpen: (isOpen: boolean) => void, isEnabled: boolean): void {
  useEffect(() => {
    if (!isEnabled) return undefined;
    let way: Moment[] = [];
    const stop = new AbortController();
    const options = { passive: true, signal: stop.signal } as const;
    const giveUp = () => {
      way = [];
      follow(null);
    };
    const onStart = (event: TouchEvent) => {
      const [only] = event.touches;
      if (event.touches.length !== 1 || only === undefined) giveUp();
      else way = [momentOf(only, event)];
    };
    const onMove = (event: TouchEvent) => {
      const [start] = way;
      const [only] = event.touches;
      if (start === undefined || only === undefined) return;
      const at = momentOf(only, event);
      way.push(at);
      follow(pullOf(start, at, isOpen) === null ? null : at.x - start.x);
    };
    const onEnd = (event: TouchEvent) => {
      const [start] = way;
      const [only] = event.changedTouches;
      if (start !== undefined && only !== undefined) {
        const at = momentOf(only, event);
        const before = way.findLast(({ time }) => time <= at.time - FLING_MS) ?? start;
        const pull = pullOf(start, at, isOpen);
        if (pull !== null && isSwipe(start, before, at)) setOpen(pull === 'opens');
      }
      giveUp();
    };
    addEventListener('touchstart', onStart, options);
    addEventListener('touchmove', onMove, options);
    addEventListener('touchend', onEnd, options);
    addEventListener('touchcancel', giveUp, options);
    return () => {
      stop.abort();
      follow(null);
    };
  }, [isOpen, setOpen, isEnabled]);
}
