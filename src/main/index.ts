import { join } from 'node:path';
import { app, BrowserWindow, dialog } from 'electron';
import brand from '../../resources/brand.json' with { type: 'json' };
import { createFileLogger } from '../core/log/fileLogger.ts';
import { type Bridge, bridge } from '../shared/bridge/index.ts';
import { handleAppScheme, registerAppScheme } from './appProtocol.ts';
import { createHandlers, windowState } from './handlers.ts';
import { createIndexClient } from './indexClient.ts';
import { createEmitter, mountBridge } from './ipc.ts';
import { guardSession, guardWebContents, loadPage, openMainWindow } from './mainWindow.ts';
import { installMenu } from './menu.ts';
import { followPower } from './power.ts';
import { openSearchLog } from './searchLog.ts';
import { createServerLink } from './serverLink.ts';
import { createSession } from './session.ts';
import { openSettings } from './settings.ts';
import { openTokenStore } from './tokenStore.ts';
import { feedOf } from './updates/feedOf.ts';
import { openInstaller, unsupportedReason } from './updates/openInstaller.ts';
import { createUpdates } from './updates/updates.ts';
import { createWorkspace } from './workspace.ts';

/** Folder of the bundle: the entries of the other processes stand beside this file, page and preload in the folders next to it. */
const HERE = import.meta.dirname;

async function start(): Promise<void> {
  const userData = app.getPath('userData');
  const log = createFileLogger(join(userData, 'logs', 'main.log'), 'main');
  guardWebContents(log);
  await app.whenReady();
  guardSession();

  const settings = openSettings();
  const store = await openTokenStore(join(userData, 'tokens.json'), log);
  const session = createSession({ store, log });
  const server = createServerLink({
    settings,
    entry: join(HERE, 'serverProcess.js'),
    dataDir: process.env.ARMARIUM_DATA ?? join(userData, 'server'),
    port: process.env.ARMARIUM_PORT ?? '0',
    log,
  });
  const workspace = createWorkspace(settings);
  const index = createIndexClient({
    entry: join(HERE, 'indexProcess.js'),
    file: join(userData, 'index', 'index.db'),
    accessToken: (stale) => session.accessToken(stale),
    log,
  });
  const emit = createEmitter<Bridge>(() => BrowserWindow.getAllWindows());
  let isClosed = false;
  let isOnBattery = false;
  /** The index and the embedded server close their databases. */
  const closeAll = async () => {
    await Promise.allSettled([index.close(), server.close()]);
    isClosed = true;
  };
  const updates = createUpdates({
    installer: await openInstaller(() => feedOf(server.state()), log),
    unsupported: unsupportedReason(),
    currentVersion: app.getVersion(),
    settings,
    isOnBattery: () => isOnBattery,
    async beforeInstall() {
      await closeAll();
      app.releaseSingleInstanceLock();
    },
    startAgain() {
      app.relaunch(process.env.APPIMAGE === undefined ? {} : { execPath: process.env.APPIMAGE });
      app.quit();
    },
    log,
  });
  updates.onChange((state) => emit('updates', 'changed', state));
  const handlers = createHandlers({ server, session, workspace, index, searchLog: openSearchLog(), updates, emit });

  const followHistory = () => index.setServer(session.state().signedIn ? server.state().url : null);
  server.onChange((state) => {
    void session.useServer(state.url, state.mode === 'local' ? 'local' : state.url).then(followHistory);
    emit('server', 'changed', state);
  });
  session.onChange((state) => {
    followHistory();
    emit('session', 'changed', state);
  });
  workspace.onChange((state) => {
    index.setRoots(workspace.roots());
    emit('workspace', 'changed', state);
  });
  index.onStatus((status) => emit('index', 'progressed', status));
  index.setRoots(workspace.roots());
  followPower((onBattery) => {
    isOnBattery = onBattery;
    index.setPace(onBattery ? 'gentle' : 'full');
  });

  mountBridge(bridge, handlers, {
    windowOf: (id) => BrowserWindow.getAllWindows().find((window) => window.webContents.id === id) ?? null,
    log,
  });
  handleAppScheme({
    pageRoot: join(HERE, '..', 'renderer'),
    session,
    serverOrigin: () => server.state().url,
    onWritten: (path) => {
      if (path.endsWith('/report/version/')) index.syncHistory();
    },
    log,
  });
  installMenu({
    findInFiles: () => emit('window', 'menuChosen', 'find-in-files'),
    about: () => emit('window', 'menuChosen', 'about'),
  });

  async function open(): Promise<void> {
    const window = openMainWindow(join(HERE, '..', 'preload', 'index.cjs'), settings);
    const changed = () => {
      if (!window.isDestroyed()) emit('window', 'changed', windowState(window));
    };
    window.on('maximize', changed);
    window.on('unmaximize', changed);
    window.on('enter-full-screen', changed);
    window.on('leave-full-screen', changed);
    window.on('focus', changed);
    window.on('blur', changed);
    await loadPage(window);
  }

  app.on('second-instance', () => {
    const [window] = BrowserWindow.getAllWindows();
    if (window?.isMinimized() === true) window.restore();
    window?.focus();
  });
  app.on('activate', () => {
    if (BrowserWindow.getAllWindows().length === 0) void open();
  });
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
  app.on('before-quit', (event) => {
    if (isClosed) return;
    // Databases first; then the application quits for good.
    event.preventDefault();
    void closeAll().then(() => app.quit());
  });

  await server.resume();
  await open();
  updates.start();
}

app.enableSandbox();
app.setName(brand.name);
registerAppScheme();
if (app.requestSingleInstanceLock()) {
  start().catch((error: unknown) => {
    dialog.showErrorBox(
      `${brand.name} could not start`,
      error instanceof Error ? (error.stack ?? error.message) : String(error),
    );
    app.exit(1);
  });
} else {
  app.quit();
}
