import type { BridgePort } from '../../shared/bridge/contract.ts';
import { createBridgeClient } from './bridgeClient.ts';
import { createDesktopSearch } from './desktopSearch.ts';
import type { Platform } from './types.ts';

/** The desktop: everything that the bridge offers. */
export function createDesktopPlatform(port: BridgePort): Platform {
  const {
    app,
    window: shellWindow,
    shell,
    server,
    session,
    workspace,
    index,
    search,
    updates,
  } = createBridgeClient(port);
  return {
    windowControls: {
      info: () => app.info(),
      state: () => shellWindow.state(),
      onChanged: (listener) => shellWindow.onChanged(listener),
      onMenuChosen: (listener) => shellWindow.onMenuChosen(listener),
      minimize: () => shellWindow.minimize(),
      toggleMaximize: () => shellWindow.toggleMaximize(),
      toggleFullscreen: () => shellWindow.toggleFullscreen(),
      zoom: (direction) => shellWindow.zoom(direction),
      reload: (force) => shellWindow.reload({ force }),
      close: () => shellWindow.close(),
      quit: () => shellWindow.quit(),
    },
    shell: {
      takeOpened: () => shell.takeOpened(),
      onOpened: (listener) => shell.onOpened(() => listener()),
      rememberShelf: (shelf) => shell.rememberShelf(shelf),
      notify: (notification) => shell.notify(notification),
      setLanguage: (language) => shell.setLanguage(language),
      saveReport: async () => (await shell.saveReport()).saved,
    },
    server: {
      state: () => server.state(),
      onChanged: (listener) => server.onChanged(listener),
      chooseLocal: () => server.useLocal(),
      connect: (url) => server.connect({ url }),
      disconnect: () => server.disconnect(),
    },
    session: {
      signIn: async () => {
        await session.signIn();
      },
      signOut: async () => {
        await session.signOut();
      },
      shell: {
        state: () => session.state(),
        onChanged: (listener) => session.onChanged(listener),
        cancelSignIn: () => session.cancelSignIn(),
      },
    },
    workspace: {
      state: () => workspace.state(),
      onChanged: (listener) => workspace.onChanged(listener),
      chooseFolder: () => workspace.chooseFolder(),
      addLocalFolder: () => workspace.addLocalFolder(),
      removeLocalFolder: (folder) => workspace.removeLocalFolder({ folder }),
      ignoreRules: () => workspace.ignoreRules(),
      saveIgnoreRules: (folder, text) => workspace.saveIgnoreRules({ folder, text }),
      showInFolder: (path) => workspace.showInFolder({ path }),
      preview: (path) => workspace.preview({ path }),
      checkouts: {
        state: () => workspace.checkouts(),
        onChanged: (listener) => workspace.onSynced(listener),
        checkOut: (shelfId) => workspace.checkOut({ shelfId }),
        release: (folder) => workspace.release({ folder }),
        changes: (folder) => workspace.changes({ folder }),
        commit: (folder, names, message) => workspace.commit({ folder, names: [...names], message }),
        resolve: (folder, name, action) => workspace.resolve({ folder, name, action }),
        discard: (folder, names) => workspace.discard({ folder, names: [...names] }),
        sync: () => workspace.sync(),
      },
    },
    index: {
      status: () => index.status(),
      onProgressed: (listener) => index.onProgressed(listener),
      skipped: () => index.skipped(),
      retrySkipped: () => index.retrySkipped(),
      pause: () => index.pause(),
      resume: () => index.resume(),
      rebuild: () => index.rebuild(),
      waitUntilIdle: (timeoutMs) => index.waitUntilIdle({ timeoutMs }),
    },
    updates: {
      state: () => updates.state(),
      onChanged: (listener) => updates.onChanged(listener),
      check: () => updates.check(),
      download: () => updates.download(),
      saveState: (state) => updates.saveState(state),
      install: () => updates.install(),
      dismiss: () => updates.dismiss(),
      restored: () => updates.restored(),
      setPreference: (preference) => updates.setPreference({ preference }),
      setMetered: (metered) => updates.setMetered({ metered }),
    },
    search: createDesktopSearch({ search }),
    keptDocuments: null,
  };
}
