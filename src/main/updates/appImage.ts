import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, closeSync, constants, copyFileSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { AppImageUpdater } from 'electron-updater/out/AppImageUpdater.js';
import type { InstallOptions } from 'electron-updater/out/BaseUpdater.js';
import { AppError } from '../../shared/errors.ts';

const VERSION_IN_NAME = /\d+\.\d+\.\d+/u;

/**
 * Updates of an AppImage. The library deletes the application before it copies the new one; a disk that is full in between
 * leaves nothing. Here the new one lies complete beside the old before it takes its place.
 */
export class SafeAppImageUpdater extends AppImageUpdater {
  protected override doInstall(_options: InstallOptions): boolean {
    const installer = this.installerPath;
    const current = process.env.APPIMAGE;
    if (installer === null) throw new AppError('internal', 'no update was downloaded');
    if (current === undefined || !isAbsolute(current) || current.includes('\0')) {
      throw new AppError('unsupported', 'this is no AppImage');
    }
    start(replaceAppImage(current, installer));
    return true;
  }
}

/**
 * Puts an AppImage in the place of another. A file that is named by its version takes the new name, any other keeps its own.
 * @returns where the new one is
 */
export function replaceAppImage(current: string, installer: string): string {
  const name = VERSION_IN_NAME.test(basename(current)) ? basename(installer) : basename(current);
  const place = join(dirname(current), name);
  const beside = join(dirname(current), `.${name}.new`);
  try {
    copyFileSync(installer, beside, constants.COPYFILE_FICLONE);
    chmodSync(beside, 0o755);
    const handle = openSync(beside, 'r+');
    fsyncSync(handle);
    closeSync(handle);
    renameSync(beside, place);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
  if (place !== current) rmSync(current, { force: true });
  return place;
}

function start(file: string): ChildProcess {
  const child = spawn(file, [], {
    detached: true,
    stdio: 'ignore',
    env: { ...process.env, APPIMAGE_SILENT_INSTALL: 'true' },
  });
  child.unref();
  return child;
}
