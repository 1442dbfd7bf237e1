import { join } from 'node:path';
import { app, BrowserWindow, dialog } from 'electron';
import brand from '../../resources/brand.json' with { type: 'json' };
import { createFileLogger } from '../core/log/fileLogger.ts';
import { type Bridge, bridge, type ServerState } from '../shared/bridge/index.ts';
import { handleAppScheme, registerSchemes } from './appProtocol.ts';
import { watchFaults } from './faults.ts';
import { guardSessions, guardWebContents } from './guards.ts';
import { createHandlers, windowState } from './handlers.ts';
import { createIndexClient } from './indexClient.ts';
import { createEmitter, mountBridge } from './ipc.ts';
import { serveLocalMedia } from './localMedia.ts';
import { loadPage, openMainWindow, showWindow } from './mainWindow.ts';
import { installMenu } from './menu.ts';
import { createNativeNotifications } from './nativeNotifications.ts';
import { createOpenRequests } from './openRequests.ts';
import { followPower } from './power.ts';
import { machineFacts } from './problemReport.ts';
import { installQuickAccess } from './quickAccess.ts';
import { createRecentShelves } from './recentShelves.ts';
import { saveReport } from './saveReport.ts';
import { openSearchLog } from './searchLog.ts';
import { createServerLink } from './serverLink.ts';
import { createServiceSources } from './serviceSources.ts';
import { createSession } from './session.ts';
import { openSettings } from './settings.ts';
import { textsOf } from './texts.ts';
import { openTokenStore } from './tokenStore.ts';
import { feedOf } from './updates/feedOf.ts';
import { openInstaller, unsupportedReason } from './updates/openInstaller.ts';
import { createUpdates } from './updates/updates.ts';
import { createWorkspace } from './workspace.ts';

/** Folder of the bundle: the entries of the other processes stand beside this file, page and preload in the folders next to it. */
const HERE = import.meta.dirname;

const emit = createEmitter<Bridge>(() => BrowserWindow.getAllWindows());
/** Brings the window to the front, or opens one; nothing until the application is up. */
let show: () => void = () => undefined;
const openRequests = createOpenRequests({
  onOpened: () => {
    show();
    emit('shell', 'opened', undefined);
  },
});
// These come as soon as the application is there, before it is ready.
app.on('open-url', (event, link) => {
  event.preventDefault();
  openRequests.openLink(link);
});
app.on('open-file', (event, file) => {
  event.preventDefault();
  void openRequests.openFile(file);
});
/** What was given to a start, after the program and, from the sources, the folder that it runs. */
const argumentsOf = (argv: readonly string[]) => argv.slice(app.isPackaged ? 1 : 2);

/** The name of a server for what is kept on this computer: the one on this computer answers at another port each time. */
const serverName = ({ mode, url }: ServerState) => (mode === 'local' ? 'local' : url);

