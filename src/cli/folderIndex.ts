import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { SearchIndex } from '../core/search/types.ts';
import { openIndex } from '../worker/openIndex.ts';
import { CommandError } from './commandError.ts';

function cacheFolder(): string {
  if (process.platform === 'win32') return process.env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches');
  return process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
}

/** Where the index of a folder stands when nobody says: one file a folder, in the user's cache. */
export function defaultIndexFile(folder: string): string {
  const name = createHash('sha256').update(resolve(folder)).digest('hex').slice(0, 16);
  return join(cacheFolder(), 'armarium', 'indexes', `${name}.db`);
}

/** The folder as an absolute path, or the end of the command. */
export function readFolder(folder: string): string {
  const path = resolve(folder);
  if (!existsSync(path)) throw new CommandError(`there is no folder ${path}`, 1);
  if (!statSync(path).isDirectory()) throw new CommandError(`${path} is not a folder`, 1);
  return path;
}

/** Opens the index of a folder and brings it right against the disk. */
export async function openFolderIndex(folder: string, file: string): Promise<SearchIndex> {
  const index = await openIndex({ file, onWarning: (message) => process.stderr.write(`armarium: ${message}\n`) });
  await index.setRoots([folder]);
  await index.waitForIdle(2 ** 31 - 1);
  return index;
}
