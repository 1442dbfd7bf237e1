import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../../shared/errors.ts';

/** What a blob has to be for it to be kept. */
export interface ExpectedBlob {
  readonly sha256: string;
  readonly size: number;
}

/** Contents by their SHA-256. A blob is whole and right, or it is not there. */
export interface BlobStore {
  /** @throws AppError `content-mismatch` when what came is not what was announced. */
  put(body: Readable, expected: ExpectedBlob): Promise<void>;
  has(sha256: string): Promise<boolean>;
  /** Streams a blob, or bytes `start` to `end` of it, both included. */
  read(sha256: string, range?: { readonly start: number; readonly end: number }): Readable;
}

/** A folder as the store: `blobs/ab/cd/abcd…`. Files are written aside, flushed, and moved into place. */
export function createFolderBlobStore(folder: string): BlobStore {
  const incoming = join(folder, 'incoming');
  const pathOf = (sha256: string) => join(folder, 'blobs', sha256.slice(0, 2), sha256.slice(2, 4), sha256);

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

  return {
    async put(body, { sha256, size }) {
      await mkdir(incoming, { recursive: true });
      const temporary = join(incoming, randomUUID());
      const hash = createHash('sha256');
      let length = 0;
      const measured = new Transform({
        transform(chunk: Buffer, _encoding, done) {
          length += chunk.length;
          if (length > size) {
            done(new AppError('content-mismatch', 'the content is longer than was announced'));
            return;
          }
          hash.update(chunk);
          done(null, chunk);
        },
      });
      const handle = await open(temporary, 'wx');
      try {
        await pipeline(body, measured, handle.createWriteStream({ flush: true }));
        if (length !== size || hash.digest('hex') !== sha256) {
          throw new AppError('content-mismatch', 'the content is not what was announced');
        }
        const target = pathOf(sha256);
        await mkdir(dirname(target), { recursive: true });
        await rename(temporary, target);
        await syncFolder(dirname(target));
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
    },
    async has(sha256) {
      try {
        return (await stat(pathOf(sha256))).isFile();
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
        throw error;
      }
    },
    read: (sha256, range) => createReadStream(pathOf(sha256), range === undefined ? {} : range),
  };
}
