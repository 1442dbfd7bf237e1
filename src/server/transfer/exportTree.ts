import { createHash } from 'node:crypto';
import { pipeline, Readable, Transform } from 'node:stream';
import { AppError } from '../../shared/errors.ts';
import { documentNameProblem, nameKey, nameProblem } from '../../shared/rules/names.ts';
import type { ArchiveEntry } from '../archive/zipStream.ts';
import type { Database } from '../database/connection.ts';
import type { BlobStore } from '../storage/blobStore.ts';
import {
  contentPath,
  currentPath,
  FORMAT_VERSION,
  type HistoryFile,
  historyPath,
  historyText,
  type LibraryFile,
} from './format.ts';
import { type LibrarySource, shelvesOf, snapshotOf } from './snapshot.ts';

/** A file of an export. */
export interface ExportFile extends ArchiveEntry {
  /** Hash of its content, which is a blob; null for the export's own files. */
  readonly sha256: string | null;
}

/** A shelf of an export and the folder that it stands in. */
export interface ExportShelf {
  readonly id: string;
  readonly name: string;
  readonly folder: string;
}

/** Shelves with their folders: their names, unless a name is none that every system can have. */
export async function exportShelves(database: Database, libraryId: string): Promise<ExportShelf[]> {
  const shelves = await shelvesOf(database, libraryId);
  return shelves.map(({ id, name }) => ({ id, name, folder: nameProblem(name) === null ? name : id }));
}

export function libraryFile(
  { id, name, owner, archived, created_at }: LibrarySource,
  shelves: readonly ExportShelf[],
  at: number,
  finished: boolean,
): LibraryFile {
  return {
    format: 'armarium-library',
    version: FORMAT_VERSION,
    exported_at: new Date(at).toISOString(),
    finished,
    library: { id, name, owner, archived, created_at },
    shelves: [...shelves],
  };
}

/** A blob that is checked as it is read: one that is not what its name says ends in an error. */
function readVerified(blobs: BlobStore, sha256: string): Readable {
  const hash = createHash('sha256');
  const check = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
    flush(done) {
      const isRight = hash.digest('hex') === sha256;
      done(isRight ? null : new AppError('content-mismatch', `the content ${sha256} is damaged`));
    },
  });
  // What fails shows on the stream that is returned.
  pipeline(blobs.read(sha256), check, () => undefined);
  return check;
}

/** The documents that can stand side by side as files: a file cannot have the name of a folder. */
function currentDocuments({ documents }: HistoryFile) {
  const current = documents.filter(({ deleted, name }) => !deleted && documentNameProblem(name) === null);
  const folders = new Set(
    current.flatMap(({ name }) => {
      const segments = nameKey(name).split('/');
      return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join('/'));
    }),
  );
  return current.filter(({ name }) => !folders.has(nameKey(name)));
}

/** The files of a shelf; contents that are in `written` are not given again. */
export async function* shelfFiles(
  database: Database,
  blobs: BlobStore,
  shelf: ExportShelf,
  written: Set<string>,
): AsyncGenerator<ExportFile> {
  const history = await snapshotOf(database, shelf.id);
  const updated = new Date(history.shelf.updated_at);
  const versionOf = new Map(history.versions.map((version) => [`${version.document_id} ${version.number}`, version]));
  for (const { sha256, size, created_at } of history.versions) {
    if (written.has(sha256)) continue;
    written.add(sha256);
    const open = () => readVerified(blobs, sha256);
    yield { name: contentPath(sha256), modified: new Date(created_at), size, sha256, open };
  }
  for (const { id, name, current_version } of currentDocuments(history)) {
    const version = versionOf.get(`${id} ${current_version}`);
    if (version === undefined) continue;
    const { sha256, size, created_at } = version;
    const open = () => readVerified(blobs, sha256);
    yield { name: `${currentPath(shelf.folder)}/${name}`, modified: new Date(created_at), size, sha256, open };
  }
  // Last: where it is, all that it refers to is.
  const open = () => Readable.from(historyText(history), { objectMode: false });
  yield { name: historyPath(shelf.folder), modified: updated, size: null, sha256: null, open };
}
