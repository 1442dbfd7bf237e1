import { open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { IGNORE_FILE } from '../core/watch/ignoreRules.ts';
import type { FolderIgnoreRules } from '../shared/bridge/index.ts';
import { AppError } from '../shared/errors.ts';

/** The rules at the top of each folder; none where there is no file. */
export function readIgnoreFiles(folders: readonly string[]): Promise<FolderIgnoreRules[]> {
  return Promise.all(
    folders.map(async (folder) => ({
      folder,
      // A folder on a drive that is away has no rules now.
      text: await readFile(join(folder, IGNORE_FILE), 'utf8').catch(() => ''),
    })),
  );
}

/**
 * Writes the rules of a folder, whole or not at all; without any the file goes.
 * @throws AppError `folder-unavailable`
 */
export async function saveIgnoreFile(folder: string, text: string): Promise<void> {
  const file = join(folder, IGNORE_FILE);
  const written = `${file}.tmp`;
  try {
    if (text.trim() === '') {
      await rm(file, { force: true });
      return;
    }
    const handle = await open(written, 'w');
    try {
      await handle.writeFile(text.endsWith('\n') ? text : `${text}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(written, file);
  } catch (error) {
    throw new AppError('folder-unavailable', 'the rules could not be written', { cause: error, details: { folder } });
  }
}
