import { LIMITS } from '../../../shared/rules/limits.ts';

/** A place on the screen, in CSS pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** What a finger on the screen is doing to the sidebar. */
export type Pull = 'opens' | 'closes' | null;

/**
 * What a finger that began at `start` and is now at `at` does: from the left edge to the right it pulls the sidebar in, to the
 * left it pushes the open one out (web-and-phone.md §2). Null for one that has hardly moved, or goes up and down.
 */
export function pullOf(start: Point, at: Point, isOpen: boolean): Pull {
  const right = at.x - start.x;
  if (Math.abs(right) < LIMITS.panPx || Math.abs(right) < Math.abs(at.y - start.y)) return null;
  if (isOpen) return right < 0 ? 'closes' : null;
  return right > 0 && start.x <= LIMITS.swipeEdgePx ? 'opens' : null;
}

/** A place at which a finger was at a time, in milliseconds. */
export interface Moment extends Point {
  readonly time: number;
}

/**
 * Whether such a finger has gone far enough for the sidebar to follow when it is lifted, and was not flung back at the end
 * (desktop-shell.md §9). @param before where it was shortly before
 */
export function isSwipe(start: Point, before: Moment, at: Moment): boolean {
  const way = at.x - start.x;
  const speed = (at.x - before.x) / Math.max(1, at.time - before.time);
  return Math.abs(way) > LIMITS.swipePx && speed * Math.sign(way) > -LIMITS.swipeVelocity;
}

/** Whether the bar is hidden after the page was scrolled from one place to another (web-and-phone.md §2). */
export function isBarHidden(isHidden: boolean, from: number, to: number): boolean {
  if (to <= LIMITS.barHidesAfterPx || to < from) return false;
  return to > from ? true : isHidden;
}
