import { app, net } from 'electron';
import type { Logger } from 'pino';
import type { UpdateState } from '../../shared/model/update.ts';
import type { Installer } from './installer.ts';

/**
 * Whether this installation can replace itself: installed on Windows or macOS, or an AppImage. What came by a package manager
 * is that one's to update, and what runs from source is the developer's.
 */
export function unsupportedReason(): UpdateState['unsupported'] {
  if (!app.isPackaged) return 'development';
  if (process.platform === 'win32') return process.env.PORTABLE_EXECUTABLE_DIR === undefined ? null : 'package-manager';
  if (process.platform === 'darwin') return null;
  return process.env.APPIMAGE === undefined ? 'package-manager' : null;
}

/** The installer of this kind of installation; its code is loaded when it is first of use, long after the start. */
export function openInstaller(feed: () => string | null, log: Logger): Installer | null {
  if (unsupportedReason() !== null) return null;
  let loading: Promise<Installer> | null = null;
  const installer = () => {
    loading ??= loadInstaller(feed, log);
    return loading;
  };
  return {
    check: async () => (await installer()).check(),
    download: async (onProgress, signal) => (await installer()).download(onProgress, signal),
    verify: async () => (await installer()).verify(),
    install: async (onFailure) => (await installer()).install(onFailure),
  };
}

async function loadInstaller(feed: () => string | null, log: Logger): Promise<Installer> {
  const [{ ElectronAppAdapter }, { FeedExecutor }, { createInstaller }] = await Promise.all([
    import('electron-updater/out/ElectronAppAdapter.js'),
    import('./feedExecutor.ts'),
    import('./installer.ts'),
  ]);
  const executor = new FeedExecutor((options) => net.request(options));
  const adapter = new ElectronAppAdapter(app);
  if (process.platform === 'win32') {
    const { NsisUpdater } = await import('electron-updater/out/NsisUpdater.js');
    return createInstaller({ updater: new NsisUpdater(null, adapter), executor, extension: 'exe', feed, log });
  }
  if (process.platform === 'darwin') {
    const { MacUpdater } = await import('electron-updater/out/MacUpdater.js');
    return createInstaller({ updater: new MacUpdater(undefined, adapter), executor, extension: 'zip', feed, log });
  }
  const { SafeAppImageUpdater } = await import('./appImage.ts');
  return createInstaller({
    updater: new SafeAppImageUpdater(null, adapter),
    executor,
    extension: 'AppImage',
    feed,
    log,
  });
}
