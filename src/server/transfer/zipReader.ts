import { stat } from 'node:fs/promises';
import { pipeline, Readable, Transform } from 'node:stream';
import { crc32 } from 'node:zlib';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { AppError } from '../../shared/errors.ts';
import type { Tree, TreeFile } from './tree.ts';

/** What an archive may be. Sizes are those that it declares, which are held to when it is unpacked. */
export interface ZipLimits {
  readonly maxEntries: number;
  /** Less than this may unpack to any multiple of the archive. */
  readonly smallBytes: number;
  readonly maxRatio: number;
}

export const ZIP_LIMITS: ZipLimits = { maxEntries: 200_000, smallBytes: 256 * 1024 * 1024, maxRatio: 200 };

const UNIX = 3;
const SYMBOLIC_LINK = 0o120000;
const FILE_TYPE = 0o170000;

function isLink({ versionMadeBy, externalFileAttributes }: Entry): boolean {
  return versionMadeBy >> 8 === UNIX && ((externalFileAttributes >>> 16) & FILE_TYPE) === SYMBOLIC_LINK;
}

function refusal(entry: Entry): string | null {
  if (entry.isEncrypted()) return 'protected by a password';
  if (isLink(entry)) return 'a link';
  return entry.canDecodeFileData() ? null : 'packed in a way that is not known here';
}

/** Lets through what sums up to what the archive says; its length the reader itself holds to. */
function held(entry: Entry): Transform {
  let sum = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sum = crc32(chunk, sum);
      done(null, chunk);
    },
    flush(done) {
      done(sum === entry.crc32 ? null : new AppError('content-mismatch', 'it is damaged in the archive'));
    },
  });
}

function unpack(zip: ZipFile, entry: Entry): Readable {
  async function* unpacked(): AsyncGenerator<Buffer> {
    try {
      yield* (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new AppError('content-mismatch', `it is damaged in the archive: ${reason}`, { cause: error });
    }
  }
  const output = held(entry);
  // What fails shows on the stream that is returned.
  pipeline(Readable.from(unpacked(), { objectMode: false }), output, () => undefined);
  return output;
}

/** @throws AppError `payload-too-large` for more entries than can be, or more bytes than means well */
async function readEntries(zip: ZipFile, { maxEntries, smallBytes, maxRatio }: ZipLimits): Promise<Entry[]> {
  const tooMany = () => new AppError('payload-too-large', `the archive has more than ${maxEntries} entries`);
  if (zip.entryCount > maxEntries) throw tooMany();
  const entries: Entry[] = [];
  let total = 0;
  for await (const entry of zip.eachEntry()) {
    entries.push(entry);
    total += entry.uncompressedSize;
    if (entries.length > maxEntries) throw tooMany();
    if (total > smallBytes && total > maxRatio * zip.fileSize) {
      throw new AppError('payload-too-large', `the archive unpacks to more than ${maxRatio} times its size`);
    }
  }
  return entries;
}

/**
 * Opens a ZIP (also ZIP64) for reading entry by entry, without unpacking it anywhere.
 * @throws AppError `unsupported` for what is no whole ZIP, `payload-too-large` for one that is a bomb
 */
export async function openZip(path: string, overrides: Partial<ZipLimits> = {}): Promise<Tree> {
  // What cannot be read at all is no matter of the archive.
  await stat(path);
  const damaged = (error: unknown) => {
    if (error instanceof AppError) return error;
    const reason = error instanceof Error ? error.message : String(error);
    return new AppError('unsupported', `this is no ZIP that can be read: ${reason}`, { cause: error });
  };
  let zip: ZipFile;
  try {
    zip = await openPromise(path, { lazyEntries: true, autoClose: false });
  } catch (error) {
    throw damaged(error);
  }
  try {
    const files: TreeFile[] = [];
    const refused: { path: string; reason: string }[] = [];
    for (const entry of await readEntries(zip, { ...ZIP_LIMITS, ...overrides })) {
      const { fileName, uncompressedSize } = entry;
      const reason = refusal(entry);
      if (fileName.endsWith('/')) continue;
      if (reason !== null) refused.push({ path: fileName, reason });
      else {
        const modified = entry.getLastModDate();
        files.push({ path: fileName, size: uncompressedSize, modified, open: () => unpack(zip, entry) });
      }
    }
    return { files, refused, close: async () => zip.close() };
  } catch (error) {
    zip.close();
    throw damaged(error);
  }
}
