import { useLayoutEffect, useRef } from 'react';

/** Where each address was left. */
const places = new Map<string, number>();

/** A list may have to be fetched again before there is something to scroll to. */
const WAIT_MS = 3000;
const OWN_MOVES = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const;

/** Scrolls to a place as soon as the page reaches so far, unless the person moves first. @returns gives up */
export function scrollWhenThere(place: number): () => void {
  const stop = new AbortController();
  const observer = new ResizeObserver(() => {
    scrollTo(0, place);
    if (Math.abs(scrollY - place) <= 1) stop.abort();
  });
  const timer = setTimeout(() => stop.abort(), WAIT_MS);
  stop.signal.addEventListener('abort', () => {
    observer.disconnect();
    clearTimeout(timer);
  });
  for (const type of OWN_MOVES) addEventListener(type, () => stop.abort(), { signal: stop.signal, passive: true });
  observer.observe(document.body);
  return () => stop.abort();
}

/** Moves to another address; the first two are told of by the router. */
const MOVES = ['pushState', 'replaceState', 'popstate'] as const;

/** The address on the screen, and whether Back or Forward has just led away from it. */
const shown = { address: '', isTraversal: false };

/**
 * Remembers where addresses are left; before anything is drawn, because the router must not hear of a move earlier. The
 * browser's own way is switched off: it restores before a screen has loaded what it shows.
 */
export function startScrollPlaces(): void {
  for (const move of MOVES) {
    addEventListener(move, () => {
      places.set(shown.address, scrollY);
      shown.isTraversal = move === 'popstate';
    });
  }
  // A reload is the browser's business.
  addEventListener('pageshow', () => Object.assign(history, { scrollRestoration: 'manual' }));
  addEventListener('pagehide', () => Object.assign(history, { scrollRestoration: 'auto' }));
}

/** A new screen starts at its top; Back and Forward lead to where the person was. */
export function useScrollPlace(pathname: string, query: string): void {
  const address = pathname + query;
  const before = useRef({ pathname, address });
  useLayoutEffect(() => {
    const { pathname: pathBefore, address: addressBefore } = before.current;
    before.current = { pathname, address };
    shown.address = address;
    if (addressBefore === address) return undefined;
    if (shown.isTraversal) return scrollWhenThere(places.get(address) ?? 0);
    if (pathBefore !== pathname) scrollTo(0, 0);
    return undefined;
  }, [pathname, address]);
}
