import { createHash, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, copyFile, link, lstat, mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { AppError } from '../../shared/errors.ts';
import { conflictName } from '../../shared/rules/conflictName.ts';
import { CHECKOUT_FOLDER } from '../watch/ignoreRules.ts';
import { errorCode, isGone } from '../watch/seeFile.ts';
import { hashFile, placeOf } from './localFiles.ts';
import type { FileStamp, LocalFile, RemoteDocument } from './types.ts';

/** Where versions wait until they are whole. */
const INCOMING = join(CHECKOUT_FOLDER, 'incoming');
/** Where copies are while another takes their place, under the same names. */
const TAKEN = join(CHECKOUT_FOLDER, 'taken');

/** What became of a place that was to change. `edited`: somebody was faster, and the place is left as it is. */
export type Placed = 'placed' | 'edited' | 'unwritable';

/** Whether a copy that was moved aside is what was looked at; its own change of name is no change. */
const isStill = (stats: { size: number; mtimeMs: number; ino: number }, stamp: FileStamp) =>
  stats.size === stamp.size && stats.mtimeMs === stamp.mtimeMs && stats.ino === stamp.inode;

/** Errors of a place that cannot be written: they concern one document, and the others go on. */
const UNWRITABLE = [
  'EACCES',
  'EPERM',
  'EROFS',
  'ENAMETOOLONG',
  'EISDIR',
  'ENOTDIR',
  'ELOOP',
  'EBUSY',
  'EINVAL',
  'EEXIST',
];

/** Makes the folders above a place. A symbolic link among them would lead out of the checkout. */
async function makeFolders(root: string, path: string): Promise<void> {
  let folder = root;
  for (const segment of relative(root, dirname(path)).split(sep)) {
    if (segment === '') continue;
    folder = join(folder, segment);
    try {
      await mkdir(folder);
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
      if (!(await lstat(folder)).isDirectory()) {
        throw Object.assign(new Error(`${folder} is no folder`), { code: 'ENOTDIR' });
      }
    }
  }
}

/** Folders that have become empty go with their last document. */
async function removeEmptyFolders(root: string, path: string): Promise<void> {
  for (let folder = dirname(path); folder !== root && folder.startsWith(root + sep); folder = dirname(folder)) {
    try {
      await rmdir(folder);
    } catch (error) {
      // Not empty, or not ours to remove.
      if (errorCode(error) === '') throw error;
      return;
    }
  }
}

/** Gives a file a place where nothing is; false where something is. */
async function moveToFree(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(errorCode(error))) throw error;
    // A file system without links.
    try {
      await copyFile(from, to, constants.COPYFILE_EXCL);
    } catch (failure) {
      if (errorCode(failure) === 'EEXIST') return false;
      throw failure;
    }
  }
  await rm(from, { force: true });
  return true;
}

/** The name of a path within the checkout. */
const nameOf = (root: string, path: string) => relative(root, path).split(sep).join('/');

/** Puts a copy that was taken aside back; beside its place, under a name that says so, where something new is there. */
async function putBack(root: string, name: string, taken: string): Promise<void> {
  if (await moveToFree(taken, placeOf(root, name))) return;
  for (let at = Date.now(); ; at += 1000) {
    if (await moveToFree(taken, placeOf(root, conflictName(name, '', new Date(at))))) return;
  }
}

/** A copy that was taken aside. */
interface Aside {
  /** It is no longer needed. */
  drop(): Promise<void>;
  back(): Promise<void>;
}

/** Takes a copy aside if it is still what was looked at; null, with everything in its place, when it is not. */
async function takeAside(root: string, { path, stamp }: LocalFile): Promise<Aside | null> {
  const name = nameOf(root, path);
  // Each in a folder of its own, under its whole name: so it is known after a crash where it belongs.
  const folder = join(root, TAKEN, randomUUID());
  const taken = placeOf(folder, name);
  await mkdir(dirname(taken), { recursive: true });
  const drop = () => rm(folder, { recursive: true, force: true });
  const back = async () => {
    await putBack(root, name, taken);
    await drop();
  };
  try {
    await rename(path, taken);
  } catch (error) {
    await drop();
    if (isGone(error)) return null;
    throw error;
  }
  if (isStill(await lstat(taken), stamp)) return { drop, back };
  await back();
  return null;
}

/** Runs a change of one place; what the system refuses there concerns this place alone. */
async function attempt(change: () => Promise<Placed>): Promise<Placed> {
  try {
    return await change();
  } catch (error) {
    if (UNWRITABLE.includes(errorCode(error))) return 'unwritable';
    throw errorCode(error) === 'ENOSPC' ? storageFull(error) : error;
  }
}

