import { createContext, type ReactNode, use } from 'react';
import { createPortal } from 'react-dom';

/** Where in the viewer's toolbar a view's own tools stand. */
export const ToolbarSlot = createContext<HTMLElement | null>(null);

/** Puts a view's tools into the toolbar that all views have. */
export function ViewerTools({ children }: { readonly children: ReactNode }) {
  const slot = use(ToolbarSlot);
  return slot === null ? null : createPortal(children, slot);
}
