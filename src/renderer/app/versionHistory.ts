import { create } from 'zustand';

interface VersionHistory {
  /** The sheet with the versions of the document stands over it. */
  readonly isShown: boolean;
  readonly show: (isShown: boolean) => void;
}

/** Opened by the phone's top bar, shown by the version's own page. */
export const useVersionHistory = create<VersionHistory>()((set) => ({
  isShown: false,
  show: (isShown) => set({ isShown }),
}));
