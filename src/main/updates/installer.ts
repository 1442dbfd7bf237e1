import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { AppUpdater, UpdateInfo } from 'electron-updater';
import { CancellationToken } from 'electron-updater/out/types.js';
import type { Logger } from 'pino';
import { AppError, type ErrorCode, isAppError } from '../../shared/errors.ts';
import type { FeedExecutor } from './feedExecutor.ts';
import type { OfferedUpdate } from './updateFlow.ts';

/** What finds, fetches and installs updates; failures are AppErrors. */
export interface Installer {
  /** What the feed offers that is newer than this version; null where nothing is. */
  check(): Promise<OfferedUpdate | null>;
  /** Fetches what `check` found, unless it was fetched before. @throws AppError `cancelled` once `signal` stops it; nothing is left of it then */
  download(onProgress: (percent: number) => void, signal: AbortSignal): Promise<void>;
  /** Whether the file on the disk is the one that the feed named. @throws AppError `content-mismatch` */
  verify(): Promise<void>;
  /** Puts the new version in the place of this one and quits; tells where it could not. */
  install(onFailure: (error: AppError) => void): Promise<void>;
}

export interface InstallerOptions {
  readonly updater: AppUpdater;
  readonly executor: FeedExecutor;
  /** Ending of the file that this kind of installation is made from. */
  readonly extension: 'exe' | 'AppImage' | 'zip';
  /** Where updates are looked for at present, or null while there is no server. */
  readonly feed: () => string | null;
  readonly log: Logger;
}

/** SHA-512 in base64, as feeds give it. */
const SHA512 = /^[A-Za-z0-9+/]{86}==$/u;

/** What the library's errors and the system's mean to the person. */
const CODES: Readonly<Record<string, ErrorCode>> = {
  ERR_CHECKSUM_MISMATCH: 'content-mismatch',
  ERR_UPDATER_NO_CHECKSUM: 'content-mismatch',
  ERR_UPDATER_INVALID_SIGNATURE: 'content-mismatch',
  ERR_UPDATER_INVALID_UPDATE_INFO: 'unsupported',
  ERR_UPDATER_INVALID_VERSION: 'unsupported',
  ERR_UPDATER_NO_FILES_PROVIDED: 'unsupported',
  ENOSPC: 'storage-full',
  EDQUOT: 'storage-full',
  EFBIG: 'storage-full',
  EACCES: 'storage-unavailable',
  EPERM: 'storage-unavailable',
  EROFS: 'storage-unavailable',
};

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

function asAppError(error: unknown): AppError {
  if (isAppError(error)) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new AppError(CODES[codeOf(error)] ?? 'server-unreachable', message, { cause: error });
}

async function sha512(file: string): Promise<string> {
  const hash = createHash('sha512');
  await pipeline(createReadStream(file), hash);
  return hash.digest('base64');
}

/** The installer over electron-updater, told what it may and may not do by itself. */
export function createInstaller({ updater, executor, extension, feed, log }: InstallerOptions): Installer {
  // Nothing happens that the person was not told of: see field.md §5 on installing at quitting.
  updater.autoDownload = false;
  updater.autoInstallOnAppQuit = false;
  updater.autoRunAppAfterInstall = true;
  updater.allowDowngrade = false;
  updater.allowPrerelease = false;
  updater.disableWebInstaller = true;
  // Our feed has whole files only.
  updater.disableDifferentialDownload = true;
  const told = log.child({ scope: 'updater' });
  updater.logger = {
    info: (text: unknown) => told.info(String(text)),
    warn: (text: unknown) => told.warn(String(text)),
    error: (text: unknown) => told.error(String(text)),
  };
  Object.assign(updater, { httpExecutor: executor });

  let address: string | null = null;
  let downloaded: { readonly file: string; readonly sha512: string } | null = null;
  let onFault: (error: AppError) => void = () => undefined;
  // Without a listener an event of this name would be thrown.
  updater.on('error', (error) => onFault(asAppError(error)));

  function follow(): void {
    const next = feed();
    if (next === null) throw new AppError('server-unreachable', 'no server was chosen');
    if (next === address) return;
    address = next;
    executor.origin = new URL(next).origin;
    updater.setFeedURL({ provider: 'generic', url: next });
  }

  function fileOf({ files }: UpdateInfo): UpdateInfo['files'][number] | null {
    const suitable = files.filter(({ url }) => url.toLowerCase().endsWith(`.${extension.toLowerCase()}`));
    const [file = null] = suitable;
    if (suitable.some((each) => !SHA512.test(each.sha512))) {
      throw new AppError('content-mismatch', 'the feed names a file without a SHA-512');
    }
    if (suitable.some(({ url }) => /[/\\:]/u.test(decoded(url)))) {
      throw new AppError('forbidden', 'the feed names a file that does not lie beside it');
    }
    return file;
  }

  return {
    async check() {
      try {
        follow();
        const result = await updater.checkForUpdates();
        if (result === null || !result.isUpdateAvailable) return null;
        const { updateInfo } = result;
        if (!Array.isArray(updateInfo.files)) throw new AppError('unsupported', 'the feed lists no files');
        return fileOf(updateInfo) === null
          ? null
          : { version: updateInfo.version, releaseDate: updateInfo.releaseDate ?? null };
      } catch (error) {
        // A server that has published nothing has no feed.
        if (codeOf(error) === 'ERR_UPDATER_CHANNEL_FILE_NOT_FOUND') return null;
        throw asAppError(error);
      }
    },
    async download(onProgress, signal) {
      const token = new CancellationToken();
      const cancel = () => token.cancel();
      const onEach = ({ percent }: { readonly percent: number }) => onProgress(percent);
      let known: UpdateInfo | null = null;
      const onDownloaded = (info: UpdateInfo) => {
        known = info;
      };
      updater.on('download-progress', onEach);
      updater.on('update-downloaded', onDownloaded);
      signal.addEventListener('abort', cancel, { once: true });
      try {
        signal.throwIfAborted();
        const [file] = await updater.downloadUpdate(token);
        // The library picked one of several files by the processor; what it took is the one of that name.
        const named = (known as UpdateInfo | null)?.files.find(({ url }) => nameIn(url) === nameIn(file ?? ''));
        if (file === undefined || named === undefined) throw new AppError('internal', 'no file was downloaded');
        downloaded = { file, sha512: named.sha512 };
      } catch (error) {
        throw signal.aborted ? new AppError('cancelled', 'the download was stopped') : asAppError(error);
      } finally {
        signal.removeEventListener('abort', cancel);
        updater.off('download-progress', onEach);
        updater.off('update-downloaded', onDownloaded);
      }
    },
    async verify() {
      if (downloaded === null) throw new AppError('internal', 'no file was downloaded');
      let found: string;
      try {
        found = await sha512(downloaded.file);
      } catch (error) {
        throw new AppError('content-mismatch', 'the downloaded file has gone', { cause: error });
      }
      if (found !== downloaded.sha512) throw new AppError('content-mismatch', 'the downloaded file was changed');
    },
    async install(onFailure) {
      onFault = onFailure;
      updater.quitAndInstall(true, true);
    },
  };
}

/** The last part of an address or path. */
function nameIn(place: string): string {
  return decoded(place.split(/[/\\]/u).at(-1) ?? '');
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    // A name with a bare percent sign stands for itself.
    return name;
  }
}
