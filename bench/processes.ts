import { readdirSync, readFileSync } from 'node:fs';

/** A process and what it has used so far. */
export interface ProcessUse {
  readonly pid: number;
  readonly command: string;
  /** Seconds of a processor. */
  readonly seconds: number;
  /** MiB that would be free without it: shared pages count by their share. */
  readonly megabytes: number;
}

/** Linux counts processor time in hundredths of a second. */
const TICKS = 100;

interface Entry {
  readonly pid: number;
  readonly parent: number;
  readonly seconds: number;
}

function read(pid: number): Entry | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { pid, parent: Number(fields[1]), seconds: (Number(fields[11]) + Number(fields[12])) / TICKS };
  } catch {
    // It has ended meanwhile.
    return null;
  }
}

/** A process with all that it started, and they in turn. Linux only. */
export function processTree(root: number): ProcessUse[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name))
    .flatMap((name) => read(Number(name)) ?? []);
  const found: Entry[] = [];
  for (let next = all.filter(({ pid }) => pid === root); next.length > 0; ) {
    found.push(...next);
    const parents = new Set(next.map(({ pid }) => pid));
    next = all.filter(({ parent }) => parents.has(parent));
  }
  return found.flatMap(({ pid, seconds }) => {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      const pss = /^Pss:\s+(\d+) kB/mu.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1];
      return [{ pid, command, seconds, megabytes: Number(pss ?? 0) / 1024 }];
    } catch {
      // The same.
      return [];
    }
  });
}
