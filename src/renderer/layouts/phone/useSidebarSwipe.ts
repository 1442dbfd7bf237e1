import { useEffect } from 'react';
import { isSwipe, type Point, pullOf } from './gestures.ts';

const pointOf = ({ clientX: x, clientY: y }: Touch): Point => ({ x, y });

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
    let start: Point | null = null;
    const stop = new AbortController();
    const options = { passive: true, signal: stop.signal } as const;
    const giveUp = () => {
      start = null;
      follow(null);
    };
    const onStart = ({ touches }: TouchEvent) => {
      const [only] = touches;
      if (touches.length !== 1 || only === undefined) giveUp();
      else start = pointOf(only);
    };
    const onMove = ({ touches }: TouchEvent) => {
      const [only] = touches;
      if (start === null || only === undefined) return;
      const at = pointOf(only);
      follow(pullOf(start, at, isOpen) === null ? null : at.x - start.x);
    };
    const onEnd = ({ changedTouches }: TouchEvent) => {
      const [only] = changedTouches;
      if (start !== null && only !== undefined) {
        const at = pointOf(only);
        const pull = pullOf(start, at, isOpen);
        if (pull !== null && isSwipe(start, at)) setOpen(pull === 'opens');
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
