import { ChevronRight, Copy, House, Menu as MenuIcon, Minus, Search, Settings, Square, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import brand from '../../../../resources/brand.json';
import { usePathname } from '../../app/place.ts';
import { paths } from '../../app/routes.ts';
import { useSession } from '../../app/services.ts';
import { useShellState } from '../../app/shellState.ts';
import { NotificationBell } from '../../features/notifications/NotificationBell.tsx';
import { useTranslation } from '../../i18n/useTranslation.ts';
import type { WindowControls } from '../../platform/types.ts';
import { Logo } from '../../ui/Logo.tsx';
import { useHasModal, useHasOverlay } from '../../ui/layers.ts';
import { Menu, MenuItem, Submenu } from '../../ui/Menu.tsx';
import { showsSearchBox } from './showsSearchBox.ts';

interface EntryProps {
  readonly label: string;
  readonly keys?: string;
  readonly run: () => unknown;
}

function Entry({ label, keys, run }: EntryProps) {
  return (
    <MenuItem onSelect={() => void run()}>
      {label}
      {keys !== undefined && <span className="kbd">{keys}</span>}
    </MenuItem>
  );
}

interface AppMenuProps {
  readonly controls: WindowControls;
  readonly isSignedIn: boolean;
  readonly onAbout: () => void;
}

/** The menus File, View and Help of desktop-shell.md §2. Their keys are the native menu's accelerators. */
function AppMenu({ controls, isSignedIn, onAbout }: AppMenuProps) {
  const { t } = useTranslation();
  const sub = (label: string) => (
    <>
      {label}
      <ChevronRight className="menu__end" aria-hidden="true" />
    </>
  );
  return (
    <Menu
      align="start"
      trigger={
        <button type="button" className="icon-button" aria-label={t('desktop.menu')}>
          <MenuIcon />
        </button>
      }
    >
      {isSignedIn && (
        <Submenu label={sub(t('desktop.file'))}>
          <Entry label={t('desktop.close')} keys="Ctrl+W" run={controls.close} />
          <Entry label={t('desktop.quit')} keys="Ctrl+Q" run={controls.quit} />
        </Submenu>
      )}
      <Submenu label={sub(t('desktop.view'))}>
        <Entry label={t('desktop.reload')} keys="Ctrl+R" run={() => controls.reload(false)} />
        <Entry label={t('desktop.forceReload')} keys="Ctrl+Shift+R" run={() => controls.reload(true)} />
        <Entry label={t('desktop.toggleFullscreen')} keys="F11" run={controls.toggleFullscreen} />
        <Entry label={t('desktop.actualSize')} keys="Ctrl+0" run={() => controls.zoom('reset')} />
        <Entry label={t('desktop.zoomIn')} keys="Ctrl++" run={() => controls.zoom('in')} />
        <Entry label={t('desktop.zoomOut')} keys="Ctrl+-" run={() => controls.zoom('out')} />
      </Submenu>
      <Submenu label={sub(t('desktop.help'))}>
        <Entry label={t('desktop.about')} run={onAbout} />
      </Submenu>
    </Menu>
  );
}

function WindowButtons({
  controls,
  isMaximized,
}: {
  readonly controls: WindowControls;
  readonly isMaximized: boolean;
}) {
  const { t } = useTranslation();
  return (
    <div className="window-buttons">
      <button type="button" aria-label={t('desktop.minimize')} onClick={() => void controls.minimize()}>
        <Minus />
      </button>
      <button
        type="button"
        aria-label={isMaximized ? t('desktop.restore') : t('desktop.maximize')}
        onClick={() => void controls.toggleMaximize()}
      >
        {isMaximized ? <Copy className="window-buttons__restore" /> : <Square />}
      </button>
      <button
        type="button"
        className="window-buttons__close"
        aria-label={t('desktop.closeWindow')}
        onClick={() => void controls.close()}
      >
        <X />
      </button>
    </div>
  );
}

export interface TitleBarProps {
  readonly controls: WindowControls;
  readonly isSearchOpen: boolean;
  readonly onSearch: () => void;
  readonly onAbout: () => void;
}

/** The window's own bar: menu, logo and title, the search box, and the window's buttons where the system draws none. */
export function TitleBar({ controls, isSearchOpen, onSearch, onAbout }: TitleBarProps) {
  const { t } = useTranslation();
  const isSignedIn = useSession(({ status }) => status === 'signed-in');
  const { value: state } = useShellState(controls);
  const [isMac, setMac] = useState<boolean | null>(null);
  const hasModal = useHasModal();
  const isSettings = usePathname() === paths.desktopSettings;
  useEffect(() => {
    controls.info().then(
      (info) => setMac(info.isMac),
      () => setMac(false),
    );
  }, [controls]);
  const hasOverlay = useHasOverlay();
  const showSearch = showsSearchBox({
    isSignedIn,
    isMac: isMac === true,
    isSettings,
    hasModal,
    hasOverlay,
    isSearchOpen,
  });
  return (
    <header
      className="title-bar"
      data-mac={isMac === true}
      data-focused={state?.focused !== false}
      data-fullscreen={state?.fullscreen === true}
    >
      <div className="title-bar__start">
        {isMac === false && (
          <>
            <AppMenu controls={controls} isSignedIn={isSignedIn} onAbout={onAbout} />
            <Logo />
            <span className="title-bar__name">{brand.name}</span>
          </>
        )}
      </div>
      {showSearch ? (
        <button type="button" className="title-bar__search" onClick={onSearch} title={t('search.title')}>
          <Search />
          <span>{t('desktop.searchBox')}</span>
          <span className="kbd">{isMac === true ? '⌥⌘F' : 'Ctrl+Alt+F'}</span>
        </button>
      ) : (
        <span />
      )}
      <div className="title-bar__end">
        {isSignedIn && (
          <nav className="title-bar__nav" aria-label={t('nav.label')}>
            <NotificationBell />
            <Link
              href={paths.desktopMain}
              className="icon-button"
              aria-label={t('desktop.home')}
              title={t('desktop.home')}
            >
              <House />
            </Link>
            <Link
              href={paths.desktopSettings}
              className="icon-button"
              aria-label={t('nav.settings')}
              title={t('nav.settings')}
            >
              <Settings />
            </Link>
          </nav>
        )}
        {isMac === false && <WindowButtons controls={controls} isMaximized={state?.maximized === true} />}
      </div>
    </header>
  );
}
