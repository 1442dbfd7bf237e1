import { type Dirent, lstatSync, readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { SeenFile } from '../search/shardProtocol.ts';
import type { IgnoreRules } from './ignoreRules.ts';

/** The scan gives way to other work of its thread after so long. */
const SLICE_MS = 10;

const GONE = ['ENOENT', 'ENOTDIR'];
const code = (error: unknown) => (error as NodeJS.ErrnoException).code ?? '';

function kindOf(stats: Stats): string {
  if (stats.isSymbolicLink()) return 'A symbolic link, which is not followed.';
  if (stats.isFIFO()) return 'A named pipe.';
  if (stats.isSocket()) return 'A socket.';
  return 'A device.';
}

/** One path as the index should see it: a file, something that is listed with a reason, or null when nothing is there. */
export function seeFile(path: string, root: string): SeenFile | 'folder' | null {
  let stats: Stats;
  try {
    stats = lstatSync(path);
  } catch (error) {
    if (!GONE.includes(code(error))) {
      return {
        path,
        root,
        size: 0,
        mtimeMs: 0,
        skip: { code: 'not-readable', reason: `Not readable (${code(error)}).` },
      };
    }
    // A name that is not UTF-8 was read with replacement characters, and under that name nothing is there.
    return path.includes('\uFFFD')
      ? {
          path,
          root,
          size: 0,
          mtimeMs: 0,
          skip: { code: 'not-readable', reason: 'The name is not valid UTF-8; rename the file to have it searched.' },
        }
      : null;
  }
  if (stats.isDirectory()) return 'folder';
  const seen = { path, root, size: stats.size, mtimeMs: stats.mtimeMs };
  return stats.isFile() ? seen : { ...seen, size: 0, skip: { code: 'not-a-file', reason: kindOf(stats) } };
}

/**
 * Every file below a folder that the rules let through, and whatever else is there with the reason why it is not read.
 * Symbolic links are not followed, so that there are neither loops nor ways out. A folder that may not be read is one entry.
 */
export async function* scanFolder(folder: string, root: string, rules: IgnoreRules): AsyncGenerator<SeenFile> {
  const waiting = [folder];
  let sliceEnds = performance.now() + SLICE_MS;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    let entries: Dirent[];
    try {
      entries = readdirSync(next, { withFileTypes: true });
    } catch (error) {
      if (GONE.includes(code(error))) continue;
      yield {
        path: next,
        root,
        size: 0,
        mtimeMs: 0,
        skip: { code: 'not-readable', reason: `The folder is not readable (${code(error)}).` },
      };
      continue;
    }
    for (const entry of entries) {
      const path = join(next, entry.name);
      const isFolder = entry.isDirectory();
      if (rules.isIgnored(path, isFolder)) continue;
      if (isFolder) waiting.push(path);
      else {
        const seen = seeFile(path, root);
        if (seen !== null && seen !== 'folder') yield seen;
      }
      if (performance.now() > sliceEnds) {
        await setImmediate();
        sliceEnds = performance.now() + SLICE_MS;
      }
    }
  }
}
