import type { SavedSearch } from '../../shared/model/update.ts';

/** How Find in files stands while it is open, told by the panel. */
let panel: (() => SavedSearch) | null = null;
/** How it stood before the application was started anew, until it is opened. */
let waiting: SavedSearch | null = null;

/** Lets the panel be asked how it stands. @returns the function that ends it */
export function keepPlace(tell: () => SavedSearch): () => void {
  panel = tell;
  return () => {
    if (panel === tell) panel = null;
  };
}

/** How the panel stands, or null while it is closed. */
export function panelPlace(): SavedSearch | null {
  return panel?.() ?? null;
}

/** Hands over how the panel is to stand when it opens next. */
export function leavePlace(search: SavedSearch): void {
  waiting = search;
}

/** What was handed over. It stays until the panel stands: React may begin to draw it more than once. */
export function waitingPlace(): SavedSearch | null {
  return waiting;
}

/** The panel stands. */
export function placeTaken(): void {
  waiting = null;
}
