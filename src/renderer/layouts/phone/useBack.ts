import { useCallback, useEffect, useRef } from 'react';
import { dropGuard, entryState, isDroppingGuard, navigate } from '../../app/place.ts';
import { matchRoute, paths, type RouteMatch } from '../../app/routes.ts';
import { useHasLayer, useHasModal } from '../../ui/layers.ts';
import { parentOf } from './parents.ts';

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null;
}

/** Goes back: to the entry beneath, where it is ours, or to what is above the screen. */
function goBack(route: RouteMatch): void {
  const parent = parentOf(route);
  if (entryState().from !== undefined) history.back();
  else if (parent !== null) navigate(parent, { replace: true });
}

/** Puts the shelf beneath its upload screen, whichever way led there: Back returns to it (web-and-phone.md §2). */
function useShelfBeneathUpload(route: RouteMatch): void {
  const library = route.name === 'upload' ? route.library : null;
  const shelfId = route.name === 'upload' ? route.shelfId : null;
  useEffect(() => {
    if (library === null || shelfId === null) return;
    const beneath = matchRoute(entryState().from ?? '');
    if (beneath.name === 'shelf' && beneath.shelfId === shelfId) return;
    const { search, hash } = location;
    navigate(paths.shelf(library, shelfId), { replace: true });
    navigate(paths.upload(library, shelfId) + search + hash);
  }, [library, shelfId]);
}

/**
 * Keeps an entry of the history over the screen while something is open on it. The hardware's Back then closes what is open, as
 * Escape does, and the screen stays.
 */
function useGuardEntry(isOpen: boolean): void {
  const open = useRef(isOpen);
  const guard = useCallback(() => {
    if (open.current && entryState().isGuard !== true) history.pushState({ ...entryState(), isGuard: true }, '');
  }, []);
  // Once for all: it has to hear of a drop before `dropGuard` does, or what was opened meanwhile would be closed by it.
  useEffect(() => {
    const onPop = () => {
      if (!open.current || entryState().isGuard === true) return;
      if (!isDroppingGuard()) {
        const target = document.activeElement ?? document.body;
        target.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }));
      }
      // Something may stay open, or be open again: another layer, or a dialog that only its buttons close.
      setTimeout(guard);
    };
    addEventListener('popstate', onPop);
    return () => removeEventListener('popstate', onPop);
  }, [guard]);
  useEffect(() => {
    open.current = isOpen;
    guard();
    if (isOpen) return undefined;
    // What closed the layer may lead on to another screen, whose entry takes the place of this one.
    const timer = setTimeout(dropGuard);
    return () => clearTimeout(timer);
  }, [isOpen, guard]);
}

export interface BackOptions {
  readonly route: RouteMatch;
  readonly isSidebarOpen: boolean;
  readonly closeSidebar: () => void;
}

/**
 * What Escape and Back do: they close open modals, the sidebar, the notification overlay and menus, in this order, and go back
 * where nothing is open (web-and-phone.md §2). Modals and overlays close by themselves. @returns what the bar's button does
 */
export function useBack({ route, isSidebarOpen, closeSidebar }: BackOptions): () => void {
  const hasModal = useHasModal();
  const hasLayer = useHasLayer();
  useGuardEntry(hasLayer || isSidebarOpen);
  useShelfBeneathUpload(route);
  const back = useCallback(() => goBack(route), [route]);
  useEffect(() => {
    const stop = new AbortController();
    const isEscape = ({ key, isComposing }: KeyboardEvent) => key === 'Escape' && !isComposing;
    // Before overlays see it, which stand below the sidebar.
    const closeFirst = (event: KeyboardEvent) => {
      if (!isEscape(event) || !isSidebarOpen || hasModal) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      closeSidebar();
    };
    // After all others: what was of use to one of them is not for going back.
    const goBackLast = (event: KeyboardEvent) => {
      if (!isEscape(event) || event.defaultPrevented || !event.isTrusted) return;
      if (!hasModal && !hasLayer && !isTyping(event.target)) back();
    };
    addEventListener('keydown', closeFirst, { capture: true, signal: stop.signal });
    addEventListener('keydown', goBackLast, { signal: stop.signal });
    return () => stop.abort();
  }, [hasModal, hasLayer, isSidebarOpen, closeSidebar, back]);
  return back;
}
