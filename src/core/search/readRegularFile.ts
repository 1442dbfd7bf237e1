import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import type { SkipCode } from '../extract/types.ts';
import { isShortage } from '../thread/shortage.ts';
import { errorCode } from '../watch/seeFile.ts';

/** Size of a buffer that serves nearly all files, one after the other. */
export const READ_BUFFER_BYTES = 1024 * 1024;

/** What is at a path: a file's bytes with what they were when it was opened, nothing, or something that is not read. */
export type FileRead =
  | {
      readonly kind: 'read';
      readonly bytes: Buffer;
      readonly size: number;
      readonly mtimeMs: number;
      readonly ctimeMs: number;
      readonly inode: number;
    }
  | { readonly kind: 'gone' }
  | { readonly kind: 'skip'; readonly code: SkipCode; readonly reason: string };

// Not blocking: a pipe that took a file's place must not hold the thread. Windows has neither flag.
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

const NOT_A_FILE: FileRead = { kind: 'skip', code: 'not-a-file', reason: 'Not a regular file.' };
const FORBIDDEN: FileRead = { kind: 'skip', code: 'not-readable', reason: 'You may not read the file.' };
const FAILURES: Readonly<Record<string, FileRead>> = {
  ENOENT: { kind: 'gone' },
  ENOTDIR: { kind: 'gone' },
  EACCES: FORBIDDEN,
  EPERM: FORBIDDEN,
  ELOOP: NOT_A_FILE,
  ENXIO: NOT_A_FILE,
  EISDIR: NOT_A_FILE,
};

/**
 * Reads a file that is known to have so many bytes, without asking the system about it first: most reading is of such.
 * @returns its bytes in the buffer, good until the next call; null when it has another length, or for any other reason to look closer
 */
export function readExpected(path: string, size: number, buffer: Buffer): Buffer | null {
  if (size >= buffer.length) return null;
  let descriptor: number;
  try {
    descriptor = openSync(path, FLAGS);
  } catch {
    return null;
  }
  try {
    return readSync(descriptor, buffer, 0, size + 1, null) === size ? buffer.subarray(0, size) : null;
  } catch {
    return null;
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Reads a regular file of at most `maxBytes`, whatever happens to it meanwhile. With `buffer`, the bytes may stand in it and
 * are good until the next call.
 * @throws when the system is short of file descriptors or memory.
 */
export function readRegularFile(path: string, maxBytes: number, buffer?: Buffer): FileRead {
  let descriptor: number | null = null;
  try {
    descriptor = openSync(path, FLAGS);
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) return NOT_A_FILE;
    if (stats.size > maxBytes) {
      const limit = Math.round(maxBytes / 1024 / 1024);
      return { kind: 'skip', code: 'too-large', reason: `Larger than ${limit} MB; only its name is searched.` };
    }
    const target = buffer !== undefined && stats.size <= buffer.length ? buffer : Buffer.allocUnsafeSlow(stats.size);
    let length = 0;
    while (length < stats.size) {
      const count = readSync(descriptor, target, length, stats.size - length, null);
      if (count === 0) break;
      length += count;
    }
    const { size, mtimeMs, ctimeMs, ino: inode } = stats;
    return { kind: 'read', bytes: target.subarray(0, length), size, mtimeMs, ctimeMs, inode };
  } catch (error) {
    if (isShortage(error)) throw error;
    const code = errorCode(error);
    return FAILURES[code] ?? { kind: 'skip', code: 'not-readable', reason: `Reading failed (${code}).` };
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}
