import { type RefObject, useEffect, useRef } from 'react';
import { LIMITS } from '../../../../shared/rules/limits.ts';

/** Taps farther apart than a finger is wide are two. */
const NEAR_PX = 40;
/** By so much a double tap makes something larger. */
export const DOUBLE_TAP_TIMES = 2.5;

interface Tap {
  readonly x: number;
  readonly y: number;
  /** In milliseconds. */
  readonly at: number;
}

const isWithin = (a: Tap, b: Tap, pixels: number, milliseconds: number) =>
  Math.hypot(a.x - b.x, a.y - b.y) < pixels && Math.abs(a.at - b.at) <= milliseconds;

/** Tells where somebody tapped twice with one finger, in pixels of the window. */
export function useDoubleTap(
  element: RefObject<HTMLElement | null>,
  onDoubleTap: (x: number, y: number) => void,
): void {
  const latest = useRef(onDoubleTap);
  useEffect(() => {
    latest.current = onDoubleTap;
  });
  useEffect(() => {
    const room = element.current;
    if (room === null) return undefined;
    let down: Tap | null = null;
    let before: Tap | null = null;
    const onStart = ({ touches, timeStamp: at }: TouchEvent) => {
      const [one] = touches;
      down = touches.length === 1 && one !== undefined ? { x: one.clientX, y: one.clientY, at } : null;
      if (down === null) before = null;
    };
    const onEnd = (event: TouchEvent) => {
      const [one] = event.changedTouches;
      if (down === null || one === undefined) return;
      const up: Tap = { x: one.clientX, y: one.clientY, at: event.timeStamp };
      const isTap = isWithin(down, up, LIMITS.panPx, LIMITS.tapMs);
      const isSecond = isTap && before !== null && isWithin(before, down, NEAR_PX, LIMITS.doubleTapMs);
      down = null;
      before = isTap && !isSecond ? up : null;
      if (!isSecond) return;
      // Nothing beneath is pressed by it.
      event.preventDefault();
      latest.current(up.x, up.y);
    };
    const gone = new AbortController();
    const { signal } = gone;
    room.addEventListener('touchstart', onStart, { passive: true, signal });
    room.addEventListener('touchend', onEnd, { signal });
    return () => gone.abort();
  }, [element]);
}
