import { lstatSync, type Stats } from 'node:fs';
import type { SeenFile } from '../search/shardProtocol.ts';

const GONE = ['ENOENT', 'ENOTDIR'];

/** What the system says of a folder that is there but may not be read: no state of a drive that will pass. */
const FORBIDDEN = ['EACCES', 'EPERM', 'ENAMETOOLONG', 'ELOOP'];

/** The code of a system's error, empty for any other. */
export const errorCode = (error: unknown) => (error as NodeJS.ErrnoException).code ?? '';

/** Whether an error says that nothing is there. */
export const isGone = (error: unknown) => GONE.includes(errorCode(error));

/** Whether an error may pass, as that of a network drive that does not answer: what was known stays so. */
export const mayPass = (error: unknown) => !isGone(error) && !FORBIDDEN.includes(errorCode(error));

/** Whether nothing tells two looks at a path apart. */
export const isSameState = (a: SeenFile, b: SeenFile) =>
  a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs && a.inode === b.inode;

/** A name that is not UTF-8 is read with replacement characters, and under that name nothing is there. */
const isUnnameable = (path: string) => path.includes('\uFFFD');

function kindOf(stats: Stats): string {
  if (stats.isSymbolicLink()) return 'A symbolic link, which is not followed.';
  if (stats.isFIFO()) return 'A named pipe.';
  if (stats.isSocket()) return 'A socket.';
  return 'A device.';
}

function failureOf(error: unknown, what: 'file' | 'folder'): string {
  const code = errorCode(error);
  if (code === 'ENAMETOOLONG') return 'The path is longer than this system allows.';
  return what === 'folder' ? `The folder is not readable (${code}).` : `Not readable (${code}).`;
}

function unread(path: string, root: string, reason: string, passes = false): SeenFile {
  const skip = { code: 'not-readable', reason, mayPass: passes } as const;
  return { path, root, size: 0, mtimeMs: 0, ctimeMs: 0, inode: 0, skip };
}

/** How something that could not be looked at stands in the list of what is not searched; null when nothing is there. */
export function seeFailure(path: string, root: string, error: unknown, what: 'file' | 'folder'): SeenFile | null {
  if (!isGone(error)) return unread(path, root, failureOf(error, what), mayPass(error));
  return isUnnameable(path)
    ? unread(path, root, `The name is not valid UTF-8; rename the ${what} to have it searched.`)
    : null;
}

/** One path as the index should see it: a file, something that is listed with a reason, or null when nothing is there. */
export function seeFile(path: string, root: string): SeenFile | 'folder' | null {
  let stats: Stats;
  try {
    stats = lstatSync(path);
  } catch (error) {
    return seeFailure(path, root, error, 'file');
  }
  if (stats.isDirectory()) return 'folder';
  const { size, mtimeMs, ctimeMs, ino: inode } = stats;
  const seen = { path, root, size, mtimeMs, ctimeMs, inode };
  return stats.isFile() ? seen : { ...seen, size: 0, skip: { code: 'not-a-file', reason: kindOf(stats) } };
}
