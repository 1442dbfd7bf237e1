import { useEffect } from 'react';
import { create } from 'zustand';

/** How many modals and overlays are open: the title bar's search box hides behind them (desktop-shell.md §2). */
const useLayers = create<{ readonly modals: number; readonly overlays: number }>()(() => ({ modals: 0, overlays: 0 }));

/** The page behind does not scroll, and does not jump by the width of the scroll bar that goes. */
function lockScroll(isLocked: boolean): void {
  const { documentElement: root } = document;
  const bar = window.innerWidth - root.clientWidth;
  root.style.overflow = isLocked ? 'hidden' : '';
  root.style.paddingInlineEnd = isLocked ? `${bar}px` : '';
}

/** Counts a modal while the component is mounted. */
export function useModalLayer(): void {
  useEffect(() => {
    const add = (count: number) => {
      const modals = useLayers.getState().modals + count;
      if (modals === 0 || (count === 1 && modals === 1)) lockScroll(modals > 0);
      useLayers.setState({ modals });
    };
    add(1);
    return () => add(-1);
  }, []);
}

/** Whether a modal is open. */
export function useHasModal(): boolean {
  return useLayers(({ modals }) => modals > 0);
}

/** Counts an overlay, which stands over the page without taking it away, while the component is mounted. */
export function useOverlayLayer(): void {
  useEffect(() => {
    const add = (count: number) => useLayers.setState(({ overlays }) => ({ overlays: overlays + count }));
    add(1);
    return () => add(-1);
  }, []);
}

/** Whether an overlay is open. */
export function useHasOverlay(): boolean {
  return useLayers(({ overlays }) => overlays > 0);
}
