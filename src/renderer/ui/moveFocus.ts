import type { KeyboardEvent } from 'react';

const MOVES: Readonly<Record<string, (index: number, last: number) => number>> = {
  ArrowDown: (index, last) => Math.min(index + 1, last),
  ArrowUp: (index) => Math.max(index - 1, 0),
  Home: () => 0,
  End: (_index, last) => last,
};

/** Arrow keys, Home and End move the focus among the elements marked `data-roving` within a list. */
export function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const move = MOVES[event.key];
  if (move === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-roving]')];
  const at = stops.findIndex((stop) => stop.contains(document.activeElement));
  if (at < 0) return;
  event.preventDefault();
  stops[move(at, stops.length - 1)]?.focus();
}
