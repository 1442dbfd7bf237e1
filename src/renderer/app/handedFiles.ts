import { create } from 'zustand';
import type { PickedFile } from '../features/shelf/upload/nameConflicts.ts';

interface HandedFiles {
  /** The shelf that the files are for, until its page takes them. */
  readonly shelfId: string | null;
  readonly files: readonly PickedFile[];
  readonly hand: (shelfId: string, files: readonly PickedFile[]) => void;
  readonly take: () => readonly PickedFile[];
}

/** Files that were given to the application away from their shelf, on their way to it. */
export const useHandedFiles = create<HandedFiles>()((set, get) => ({
  shelfId: null,
  files: [],
  hand: (shelfId, files) => set({ shelfId, files }),
  take: () => {
    const { files } = get();
    set({ shelfId: null, files: [] });
    return files;
  },
}));
