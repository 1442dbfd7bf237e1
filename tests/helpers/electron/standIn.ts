/**
 * The stand-in for Electron: the real main process and preload of the application on Node and the system's Chromium. It has
 * what the application uses, and fails loudly on anything else. It is test code; nothing of it ships.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { rm } from 'node:fs/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type Electron from 'electron';
import { app, applicationReady, isRunningElsewhere } from './app.ts';
import { BrowserWindow, browser, schemes } from './browserWindow.ts';
import { type LoopDelay, nextAnswer, recorded, serveControl, tellTest } from './control.ts';
import { ipcMain } from './ipc.ts';
import { openRequest } from './netRequest.ts';
import { strict } from './strict.ts';
import { Notification, nativeImage, notificationClick, screen, Tray, trayMenu } from './surroundings.ts';
import { utilityProcess } from './utilityProcess.ts';

type Template = Electron.MenuItemConstructorOptions;

/** Dialogs may name their window first. */
const optionsOf = (args: readonly unknown[]) => args.at(-1);

const dialog = strict('electron.dialog', {
  showOpenDialog: async (...args: unknown[]): Promise<Electron.OpenDialogReturnValue> =>
    nextAnswer('showOpenDialog', optionsOf(args), { canceled: true, filePaths: [] as string[] }),
  showSaveDialog: async (...args: unknown[]): Promise<Electron.SaveDialogReturnValue> =>
    nextAnswer('showSaveDialog', optionsOf(args), { canceled: true, filePath: '' }),
  showMessageBox: async (...args: unknown[]): Promise<Electron.MessageBoxReturnValue> =>
    nextAnswer('showMessageBox', optionsOf(args), { response: 0, checkboxChecked: false }),
  showErrorBox(title: string, content: string) {
    recorded.dialogs.push({ kind: 'showErrorBox', options: { title, content } });
    process.stderr.write(`${title}: ${content}\n`);
  },
});

const shell = strict('electron.shell', {
  async openExternal(url: string): Promise<void> {
    recorded.openedUrls.push(url);
    tellTest({ type: 'openedUrl', url });
  },
  async openPath(path: string): Promise<string> {
    recorded.openedPaths.push(path);
    return '';
  },
  showItemInFolder(path: string): void {
    recorded.shownItems.push(path);
  },
  /** There is no trash here: what goes there is gone. */
  trashItem: (path: string): Promise<void> => rm(path),
} satisfies Partial<Electron.Shell>);

let menu: readonly Template[] = [];
const Menu = strict('electron.Menu', {
  buildFromTemplate: (template: Template[]) => template as unknown as Electron.Menu,
  setApplicationMenu(next: Electron.Menu | null) {
    menu = (next ?? []) as unknown as Template[];
    recorded.menuLabels.splice(0, Infinity, ...menu.map((item) => item.label ?? item.role ?? ''));
  },
});

function clickMenu(path: readonly string[], all: readonly Template[] = menu): void {
  let items = all;
  let found: Template | undefined;
  for (const label of path) {
    found = items.find((item) => item.label === label || item.role === label);
    items = (found?.submenu as Template[] | undefined) ?? [];
  }
  if (found?.click === undefined) throw new Error(`the menu has no ${path.join(' > ')} that can be clicked`);
  found.click({} as Electron.MenuItem, undefined, {} as Electron.KeyboardEvent);
}

const protocol = strict('electron.protocol', {
  registerSchemesAsPrivileged(_schemes: Electron.CustomScheme[]) {
    if (app.isReady()) throw new Error('protocol.registerSchemesAsPrivileged should be called before app is ready');
  },
  handle: (scheme: string, handler: (request: Request) => Response | Promise<Response>) =>
    schemes.handle(scheme, handler),
  unhandle: schemes.unhandle,
  isProtocolHandled: schemes.isHandled,
} satisfies Partial<Electron.Protocol>);

/** Chromium grants nothing here anyway: nobody could answer its questions. */
const permissionHandlers: unknown[] = [];
const session = strict('electron.session', {
  defaultSession: strict('session', {
    setPermissionRequestHandler: (handler: unknown) => permissionHandlers.push(handler),
    setPermissionCheckHandler: (handler: unknown) => permissionHandlers.push(handler),
    setDevicePermissionHandler: (handler: unknown) => permissionHandlers.push(handler),
  }),
});

/** Without a keychain, as on a bare Linux, unless a test names the secret that one would hold. */
const secret = process.env.STAND_IN_KEYCHAIN_SECRET;
const key = secret === undefined ? null : createHash('sha256').update(secret).digest();
function keychainKey(): Buffer {
  if (key === null) throw new Error('Error while encrypting the text provided to safeStorage');
  return key;
}
const safeStorage = strict('electron.safeStorage', {
  isEncryptionAvailable: () => key !== null,
  getSelectedStorageBackend: () => (key === null ? 'basic_text' : 'gnome_libsecret'),
  encryptString(text: string) {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', keychainKey(), nonce);
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), body]);
  },
  decryptString(encrypted: Buffer) {
    const decipher = createDecipheriv('aes-256-gcm', keychainKey(), encrypted.subarray(0, 12));
    decipher.setAuthTag(encrypted.subarray(12, 28));
    return Buffer.concat([decipher.update(encrypted.subarray(28)), decipher.final()]).toString('utf8');
  },
} satisfies Partial<Electron.SafeStorage>);

/** On the mains, and nothing ever changes. */
const powerMonitor = strict('electron.powerMonitor', {
  isOnBatteryPower: () => false,
  on: () => undefined,
});

const net = strict('electron.net', {
  fetch: (input: string, init?: RequestInit) => fetch(input, init),
  request: openRequest,
});

/** Only what electron-updater tells it before the application quits. */
const autoUpdater = strict('electron.autoUpdater', new EventEmitter());

const histogram = monitorEventLoopDelay({ resolution: 2 });
/** Measuring wakes the process five hundred times a second, so it ends when it is not wanted. */
function loopDelay(goesOn: boolean): LoopDelay {
  const measured = { longest: histogram.max / 1e6, p999: histogram.percentile(99.9) / 1e6 };
  histogram.reset();
  if (goesOn) histogram.enable();
  else histogram.disable();
  return measured;
}

serveControl({
  endpoint: async () => (await browser()).endpoint,
  clickMenu: ({ path }) => clickMenu(path),
  clickTray: ({ label }) => clickMenu([label], trayMenu()),
  clickNotification: () => notificationClick(),
  focus({ focused }) {
    for (const window of BrowserWindow.getAllWindows()) {
      if (focused) window.focus();
      else window.blur();
    }
  },
  loopDelay: ({ goesOn }) => loopDelay(goesOn),
  quit: () => app.quit(),
});
// Electron's engine is there before the application's script is: Chromium starts beside it. Without one the test hears why.
if (process.send !== undefined && !isRunningElsewhere()) browser().catch(() => undefined);
setImmediate(applicationReady);

export {
  app,
  autoUpdater,
  BrowserWindow,
  dialog,
  ipcMain,
  Menu,
  Notification,
  nativeImage,
  net,
  powerMonitor,
  protocol,
  safeStorage,
  screen,
  session,
  shell,
  Tray,
  utilityProcess,
};
export default strict('electron', {
  app,
  autoUpdater,
  BrowserWindow,
  dialog,
  ipcMain,
  Menu,
  nativeImage,
  net,
  Notification,
  powerMonitor,
  protocol,
  safeStorage,
  screen,
  session,
  shell,
  Tray,
  utilityProcess,
});
