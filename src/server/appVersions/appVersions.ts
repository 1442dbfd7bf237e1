import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Selectable } from 'kysely';
import { AppError } from '../../shared/errors.ts';
import type { AppVersion, AppVersionDraft, Platform } from '../../shared/model/appVersion.ts';
import type { Audit } from '../audit/audit.ts';
import type { Database } from '../database/connection.ts';
import { isUniqueViolation } from '../database/faults.ts';
import type { Tables } from '../database/tables.ts';
import { inTransaction } from '../database/transactions.ts';
import type { Caller } from '../http/context.ts';
import { sanitizeHtml } from '../notices/sanitize.ts';
import type { BlobStore } from '../storage/blobStore.ts';
import { feedFiles } from './feedFiles.ts';

/** Versions of the desktop application with their installers, and the feed that clients update from. */
export interface AppVersions {
  list(page: number, pageSize: number): Promise<{ versions: AppVersion[]; count: number; has_more: boolean }>;
  create(caller: Caller, draft: AppVersionDraft): Promise<AppVersion>;
  /** @throws AppError `conflict` when what is published would become something else. */
  update(caller: Caller, id: string, draft: AppVersionDraft): Promise<AppVersion>;
  remove(caller: Caller, id: string): Promise<void>;
  latest(platform: Platform | null, channel: string): Promise<AppVersion | null>;
  releaseNotes(
    version: string,
    platform: Platform | null,
  ): Promise<Pick<AppVersion, 'release_notes' | 'release_note_type'>>;
  /** Stores an installer of a version that is not published yet. */
  putFile(caller: Caller, id: string, name: string, body: Readable): Promise<AppVersion>;
  /** A file of a published version, by its name. */
  file(name: string): Promise<{ readonly name: string; readonly sha256: string; readonly size: number } | null>;
  /** A feed file such as `latest-mac.yml`, or null when there is none of this name. */
  feed(name: string): Promise<string | null>;
}

/** Names that are safe in every file system and address. */
const FILE_NAME = /^[A-Za-z0-9][A-Za-z0-9._ -]{0,199}$/u;
/** How electron-updater's generic provider names the feeds of each system. */
const FEED_SUFFIX: Readonly<Record<Platform, string>> = { win32: '', darwin: '-mac', linux: '-linux' };

