import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { usePathname } from '../../app/place.ts';
import { matchRoute } from '../../app/routes.ts';
import { useSession } from '../../app/services.ts';
import { CookieBanner } from '../../features/notices/CookieBanner.tsx';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { later, useLater } from '../../ui/later.tsx';
import { PhoneBar } from './PhoneBar.tsx';
import { PhoneFooter } from './PhoneFooter.tsx';
import { useBack } from './useBack.ts';
import { useOrientation } from './useOrientation.ts';
import { useSidebarSwipe } from './useSidebarSwipe.ts';
import './phone.css';

const sidebarCode = later(async () => (await import('./Sidebar.tsx')).Sidebar);

/** The layout of a phone: top bar, the same screens as on the web, footer, and the sidebar beside them. */
export function PhoneLayout({ children }: { readonly children: ReactNode }) {
  const { t } = useTranslation();
  const pathname = usePathname();
  const route = useMemo(() => matchRoute(pathname), [pathname]);
  const user = useSession((state) => state.user);
  const isReady = user !== null && user.username !== '';
  const Sidebar = useLater(sidebarCode);
  const [wantsSidebar, setSidebar] = useState(false);
  const isSidebarOpen = wantsSidebar && isReady && Sidebar !== null;
  const menuButton = useRef<HTMLButtonElement>(null);
  const closeSidebar = useCallback(() => setSidebar(false), []);
  const wasOpen = useRef(false);
  // The focus comes back from the sidebar, once the page may have it again.
  useEffect(() => {
    if (wasOpen.current && !isSidebarOpen) menuButton.current?.focus();
    wasOpen.current = isSidebarOpen;
  }, [isSidebarOpen]);
  const back = useBack({ route, isSidebarOpen, closeSidebar });
  useSidebarSwipe(isSidebarOpen, setSidebar, isReady);
  useOrientation(route.name);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever led to another screen closes it
  useEffect(() => setSidebar(false), [pathname]);
  return (
    <div className="phone" data-screen={route.name}>
      <div className="phone__page" inert={isSidebarOpen}>
        <a className="skip-link" href="#content">
          {t('common.skipToContent')}
        </a>
        <PhoneBar
          route={route}
          isSidebarOpen={isSidebarOpen}
          menuButton={menuButton}
          onMenu={() => setSidebar(true)}
          onBack={back}
        />
        <main id="content" className="phone__content" tabIndex={-1}>
          {children}
        </main>
        <PhoneFooter />
        <CookieBanner />
      </div>
      {isReady && Sidebar !== null && (
        <Sidebar
          user={user}
          isOpen={isSidebarOpen}
          onClose={closeSidebar}
          library={'library' in route ? route.library : null}
        />
      )}
    </div>
  );
}
