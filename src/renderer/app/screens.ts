import { type ComponentType, createElement, lazy, useState } from 'react';
import { loadCode } from '../api/loadCode.ts';
import { loadTexts, startI18n } from '../i18n/index.ts';
import { firstContent } from '../ui/later.tsx';

/**
 * A screen whose code loads when it is first shown, or before, when it is known to come. `texts` loads what it says: all
 * messages, or for what people come to first only the few that there are from the start.
 */
function screen<P extends object>(load: () => Promise<ComponentType<P>>, texts: () => Promise<void> = loadTexts) {
  let loaded: ComponentType<P> | null = null;
  const loadAll = async () => {
    [loaded] = await Promise.all([load(), texts()]);
    return loaded;
  };
  const Lazy = lazy<ComponentType<P>>(async () => ({ default: await loadCode(loadAll) }));
  return {
    // React shows a lazy part a third of a second late, even when its code is there: then it is drawn without any wait.
    Screen: function Screen(props: P) {
      const [Part] = useState<ComponentType<P>>(() => loaded ?? Lazy);
      return createElement(Part, props);
    },
    preload: () => void loadAll().catch(() => undefined),
  };
}

export const home = screen(async () => (await import('../features/account/HomePage.tsx')).HomePage);
export const callback = screen(async () => (await import('../features/account/CallbackPage.tsx')).CallbackPage);
export const redirect = screen(async () => (await import('../features/account/RedirectPage.tsx')).RedirectPage);
export const desktopSignIn = screen(async () => (await import('../features/account/DesktopSignIn.tsx')).DesktopSignIn);
export const page = screen(async () => (await import('../features/pages/StaticPage.tsx')).StaticPage);
export const signup = screen(async () => (await import('../features/account/CompleteSignup.tsx')).CompleteSignup);
export const library = screen(
  async () => (await import('../features/libraries/LibraryPage.tsx')).LibraryPage,
  startI18n,
);
export const libraryList = screen(
  async () => (await import('../features/libraries/LibraryListPage.tsx')).LibraryListPage,
  startI18n,
);
export const shelf = screen(async () => (await import('../features/shelf/ShelfPage.tsx')).ShelfPage);
export const upload = screen(async () => (await import('../features/shelf/UploadPage.tsx')).UploadPage);
export const receive = screen(async () => (await import('../features/shelf/ReceivePage.tsx')).ReceivePage);
export const commits = screen(async () => (await import('../features/history/HistoryPage.tsx')).HistoryPage);
/** Stands on the page of its shelf on phones. */
export const timeline = screen(async () => (await import('../features/history/HistoryPage.tsx')).Timeline);
export const version = screen(async () => (await import('../features/version/VersionPage.tsx')).VersionPage);
export const compare = screen(async () => (await import('../features/compare/ComparePage.tsx')).ComparePage);
/** Stands beside documents, not on a screen of its own. */
export const comments = screen(async () => (await import('../features/comments/CommentsPanel.tsx')).CommentsPanel);
/** Stands within the pages of a version and of a shared document. */
export const viewer = screen(async () => (await import('../features/viewer/Viewer.tsx')).Viewer);
export const search = screen(async () => (await import('../features/search/SearchPage.tsx')).SearchPage);
export const trash = screen(async () => (await import('../features/trash/TrashPage.tsx')).TrashPage);
export const favorites = screen(async () => (await import('../features/favorites/FavoritesPage.tsx')).FavoritesPage);
export const settings = screen(async () => (await import('../features/settings/SettingsPage.tsx')).SettingsPage);
export const librarySettings = screen(
  async () => (await import('../features/settings/LibrarySettingsPage.tsx')).LibrarySettingsPage,
);
export const shelfSettings = screen(
  async () => (await import('../features/settings/ShelfSettingsPage.tsx')).ShelfSettingsPage,
);
export const plans = screen(async () => (await import('../features/plans/PlansPage.tsx')).PlansPage);
export const billing = screen(async () => (await import('../features/plans/BillingPage.tsx')).BillingPage);
export const dashboard = screen(async () => (await import('../features/admin/Dashboard.tsx')).Dashboard);
export const members = screen(async () => (await import('../features/members/MembersPanel.tsx')).MembersPanel);
export const firstLibrary = screen(async () => (await import('../features/libraries/FirstLibrary.tsx')).FirstLibrary);
export const desktopSettings = screen(async () => (await import('../features/desktop/SettingsPage.tsx')).SettingsPage);
export const share = screen(async () => (await import('../features/sharing/SharePage.tsx')).SharePage);
export const shareDialog = screen(async () => (await import('../features/sharing/ShareDialog.tsx')).ShareDialog);
export const shareStatistics = screen(
  async () => (await import('../features/sharing/statistics/StatisticsPage.tsx')).StatisticsPage,
);
export const shared = screen(async () => (await import('../features/shared/SharedPage.tsx')).SharedPage);
export const sharedLocked = screen(async () => (await import('../features/shared/UnlockPage.tsx')).UnlockPage);
export const sharedClosed = screen(async () => (await import('../features/shared/ClosedPage.tsx')).ClosedPage);
export const desktopHome = screen(async () => (await import('../features/desktop/DesktopHome.tsx')).DesktopHome);
export const overview = screen(async () => (await import('../features/desktop/OverviewPage.tsx')).OverviewPage);

const PRELOADED: Readonly<Record<string, { readonly preload: () => void }>> = {
  home,
  callback,
  library,
  shelf,
  upload,
  commits,
  version,
  search,
  trash,
  favorites,
  page,
  share,
  shared,
  'shared-locked': sharedLocked,
  'desktop-home': desktopHome,
  'desktop-main': overview,
  'desktop-settings': desktopSettings,
};

/** Starts loading the code of an address's screen, beside the first calls to the server. */
export function preloadScreen(name: string): void {
  PRELOADED[name]?.preload();
}

/** Loads the everyday screens once there is time, so that moving to them waits for nothing but their content. */
export async function preloadLater(): Promise<void> {
  await firstContent;
  for (const { preload } of [library, shelf, members, commits, version, viewer, search]) preload();
}
