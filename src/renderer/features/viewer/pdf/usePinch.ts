import { type RefObject, useEffect } from 'react';

/** Pixels of a wheel that double the size. */
const WHEEL_DOUBLES = 360;
/** A wheel that counts lines or pages turns by so many pixels each. */
const WHEEL_UNITS: readonly number[] = [1, 16, 400];

/** A point of the room, in pixels from its left and top. */
export interface RoomPoint {
  readonly left: number;
  readonly top: number;
}

const distance = (a: Touch, b: Touch) => Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);

/**
 * Tells by how much two fingers, or the wheel with Ctrl, make something larger or smaller, and where. A trackpad's fingers come
 * as a wheel with Ctrl. At most once a frame: a trackpad tells more often than anything could be drawn.
 */
export function usePinch(element: RefObject<HTMLElement | null>, onZoom: (times: number, at: RoomPoint) => void): void {
  useEffect(() => {
    const room = element.current;
    if (room === null) return undefined;
    let pending: { times: number; at: RoomPoint } | null = null;
    let frame = 0;
    let apart = 0;
    const zoom = (times: number, clientX: number, clientY: number) => {
      const { left, top } = room.getBoundingClientRect();
      pending = { times: (pending?.times ?? 1) * times, at: { left: clientX - left, top: clientY - top } };
      if (frame !== 0) return;
      frame = requestAnimationFrame(() => {
        frame = 0;
        if (pending !== null) onZoom(pending.times, pending.at);
        pending = null;
      });
    };
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return;
      // Not the page that this one is in.
      event.preventDefault();
      const pixels = event.deltaY * (WHEEL_UNITS[event.deltaMode] ?? 1);
      zoom(2 ** (-pixels / WHEEL_DOUBLES), event.clientX, event.clientY);
    };
    const onTouch = (event: TouchEvent) => {
      const [one, two] = event.touches;
      if (one === undefined || two === undefined || event.touches.length !== 2) {
        apart = 0;
        return;
      }
      event.preventDefault();
      const now = distance(one, two);
      if (apart > 0) zoom(now / apart, (one.clientX + two.clientX) / 2, (one.clientY + two.clientY) / 2);
      apart = now;
    };
    const gone = new AbortController();
    const { signal } = gone;
    room.addEventListener('wheel', onWheel, { passive: false, signal });
    for (const name of ['touchstart', 'touchmove'] as const) {
      room.addEventListener(name, onTouch, { passive: false, signal });
    }
    for (const name of ['touchend', 'touchcancel'] as const) room.addEventListener(name, onTouch, { signal });
    return () => {
      gone.abort();
      cancelAnimationFrame(frame);
    };
  }, [element, onZoom]);
}
