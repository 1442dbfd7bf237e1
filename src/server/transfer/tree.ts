import type { Dirent } from 'node:fs';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { AppError } from '../../shared/errors.ts';
import { openZip } from './zipReader.ts';

/** A file that can be imported. */
export interface TreeFile {
  /** Its path below the folder, or in the archive, as it is written there; folders apart by `/`. */
  readonly path: string;
  readonly size: number;
  readonly modified: Date;
  /** Fails with an error for what is damaged, or changed meanwhile. */
  open(): Readable;
}

/** A folder or an archive of files. */
export interface Tree {
  readonly files: readonly TreeFile[];
  /** What is no file that could be imported, and why. */
  readonly refused: readonly { readonly path: string; readonly reason: string }[];
  close(): Promise<void>;
}

/** More folders in folders than anybody has. */
const MAX_DEPTH = 100;

/** Links are not followed: they may lead anywhere, and around in circles. */
async function openFolder(root: string): Promise<Tree> {
  const files: TreeFile[] = [];
  const refused: { path: string; reason: string }[] = [];

  async function add(entry: Dirent, path: string): Promise<void> {
    const full = join(root, path);
    if (!entry.isFile()) {
      refused.push({ path, reason: entry.isSymbolicLink() ? 'a link' : 'no regular file' });
      return;
    }
    const { size, mtime } = await stat(full);
    files.push({ path, size, modified: mtime, open: () => createReadStream(full) });
  }

  async function walk(folder: string, depth: number): Promise<void> {
    const entries = await readdir(join(root, folder), { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      try {
        if (!entry.isDirectory()) await add(entry, path);
        else if (depth < MAX_DEPTH) await walk(path, depth + 1);
        else refused.push({ path, reason: `more than ${MAX_DEPTH} folders in each other` });
      } catch (error) {
        refused.push({ path, reason: error instanceof Error ? error.message : String(error) });
      }
    }
  }

  // The folder itself has to be readable; what is in it may not be.
  await readdir(root);
  await walk('', 0);
  return { files, refused, close: async () => undefined };
}

/**
 * Opens a folder or a ZIP file to be imported.
 * @throws AppError `not-found`, `unsupported` for what is neither, `payload-too-large` for an archive that unpacks to too much
 */
export async function openTree(path: string): Promise<Tree> {
  let isFolder: boolean;
  try {
    isFolder = (await stat(path)).isDirectory();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new AppError('not-found', `there is no ${path}`, { cause: error });
  }
  return isFolder ? openFolder(path) : openZip(path);
}
