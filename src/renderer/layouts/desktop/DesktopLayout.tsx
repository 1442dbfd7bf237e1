import { lazy, type ReactNode, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { LIMITS } from '../../../shared/rules/limits.ts';
import { usePathname } from '../../app/place.ts';
import { useServices, useSession } from '../../app/services.ts';
import { UpdateToast } from '../../features/desktop/updates/UpdateToast.tsx';
import { useMetered } from '../../features/desktop/updates/useMetered.ts';
import { useRestoredState } from '../../features/desktop/updates/useRestoredState.ts';
import { useHasModal } from '../../ui/layers.ts';
import { AboutDialog } from './AboutDialog.tsx';
import { OpenRequests } from './OpenRequests.tsx';
import { PageScrollBar } from './PageScrollBar.tsx';
import { TitleBar } from './TitleBar.tsx';
import { useShellCompanions } from './useShellCompanions.ts';
import { useSplash } from './useSplash.ts';
import './desktopLayout.css';

const SearchOverlay = lazy(() =>
  import('../../features/search/SearchOverlay.tsx').then((module) => ({ default: module.SearchOverlay })),
);

/** The layout of the shell: a splash for a second, then the title bar above the routed screen, and the search panel. */
export function DesktopLayout({ children }: { readonly children: ReactNode }) {
  const { windowControls, shell, updates } = useServices().platform;
  const isSignedIn = useSession(({ status }) => status === 'signed-in');
  const isSplash = useSplash();
  const [isSearching, setSearching] = useState(false);
  const [isAbout, setAbout] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const pathname = usePathname();
  const hasModal = useHasModal();

  const canSearch = isSignedIn && !hasModal;
  const openSearch = useCallback(() => {
    if (!canSearch) return;
    setSearching(true);
    // Open already: the panel keeps its query, and the input takes the focus again.
    setTimeout(() => input.current?.focus(), LIMITS.focusSearchDelayMs);
  }, [canSearch]);
  const closeSearch = useCallback(() => setSearching(false), []);
  const isUpdated = useRestoredState(openSearch, isSplash);

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!event.altKey || !(event.ctrlKey || event.metaKey) || event.code !== 'KeyF') return;
      event.preventDefault();
      openSearch();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [openSearch]);
  useEffect(
    () => windowControls?.onMenuChosen((item) => (item === 'about' ? setAbout(true) : openSearch())),
    [windowControls, openSearch],
  );
  useEffect(() => {
    if (!isSignedIn) setSearching(false);
  }, [isSignedIn]);

  useShellCompanions(shell);
  useMetered(updates);

  if (windowControls === null) return children;
  return (
    <div className="shell">
      <TitleBar
        controls={windowControls}
        isSearchOpen={isSearching}
        onSearch={openSearch}
        onAbout={() => setAbout(true)}
      />
      <main id="content" className="shell__content" tabIndex={-1} key={pathname} inert={isSplash}>
        <div className="content">{children}</div>
      </main>
      <PageScrollBar />
      {isSearching && (
        <Suspense fallback={null}>
          <SearchOverlay inputRef={input} onClose={closeSearch} />
        </Suspense>
      )}
      {isAbout && <AboutDialog controls={windowControls} shell={shell} onClose={() => setAbout(false)} />}
      {shell !== null && <OpenRequests shell={shell} />}
      {!isSplash && <UpdateToast isComplete={isUpdated} />}
    </div>
  );
}
