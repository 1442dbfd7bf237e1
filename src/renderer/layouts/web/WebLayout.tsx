import { CreditCard, FolderSearch, Gauge, Keyboard, LibraryBig, LogOut, Settings, Star, Trash2 } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { Link } from 'wouter';
import brand from '../../../../resources/brand.json';
import type { User } from '../../../shared/model/user.ts';
import { truncate } from '../../../shared/rules/format.ts';
import { LIMITS } from '../../../shared/rules/limits.ts';
import { isPhone } from '../../../shared/rules/phone.ts';
import { useCommandLayer } from '../../app/commandLayer.ts';
import { useConsent } from '../../app/consent.ts';
import { chooseDesktopSite } from '../../app/desktopSite.ts';
import { navigate, usePathname } from '../../app/place.ts';
import { paths, type StaticPage } from '../../app/routes.ts';
import { useSession } from '../../app/services.ts';
import { useSignIn } from '../../features/account/useSignIn.ts';
import { CookieBanner } from '../../features/notices/CookieBanner.tsx';
import { NotificationBell } from '../../features/notifications/NotificationBell.tsx';
import { QuickSearch } from '../../features/search/QuickSearch.tsx';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Logo } from '../../ui/Logo.tsx';
import { Menu, MenuItem, MenuLine } from '../../ui/Menu.tsx';
import { PLAN_NAMES } from '../../ui/planNames.ts';
import './web.css';

/** The pages in the footer's order (web-and-phone.md §2). */
const FOOTER_PAGES = [
  'terms',
  'privacy',
  'security',
  'open-source',
  'refund',
  'cookie',
  'contact',
  'company',
  'download',
] as const satisfies readonly StaticPage[];

function AvatarMenu({ user }: { readonly user: User }) {
  const { t } = useTranslation();
  const signOut = useSession((state) => state.signOut);
  const showLayer = useCommandLayer((state) => state.show);
  const cut = (text: string) => truncate(text, LIMITS.truncateBarUser);
  return (
    <Menu
      trigger={
        <button type="button" className="nav__avatar" aria-label={t('nav.account')}>
          <Avatar name={user.name || user.username} username={user.username} large />
        </button>
      }
    >
      <div className="nav__who">
        <strong title={user.username}>{cut(user.username)}</strong>
        <span title={user.name}>{cut(user.name)}</span>
        <span className="muted" title={user.email}>
          {cut(user.email)}
        </span>
        <span className="badge badge--accent">{t(`plans.${PLAN_NAMES[user.plan_type]}`)}</span>
      </div>
      <MenuLine />
      <MenuItem asChild>
        <Link href={paths.user(user.username)}>
          <LibraryBig aria-hidden="true" />
          {t('nav.myLibraries')}
        </Link>
      </MenuItem>
      <MenuItem disabled>
        <CreditCard aria-hidden="true" />
        {t('nav.plans')}
      </MenuItem>
      <MenuItem asChild>
        <Link href={paths.favorites}>
          <Star aria-hidden="true" />
          {t('nav.favorites')}
        </Link>
      </MenuItem>
      <MenuItem asChild>
        <Link href={paths.trash}>
          <Trash2 aria-hidden="true" />
          {t('nav.trash')}
        </Link>
      </MenuItem>
      <MenuItem asChild>
        <Link href={paths.settings}>
          <Settings aria-hidden="true" />
          {t('nav.settings')}
        </Link>
      </MenuItem>
      {user.user_type === 0 && (
        <MenuItem asChild>
          <Link href={paths.dashboard('overview')}>
            <Gauge aria-hidden="true" />
            {t('nav.dashboard')}
          </Link>
        </MenuItem>
      )}
      <MenuItem onSelect={() => showLayer('shortcuts')}>
        <Keyboard aria-hidden="true" />
        {t('nav.shortcuts')}
        <span className="kbd">?</span>
      </MenuItem>
      <MenuLine />
      <MenuItem onSelect={() => void signOut()}>
        <LogOut aria-hidden="true" />
        {t('nav.signOut')}
      </MenuItem>
    </Menu>
  );
}

function NavigationBar() {
  const { t } = useTranslation();
  const user = useSession((state) => state.user);
  // Nobody is offered to sign in before it is known that they are not.
  const isAsked = useSession(({ status }) => status !== 'unknown');
  const { start, isStarting } = useSignIn();
  const isReady = user !== null && user.username !== '';
  const isSearching = usePathname() === paths.search();
  return (
    <header className="nav">
      <nav className="nav__inner" aria-label={t('nav.label')}>
        <Link href={paths.home} className="nav__brand" aria-label={t('nav.home')}>
          <Logo />
          <span className="serif">{brand.name}</span>
        </Link>
        {isReady && !isSearching && (
          <QuickSearch className="nav__search" inputClassName="nav__input" maxLength={LIMITS.searchMaxLength} />
        )}
        <div className="nav__end">
          {isReady && (
            <Link
              href={paths.search()}
              className="icon-button"
              aria-label={t('nav.findInFiles')}
              title={t('nav.findInFiles')}
            >
              <FolderSearch />
            </Link>
          )}
          {user === null
            ? isAsked && (
                <button type="button" className="button" onClick={start} disabled={isStarting}>
                  {t('nav.signIn')}
                </button>
              )
            : isReady && (
                <>
                  <NotificationBell />
                  <AvatarMenu user={user} />
                </>
              )}
        </div>
      </nav>
    </header>
  );
}

function Footer() {
  const { t } = useTranslation();
  const reopen = useConsent((state) => state.reopen);
  return (
    <footer className="foot">
      <div className="foot__inner">
        <span>{t('footer.copyright', { year: String(new Date().getFullYear()), company: brand.company })}</span>
        <nav className="foot__pages" aria-label={t('footer.about')}>
          {FOOTER_PAGES.map((page) => (
            <Link key={page} href={paths.page(page)} className="foot__link">
              {t(`footer.names.${page}`)}
            </Link>
          ))}
        </nav>
        <button type="button" className="foot__link" onClick={reopen}>
          {t('cookies.settings')}
        </button>
        {isPhone(navigator.userAgent) && (
          <button type="button" className="foot__link" onClick={() => chooseDesktopSite(false)}>
            {t('footer.phoneSite')}
          </button>
        )}
      </div>
    </footer>
  );
}

/** The layout of a browser page: navigation bar, the screen, footer. */
export function WebLayout({ children }: { readonly children: ReactNode }) {
  const { t } = useTranslation();
  const isSignedIn = useSession((state) => state.status === 'signed-in');
  useEffect(() => {
    if (!isSignedIn) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.altKey && (event.ctrlKey || event.metaKey) && event.code === 'KeyF') {
        event.preventDefault();
        navigate(paths.search());
      }
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [isSignedIn]);
  return (
    <div className="web">
      <a className="skip-link" href="#content">
        {t('common.skipToContent')}
      </a>
      <CookieBanner />
      <NavigationBar />
      <main id="content" className="content" tabIndex={-1}>
        {children}
      </main>
      <Footer />
    </div>
  );
}
