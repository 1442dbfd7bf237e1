import { type ComponentType, lazy } from 'react';

/** A screen whose code loads when it is first shown, or before, when it is known to come. */
function screen<P extends object>(load: () => Promise<ComponentType<P>>) {
  return {
    Screen: lazy(async () => ({ default: await load() })),
    preload: () => void load().catch(() => undefined),
  };
}

export const home = screen(async () => (await import('../features/account/HomePage.tsx')).HomePage);
export const callback = screen(async () => (await import('../features/account/CallbackPage.tsx')).CallbackPage);
export const signup = screen(async () => (await import('../features/account/CompleteSignup.tsx')).CompleteSignup);
export const library = screen(async () => (await import('../features/libraries/LibraryPage.tsx')).LibraryPage);
export const libraryList = screen(
  async () => (await import('../features/libraries/LibraryListPage.tsx')).LibraryListPage,
);
export const shelf = screen(async () => (await import('../features/shelf/ShelfPage.tsx')).ShelfPage);
export const commits = screen(async () => (await import('../features/history/HistoryPage.tsx')).HistoryPage);
export const version = screen(async () => (await import('../features/version/VersionPage.tsx')).VersionPage);
export const search = screen(async () => (await import('../features/search/SearchPage.tsx')).SearchPage);
export const settings = screen(async () => (await import('../features/desktop/SettingsPage.tsx')).SettingsPage);
export const desktopHome = screen(async () => (await import('../features/desktop/DesktopHome.tsx')).DesktopHome);
export const overview = screen(async () => (await import('../features/desktop/OverviewPage.tsx')).OverviewPage);

/** Starts loading the code of an address's screen, beside the first calls to the server. */
export function preloadScreen(name: string): void {
  const known: Readonly<Record<string, { preload: () => void }>> = {
    home,
    callback,
    library,
    shelf,
    commits,
    version,
    search,
  };
  known[name]?.preload();
}