async function start(): Promise<void> {
  const userData = app.getPath('userData');
  const serverData = process.env.ARMARIUM_DATA ?? join(userData, 'server');
  const log = createFileLogger(join(userData, 'logs', 'main.log'), 'main');
  guardWebContents(log);
  const settings = openSettings();
  const texts = () => textsOf(settings);
  const report = () =>
    saveReport({
      texts: texts(),
      parts: {
        facts: { about: machineFacts(), settings: settings.facts(), index: index.status() },
        logs: { main: join(userData, 'logs'), server: join(serverData, 'logs') },
      },
    });
  const faults = watchFaults({ texts, report, log });
  await app.whenReady();
  guardSessions();

  // Nothing here waits for a keychain, a server or an index: the window comes first, and says what it waits for.
  const session = createSession({ store: openTokenStore(join(userData, 'tokens.json'), log), log });
  const server = createServerLink({
    settings,
    entry: join(HERE, 'serverProcess.js'),
    dataDir: serverData,
    port: process.env.ARMARIUM_PORT ?? '0',
    log,
  });
  const serviceSources = createServiceSources(settings, log);
  const workspace = createWorkspace(settings, texts);
  const index = createIndexClient({
    entry: join(HERE, 'indexProcess.js'),
    file: join(userData, 'index', 'index.db'),
    accessToken: (stale) => session.accessToken(stale),
    log,
  });
  const recentShelves = createRecentShelves(settings);
  let isClosed = false;
  let isOnBattery = false;
  /** The index and the embedded server close their databases. */
  const closeAll = async () => {
    await Promise.allSettled([index.close(), server.close()]);
    isClosed = true;
  };
  const updates = createUpdates({
    installer: openInstaller(() => feedOf(server.state()), log),
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
  const handlers = createHandlers({
    server,
    session,
    workspace,
    index,
    localMedia: serveLocalMedia(),
    searchLog: openSearchLog(),
    openRequests,
    recentShelves,
    notify: createNativeNotifications({ openPath: openRequests.openPath, log }),
    setLanguage: (language) => {
      if (settings.get('language') === language) return;
      settings.set('language', language);
      renewMenus();
    },
    saveReport: report,
    updates,
    emit,
  });

  const findInFiles = () => {
    show();
    emit('window', 'menuChosen', 'find-in-files');
  };
  const renewQuickAccess = installQuickAccess({
    // They are for whoever is signed in to see.
    shelves: () => (session.state().signedIn ? recentShelves.list() : []),
    onRemoved: (paths) => recentShelves.remove(paths),
    texts,
    actions: { show: () => show(), openPath: openRequests.openPath, findInFiles },
    icon: join(HERE, '..', '..', 'resources', 'icons', 'tray.png'),
  });
  recentShelves.onChange(renewQuickAccess);
  function renewMenus(): void {
    installMenu({
      texts: texts(),
      actions: { findInFiles, about: () => emit('window', 'menuChosen', 'about') },
      isSignedIn: session.state().signedIn,
    });
    renewQuickAccess();
  }
  renewMenus();

  /** Index and workspace go with the server, whoever is signed in there, and the folder. */
  const followServer = () => {
    const url = session.state().signedIn ? server.state().url : null;
    index.setServer(url);
    index.setWorkspace({
      folder: settings.get('workspaceFolder'),
      server: url === null ? null : { url, name: serverName(server.state()) ?? url },
    });
  };
  server.onChange((state) => {
    void session.useServer(state.url, serverName(state)).then(followServer);
    void serviceSources.useServer(state);
    emit('server', 'changed', state);
  });
  let wasSignedIn = false;
  session.onChange((state) => {
    followServer();
    if (wasSignedIn && !state.signedIn) recentShelves.forget();
    if (wasSignedIn !== state.signedIn) renewMenus();
    wasSignedIn = state.signedIn;
    emit('session', 'changed', state);
  });
  workspace.onChange((state) => {
    index.setRoots(workspace.roots());
    followServer();
    emit('workspace', 'changed', state);
  });
  index.onCheckouts((checkouts) => emit('workspace', 'synced', [...checkouts]));
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
    serviceSources: serviceSources.list,
    openedFile: (id) => openRequests.read(id),
    onWritten: (path) => {
      if (path.endsWith('/report/version/')) index.syncHistory();
    },
    log,
  });

  async function open(): Promise<void> {
    const window = openMainWindow(join(HERE, '..', 'preload', 'index.cjs'), settings);
    faults.watch(window);
    const changed = () => {
      if (!window.isDestroyed()) emit('window', 'changed', windowState(window));
    };
    window.on('maximize', changed);
    window.on('unmaximize', changed);
    window.on('enter-full-screen', changed);
    window.on('leave-full-screen', changed);
    window.on('focus', changed);
    window.on('blur', changed);
    await loadPage(window, settings);
  }

  app.on('second-instance', (_event, argv, folder) => {
    show();
    void openRequests.openArguments(argumentsOf(argv), folder);
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

  await openRequests.openArguments(argumentsOf(process.argv), process.cwd());
  void server.resume();
  show = () => {
    const [window] = BrowserWindow.getAllWindows();
    if (window === undefined) void open();
    else showWindow(window);
  };
  await open();
  // Nobody misses these in the first second, which is the window's.
  index.start();
  updates.start();
}

app.enableSandbox();
app.setName(brand.name);
app.setAppUserModelId(brand.identifier);
registerSchemes();
if (app.requestSingleInstanceLock()) {
  // What comes after the two dashes is never taken for a switch of Chromium's.
  if (app.isPackaged) app.setAsDefaultProtocolClient(brand.protocol, process.execPath, ['--']);
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
