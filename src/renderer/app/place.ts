import { createContext, useContext, useEffect } from 'react';
import type { BaseLocationHook } from 'wouter';
import { navigate as go, useLocationProperty, useSearch as usePresentSearch } from 'wouter/use-browser-location';
import { phonePath, plainPath } from '../../shared/rules/phone.ts';
import { isPhoneLayout } from '../ui/layoutKind.ts';

/**
 * Where the person is, and how they go elsewhere. Screens know one address each; the phone layout has them under `/m`, which is
 * added and taken away here and nowhere else.
 */

/** The address in the browser for a path, query or fragment inside the application. */
function addressOf(to: string): string {
  if (!to.startsWith('/')) return to;
  return isPhoneLayout() ? phonePath(plainPath(to)) : plainPath(to);
}

/** What each entry of the browser's history carries. */
interface EntryState {
  /** The path of the entry beneath, where that is one of ours. */
  readonly from?: string;
  /** Lies over the entry of a screen while a layer is open on it, so that Back closes the layer (`layouts/phone/useBack.ts`). */
  readonly isGuard?: boolean;
}

/** What the present entry carries; nothing for one that somebody else made. */
export function entryState(): EntryState {
  const state: unknown = history.state;
  return typeof state === 'object' && state !== null ? state : {};
}

export interface NavigateOptions {
  readonly replace?: boolean;
}

/** A layer's entry is being left; the browser takes a moment for it. */
let isDropping = false;
let next: (() => void) | null = null;

/** Takes the entry of a layer away that was closed. Whoever goes elsewhere meanwhile goes from the screen's own. */
export function dropGuard(): void {
  if (isDropping || entryState().isGuard !== true) return;
  isDropping = true;
  const onDropped = () => {
    isDropping = false;
    const go = next;
    next = null;
    go?.();
  };
  addEventListener('popstate', onDropped, { once: true });
  history.back();
}

/** Whether the browser goes back because a layer was closed, and not because somebody asked it to. */
export function isDroppingGuard(): boolean {
  return isDropping;
}

/** Goes to a path inside the application. */
export function navigate(to: string, { replace = false }: NavigateOptions = {}): void {
  if (isDropping) {
    next = () => navigate(to, { replace });
    return;
  }
  // The entry of a layer becomes that of the screen which the layer leads to.
  const isGuard = entryState().isGuard === true;
  const state = replace && !isGuard ? history.state : { from: plainPath(location.pathname) };
  go(addressOf(to), { replace: replace || isGuard, state });
}

/** A path and a query, with its question mark. */
export interface Place {
  readonly pathname: string;
  readonly search: string;
}

/** The place that a screen is drawn for, which is behind the browser's while the next one is made ready beside it. */
export const ShownPlace = createContext<Place | null>(null);

/** The path of the screen. */
export function usePathname(): string {
  const present = useLocationProperty(() => plainPath(location.pathname));
  return useContext(ShownPlace)?.pathname ?? present;
}

/** The query of the screen. */
export function useSearch(): string {
  const present = usePresentSearch();
  return useContext(ShownPlace)?.search ?? present;
}

/** The same for the router's links. */
export const useRouterPlace: BaseLocationHook = Object.assign(
  (): [string, typeof navigate] => [usePathname(), navigate],
  { hrefs: addressOf },
);

/** Shows the address that a screen has in this layout, whichever address led to it. */
export function useAddressOfLayout(pathname: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another path may have been reached by an address of the other layout
  useEffect(() => {
    const address = addressOf(location.pathname);
    if (address !== location.pathname) {
      go(address + location.search + location.hash, { replace: true, state: history.state });
    }
  }, [pathname]);
}
