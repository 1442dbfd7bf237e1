import { app, BrowserWindow, session, shell } from 'electron';
import type { Logger } from 'pino';
import brand from '../../resources/brand.json' with { type: 'json' };
import { APP_ORIGIN, isAppUrl, isExternalUrlAllowed } from './policy.ts';
import type { SettingsStore } from './settings.ts';

const SMALLEST = { width: 720, height: 480 };
const USUAL = { width: 1280, height: 832 };
/** What the page may ask of the browser engine; all else is denied in every session. */
const PERMISSIONS = new Set(['clipboard-sanitized-write', 'fullscreen']);

/** Denies what no page of ours needs, for every web contents that will ever exist. */
export function guardWebContents(log: Logger): void {
  app.on('web-contents-created', (_created, contents) => {
    const refuse = (kind: string) => (event: { preventDefault(): void; readonly url: string }) => {
      if (isAppUrl(event.url)) return;
      log.warn({ kind }, 'a navigation out of the application was refused');
      event.preventDefault();
    };
    contents.on('will-navigate', refuse('navigate'));
    contents.on('will-frame-navigate', refuse('frame'));
    contents.on('will-redirect', refuse('redirect'));
    contents.on('will-attach-webview', (event) => event.preventDefault());
    contents.setWindowOpenHandler(({ url }) => {
      if (url.startsWith('https:') && isExternalUrlAllowed(url)) {
        shell.openExternal(url).catch((error: unknown) => log.warn({ err: error }, 'the browser could not be opened'));
      }
      return { action: 'deny' };
    });
  });
}

/** Denies permissions by default; must run once the application is ready. */
export function guardSession(): void {
  session.defaultSession.setPermissionRequestHandler((_contents, permission, answer) =>
    answer(PERMISSIONS.has(permission)),
  );
  session.defaultSession.setPermissionCheckHandler((_contents, permission) => PERMISSIONS.has(permission));
  session.defaultSession.setDevicePermissionHandler(() => false);
}

/** Opens the one window of the application: sandboxed, isolated, without Node; its place and zoom are remembered. */
export function openMainWindow(preload: string, settings: SettingsStore): BrowserWindow {
  const isMac = process.platform === 'darwin';
  const window = new BrowserWindow({
    ...USUAL,
    ...settings.get('windowBounds'),
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
  window.once('ready-to-show', () => {
    window.webContents.setZoomLevel(settings.get('zoomLevel'));
    window.show();
  });
  window.on('close', () => {
    settings.set('windowMaximized', window.isMaximized());
    settings.set('windowBounds', window.getNormalBounds());
    settings.set('zoomLevel', window.webContents.getZoomLevel());
  });
  return window;
}

/** Loads the application's page; returns when it has loaded. */
export function loadPage(window: BrowserWindow): Promise<void> {
  return window.loadURL(`${APP_ORIGIN}/`);
}
