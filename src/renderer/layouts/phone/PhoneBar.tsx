import { ArrowLeft, History, Menu } from 'lucide-react';
import type { RefObject } from 'react';
import type { RouteMatch } from '../../app/routes.ts';
import { useSession } from '../../app/services.ts';
import { useVersionHistory } from '../../app/versionHistory.ts';
import { useSignIn } from '../../features/account/useSignIn.ts';
import { NotificationBell } from '../../features/notifications/NotificationBell.tsx';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { BarTitle } from './BarTitle.tsx';
import { parentOf } from './parents.ts';
import { useBarHidden } from './useBarHidden.ts';

export interface PhoneBarProps {
  readonly route: RouteMatch;
  readonly isSidebarOpen: boolean;
  readonly menuButton: RefObject<HTMLButtonElement | null>;
  readonly onMenu: () => void;
  readonly onBack: () => void;
}

/** The top bar: where the person is, the way back or the menu, and the notifications. */
export function PhoneBar({ route, isSidebarOpen, menuButton, onMenu, onBack }: PhoneBarProps) {
  const { t } = useTranslation();
  const user = useSession((state) => state.user);
  const isReady = user !== null && user.username !== '';
  const { start, isStarting } = useSignIn();
  const showVersions = useVersionHistory(({ show }) => show);
  const isHidden = useBarHidden();
  const hasBack = parentOf(route) !== null;
  return (
    <header className="phone-bar" data-hidden={isHidden && !isSidebarOpen}>
      {hasBack ? (
        <button type="button" className="icon-button" aria-label={t('phone.back')} onClick={onBack}>
          <ArrowLeft />
        </button>
      ) : (
        isReady && (
          <button
            ref={menuButton}
            type="button"
            className="icon-button"
            aria-label={t('phone.menu')}
            aria-expanded={isSidebarOpen}
            aria-haspopup="dialog"
            onClick={onMenu}
          >
            <Menu />
          </button>
        )
      )}
      <BarTitle route={route} />
      {isReady && route.name === 'version' && (
        <button
          type="button"
          className="icon-button"
          aria-label={t('phone.versionHistory')}
          aria-haspopup="dialog"
          onClick={() => showVersions(true)}
        >
          <History />
        </button>
      )}
      {isReady && <NotificationBell />}
      {user === null && (
        <button type="button" className="button" onClick={start} disabled={isStarting}>
          {t('nav.signIn')}
        </button>
      )}
    </header>
  );
}
