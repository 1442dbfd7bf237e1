import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { AppError } from '../../shared/errors.ts';
import { documentNameProblem, nameKey, normalizeName } from '../../shared/rules/names.ts';
import type { SeenFile } from '../search/shardProtocol.ts';
import type { IgnoreRules } from '../watch/ignoreRules.ts';
import { below } from '../watch/listing.ts';
import type { Pace } from '../watch/pace.ts';
import { scanFolder } from '../watch/scan.ts';
import { seeFile } from '../watch/seeFile.ts';
import type { BaseDocument, FileStamp, LocalFile } from './types.ts';

const CHUNK_BYTES = 1024 * 1024;
// Not blocking: a pipe that took a file's place must not hold anybody. Windows has neither flag.
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

export const isSameStamp = (a: FileStamp, b: FileStamp) =>
  a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs && a.inode === b.inode;

/** The place of a document in a folder. */
export const placeOf = (folder: string, name: string) => join(folder, ...name.split('/'));

/**
 * The SHA-256 of a file, and what it was when all of it had been read.
 * @throws AppError `folder-unavailable` for what cannot be read, is no regular file, or was written to meanwhile
 */
export async function hashFile(path: string): Promise<{ readonly sha256: string; readonly stamp: FileStamp }> {
  try {
    const handle = await open(path, FLAGS);
    try {
      const before = await handle.stat();
      if (!before.isFile()) throw new Error('not a regular file');
      const hash = createHash('sha256');
      const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(1, before.size)));
      let length = 0;
      for (let read = await handle.read(buffer); read.bytesRead > 0; read = await handle.read(buffer)) {
        hash.update(buffer.subarray(0, read.bytesRead));
        length += read.bytesRead;
      }
      const after = await handle.stat();
      const isStill = after.size === length && after.size === before.size && after.mtimeMs === before.mtimeMs;
      if (!isStill) throw new Error('written to while it was read');
      const { size, mtimeMs, ctimeMs, ino: inode } = after;
      return { sha256: hash.digest('hex'), stamp: { size, mtimeMs, ctimeMs, inode } };
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw new AppError('folder-unavailable', `${path} could not be read`, { cause: error, details: { name: path } });
  }
}

/** The key of a file whose name only this system tells from another's. */
export const twinKey = (name: string) => `${nameKey(name)}\0${name}`;

export interface Look {
  readonly folder: string;
  readonly rules: IgnoreRules;
  readonly pace: Pace;
  readonly isOver: () => boolean;
  /** Documents that are looked at whether or not a rule leaves their names out, by {@link nameKey}. */
  readonly documents: ReadonlyMap<string, BaseDocument>;
  /** Hashes by path of what changed since its version came, so that it is not read at every look. */
  readonly hashes: Map<string, { readonly stamp: FileStamp; readonly sha256: string }>;
}

function problemOf(seen: SeenFile): LocalFile['problem'] {
  if (seen.skip === undefined) return null;
  return seen.skip.code === 'not-a-file' ? 'not-a-file' : 'unreadable';
}

/**
 * What is in the folder of a checkout, by {@link nameKey}. Files are read only where size or times say that they are not what
 * they were.
 * @throws AppError `folder-unavailable` when a part of it does not answer: nothing may look deleted then; `cancelled`
 */
export async function lookAtFiles({
  folder,
  rules,
  pace,
  isOver,
  documents,
  hashes,
}: Look): Promise<ReadonlyMap<string, LocalFile>> {
  const seen: SeenFile[] = [];
  const { unanswered, isPartial } = await scanFolder({
    folder,
    root: folder,
    rules,
    pace,
    onFile: (file) => seen.push(file),
    isOver,
  });
  if (isPartial) throw new AppError('cancelled', 'the look was given up');
  if (unanswered.length > 0) {
    throw new AppError('folder-unavailable', 'a part of the folder does not answer', { details: { folder } });
  }
  const inside = below(folder);
  const nameAt = (path: string) => path.slice(inside.length).split(sep).join('/');
  const found = new Map<string, LocalFile>();
  const paths = new Set<string>();
  /** Nearly every file is called just as its document: no rule need be looked at, and no name folded. */
  const keys = new Map([...documents].map(([key, { name }]) => [name, key]));

  async function add(file: SeenFile): Promise<void> {
    const given = nameAt(file.path);
    const knownKey = keys.get(given);
    const name = knownKey === undefined ? normalizeName(given) : given;
    const key = knownKey ?? nameKey(name);
    const { path, size, mtimeMs, ctimeMs, inode } = file;
    const stamp = { size, mtimeMs, ctimeMs, inode };
    paths.add(path);
    const known = documents.get(key);
    let problem = problemOf(file);
    if (knownKey === undefined && documentNameProblem(name) !== null) problem ??= 'name';
    let sha256 = problem === null ? knownHash(path, stamp, known) : null;
    if (problem === null && sha256 === null) {
      try {
        const hashed = await hashFile(path);
        hashes.set(path, hashed);
        sha256 = hashed.sha256;
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        problem = 'unreadable';
      }
    }
    const local: LocalFile = { name, path, stamp, sha256, problem };
    const twin = found.get(key);
    if (twin === undefined) found.set(key, local);
    else {
      // Names that only this system tells apart: the one that the shelf knows counts, or the first.
      const [kept, other] = known?.name === name ? [local, twin] : [twin, local];
      found.set(key, kept);
      found.set(twinKey(other.name), { ...other, sha256: null, problem: 'twin' });
    }
  }

  /** What a file held when it was read last, if nothing tells it from then; null where it has to be read. */
  function knownHash(path: string, stamp: FileStamp, known: BaseDocument | undefined): string | null {
    if (known?.stamp !== null && known?.stamp !== undefined && isSameStamp(known.stamp, stamp)) return known.sha256;
    const before = hashes.get(path);
    return before !== undefined && isSameStamp(before.stamp, stamp) ? before.sha256 : null;
  }

  seen.sort((a, b) => (a.path < b.path ? -1 : 1));
  for (const file of seen) {
    if (isOver()) throw new AppError('cancelled', 'the look was given up');
    await add(file);
  }
  // A folder that may not be read stands for all that is below it.
  const closed = seen.filter((file) => file.skip?.code === 'not-readable').map(({ path }) => path + sep);
  for (const [key, { name }] of documents) {
    if (found.has(key)) continue;
    const path = placeOf(folder, name);
    const closedBy = closed.find((prefix) => path.startsWith(prefix));
    const there = closedBy === undefined ? seeFile(path, folder) : null;
    if (closedBy !== undefined) {
      const stamp = { size: 0, mtimeMs: 0, ctimeMs: 0, inode: 0 };
      found.set(key, { name, path, stamp, sha256: null, problem: 'unreadable' });
    } else if (there !== null && there !== 'folder') await add(there);
  }
  for (const path of hashes.keys()) if (!paths.has(path)) hashes.delete(path);
  return found;
}
