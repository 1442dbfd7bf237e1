import { constants, existsSync } from 'node:fs';
import { copyFile, link, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { z } from 'zod';
import { AppError } from '../../shared/errors.ts';

const Manifest = z.object({
  format: z.literal(1),
  made_at: z.string(),
  schema: z.number().int(),
  contents: z.number().int(),
  bytes: z.number().int(),
});

/** What a backup holds. */
export type BackupManifest = z.infer<typeof Manifest>;

export interface BackupResult extends BackupManifest {
  /** Contents that were not in the folder before. */
  readonly copied: number;
}

const blobPath = (folder: string, sha256: string) =>
  join(folder, 'blobs', sha256.slice(0, 2), sha256.slice(2, 4), sha256);

async function isFile(path: string, size: number): Promise<boolean> {
  try {
    return (await stat(path)).size === size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/** Contents never change, so a second name for the same file is a copy where both are on one disk. */
async function copyContent(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  const aside = `${to}.unfinished`;
  await rm(aside, { force: true });
  try {
    await link(from, aside);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EXDEV' && code !== 'EPERM' && code !== 'ENOTSUP') throw error;
    await copyFile(from, aside, constants.COPYFILE_FICLONE);
  }
  await rename(aside, to);
}

/** The contents that a database refers to, by hash. */
function* contentsOf(database: SqliteDatabase.Database): Generator<{ sha256: string; size: number }> {
  const query = `SELECT sha256, MAX(size) AS size FROM (SELECT sha256, size FROM versions
    UNION ALL SELECT sha256, size FROM app_version_files) GROUP BY sha256`;
  yield* database.prepare(query).iterate() as IterableIterator<{ sha256: string; size: number }>;
}

const schemaOf = (database: SqliteDatabase.Database) =>
  Number(database.prepare('SELECT MAX(version) FROM migrations').pluck().get());

/**
 * Copies what a server keeps in `dataDir` to a folder while it runs: the database as of one moment, then the contents that it
 * refers to. A folder that holds an earlier backup gets what is new alone, and is the newer one once the manifest is written.
 * @throws AppError `not-found` without a database, `storage-unavailable` when a content is missing
 */
export async function backUp(dataDir: string, target: string, now: () => number): Promise<BackupResult> {
  const source = join(dataDir, 'armarium.db');
  if (!existsSync(source)) throw new AppError('not-found', `${dataDir} holds no server's data`);
  await mkdir(target, { recursive: true });
  const unfinished = join(target, 'armarium.db.unfinished');
  await rm(unfinished, { force: true });
  const running = new SqliteDatabase(source, { readonly: true });
  try {
    await running.backup(unfinished);
  } finally {
    running.close();
  }
  const copy = new SqliteDatabase(unfinished);
  // A copy has no writers, so it needs no log beside it.
  copy.pragma('journal_mode = DELETE');
  let [contents, bytes, copied] = [0, 0, 0];
  try {
    for (const { sha256, size } of [...contentsOf(copy)]) {
      contents += 1;
      bytes += size;
      const to = blobPath(target, sha256);
      if (await isFile(to, size)) continue;
      try {
        await copyContent(blobPath(dataDir, sha256), to);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
        throw new AppError('storage-unavailable', `the content ${sha256} is missing; run armarium check`, {
          cause: error,
        });
      }
      copied += 1;
    }
    const manifest: BackupManifest = {
      format: 1,
      made_at: new Date(now()).toISOString(),
      schema: schemaOf(copy),
      contents,
      bytes,
    };
    copy.close();
    const key = join(dataDir, 'server.key');
    if (existsSync(key)) await copyFile(key, join(target, 'server.key'));
    await rename(unfinished, join(target, 'armarium.db'));
    await writeFile(join(target, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    return { ...manifest, copied };
  } finally {
    if (copy.open) copy.close();
  }
}

/**
 * Puts a backup in place as a server's data, which it has not had before. The index is made anew at the next start.
 * @throws AppError `conflict` when the folder holds data, `not-found` or `content-mismatch` for what is no whole backup
 */
export async function restore(from: string, dataDir: string): Promise<BackupManifest> {
  let manifest: BackupManifest;
  try {
    manifest = Manifest.parse(JSON.parse(await readFile(join(from, 'manifest.json'), 'utf8')));
  } catch (error) {
    throw new AppError('not-found', `${from} holds no finished backup`, { cause: error });
  }
  if (existsSync(dataDir) && (await readdir(dataDir)).length > 0) {
    throw new AppError('conflict', `${dataDir} is not empty; move what is there aside first`);
  }
  const database = new SqliteDatabase(join(from, 'armarium.db'), { readonly: true });
  try {
    if (database.pragma('integrity_check', { simple: true }) !== 'ok') {
      throw new AppError('content-mismatch', 'the database of the backup is damaged');
    }
    const contents = [...contentsOf(database)];
    for (const { sha256, size } of contents) {
      if (!(await isFile(blobPath(from, sha256), size))) {
        throw new AppError('content-mismatch', `the backup lacks the content ${sha256}`);
      }
    }
    await mkdir(dataDir, { recursive: true });
    for (const { sha256 } of contents) {
      const to = blobPath(dataDir, sha256);
      await mkdir(dirname(to), { recursive: true });
      // A copy, so that a server that runs on it and the backup do not share files.
      await copyFile(blobPath(from, sha256), to, constants.COPYFILE_FICLONE);
    }
  } finally {
    database.close();
  }
  if (existsSync(join(from, 'server.key'))) await copyFile(join(from, 'server.key'), join(dataDir, 'server.key'));
  await copyFile(join(from, 'armarium.db'), join(dataDir, 'armarium.db'));
  return manifest;
}