const storageFull = (cause: unknown) => new AppError('storage-full', 'the disk is full', { cause });

/**
 * Brings the content of a version into the checkout's own folder, verified and safe from a loss of power.
 * @param openContent makes what gives the content, when it is listened to: a stream that fails before that ends the process
 * @returns where it waits for its place
 * @throws AppError `content-mismatch`, `storage-full`
 */
export async function receive(
  root: string,
  { versionId, sha256, updatedAt }: Pick<RemoteDocument, 'versionId' | 'sha256' | 'updatedAt'>,
  openContent: () => AsyncIterable<Uint8Array>,
): Promise<string> {
  const incoming = join(root, INCOMING, versionId);
  await mkdir(dirname(incoming), { recursive: true });
  const handle = await open(incoming, 'w');
  let isWhole = false;
  try {
    const hash = createHash('sha256');
    for await (const chunk of openContent()) {
      hash.update(chunk);
      await handle.writeFile(chunk);
    }
    if (hash.digest('hex') !== sha256) {
      throw new AppError('content-mismatch', 'a version arrived that is not what it should be');
    }
    await handle.sync();
    const moment = new Date(updatedAt);
    await handle.utimes(moment, moment);
    isWhole = true;
  } catch (error) {
    throw errorCode(error) === 'ENOSPC' ? storageFull(error) : error;
  } finally {
    await handle.close();
    if (!isWhole) await rm(incoming, { force: true });
  }
  return incoming;
}

/** Makes the folders of a document's place. @returns whether it can be put there, as far as that can be told before it is fetched */
export async function canPlace(root: string, name: string): Promise<boolean> {
  const placed = await attempt(async () => {
    const path = placeOf(root, name);
    await makeFolders(root, path);
    await access(dirname(path), constants.W_OK);
    try {
      await lstat(path);
    } catch (error) {
      if (!isGone(error)) throw error;
    }
    return 'placed';
  });
  return placed === 'placed';
}

/**
 * Puts a file at the place of a document, in the stead of the copy that was looked at or of none. What came there meanwhile
 * stays, and nothing is ever written over. `incoming` is gone afterwards, whatever became of it.
 */
export async function place(root: string, name: string, incoming: string, local: LocalFile | null): Promise<Placed> {
  try {
    return await attempt(async () => {
      const path = local?.path ?? placeOf(root, name);
      await makeFolders(root, path);
      const aside = local === null ? null : await takeAside(root, local);
      if (local !== null && aside === null) return 'edited';
      let isPlaced = false;
      try {
        isPlaced = await moveToFree(incoming, path);
      } finally {
        if (isPlaced) await aside?.drop();
        else await aside?.back();
      }
      return isPlaced ? 'placed' : 'edited';
    });
  } finally {
    await rm(incoming, { force: true });
  }
}

/** Removes the copy that was looked at, and folders that become empty by that. */
export function remove(root: string, local: LocalFile): Promise<Placed> {
  return attempt(async () => {
    const aside = await takeAside(root, local);
    if (aside === null) return 'edited';
    await aside.drop();
    await removeEmptyFolders(root, local.path);
    return 'placed';
  });
}

/** Gives a copy another name, so that both sides of a conflict are kept. */
export function moveBeside(root: string, local: LocalFile, username: string, at: Date): Promise<Placed> {
  return attempt(async () => {
    return (await moveToFree(local.path, placeOf(root, conflictName(nameOf(root, local.path), username, at))))
      ? 'placed'
      : 'edited';
  });
}

/**
 * After a crash: copies that had been taken aside go back to their places, and what had not come whole is forgotten.
 * @param isVersion whether a content is the version that a document of this name came from, so that nothing is lost by it
 */
export async function tidy(root: string, isVersion: (name: string, sha256: string) => boolean): Promise<void> {
  await rm(join(root, INCOMING), { recursive: true, force: true });
  const asides = join(root, TAKEN);
  for (const aside of await namesIn(asides)) {
    const folder = join(asides, aside);
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    for (const entry of entries.filter((each) => each.isFile())) {
      const taken = join(entry.parentPath, entry.name);
      const name = nameOf(folder, taken);
      const path = placeOf(root, name);
      await makeFolders(root, path);
      if (await moveToFree(taken, path)) continue;
      if (!isVersion(name, (await hashFile(taken)).sha256)) await putBack(root, name, taken);
    }
    await rm(folder, { recursive: true, force: true });
  }
  await rm(asides, { recursive: true, force: true });
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isGone(error)) return [];
    throw error;
  }
}
