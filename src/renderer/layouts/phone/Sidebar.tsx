import { Gauge, LibraryBig, LogOut, MonitorSmartphone, Settings, Star, Trash2, X } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'wouter';
import type { User } from '../../../shared/model/user.ts';
import { truncate } from '../../../shared/rules/format.ts';
import { LIMITS } from '../../../shared/rules/limits.ts';
import { chooseDesktopSite } from '../../app/desktopSite.ts';
import { paths } from '../../app/routes.ts';
import { useSession } from '../../app/services.ts';
import { QuickSearch } from '../../features/search/QuickSearch.tsx';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { PLAN_NAMES } from '../../ui/planNames.ts';
import { LibraryTree } from './LibraryTree.tsx';
import './sidebar.css';

function Who({ user }: { readonly user: User }) {
  const { t } = useTranslation();
  const cut = (text: string) => truncate(text, LIMITS.truncateSidebarUser);
  return (
    <div className="sidebar__who">
      <Avatar name={user.name || user.username} username={user.username} large />
      <div className="sidebar__names">
        <strong>{cut(user.username)}</strong>
        <span>{cut(user.name)}</span>
        <span className="muted">{cut(user.email)}</span>
        <span className="badge badge--accent">{t(`plans.${PLAN_NAMES[user.plan_type]}`)}</span>
      </div>
    </div>
  );
}

function Entry({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  return (
    <li>
      <Link href={href} className="sidebar__entry">
        {children}
      </Link>
    </li>
  );
}

export interface SidebarProps {
  readonly user: User;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** The library that the person is in, whose shelves are open. */
  readonly library: string | null;
}

/** What the menu button opens: who is signed in, the search, the libraries with their shelves, and the quick access. */
export function Sidebar({ user, isOpen, onClose, library }: SidebarProps) {
  const { t } = useTranslation();
  const signOut = useSession((state) => state.signOut);
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isOpen) panel.current?.focus();
  }, [isOpen]);
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the button and Escape close it too */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: as above */}
      <div className="sidebar-backdrop" data-open={isOpen} onClick={onClose} />
      <div
        ref={panel}
        className="sidebar"
        role="dialog"
        aria-modal="true"
        aria-label={t('sidebar.label')}
        tabIndex={-1}
        data-open={isOpen}
        inert={!isOpen}
      >
        <header className="sidebar__head">
          <Who user={user} />
          <button type="button" className="icon-button" aria-label={t('sidebar.close')} onClick={onClose}>
            <X />
          </button>
        </header>
        <QuickSearch
          className="sidebar__search"
          inputClassName="input"
          maxLength={LIMITS.phoneSearchMaxLength}
          onSearched={onClose}
        />
        <LibraryTree open={library} />
        <nav aria-label={t('sidebar.quickAccess')}>
          <h2 className="sidebar__title">{t('sidebar.quickAccess')}</h2>
          <ul>
            <Entry href={paths.settings}>
              <Settings aria-hidden="true" />
              {t('nav.settings')}
            </Entry>
            <Entry href={paths.favorites}>
              <Star aria-hidden="true" />
              {t('nav.favorites')}
            </Entry>
            <Entry href={paths.trash}>
              <Trash2 aria-hidden="true" />
              {t('nav.trash')}
            </Entry>
          </ul>
        </nav>
        <ul className="sidebar__end">
          <Entry href={paths.user(user.username)}>
            <LibraryBig aria-hidden="true" />
            {t('nav.myLibraries')}
          </Entry>
          {user.user_type === 0 && (
            <Entry href={paths.dashboard('overview')}>
              <Gauge aria-hidden="true" />
              {t('nav.dashboard')}
            </Entry>
          )}
          <li>
            <button type="button" className="sidebar__entry" onClick={() => chooseDesktopSite(true)}>
              <MonitorSmartphone aria-hidden="true" />
              {t('sidebar.desktopSite')}
            </button>
          </li>
          <li>
            <button type="button" className="sidebar__entry" onClick={() => void signOut()}>
              <LogOut aria-hidden="true" />
              {t('nav.signOut')}
            </button>
          </li>
        </ul>
      </div>
    </>
  );
}
