import { type Dirent, readdirSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { SeenFile } from '../search/shardProtocol.ts';
import type { IgnoreRules } from './ignoreRules.ts';
import { below } from './listing.ts';
import type { Pace } from './pace.ts';
import { mayPass, seeFailure, seeFile } from './seeFile.ts';

/** The scan gives way to other work of its thread after so long. */
const SLICE_MS = 10;

export interface Scan {
  /** Where the scan begins: the root or a folder below it. */
  readonly folder: string;
  readonly root: string;
  readonly rules: IgnoreRules;
  readonly pace: Pace;
  readonly onFile: (file: SeenFile) => void;
  /** Whether nobody wants to know any more. */
  readonly isOver: () => boolean;
}

/** What a scan tells besides the files. */
export interface ScanOutcome {
  /** False for a folder with nothing at all in it. */
  readonly hasEntries: boolean;
  /** Folders that did not answer: what is known of them stays known. */
  readonly unanswered: readonly string[];
  /** It was ended before it had seen everything. */
  readonly isPartial: boolean;
}

/**
 * Tells of every file below a folder that the rules let through, and of whatever else is there with the reason why it is not
 * read. Symbolic links are not followed, so that there are neither loops nor ways out. A folder that may not be read is one
 * entry. Calls that wait for the disk are four times as quick as such that do not, so a slice of them is the unit of work.
 */
export async function scanFolder({ folder, root, rules, pace, onFile, isOver }: Scan): Promise<ScanOutcome> {
  const waiting = [folder];
  const unanswered: string[] = [];
  let hasEntries = false;
  let sliceStart = performance.now();

  function list(path: string): Dirent[] {
    try {
      return readdirSync(path, { withFileTypes: true });
    } catch (error) {
      if (mayPass(error)) unanswered.push(path);
      const seen = seeFailure(path, root, error, 'folder');
      if (seen !== null) onFile(seen);
      return [];
    }
  }

  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const entries = list(next);
    hasEntries ||= entries.length > 0;
    const prefix = below(next);
    const own = rules.in(
      next,
      entries.map(({ name }) => name),
    );
    for (const entry of entries) {
      const isFolder = entry.isDirectory();
      if (own.isIgnored(entry.name, isFolder)) continue;
      const path = prefix + entry.name;
      if (isFolder) waiting.push(path);
      else {
        const seen = seeFile(path, root);
        if (seen === 'folder') waiting.push(path);
        else if (seen !== null) onFile(seen);
      }
      const worked = performance.now() - sliceStart;
      if (worked < SLICE_MS) continue;
      await setImmediate();
      await pace.rest(worked);
      if (isOver()) return { hasEntries, unanswered, isPartial: true };
      sliceStart = performance.now();
    }
  }
  return { hasEntries, unanswered, isPartial: false };
}
