import { useEffect } from 'react';
import { create } from 'zustand';

/** What stands over the page. */
interface Layers {
  /** The title bar's search box hides behind modals and overlays (desktop-shell.md §2). */
  readonly modals: number;
  /** Of these, the ones that the address asks for: going back closes them by itself. */
  readonly addressed: number;
  /** The notification overlay. */
  readonly overlays: number;
  readonly menus: number;
}

const useLayers = create<Layers>()(() => ({ modals: 0, addressed: 0, overlays: 0, menus: 0 }));

/** The page behind does not scroll, and does not jump by the width of the scroll bar that goes. */
function lockScroll(isLocked: boolean): void {
  const { documentElement: root } = document;
  const bar = window.innerWidth - root.clientWidth;
  root.style.overflow = isLocked ? 'hidden' : '';
  root.style.paddingInlineEnd = isLocked ? `${bar}px` : '';
}

/** Counts a modal while the component is mounted. */
export function useModalLayer(isAddressed = false): void {
  useEffect(() => {
    const add = (count: number) => {
      const before = useLayers.getState();
      const modals = before.modals + count;
      if (modals === 0 || (count === 1 && modals === 1)) lockScroll(modals > 0);
      useLayers.setState({ modals, addressed: before.addressed + (isAddressed ? count : 0) });
    };
    add(1);
    return () => add(-1);
  }, [isAddressed]);
}

/** Counts what stands over the page without taking it away, while it is open. */
export function useOpenLayer(kind: 'overlays' | 'menus', isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    const add = (count: number) => useLayers.setState((layers) => ({ [kind]: layers[kind] + count }));
    add(1);
    return () => add(-1);
  }, [kind, isOpen]);
}

/** Whether something is open that going back closes first, and the address knows nothing of. */
export function useHasLayer(): boolean {
  return useLayers(({ modals, addressed, overlays, menus }) => modals > addressed || overlays + menus > 0);
}

/** Whether a modal is open. */
export function useHasModal(): boolean {
  return useLayers(({ modals }) => modals > 0);
}

/** Whether an overlay is open. */
export function useHasOverlay(): boolean {
  return useLayers(({ overlays }) => overlays > 0);
}
