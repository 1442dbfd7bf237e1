import { extname } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { AppError } from '../../shared/errors.ts';

/** A file of an archive, whose content is asked for when its turn comes. */
export interface ArchiveEntry {
  /** Its path, folders apart by `/`. */
  readonly name: string;
  readonly modified: Date;
  /** Bytes, where they are known beforehand: another length is an error then. */
  readonly size: number | null;
  open(): Readable;
}

/** What does not get smaller. */
const PACKED = new Set(
  (
    'docx docm dotx xlsx xlsm pptx pptm ppsx odt ott ods odp epub pdf zip gz tgz bz2 xz zst 7z rar jar jpg jpeg png gif webp ' +
    'heic avif mp3 m4a ogg opus flac mp4 m4v mov webm mkv avi woff woff2'
  )
    .split(' ')
    .map((extension) => `.${extension}`),
);

/**
 * A ZIP of files, as a stream that is made while it is read: nothing is kept anywhere. It ends in an error, and never as an
 * archive that lacks something, when a content fails; whoever stops reading stops the reading of contents.
 */
export function zipStream(entries: Iterable<ArchiveEntry> | AsyncIterable<ArchiveEntry>): Readable {
  const zip = new ZipFile();
  const output = new PassThrough();
  zip.outputStream.pipe(output);
  let current: Readable | null = null;

  async function fill(): Promise<void> {
    for await (const { name, modified, size, open } of entries) {
      if (output.destroyed) return;
      current = open();
      const isPacked = PACKED.has(extname(name).toLowerCase());
      const known = size === null ? {} : { size };
      // What a system cannot unpack is no date of an archive: its times begin in 1980.
      zip.addReadStream(current, name, { mtime: modified, compress: !isPacked, mode: 0o100644, ...known });
      await finished(current, { writable: false });
    }
    zip.end();
  }

  zip.once('error', (error: unknown) => output.destroy(error instanceof Error ? error : new Error(String(error))));
  output.once('close', () => current?.destroy());
  fill().catch((error: unknown) =>
    output.destroy(new AppError('storage-unavailable', 'a content could not be read', { cause: error })),
  );
  return output;
}
