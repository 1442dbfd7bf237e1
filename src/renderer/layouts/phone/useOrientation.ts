import { useEffect } from 'react';
import type { RouteName } from '../../app/routes.ts';

/** Screens that are meant to be held upright (web-and-phone.md §2). */
const PORTRAIT: ReadonlySet<RouteName> = new Set(['library', 'shelf']);

/**
 * Keeps lists upright where the browser lets a page decide, which is in the installed application; the viewer turns with the
 * phone. Everywhere else the layout holds either way.
 */
export function useOrientation(route: RouteName): void {
  const isPortrait = PORTRAIT.has(route);
  useEffect(() => {
    // Safari has neither.
    const { lock, unlock }: Partial<ScreenOrientation> = screen.orientation;
    // A page in a tab may not: then it turns, and the layout holds.
    if (isPortrait) lock?.call(screen.orientation, 'portrait').catch(() => undefined);
    else unlock?.call(screen.orientation);
  }, [isPortrait]);
}
