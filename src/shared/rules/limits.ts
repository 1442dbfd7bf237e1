/** The constants of the two specifications (section 9 of each) and of decisions.md, in one place. Times in milliseconds. */
export const LIMITS = {
  searchMinLength: 2,
  searchMaxLength: 50,
  phoneSearchMaxLength: 20,
  searchDebounceMs: 500,
  focusSearchDelayMs: 100,
  splashMs: 1000,
  splashMessages: 7,
  /** What About says until the shell has said which version it is. */
  defaultAppVersion: '1.0.0',
  requestTimeoutMs: 10_000,
  longRequestTimeoutMs: 60_000,
  /** Calls that verify whole contents, which takes as long as they are large. */
  transferTimeoutMs: 10 * 60_000,
  toastMs: 3000,
  /** An update waits so long for the index before it is installed, and tells so long that it was. */
  waitForIndexMs: 30_000,
  updateCompleteMs: 3000,
  nameMaxLength: 64,
  documentNameMaxLength: 1024,
  truncateDefault: 45,
  truncateBarUser: 10,
  truncateSidebarUser: 20,
  truncateSidebarLibrary: 20,
  truncateSidebarShelf: 18,
  swipeEdgePx: 30,
  swipePx: 80,
  /** A finger that goes as fast as this is flung; pixels a millisecond. */
  swipeVelocity: 0.3,
  barHidesAfterPx: 100,
  /** A finger that moved no further has not begun to swipe (desktop-shell.md §9). */
  panPx: 10,
  /** One that is lifted sooner taps; two taps within the other time are one double tap. */
  tapMs: 250,
  doubleTapMs: 300,
  /** One that stays where it is so long presses. */
  pressMs: 251,
  /** What a browser keeps of the documents that were opened in it, to show them without a network. */
  keptDocuments: 30,
  keptDocumentBytes: 25 * 1024 * 1024,
  keptDocumentsBytes: 200 * 1024 * 1024,
  /** After so long without an answer of the server a copy goes: as long as a session goes on without its person. */
  keptDocumentDays: 30,
  commitHashShown: 10,
  codeLifetimeMs: 60_000,
  accessTokenLifetimeMs: 15 * 60_000,
  refreshTokenLifetimeMs: 30 * 24 * 3600_000,
  uploadPartBytes: 8 * 1024 * 1024,
  storageUrlLifetimeMs: 15 * 60_000,
  commitMessageMaxLength: 2000,
  commentMaxLength: 5000,
  passwordMinLength: 8,
  passwordMaxLength: 256,
} as const;

/** Layers of the interface, top first (web-and-phone.md §9). The style sheet's tokens carry the same numbers. */
export const LAYERS = {
  notification: 1000,
  modal: 900,
  searchOverlay: 890,
  overlay: 800,
  sidebar: 700,
  dropdown: 500,
  tooltip: 400,
  viewer: 300,
} as const;

/** What a plan allows; null is unlimited (decisions.md §5). */
export interface PlanLimits {
  readonly max_libraries: number | null;
  readonly max_shelves: number | null;
  readonly max_documents: number | null;
}

export const PLAN_LIMITS: Readonly<Record<0 | 1 | 2 | 99, PlanLimits>> = {
  99: { max_libraries: 1, max_shelves: 2, max_documents: 50 },
  0: { max_libraries: 3, max_shelves: 20, max_documents: 2000 },
  1: { max_libraries: 20, max_shelves: 500, max_documents: 100_000 },
  2: { max_libraries: null, max_shelves: null, max_documents: null },
};
