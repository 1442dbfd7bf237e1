import { readdir, stat, statfs } from 'node:fs/promises';
import { setTimeout as delay, setImmediate } from 'node:timers/promises';

/** A drive that does not answer for so long is away. */
const ANSWER_MS = 5000;

/** What a root folder was when it was looked at: another device or inode in its place is another folder. */
export interface RootIdentity {
  readonly device: number;
  readonly inode: number;
}

/** File systems of Linux over which other machines change files without this one hearing of it. */
const NETWORK_TYPES = new Map<number, string>([
  [0x6969, 'NFS'],
  [0xff534d42, 'SMB'],
  [0xfe534d42, 'SMB'],
  [0x517b, 'SMB'],
  [0x564c, 'NCP'],
  [0x00c36400, 'Ceph'],
  [0x5346414f, 'AFS'],
  [0x01021997, '9P'],
  [0x65735546, 'FUSE'],
]);

/** A promise that a dead drive would leave open forever ends with null; the thread that waits for the drive is not ours. */
async function answered<T>(question: Promise<T>, answerMs = ANSWER_MS): Promise<T | null> {
  const timeout = new AbortController();
  const late = async () => {
    await delay(answerMs, null, { signal: timeout.signal, ref: false });
    // After this thread was busy or asleep, an answer that is long there is heard only after the timer.
    await setImmediate();
    return null;
  };
  try {
    return await Promise.race([question.catch(() => null), late().catch(() => null)]);
  } finally {
    timeout.abort();
  }
}

/** The folder at a path; null when none is there, or it does not answer. */
export async function findRoot(folder: string, answerMs?: number): Promise<RootIdentity | null> {
  const stats = await answered(stat(folder), answerMs);
  return stats?.isDirectory() === true ? { device: stats.dev, inode: stats.ino } : null;
}

/** Whether anything is in a folder, unlike in one at which a drive would be mounted. */
export async function isFilled(folder: string): Promise<boolean> {
  return ((await answered(readdir(folder)))?.length ?? 0) > 0;
}

/** The kind of network drive on which a folder stands; null when the system hears of all changes to it. */
export async function networkDriveOf(folder: string): Promise<string | null> {
  if (process.platform !== 'linux') return null;
  const found = await answered(statfs(folder));
  return found === null ? null : (NETWORK_TYPES.get(found.type) ?? null);
}
