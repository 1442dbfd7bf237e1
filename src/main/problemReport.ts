import { createWriteStream } from 'node:fs';
import { open, readdir, rename, rm } from 'node:fs/promises';
import { arch, freemem, homedir, release, totalmem } from 'node:os';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { app } from 'electron';
import brand from '../../resources/brand.json' with { type: 'json' };
import { AppError } from '../shared/errors.ts';
import { withoutSecrets } from './withoutSecrets.ts';

/** The end of a log tells most. */
const MOST_BYTES = 2 * 1024 * 1024;

export interface ReportParts {
  /** Values to write down, by the name of their file. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** Folders whose logs come along, by the name of their folder in the report. */
  readonly logs: Readonly<Record<string, string>>;
  readonly home?: string;
}

async function endOf(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const length = Math.min(size, MOST_BYTES);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, size - length);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}

async function logsIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => /\.log(?:\.\d+)?$/u.test(name)).map((name) => join(folder, name));
}

/** What the report says of the machine. */
export function machineFacts(): Readonly<Record<string, unknown>> {
  return {
    name: brand.name,
    version: app.getVersion(),
    packaged: app.isPackaged,
    platform: process.platform,
    arch: arch(),
    system: release(),
    locale: app.getLocale(),
    versions: process.versions,
    memory: { total: totalmem(), free: freemem() },
    uptimeSeconds: Math.round(process.uptime()),
    written: new Date().toISOString(),
  };
}

/**
 * Writes a ZIP with facts and the ends of logs, without secrets, documents or what was searched for.
 * @throws AppError `folder-unavailable` when it cannot be written there
 */
export async function writeReport(file: string, { facts, logs, home = homedir() }: ReportParts): Promise<void> {
  // Nothing that a start should wait for.
  const { ZipFile } = await import('yazl');
  const zip = new ZipFile();
  const add = (name: string, text: string) => zip.addBuffer(Buffer.from(withoutSecrets(text, home)), name);
  for (const [name, value] of Object.entries(facts)) add(`${name}.json`, JSON.stringify(value, null, 2));
  for (const [folder, place] of Object.entries(logs)) {
    for (const log of await logsIn(place)) add(`logs/${folder}/${basename(log)}`, await endOf(log));
  }
  zip.end();
  const written = `${file}.part`;
  try {
    await pipeline(zip.outputStream, createWriteStream(written, { mode: 0o600 }));
    await rename(written, file);
  } catch (error) {
    await rm(written, { force: true });
    throw new AppError('folder-unavailable', 'the report could not be written', { cause: error });
  }
}
