import { resolve, sep } from 'node:path';
import { app, type BrowserWindow, shell } from 'electron';
import brand from '../../resources/brand.json' with { type: 'json' };
import { DEFAULT_IGNORES } from '../core/watch/ignoreRules.ts';
import type { BridgeEmit, BridgeHandlers } from '../shared/bridge/contract.ts';
import type { Bridge, NativeNotification, WindowState } from '../shared/bridge/index.ts';
import { AppError } from '../shared/errors.ts';
import { readIgnoreFiles, saveIgnoreFile } from './ignoreFiles.ts';
import type { IndexClient } from './indexClient.ts';
import type { Caller } from './ipc.ts';
import type { LocalMedia } from './localMedia.ts';
import type { OpenRequests } from './openRequests.ts';
import type { RecentShelves } from './recentShelves.ts';
import type { SearchLog } from './searchLog.ts';
import type { ServerLink } from './serverLink.ts';
import type { Session } from './session.ts';
import type { Updates } from './updates/updates.ts';
import { waitUntilIdle } from './updates/waitUntilIdle.ts';
import type { Workspace } from './workspace.ts';

const ZOOM_STEP = 0.5;

/** The parts that the handlers speak for. */
export interface Shell {
  readonly server: ServerLink;
  readonly session: Session;
  readonly workspace: Workspace;
  readonly index: IndexClient;
  readonly localMedia: LocalMedia;
  readonly searchLog: SearchLog;
  readonly openRequests: OpenRequests;
  readonly recentShelves: RecentShelves;
  readonly notify: (notification: NativeNotification) => void;
  readonly setLanguage: (language: 'en' | 'de') => void;
  /** Report a problem: false when the person thought better of it. */
  readonly saveReport: () => Promise<boolean>;
  readonly updates: Updates;
  readonly emit: BridgeEmit<Bridge>;
}

/** How a window stands, as the page shows it. */
export function windowState(window: BrowserWindow): WindowState {
  return { maximized: window.isMaximized(), fullscreen: window.isFullScreen(), focused: window.isFocused() };
}