/** Compares versions by semver's order (semver.org §11): numbers, then releases before nothing but after their previews. */
export function compareVersions(a: string, b: string): number {
  const parts = (version: string) => {
    const [release = '', ...preview] = version.split('-');
    return { numbers: release.split('.').map(Number), preview: preview.join('-') };
  };
  const [left, right] = [parts(a), parts(b)];
  for (let index = 0; index < 3; index += 1) {
    const difference = (left.numbers[index] ?? 0) - (right.numbers[index] ?? 0);
    if (difference !== 0) return difference;
  }
  if (left.preview === right.preview) return 0;
  if (left.preview === '') return 1;
  if (right.preview === '') return -1;
  const [ours, theirs] = [left.preview.split('.'), right.preview.split('.')];
  for (let index = 0; index < Math.max(ours.length, theirs.length); index += 1) {
    const [x, y] = [ours[index], theirs[index]];
    if (x === undefined) return -1;
    if (y === undefined) return 1;
    const bothNumbers = /^\d+$/u.test(x) && /^\d+$/u.test(y);
    const difference = bothNumbers ? Number(x) - Number(y) : x < y ? -1 : x > y ? 1 : 0;
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Makes the service. */
export function createAppVersions(options: {
  readonly database: Database;
  readonly audit: Audit;
  readonly blobs: BlobStore;
  /** Where installers are put down while their hashes are computed. */
  readonly spoolFolder: string;
  readonly now: () => number;
}): AppVersions {
  const { database, audit, blobs, spoolFolder, now } = options;
  type Row = Selectable<Tables['app_versions']>;
  const at = () => new Date(now()).toISOString();
  const absent = () => new AppError('not-found', 'there is no such version');

  async function shown(on: Database, rows: readonly Row[]): Promise<AppVersion[]> {
    if (rows.length === 0) return [];
    const files = await on
      .selectFrom('app_version_files')
      .select(['app_version_id', 'name', 'size', 'sha256', 'sha512'])
      .where(
        'app_version_id',
        'in',
        rows.map(({ id }) => id),
      )
      .orderBy('name')
      .execute();
    const byVersion = Map.groupBy(files, ({ app_version_id }) => app_version_id);
    return rows.map(({ created_at: _created, updated_at: _updated, mandatory, ...row }) => ({
      ...row,
      mandatory: mandatory === 1,
      files: (byVersion.get(row.id) ?? []).map(({ app_version_id: _, size, ...file }) => ({
        ...file,
        size: Number(size),
        url: `/updates/${encodeURIComponent(file.name)}`,
      })),
    }));
  }

  async function find(on: Database, id: string): Promise<Row> {
    const row = await on.selectFrom('app_versions').selectAll().where('id', '=', id).executeTakeFirst();
    if (row === undefined) throw absent();
    return row;
  }

  async function read(on: Database, id: string): Promise<AppVersion> {
    const [version] = await shown(on, [await find(on, id)]);
    if (version === undefined) throw absent();
    return version;
  }

  function columns({ published: _, ...draft }: AppVersionDraft) {
    const release_notes = draft.release_note_type === 'html' ? sanitizeHtml(draft.release_notes) : draft.release_notes;
    return { ...draft, release_notes, mandatory: draft.mandatory ? 1 : 0, updated_at: at() };
  }

  async function record(
    on: Database,
    { actor, address }: Caller,
    action: string,
    row: { id: string; version: string },
  ) {
    const target = { kind: 'app-version', id: row.id, name: row.version };
    await audit.record(on, actor, address, { action: `app-version.${action}`, target, libraryId: null });
  }

  async function refuseEmpty(on: Database, id: string): Promise<void> {
    const file = await on
      .selectFrom('app_version_files')
      .select('name')
      .where('app_version_id', '=', id)
      .limit(1)
      .executeTakeFirst();
    if (file === undefined) throw new AppError('conflict', 'send the installers before the version is published');
  }

  async function published(platform: Platform | null, channel: string | null): Promise<Row[]> {
    const rows = await database
      .selectFrom('app_versions')
      .selectAll()
      .where('published_at', 'is not', null)
      .$if(platform !== null, (query) => query.where('platform', '=', platform as Platform))
      .$if(channel !== null, (query) => query.where('channel', '=', channel ?? ''))
      .execute();
    return rows.sort((a, b) => compareVersions(b.version, a.version));
  }

  const versions: AppVersions = {
    async list(page, pageSize) {
      const { count } = await database
        .selectFrom('app_versions')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      const rows = await database
        .selectFrom('app_versions')
        .selectAll()
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .limit(pageSize)
        .offset((page - 1) * pageSize)
        .execute();
      return { versions: await shown(database, rows), count: Number(count), has_more: page * pageSize < Number(count) };
    },
    async create(caller, draft) {
      if (draft.published) throw new AppError('conflict', 'send the installers before the version is published');
      const id = randomUUID();
      try {
        return await inTransaction(database, async (transaction) => {
          const row = { id, ...columns(draft), published_at: null, created_at: at() };
          await transaction.insertInto('app_versions').values(row).execute();
          await record(transaction, caller, 'create', row);
          return read(transaction, id);
        });
      } catch (error) {
        if (!isUniqueViolation(error)) throw error;
        throw new AppError('conflict', 'this version is recorded already for the platform', { cause: error });
      }
    },
    update: (caller, id, draft) =>
      inTransaction(database, async (transaction) => {
        const row = await find(transaction, id);
        const isSame =
          row.version === draft.version && row.platform === draft.platform && row.channel === draft.channel;
        if (row.published_at !== null && !isSame) {
          throw new AppError('conflict', 'a published version stays what it is; record another one');
        }
        if (draft.published) await refuseEmpty(transaction, id);
        const published_at = draft.published ? (row.published_at ?? at()) : null;
        await transaction
          .updateTable('app_versions')
          .set({ ...columns(draft), published_at })
          .where('id', '=', id)
          .execute();
        await record(transaction, caller, draft.published ? 'publish' : 'update', row);
        return read(transaction, id);
      }),
    async remove(caller, id) {
      await inTransaction(database, async (transaction) => {
        const row = await find(transaction, id);
        await transaction.deleteFrom('app_versions').where('id', '=', id).execute();
        await record(transaction, caller, 'delete', row);
      });
    },
    async latest(platform, channel) {
      const [row] = await published(platform, channel);
      const [version = null] = row === undefined ? [] : await shown(database, [row]);
      return version;
    },
    async releaseNotes(version, platform) {
      const row = (await published(platform, null)).find((each) => each.version === version);
      if (row === undefined) throw absent();
      return { release_notes: row.release_notes, release_note_type: row.release_note_type };
    },
    async putFile(caller, id, name, body) {
      if (!FILE_NAME.test(name)) throw new AppError('name-invalid', 'use letters, digits, dots, dashes and spaces');
      if ((await find(database, id)).published_at !== null) {
        throw new AppError('conflict', 'the files of a published version stay as they are');
      }
      await mkdir(spoolFolder, { recursive: true });
      const spool = join(spoolFolder, `${randomUUID()}.unfinished`);
      const [sha256, sha512] = [createHash('sha256'), createHash('sha512')];
      let size = 0;
      const measure = new Transform({
        transform(chunk: Buffer, _encoding, done) {
          size += chunk.length;
          sha256.update(chunk);
          sha512.update(chunk);
          done(null, chunk);
        },
      });
      try {
        await pipeline(body, measure, createWriteStream(spool));
        const file = { name, size, sha256: sha256.digest('hex'), sha512: sha512.digest('base64') };
        const keep = { sha256: file.sha256, size, created_at: at(), condemned_ms: null };
        await database
          .insertInto('blobs')
          .values(keep)
          .onConflict((conflict) => conflict.column('sha256').doUpdateSet({ condemned_ms: null }))
          .execute();
        await blobs.put(() => createReadStream(spool), file);
        return await inTransaction(database, async (transaction) => {
          const row = await find(transaction, id);
          await transaction
            .insertInto('app_version_files')
            .values({ app_version_id: id, ...file, created_at: at() })
            .onConflict((conflict) =>
              conflict.columns(['app_version_id', 'name']).doUpdateSet({ ...file, created_at: at() }),
            )
            .execute();
          await record(transaction, caller, 'add-file', row);
          return read(transaction, id);
        });
      } finally {
        await rm(spool, { force: true });
      }
    },
    async file(name) {
      const row = await database
        .selectFrom('app_version_files')
        .innerJoin('app_versions', 'app_versions.id', 'app_version_files.app_version_id')
        .select(['app_version_files.name', 'app_version_files.sha256', 'app_version_files.size'])
        .where('app_version_files.name', '=', name)
        .where('app_versions.published_at', 'is not', null)
        .orderBy('app_versions.published_at', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row === undefined ? null : { ...row, size: Number(row.size) };
    },
    async feed(name) {
      // Linux clients of another processor than x64 ask for a feed of their own.
      const match = /^([a-z][a-z0-9-]{0,30}?)(-mac|-linux)?(?:(?<=-linux)-([a-z0-9]+))?\.yml$/u.exec(name);
      if (match === null) return null;
      const platform = (['win32', 'darwin', 'linux'] as const).find((each) => FEED_SUFFIX[each] === (match[2] ?? ''));
      const version = platform === undefined ? null : await versions.latest(platform, match[1] ?? '');
      const files = feedFiles(version?.files ?? [], platform === 'linux' ? (match[3] ?? 'x64') : null);
      const [first] = files;
      if (version === null || first === undefined) return null;
      // Every JSON value is a YAML value, so nothing of a name or note can become structure.
      const fields = {
        version: version.version,
        files: files.map((file) => ({ url: file.name, sha512: file.sha512, size: file.size })),
        path: first.name,
        sha512: first.sha512,
        releaseDate: version.published_at,
        releaseNotes: version.release_notes,
        mandatory: version.mandatory,
      };
      return Object.entries(fields)
        .map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`)
        .join('');
    },
  };
  return versions;
}
