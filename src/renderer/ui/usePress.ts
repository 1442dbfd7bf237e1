import { type RefObject, useEffect, useRef } from 'react';
import { LIMITS } from '../../shared/rules/limits.ts';

/** Tells of a finger that stays where it is for as long as a press takes (desktop-shell.md §9), and of what lies under it. */
export function usePress(element: RefObject<HTMLElement | null>, onPress: (target: EventTarget) => void): void {
  const latest = useRef(onPress);
  useEffect(() => {
    latest.current = onPress;
  });
  useEffect(() => {
    const room = element.current;
    if (room === null) return undefined;
    let start: Touch | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isPressed = false;
    const end = () => {
      clearTimeout(timer);
      start = null;
    };
    const onStart = ({ touches, target }: TouchEvent) => {
      end();
      isPressed = false;
      const [only] = touches;
      if (touches.length !== 1 || only === undefined || target === null) return;
      start = only;
      timer = setTimeout(() => {
        isPressed = true;
        latest.current(target);
      }, LIMITS.pressMs);
    };
    const onMove = ({ touches: [only] }: TouchEvent) => {
      if (start === null || only === undefined) return;
      if (Math.hypot(only.clientX - start.clientX, only.clientY - start.clientY) >= LIMITS.panPx) end();
    };
    const onEnd = (event: TouchEvent) => {
      end();
      // What lies under the finger is not tapped besides.
      if (isPressed) event.preventDefault();
    };
    // The system's menu for links would open over it.
    const onMenu = (event: Event) => {
      if (start !== null || isPressed) event.preventDefault();
    };
    const gone = new AbortController();
    const { signal } = gone;
    room.addEventListener('touchstart', onStart, { passive: true, signal });
    room.addEventListener('touchmove', onMove, { passive: true, signal });
    room.addEventListener('touchend', onEnd, { signal });
    room.addEventListener('touchcancel', end, { signal });
    room.addEventListener('contextmenu', onMenu, { signal });
    return () => {
      end();
      gone.abort();
    };
  }, [element]);
}
