export interface SearchBoxContext {
  readonly isSignedIn: boolean;
  readonly isMac: boolean;
  /** The route desktop-settings. */
  readonly isSettings: boolean;
  readonly hasModal: boolean;
  readonly hasOverlay: boolean;
  /** The panel has the input instead. */
  readonly isSearchOpen: boolean;
}

/** When the title bar has its search box (desktop-shell.md §2): for who is signed in, over a page that nothing covers. */
export function showsSearchBox(context: SearchBoxContext): boolean {
  const { isSignedIn, isMac, isSettings, hasModal, hasOverlay, isSearchOpen } = context;
  return isSignedIn && !isSettings && !isSearchOpen && !hasOverlay && (isMac || !hasModal);
}
