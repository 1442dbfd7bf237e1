import { create } from 'zustand';

interface CommandLayer {
  /** What stands over the screen: the command palette, or the list of keyboard shortcuts. */
  readonly shown: 'palette' | 'shortcuts' | null;
  readonly show: (what: 'palette' | 'shortcuts' | null) => void;
}

/** Opened by keys from anywhere, and by menus. */
export const useCommandLayer = create<CommandLayer>()((set) => ({
  shown: null,
  show: (shown) => set({ shown }),
}));
