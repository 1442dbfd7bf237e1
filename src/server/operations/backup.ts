import { createHash } from 'node:crypto';
import { constants, createReadStream, existsSync } from 'node:fs';
import { copyFile, link, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { z } from 'zod';
import { AppError } from '../../shared/errors.ts';
import { SCHEMA_VERSION } from '../database/migrations.ts';

const Manifest = z.object({
  format: z.literal(1),
  made_at: z.string(),
  schema: z.number().int(),
  contents: z.number().int(),
  bytes: z.number().int(),
  /** SHA-256 of the database, which names those of the contents; and of the key, which is not there with a secret of its own. */
  database_sha256: z.string(),
  key_sha256: z.string().nullable(),
});

/** What a backup holds. */
export type BackupManifest = z.infer<typeof Manifest>;

export interface BackupResult extends BackupManifest {
  /** Contents that were not in the folder before. */
  readonly copied: number;
}

const DATABASE = 'armarium.db';
const KEY = 'server.key';
const MANIFEST = 'manifest.json';
const CHUNK_BYTES = 1024 * 1024;
/** Files that are copied at once. */
const COPIES_AT_ONCE = 8;

interface Content {
  readonly sha256: string;
  readonly size: number;
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;

const blobPath = (folder: string, sha256: string) =>
  join(folder, 'blobs', sha256.slice(0, 2), sha256.slice(2, 4), sha256);

async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES })) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** Writes a file whole or not at all. */
async function writeWhole(path: string, content: string | Buffer, mode = 0o666): Promise<void> {
  const unfinished = `${path}.unfinished`;
  await rm(unfinished, { force: true });
  const handle = await open(unfinished, 'wx', mode);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(unfinished, path);
}

/** Does `work` for each content, some at a time; once one fails no other is begun. */
async function eachContent(contents: readonly Content[], work: (content: Content) => Promise<void>): Promise<void> {
  const rest = [...contents].reverse();
  const worker = async () => {
    for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
      try {
        await work(next);
      } catch (error) {
        rest.length = 0;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: COPIES_AT_ONCE }, worker));
}

/** Contents never change, so a second name for the same file is a copy where both are on one disk. */
async function addContent(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  const unfinished = `${to}.unfinished`;
  await rm(unfinished, { force: true });
  try {
    await link(from, unfinished);
  } catch (error) {
    if (!['EXDEV', 'EPERM', 'ENOTSUP', 'EMLINK'].includes(codeOf(error) ?? '')) throw error;
    await copyFile(from, unfinished, constants.COPYFILE_FICLONE);
  }
  await rename(unfinished, to);
}

/** The contents that a database refers to, in memory, since nothing else can be asked of it while it is read. */
function contentsOf(database: SqliteDatabase.Database): Content[] {
  const query = `SELECT sha256, MAX(size) AS size FROM (SELECT sha256, size FROM versions
    UNION ALL SELECT sha256, size FROM app_version_files) GROUP BY sha256`;
  return database.prepare<[], Content>(query).all();
}

const schemaOf = (database: SqliteDatabase.Database) =>
  Number(database.prepare('SELECT MAX(version) FROM migrations').pluck().get());

/** The database as of one moment, while others write to it. */
async function copyDatabase(source: string, target: string): Promise<void> {
  await rm(target, { force: true });
  const running = new SqliteDatabase(source, { readonly: true });
  try {
    // All in one step: the copy would begin anew whenever somebody writes between two.
    await running.backup(target, { progress: () => 0x7fffffff });
  } finally {
    running.close();
  }
}

/**
 * Copies what a server keeps in `dataDir` to a folder while it runs: the database as of one moment, then the contents that it
 * refers to. A folder that holds an earlier backup gets what is new alone. Until all of that is there the earlier backup stays
 * whole, since contents are only added.
 * @throws AppError `not-found` without a database, `storage-unavailable` when a content is missing
 */
