import { useEffect, useLayoutEffect, useRef } from 'react';

/** Where each address was left. */
const places = new Map<string, number>();

/** A list may have to be fetched again before there is something to scroll to. */
const WAIT_MS = 3000;
const OWN_MOVES = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const;

/** Scrolls to a place as soon as the page reaches so far, unless the person moves first. @returns gives up */
function scrollWhenThere(place: number): () => void {
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

/**
 * A new screen starts at its top; Back and Forward lead to where the person was. The browser's own way is switched off: it
 * restores before a screen has loaded what it shows.
 */
export function useScrollPlace(pathname: string, query: string): void {
  const address = pathname + query;
  const shown = useRef({ pathname, address });
  const isTraversal = useRef(false);
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    history.scrollRestoration = 'manual';
    // Before anybody else hears of it and shows the screen.
    addEventListener('popstate', () => Object.assign(isTraversal, { current: true }), { signal, capture: true });
    addEventListener('scroll', () => places.set(shown.current.address, scrollY), { signal, passive: true });
    // A reload is the browser's business.
    addEventListener('pagehide', () => Object.assign(history, { scrollRestoration: 'auto' }), { signal });
    return () => stop.abort();
  }, []);
  useLayoutEffect(() => {
    const before = shown.current;
    shown.current = { pathname, address };
    if (before.address === address) return undefined;
    const isBack = isTraversal.current;
    isTraversal.current = false;
    if (isBack) return scrollWhenThere(places.get(address) ?? 0);
    if (before.pathname !== pathname) scrollTo(0, 0);
    return undefined;
  }, [pathname, address]);
}
