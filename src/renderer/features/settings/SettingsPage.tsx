import { Bell, CloudOff, MailOpen, Monitor, Palette, ShieldCheck, UserRound } from 'lucide-react';
import type { ComponentType } from 'react';
import { Link } from 'wouter';
import { useSearch } from '../../app/place.ts';
import { paths } from '../../app/routes.ts';
import { useServices } from '../../app/services.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Appearance } from '../../ui/Appearance.tsx';
import { useTitle } from '../../ui/useTitle.ts';
import { InvitationsTab } from './InvitationsTab.tsx';
import { NotificationsTab } from './NotificationsTab.tsx';
import { OfflineTab } from './OfflineTab.tsx';
import { ProfileTab } from './ProfileTab.tsx';
import { usePendingInvitations } from './queries.ts';
import { SecurityTab } from './SecurityTab.tsx';
import './settings.css';

const TABS = ['profile', 'security', 'notifications', 'invitations', 'appearance', 'offline'] as const;
type Tab = (typeof TABS)[number];

const ICONS: Readonly<Record<Tab, ComponentType>> = {
  profile: UserRound,
  security: ShieldCheck,
  notifications: Bell,
  invitations: MailOpen,
  appearance: Palette,
  offline: CloudOff,
};

const SCREENS: Readonly<Record<Tab, ComponentType>> = {
  profile: ProfileTab,
  security: SecurityTab,
  notifications: NotificationsTab,
  invitations: InvitationsTab,
  appearance: Appearance,
  offline: OfflineTab,
};

/** The mail of an invitation names the invitation, its notification the tab. */
function tabOf(query: string, tabs: readonly Tab[]): Tab {
  const parameters = new URLSearchParams(query);
  if (parameters.has('invitation')) return 'invitations';
  return tabs.find((tab) => tab === parameters.get('tab')) ?? 'profile';
}

/** The user's settings, each group under an address of its own. */
export function SettingsPage() {
  const { t } = useTranslation();
  const { platform } = useServices();
  const tabs = TABS.filter((tab) => tab !== 'offline' || platform.keptDocuments !== null);
  const open = tabOf(useSearch(), tabs);
  const { data: invitations = [] } = usePendingInvitations();
  useTitle(`${t(`people.tabs.${open}`)} · ${t('settings.title')}`);
  const Screen = SCREENS[open];
  return (
    <div className="page">
      <h1 className="page__title serif">{t('settings.title')}</h1>
      <div className="settings__columns">
        <nav className="settings__nav" aria-label={t('settings.title')}>
          {tabs.map((tab) => {
            const Icon = ICONS[tab];
            return (
              <Link
                key={tab}
                href={paths.settingsTab(tab)}
                className="settings__link"
                aria-current={tab === open ? 'page' : undefined}
              >
                <Icon />
                {t(`people.tabs.${tab}`)}
                {tab === 'invitations' && invitations.length > 0 && (
                  <span className="badge badge--accent">{invitations.length}</span>
                )}
              </Link>
            );
          })}
          {platform.windowControls !== null && (
            <Link href={paths.desktopSettings} className="settings__link">
              <Monitor />
              {t('people.tabs.computer')}
            </Link>
          )}
        </nav>
        <div className="sections">
          <Screen />
        </div>
      </div>
    </div>
  );
}
