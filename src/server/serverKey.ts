import { hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../shared/errors.ts';

const BYTES = 32;

/** The server's own secret. Each purpose gets a key of its own, so that none can stand in for another. */
export interface ServerKey {
  derive(purpose: string): Buffer;
}

/** Writes the key whole or not at all; a server that starts at the same moment may be first, and its key is taken then. */
function makeKey(file: string): void {
  const unfinished = `${file}.${randomUUID()}`;
  const handle = openSync(unfinished, 'wx', 0o600);
  try {
    writeSync(handle, randomBytes(BYTES));
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  try {
    linkSync(unfinished, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(unfinished);
  }
}

const keyOf = (secret: Buffer): ServerKey => ({
  derive: (purpose) => Buffer.from(hkdfSync('sha256', secret, '', `armarium ${purpose}`, BYTES)),
});

/**
 * The secret that is configured, which several servers on one database have to share; else the one that is made at the first
 * start and kept beside the data, readable by its owner alone.
 */
export function readServerKey(dataDir: string, configured: string | null): ServerKey {
  if (configured !== null) return keyOf(Buffer.from(configured));
  const file = join(dataDir, 'server.key');
  if (!existsSync(file)) {
    mkdirSync(dataDir, { recursive: true });
    makeKey(file);
  }
  const secret = readFileSync(file);
  if (secret.length !== BYTES) {
    throw new AppError('storage-unavailable', `${file} is damaged: restore it, or remove it to have a new one made`);
  }
  return keyOf(secret);
}
