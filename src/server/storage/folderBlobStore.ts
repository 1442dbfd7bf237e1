import { createHash, randomUUID } from 'node:crypto';
import { constants, createReadStream, type Stats } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError, isAppError } from '../../shared/errors.ts';
import { LIMITS } from '../../shared/rules/limits.ts';
import type { BlobStore, ExpectedBlob, PendingObject } from './blobStore.ts';
import type { SignedGrant, SignedUrls } from './signedUrls.ts';

/** A folder as the store, with the route that takes what its addresses allow. */
export interface FolderBlobStore extends BlobStore {
  /** Takes the body of a PUT that `grant` allows. Resolves when it would survive a power failure. */
  receive(grant: SignedGrant, body: Readable): Promise<void>;
}

/** Large enough that the disk is asked seldom, small enough that many transfers fit into memory. */
const CHUNK_BYTES = 1024 * 1024;
/** Files that are moved into place at once. */
const MOVES_AT_ONCE = 32;

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';

async function statOf(path: string): Promise<Stats | null> {
  try {
    return await stat(path);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

async function syncFolder(path: string): Promise<void> {
  // Windows cannot flush a folder, and keeps its entries without.
  if (process.platform === 'win32') return;
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Lets through what is not longer than announced, counting it, and hashing it when asked to. */
function measure(size: number, hashing: boolean) {
  const hash = hashing ? createHash('sha256') : null;
  let length = 0;
  const stream = new Transform({
    readableHighWaterMark: CHUNK_BYTES,
    writableHighWaterMark: CHUNK_BYTES,
    transform(chunk: Buffer, _encoding, done) {
      length += chunk.length;
      if (length > size) {
        done(new AppError('content-mismatch', 'the content is longer than was announced'));
        return;
      }
      hash?.update(chunk);
      done(null, chunk);
    },
  });
  return { stream, result: () => ({ size: length, sha256: hash?.digest('hex') ?? null }) };
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES })) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

const mismatch = (key?: string) =>
  new AppError(
    'content-mismatch',
    'the content is not what was announced',
    key === undefined ? {} : { details: { key } },
  );

const absent = (key: string) => new AppError('upload-incomplete', 'the content has not arrived', { details: { key } });

/** Bytes of part `part`, counted from 1. */
function partBytes(size: number, part: number): number {
  return Math.min(LIMITS.uploadPartBytes, size - (part - 1) * LIMITS.uploadPartBytes);
}

/**
 * Makes the store: blobs at `blobs/ab/cd/abcd…`, what arrives at `incoming/KEY`, or, for what comes in parts, at
 * `incoming/KEY.parts/data` with an empty file for each part that is there. An empty `incoming/KEY.finished` tells that a
 * key's content was verified, so that finishing it again, after a crash or beside one that was missing, is harmless.
 */
export function createFolderBlobStore(folder: string, signedUrls: SignedUrls): FolderBlobStore {
  const incoming = join(folder, 'incoming');
  const root = join(folder, 'blobs');
  const pathOf = (sha256: string) => join(root, sha256.slice(0, 2), sha256.slice(2, 4), sha256);
  const wholePath = (key: string) => join(incoming, key);
  const partsPath = (key: string) => join(incoming, `${key}.parts`);
  const finishedPath = (key: string) => join(incoming, `${key}.finished`);
  const folders = new Map<string, Promise<void>>();

  async function makeFolder(path: string): Promise<void> {
    await mkdir(path, { recursive: true });
    for (let made = path; made !== folder; made = dirname(made)) await syncFolder(dirname(made));
  }

  /** A folder whose entry would survive a power failure; whoever needs it meanwhile waits for that too. */
  function lastingFolder(path: string): Promise<void> {
    const known = folders.get(path);
    if (known !== undefined) return known;
    const made = makeFolder(path);
    folders.set(path, made);
    made.catch(() => folders.delete(path));
    return made;
  }

  /** Writes a verified file aside and moves it to `target`. */
  async function write(openBody: () => Readable, expected: ExpectedBlob, target: string): Promise<void> {
    await mkdir(incoming, { recursive: true });
    const temporary = join(incoming, `${randomUUID()}.unfinished`);
    const measured = measure(expected.size, true);
    try {
      const handle = await open(temporary, 'wx');
      const file = handle.createWriteStream({ flush: true, highWaterMark: CHUNK_BYTES });
      await pipeline(openBody(), measured.stream, file);
      const { size, sha256 } = measured.result();
      if (size !== expected.size || sha256 !== expected.sha256) throw mismatch();
      await rename(temporary, target);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }

  async function receivePart({ key, size, part }: SignedGrant & { part: number }, body: Readable): Promise<void> {
    const aside = partsPath(key);
    await mkdir(aside, { recursive: true });
    const expected = partBytes(size, part);
    const measured = measure(expected, false);
    // A part that is sent again counts once it is there anew.
    const marker = join(aside, String(part));
    await rm(marker, { force: true });
    // Made if it is not there, and never cut: other parts are being written at the same time.
    const handle = await open(join(aside, 'data'), constants.O_RDWR | constants.O_CREAT);
    const start = (part - 1) * LIMITS.uploadPartBytes;
    await pipeline(body, measured.stream, handle.createWriteStream({ start, flush: true, highWaterMark: CHUNK_BYTES }));
    if (measured.result().size !== expected) throw mismatch();
    await (await open(marker, 'w')).close();
  }

  async function receivedParts(pending: PendingObject): Promise<number[]> {
    try {
      const names = await readdir(partsPath(pending.key));
      return names
        .filter((name) => /^\d+$/u.test(name))
        .map(Number)
        .sort((a, b) => a - b);
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  }

  /** Where a pending object lies whole, checked; null when it is not there, or not whole. */
  async function verified(pending: PendingObject): Promise<string | null> {
    if (pending.parts === 0) {
      // Its hash was checked as it came in, before it got this name.
      const path = wholePath(pending.key);
      return (await statOf(path))?.size === pending.size ? path : null;
    }
    if ((await receivedParts(pending)).length !== pending.parts) return null;
    const path = join(partsPath(pending.key), 'data');
    if ((await statOf(path))?.size !== pending.size || (await hashFile(path)) !== pending.sha256) {
      await rm(partsPath(pending.key), { recursive: true, force: true });
      throw mismatch(pending.key);
    }
    return path;
  }

  const isBlob = async ({ sha256, size }: ExpectedBlob) => (await statOf(pathOf(sha256)))?.size === size;

  async function wasFinished(pending: PendingObject): Promise<boolean> {
    return (await statOf(finishedPath(pending.key))) !== null && (await isBlob(pending));
  }

  async function move(pending: PendingObject): Promise<void> {
    const from = await verified(pending);
    if (from === null) throw absent(pending.key);
    const target = pathOf(pending.sha256);
    await lastingFolder(dirname(target));
    await (await open(finishedPath(pending.key), 'w')).close();
    await rename(from, target);
    if (pending.parts > 0) await rm(partsPath(pending.key), { recursive: true, force: true });
  }

  /** @returns the folder whose entries have to reach the disk */
  async function moveIntoPlace(pending: PendingObject): Promise<string> {
    try {
      await move(pending);
    } catch (error) {
      // Moved already: before a crash, by another request at the same time, or beside one that was missing.
      const isAbsent = isMissing(error) || isAppError(error, 'upload-incomplete');
      if (!isAbsent) throw error;
      if (!(await wasFinished(pending))) throw absent(pending.key);
    }
    return dirname(pathOf(pending.sha256));
  }

  return {
    async uploadUrl({ key, sha256, size }, part) {
      return signedUrls.sign({ key, sha256, size, part });
    },
    async receive(grant, body) {
      const { part } = grant;
      await (part === null ? write(() => body, grant, wholePath(grant.key)) : receivePart({ ...grant, part }, body));
    },
    receivedParts,
    async finish(pending) {
      const touched = new Set<string>();
      let failure: unknown = null;
      for (let from = 0; from < pending.length; from += MOVES_AT_ONCE) {
        const moved = await Promise.allSettled(pending.slice(from, from + MOVES_AT_ONCE).map(moveIntoPlace));
        for (const outcome of moved) {
          if (outcome.status === 'fulfilled') touched.add(outcome.value);
          else failure ??= outcome.reason;
        }
      }
      const folders = [...touched];
      for (let from = 0; from < folders.length; from += MOVES_AT_ONCE) {
        await Promise.all(folders.slice(from, from + MOVES_AT_ONCE).map(syncFolder));
      }
      if (failure !== null) throw failure;
    },
    async abandon(key) {
      await rm(wholePath(key), { force: true });
      await rm(finishedPath(key), { force: true });
      await rm(partsPath(key), { recursive: true, force: true });
    },
    async put(openBody, expected) {
      const target = pathOf(expected.sha256);
      await lastingFolder(dirname(target));
      await write(openBody, expected, target);
      await syncFolder(dirname(target));
    },
    size: async (sha256) => (await statOf(pathOf(sha256)))?.size ?? null,
    read: (sha256, range) => createReadStream(pathOf(sha256), range),
    remove: (sha256) => rm(pathOf(sha256), { force: true }),
    async *list() {
      await mkdir(root, { recursive: true });
      for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile() || !/^[0-9a-f]{64}$/u.test(entry.name)) continue;
        const found = await statOf(join(entry.parentPath, entry.name));
        if (found !== null) yield { sha256: entry.name, size: found.size };
      }
    },
    async sweep(olderThanMs) {
      await mkdir(incoming, { recursive: true });
      for (const name of await readdir(incoming)) {
        const path = join(incoming, name);
        const written = (await statOf(path))?.mtimeMs;
        // By the system's clock, which is what files are dated by.
        if (written !== undefined && Date.now() - written > olderThanMs)
          await rm(path, { recursive: true, force: true });
      }
    },
  };
}
