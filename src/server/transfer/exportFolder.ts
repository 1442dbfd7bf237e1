import { constants, createWriteStream } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../../shared/errors.ts';
import type { Database } from '../database/connection.ts';
import type { BlobStore } from '../storage/blobStore.ts';
import { type ExportFile, exportShelves, libraryFile, shelfFiles } from './exportTree.ts';
import { contentPath, currentPath, LIBRARY_FILE, LibraryFile } from './format.ts';
import type { LibrarySource } from './snapshot.ts';

export interface ExportResult {
  readonly shelves: number;
  readonly contents: number;
  readonly bytes: number;
  /** Files that were not there before. */
  readonly written: number;
  /** What could not be written, a line each. */
  readonly problems: readonly string[];
  /** Whether everything that an import needs is there. */
  readonly finished: boolean;
}

/** Times on disk are kept to the second everywhere. */
const isSameTime = (a: number, b: number) => Math.floor(a / 1000) === Math.floor(b / 1000);

async function isThere(path: string, { name, size, modified, sha256 }: ExportFile): Promise<boolean> {
  if (sha256 === null) return false;
  try {
    const found = await stat(path);
    if (!found.isFile() || found.size !== size) return false;
    // A content is what its name says, whichever of its versions is the first.
    return name === contentPath(sha256) || isSameTime(found.mtimeMs, modified.getTime());
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return false;
    throw error;
  }
}

/** Writes aside first: what has its name is whole. */
async function writeOne(target: string, file: ExportFile): Promise<void> {
  const path = join(target, file.name);
  const aside = `${path}.unfinished`;
  await mkdir(dirname(path), { recursive: true });
  try {
    const source = file.sha256 === null ? null : join(target, contentPath(file.sha256));
    // A document that is there now is a copy of its version, which was just checked.
    if (source !== null && source !== path) await copyFile(source, aside, constants.COPYFILE_FICLONE);
    else await pipeline(file.open(), createWriteStream(aside));
    await utimes(aside, file.modified, file.modified);
    await rename(aside, path);
  } catch (error) {
    await rm(aside, { force: true });
    throw error;
  }
}

/** Removes what an earlier export of the same library left below `shelves` and is there no more. */
async function removeStale(target: string, current: ReadonlySet<string>): Promise<void> {
  const root = join(target, 'shelves');
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ parentPath, name }) => join(parentPath, name));
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isDirectory() && !current.has(relative(target, path).split(sep).join('/'))) await rm(path);
  }
  for (const folder of folders.sort((a, b) => b.length - a.length)) {
    if ((await readdir(folder)).length === 0) await rm(folder, { recursive: true });
  }
}

/** Only an empty folder, or an earlier export of this very library, is written to. */
async function claimFolder(target: string, libraryId: string): Promise<void> {
  await mkdir(target, { recursive: true });
  if ((await readdir(target)).length === 0) return;
  try {
    const known = LibraryFile.parse(JSON.parse(await readFile(join(target, LIBRARY_FILE), 'utf8')));
    if (known.library.id === libraryId) return;
  } catch (error) {
    throw new AppError('conflict', `${target} is not empty and holds no export`, { cause: error });
  }
  throw new AppError('conflict', `${target} holds the export of another library`);
}

/**
 * Exports a library with everything that happened in it to a folder, in the form of `format.ts`. What is there already, whole
 * and from the same version, stays: an export that was interrupted goes on, and one that is repeated brings what is new.
 * @throws AppError `conflict` for a folder with something else in it
 */
export async function exportToFolder(options: {
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly library: LibrarySource;
  readonly target: string;
  readonly now: () => number;
}): Promise<ExportResult> {
  const { database, blobs, library, target, now } = options;
  await claimFolder(target, library.id);
  const at = now();
  const shelves = await exportShelves(database, library.id);
  const head = (finished: boolean) => `${JSON.stringify(libraryFile(library, shelves, at, finished), null, 2)}\n`;
  await writeFile(join(target, LIBRARY_FILE), head(false));
  await mkdir(join(target, 'shelves'), { recursive: true });
  const contents = new Set<string>();
  const paths = new Set<string>();
  const problems: string[] = [];
  let [bytes, written, isWhole] = [0, 0, true];
  for (const shelf of shelves) {
    for await (const file of shelfFiles(database, blobs, shelf, contents)) {
      paths.add(file.name);
      if (file.sha256 !== null && file.name === contentPath(file.sha256)) bytes += file.size ?? 0;
      if (await isThere(join(target, file.name), file)) continue;
      try {
        await writeOne(target, file);
        written += 1;
      } catch (error) {
        // A system that cannot have a document's name has its contents and its history nevertheless.
        if (!file.name.startsWith(`${currentPath(shelf.folder)}/`)) isWhole = false;
        problems.push(`${file.name}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  }
  await removeStale(target, paths);
  if (isWhole) await writeFile(join(target, LIBRARY_FILE), head(true));
  return { shelves: shelves.length, contents: contents.size, bytes, written, problems, finished: isWhole };
}