export async function backUp(dataDir: string, target: string, now: () => number): Promise<BackupResult> {
  const source = join(dataDir, DATABASE);
  if (!existsSync(source)) throw new AppError('not-found', `${dataDir} holds no server's data`);
  await mkdir(target, { recursive: true });
  const unfinished = join(target, `${DATABASE}.unfinished`);
  await copyDatabase(source, unfinished);
  const copy = new SqliteDatabase(unfinished);
  let contents: Content[];
  let schema: number;
  try {
    // A copy has no writers, so it needs no log beside it.
    copy.pragma('journal_mode = DELETE');
    contents = contentsOf(copy);
    schema = schemaOf(copy);
  } finally {
    copy.close();
  }
  let copied = 0;
  await eachContent(contents, async ({ sha256, size }) => {
    const to = blobPath(target, sha256);
    if ((await sizeOf(to)) === size) return;
    try {
      await addContent(blobPath(dataDir, sha256), to);
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error;
      const advice = 'if it was deleted for good just now, a second backup succeeds; else run armarium check';
      throw new AppError('storage-unavailable', `the content ${sha256} is missing: ${advice}`, { cause: error });
    }
    copied += 1;
  });
  const key = existsSync(join(dataDir, KEY)) ? await readFile(join(dataDir, KEY)) : null;
  const manifest: BackupManifest = {
    format: 1,
    made_at: new Date(now()).toISOString(),
    schema,
    contents: contents.length,
    bytes: contents.reduce((sum, { size }) => sum + size, 0),
    database_sha256: await hashFile(unfinished),
    key_sha256: key === null ? null : createHash('sha256').update(key).digest('hex'),
  };
  if (key !== null) await writeWhole(join(target, KEY), key, 0o600);
  // A backup without a manifest is none: between these steps there must not be one that speaks of another database.
  await rm(join(target, MANIFEST), { force: true });
  await rename(unfinished, join(target, DATABASE));
  await writeWhole(join(target, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
  return { ...manifest, copied };
}

async function readManifest(from: string): Promise<BackupManifest> {
  try {
    return Manifest.parse(JSON.parse(await readFile(join(from, MANIFEST), 'utf8')));
  } catch (error) {
    throw new AppError('not-found', `${from} holds no finished backup`, { cause: error });
  }
}

/** Whether a process has the database open: then its journal cannot be changed. */
function isInUse(file: string): boolean {
  if (!existsSync(file)) return false;
  const database = new SqliteDatabase(file, { timeout: 0 });
  try {
    database.pragma('journal_mode = DELETE');
    return false;
  } catch (error) {
    if (codeOf(error) === 'SQLITE_BUSY') return true;
    // What is no database any more is nobody's, and may be put aside.
    return false;
  } finally {
    database.close();
  }
}

/**
 * Makes room for a backup. What is there is moved into a folder below, not beside: a data folder may be a disk of its own.
 * @returns that folder, or null when there was nothing
 */
async function putAside(dataDir: string, now: () => number): Promise<string | null> {
  const entries = (await readdir(dataDir)).filter((name) => !name.startsWith('before-restore-'));
  if (entries.length === 0) return null;
  if (isInUse(join(dataDir, DATABASE))) {
    throw new AppError('conflict', `a server runs on ${dataDir}; stop it first`);
  }
  const aside = join(dataDir, `before-restore-${new Date(now()).toISOString().replace(/[^\dTZ]/gu, '')}`);
  await mkdir(aside);
  for (const name of entries) await rename(join(dataDir, name), join(aside, name));
  return aside;
}

/** Copies a file, and compares what was written with what it has to be. */
async function copyVerified(from: string, to: string, sha256: string, what: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  try {
    // A copy, so that the backup and a server that runs on it do not share files.
    await copyFile(from, to, constants.COPYFILE_FICLONE);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    throw new AppError('content-mismatch', `the backup lacks ${what}`, { cause: error });
  }
  if ((await hashFile(to)) !== sha256) throw new AppError('content-mismatch', `${what} is damaged in the backup`);
}

/** The contents that the database of a backup refers to, once the database was found to be whole and of a known version. */
function readContents(file: string): Content[] {
  const database = new SqliteDatabase(file, { readonly: true });
  try {
    if (schemaOf(database) > SCHEMA_VERSION) {
      throw new AppError(
        'unsupported',
        'the backup was made by a newer version of the server: restore it with that one',
      );
    }
    if (database.pragma('integrity_check', { simple: true }) !== 'ok') {
      throw new AppError('content-mismatch', 'the database of the backup is damaged');
    }
    return contentsOf(database);
  } finally {
    database.close();
  }
}

export interface RestoreOptions {
  /** Puts what the folder holds aside, instead of refusing. */
  readonly force: boolean;
  readonly now: () => number;
}

export interface RestoreResult extends BackupManifest {
  /** Where the data is that the folder had before; null when it was empty. */
  readonly aside: string | null;
}

/**
 * Puts a backup in place as a server's data; the server is not running. The index is made anew at the next start. Everything
 * is compared with its hash, and the database comes last: a restore that did not end well is no server's data.
 * @throws AppError `conflict` when the folder holds data, `not-found` or `content-mismatch` for what is no whole backup
 */
export async function restore(from: string, dataDir: string, { force, now }: RestoreOptions): Promise<RestoreResult> {
  const manifest = await readManifest(from);
  const contents = readContents(join(from, DATABASE));
  await mkdir(dataDir, { recursive: true });
  if (!force && (await readdir(dataDir)).length > 0) {
    throw new AppError('conflict', `${dataDir} is not empty; --force puts aside what is there`);
  }
  const aside = await putAside(dataDir, now);
  await eachContent(contents, ({ sha256 }) =>
    copyVerified(blobPath(from, sha256), blobPath(dataDir, sha256), sha256, `the content ${sha256}`),
  );
  if (manifest.key_sha256 !== null) {
    await copyVerified(join(from, KEY), join(dataDir, KEY), manifest.key_sha256, "the server's key");
  }
  const unfinished = join(dataDir, `${DATABASE}.unfinished`);
  await copyVerified(join(from, DATABASE), unfinished, manifest.database_sha256, 'the database');
  await rename(unfinished, join(dataDir, DATABASE));
  return { ...manifest, aside };
}
