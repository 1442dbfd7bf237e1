import { BrowserWindow, screen } from 'electron';
import brand from '../../resources/brand.json' with { type: 'json' };
import { APP_ORIGIN, isAppPath, pathOfPage } from './policy.ts';
import type { SettingsStore } from './settings.ts';
import { placeWindow, SMALLEST } from './windowPlace.ts';

/** Where a first start leads: the page's own way there from `/` would be a detour. */
const START = '/desktop/home';

/** Opens the one window of the application: sandboxed, isolated, without Node. It opens as and where it was left. */
export function openMainWindow(preload: string, settings: SettingsStore): BrowserWindow {
  const isMac = process.platform === 'darwin';
  const primary = screen.getPrimaryDisplay();
  const others = screen.getAllDisplays().filter(({ id }) => id !== primary.id);
  const window = new BrowserWindow({
    ...placeWindow(
      settings.get('windowBounds'),
      [primary, ...others].map(({ workArea }) => workArea),
    ),
    minWidth: SMALLEST.width,
    minHeight: SMALLEST.height,
    show: false,
    title: brand.name,
    frame: isMac,
    titleBarStyle: isMac ? 'hiddenInset' : 'default',
    webPreferences: {
      preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: true,
    },
  });
  if (settings.get('windowMaximized')) window.maximize();
  let isShown = false;
  window.once('ready-to-show', () => {
    window.webContents.setZoomLevel(settings.get('zoomLevel'));
    window.show();
    isShown = true;
  });
  const remember = () => {
    if (!isShown || window.isDestroyed() || window.webContents.isDestroyed()) return;
    settings.assign({
      windowMaximized: window.isMaximized(),
      windowBounds: window.getNormalBounds(),
      zoomLevel: window.webContents.getZoomLevel(),
      lastRoute: pathOfPage(window.webContents.getURL()),
    });
  };
  // A system that shuts down closes no windows; it is left for another one before that.
  window.on('blur', remember);
  window.on('close', remember);
  return window;
}

/** Loads the application's page where it was left; returns when it has loaded. */
export function loadPage(window: BrowserWindow, settings: SettingsStore): Promise<void> {
  const last = settings.get('lastRoute');
  return window.loadURL(APP_ORIGIN + (last !== null && isAppPath(last) ? last : START));
}

/** Brings the window in front of the others. */
export function showWindow(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}