/** Every procedure of the bridge, answered by the part that it belongs to. */
export function createHandlers({
  server,
  session,
  workspace,
  index,
  localMedia,
  searchLog,
  openRequests,
  recentShelves,
  notify,
  setLanguage,
  saveReport,
  updates,
  emit,
}: Shell): BridgeHandlers<Bridge, Caller> {
  const runs = new Map<string, AbortController>();

  /** What a person gives up goes where it can be fetched back from. */
  async function toTrash(folder: string, names: readonly string[]): Promise<void> {
    for (const path of await index.workspace('copies', { folder, names })) {
      try {
        await shell.trashItem(path);
      } catch (error) {
        const details = { folder: path };
        throw new AppError('folder-unavailable', 'a copy could not be moved to the trash', { cause: error, details });
      }
    }
  }

  return {
    app: {
      info: () => ({
        name: brand.name,
        version: app.getVersion(),
        platform: process.platform,
        isMac: process.platform === 'darwin',
        company: brand.company,
        website: brand.website,
      }),
    },
    window: {
      state: (_input, { window }) => windowState(window),
      minimize: (_input, { window }) => window.minimize(),
      toggleMaximize: (_input, { window }) => (window.isMaximized() ? window.unmaximize() : window.maximize()),
      toggleFullscreen: (_input, { window }) => window.setFullScreen(!window.isFullScreen()),
      zoom: (direction, { window }) => {
        const level = window.webContents.getZoomLevel();
        window.webContents.setZoomLevel(
          direction === 'reset' ? 0 : level + (direction === 'in' ? ZOOM_STEP : -ZOOM_STEP),
        );
      },
      reload: ({ force }, { window }) =>
        force ? window.webContents.reloadIgnoringCache() : window.webContents.reload(),
      close: (_input, { window }) => window.close(),
      quit: () => app.quit(),
    },
    shell: {
      takeOpened: () => openRequests.take(),
      rememberShelf: (shelf) => recentShelves.remember(shelf),
      notify: (notification) => notify(notification),
      setLanguage: (language) => setLanguage(language),
      saveReport: async () => ({ saved: await saveReport() }),
    },
    server: {
      state: () => server.state(),
      useLocal: () => server.useLocal(),
      connect: ({ url }) => server.connect(url),
      disconnect: async () => {
        await session.signOut();
        return server.disconnect();
      },
    },
    session: {
      state: () => session.known(),
      signIn: () => session.signIn(),
      cancelSignIn: () => session.cancelSignIn(),
      signOut: () => session.signOut(),
    },
    workspace: {
      state: () => workspace.state(),
      chooseFolder: (_input, { window }) => workspace.chooseFolder(window),
      addLocalFolder: (_input, { window }) => workspace.addLocalFolder(window),
      removeLocalFolder: ({ folder }) => workspace.removeLocalFolder(folder),
      ignoreRules: async () => ({ defaults: DEFAULT_IGNORES, folders: await readIgnoreFiles(workspace.roots()) }),
      // Only into folders that the person chose: the page may not write just anywhere.
      saveIgnoreRules: async ({ folder, text }) => {
        if (!workspace.roots().includes(folder)) throw new AppError('folder-unavailable', 'the folder is not indexed');
        await saveIgnoreFile(folder, text);
      },
      // Only files that the index lists: the page may not have the shell look at just any path.
      showInFolder: async ({ path }) => {
        // What a kept shelf cannot take is not in the index either.
        const checkouts = await index.workspace('checkouts', null);
        const place = resolve(path);
        const isKept = checkouts.some(({ folder }) => folder === place || place.startsWith(folder + sep));
        if (!isKept && !(await index.hasFile(path))) throw new AppError('not-found', 'the file is not in the index');
        shell.showItemInFolder(place);
      },
      preview: async ({ path }) => {
        if (!(await index.hasFile(path))) throw new AppError('not-found', 'the file is not in the index');
        return localMedia.offer(path);
      },
      checkouts: async () => [...(await index.workspace('checkouts', null))],
      checkOut: (input) => index.workspace('checkOut', input),
      release: (input) => index.workspace('release', input),
      changes: async (input) => {
        const { documents, count } = await index.workspace('changes', input);
        return { documents: [...documents], count };
      },
      commit: async (input) => {
        const commit = await index.workspace('commit', input);
        index.syncHistory();
        return { commit };
      },
      resolve: async (input) => {
        if (input.action === 'keep-theirs') await toTrash(input.folder, [input.name]);
        await index.workspace('resolve', input);
      },
      discard: async (input) => {
        await toTrash(input.folder, input.names);
        await index.workspace('restore', input);
      },
      sync: () => index.workspace('syncWorkspace', null),
    },
    index: {
      status: () => index.status(),
      skipped: async () => [...(await index.skipped())],
      retrySkipped: () => index.retrySkipped(),
      pause: () => index.setPaused(true),
      resume: () => index.setPaused(false),
      rebuild: async () => {
        await index.rebuild();
        index.syncHistory();
      },
      waitUntilIdle: ({ timeoutMs }) => waitUntilIdle(index, timeoutMs),
    },
    search: {
      run: async ({ runId, query }) => {
        const controller = new AbortController();
        runs.set(runId, controller);
        try {
          return await index.search(
            runId,
            query,
            (results, isWhole) => emit('search', 'found', { runId, results: [...results], isWhole }),
            controller.signal,
          );
        } finally {
          runs.delete(runId);
        }
      },
      cancel: ({ runId }) => runs.get(runId)?.abort(),
      logs: ({ page, pageSize }) => searchLog.page(page, pageSize),
      saveLog: ({ query }) => searchLog.save(query),
      removeLog: ({ id }) => searchLog.remove(id),
      clearLogs: () => searchLog.clear(),
    },
    updates: {
      state: () => updates.state(),
      check: () => updates.check(),
      download: () => updates.download(),
      saveState: (appState) => updates.saveState(appState),
      install: () => updates.install(),
      dismiss: () => updates.dismiss(),
      restored: () => updates.restored(),
      setPreference: ({ preference }) => updates.setPreference(preference),
      setMetered: ({ metered }) => updates.setMetered(metered),
    },
  };
}
