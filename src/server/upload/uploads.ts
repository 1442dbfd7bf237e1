import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { z } from 'zod';
import type { UploadFile } from '../../shared/api/upload.ts';
import { AppError, isAppError } from '../../shared/errors.ts';
import type { ChangeCode, Commit } from '../../shared/model/library.ts';
import { conflictName } from '../../shared/rules/conflictName.ts';
import { LIMITS } from '../../shared/rules/limits.ts';
import { documentNameProblem, nameKey, normalizeName } from '../../shared/rules/names.ts';
import type { ShelfAccess } from '../access/access.ts';
import { inChunks } from '../database/chunks.ts';
import type { Database } from '../database/connection.ts';
import type { Tables } from '../database/tables.ts';
import { inTransaction } from '../database/transactions.ts';
import type { Change, Commits } from '../documents/commits.ts';
import { currentDocuments } from '../documents/currentDocuments.ts';
import type { Documents } from '../documents/documents.ts';
import type { Locks } from '../documents/locks.ts';
import type { Actor } from '../http/context.ts';
import type { Plans } from '../libraries/plans.ts';
import type { BlobStore, PendingObject, UploadUrl } from '../storage/blobStore.ts';

type AnnouncedFile = z.output<typeof UploadFile>;
type FileRow = Selectable<Tables['upload_files']>;

/** How the caller settles a conflict (decisions.md §7). */
export type Resolution = 'keep-mine' | 'keep-theirs' | 'keep-both';

export interface ReadyFile {
  readonly name: string;
  readonly code: ChangeCode;
  readonly version_id: string | null;
  readonly transfer: 'none' | 'single' | 'parts';
  /** Parts of `LIMITS.uploadPartBytes`; 0 for one PUT. */
  readonly parts: number;
}

/** Uploads by decisions.md §7: announced, sent, and committed all at once or not at all. */
export interface Uploads {
  info(shelf: ShelfAccess): Promise<{
    head_commit: string | null;
    part_size: number;
    document_room: number | null;
    documents: { id: string; name: string; current_version: number; sha256: string; size: number }[];
  }>;
  ready(
    actor: Actor,
    shelf: ShelfAccess,
    message: string,
    files: readonly AnnouncedFile[],
  ): Promise<{ upload_id: string; files: ReadyFile[] }>;
  /** How an upload stands, so that one that was interrupted goes on where it stopped. */
  status(
    actor: Actor,
    shelf: ShelfAccess,
    uploadId: string,
  ): Promise<{ files: (ReadyFile & { arrived: boolean; received_parts: number[] })[]; commit: Commit | null }>;
  /** Where to send the content of a pending version of the actor, or one part of it. */
  uploadUrl(actor: Actor, shelf: ShelfAccess, versionId: string, part: number | null): Promise<UploadUrl>;
  /** Puts the parts together and verifies them. Repeating it is harmless. */
  complete(actor: Actor, shelf: ShelfAccess, versionId: string): Promise<void>;
  /** Settles conflicting files of an upload; answers like `ready`. */
  resolve(
    actor: Actor,
    shelf: ShelfAccess,
    uploadId: string,
    resolutions: readonly { readonly name: string; readonly action: Resolution }[],
  ): Promise<{ upload_id: string; files: ReadyFile[] }>;
  /** Takes a pending version out of its upload; the others can still be committed. */
  abandon(actor: Actor, shelf: ShelfAccess, versionId: string): Promise<void>;
  report(actor: Actor, shelf: ShelfAccess, uploadId: string): Promise<Commit | null>;
  /** Drops uploads that nobody finished, with what arrived of them. */
  forgetAbandoned(): Promise<void>;
}

export interface UploadsOptions {
  readonly database: Database;
  readonly documents: Documents;
  readonly commits: Commits;
  readonly locks: Locks;
  readonly plans: Plans;
  readonly blobs: BlobStore;
  readonly now: () => number;
  /** Told after a commit. */
  readonly onCommitted: (hash: string) => void;
}

/** An upload that is not finished within this time is given up. */
export const UPLOAD_LIFETIME_MS = 7 * 24 * 3600_000;

/** A document of the shelf as far as codes depend on it. */
interface CurrentDocument {
  readonly id: string;
  readonly name_key: string;
  readonly current_version: number;
  readonly sha256: string;
}

/** Names in normal form, each once: two that differ only by case or normalisation cannot stand beside each other. */
function checkedFiles(files: readonly AnnouncedFile[]): (AnnouncedFile & { key: string })[] {
  const seen = new Map<string, string>();
  return files.map((file) => {
    const problem = documentNameProblem(file.name);
    if (problem !== null) {
      throw new AppError('name-invalid', `the name breaks the rule ${problem}`, {
        details: { name: file.name, problem },
      });
    }
    const name = normalizeName(file.name);
    const key = nameKey(name);
    const renamed_from = file.renamed_from === undefined ? undefined : normalizeName(file.renamed_from);
    for (const each of new Set([key, renamed_from === undefined ? key : nameKey(renamed_from)])) {
      const twin = seen.get(each);
      if (twin !== undefined)
        throw new AppError('name-invalid', 'two files of one upload have the same name', {
          details: { name, twin, problem: 'twice' },
        });
      seen.set(each, name);
    }
    return { ...file, name, key, ...(renamed_from === undefined ? {} : { renamed_from }) };
  });
}

/** The code of a file that is the new name of a document; any change of either name since is a conflict. */
function codeOfRename(
  file: AnnouncedFile,
  from: CurrentDocument | undefined,
  there: CurrentDocument | undefined,
): ChangeCode {
  if (from === undefined || from.current_version !== file.base_version) return 'C';
  if (from.sha256 !== file.sha256) {
    throw new AppError('bad-request', 'a document that gets another name keeps its content', {
      details: { name: file.name },
    });
  }
  return there === undefined || there.id === from.id ? 'M' : 'C';
}

function codeOf(file: AnnouncedFile, current: CurrentDocument | undefined): ChangeCode {
  if (file.delete) {
    if (current === undefined) return 'UC';
    return current.current_version === file.base_version ? 'D' : 'C';
  }
  // Whoever changed a document that another deleted meanwhile has to decide.
  if (current === undefined) return file.base_version === 0 ? 'A' : 'C';
  if (current.sha256 === file.sha256) return 'UC';
  return current.current_version === file.base_version ? 'M' : 'C';
}

function readyFile({ name, code, version_id, transfer, parts }: FileRow): ReadyFile {
  return { name, code: code as ChangeCode, version_id, transfer, parts };
}

function pendingOf(file: FileRow): PendingObject {
  return { key: file.version_id ?? '', sha256: file.sha256, size: Number(file.size), parts: file.parts };
}

const isChange = ({ code }: { code: string }) => code === 'A' || code === 'M' || code === 'D';
const isAwaited = (file: FileRow) => file.version_id !== null && file.transfer !== 'none' && file.arrived === 0;

/** Makes the service. */
export function createUploads(options: UploadsOptions): Uploads {
  const { database, documents, commits, locks, plans, blobs, now, onCommitted } = options;

  /** Contents that the actor can read already. Others' stay unknown: that a hash is there must not be learnt by asking. */
  async function readableHashes(actor: Actor, hashes: readonly string[]): Promise<Set<string>> {
    const found = new Set<string>();
    for (const chunk of inChunks([...new Set(hashes)])) {
      const rows = await database
        .selectFrom('versions')
        .innerJoin('documents', 'documents.id', 'versions.document_id')
        .innerJoin('shelf_members', 'shelf_members.shelf_id', 'documents.shelf_id')
        .select('versions.sha256')
        .distinct()
        .where('shelf_members.user_id', '=', actor.id)
        .where('versions.sha256', 'in', chunk)
        .execute();
      for (const row of rows) found.add(row.sha256);
    }
    return found;
  }

  const currentRows = (shelfId: string, on: Database = database) =>
    currentDocuments(on)
      .select([
        'documents.id',
        'documents.name',
        'documents.name_key',
        'documents.current_version',
        'versions.sha256',
        'versions.size',
      ])
      .where('documents.shelf_id', '=', shelfId)
      .where('documents.deleted', '=', 0);

  async function currentByKey(shelfId: string, keys: readonly string[], on: Database = database) {
    const byKey = new Map<string, CurrentDocument>();
    for (const chunk of inChunks(keys)) {
      const rows = await currentRows(shelfId, on).where('documents.name_key', 'in', chunk).execute();
      for (const row of rows) byKey.set(row.name_key, row);
    }
    return byKey;
  }

  /** What an announced file becomes, before anything of it was sent. */
  function plan(
    uploadId: string,
    position: number,
    file: AnnouncedFile,
    code: ChangeCode,
    readable: ReadonlySet<string>,
  ): FileRow {
    // A rename makes its version out of what is there.
    const makesVersion = (code === 'A' || code === 'M') && file.renamed_from === undefined;
    const isSent = makesVersion && !readable.has(file.sha256);
    const parts = isSent && file.size > LIMITS.uploadPartBytes ? Math.ceil(file.size / LIMITS.uploadPartBytes) : 0;
    return {
      upload_id: uploadId,
      position,
      name: file.name,
      size: file.size,
      sha256: file.sha256,
      mime: file.mime,
      base_version: file.base_version,
      code,
      version_id: makesVersion ? randomUUID() : null,
      transfer: !isSent ? 'none' : parts > 0 ? 'parts' : 'single',
      parts,
      deletes: file.delete ? 1 : 0,
      renamed_from: file.renamed_from ?? null,
      arrived: 0,
    };
  }

  async function uploadOf(actor: Actor, shelf: ShelfAccess, uploadId: string) {
    const upload = await database
      .selectFrom('uploads')
      .selectAll()
      .where('id', '=', uploadId)
      .where('user_id', '=', actor.id)
      .where('shelf_id', '=', shelf.id)
      .executeTakeFirst();
    if (upload === undefined) throw new AppError('not-found', 'there is no such upload');
    return upload;
  }

  const filesOf = (uploadId: string): Promise<FileRow[]> =>
    database.selectFrom('upload_files').selectAll().where('upload_id', '=', uploadId).orderBy('position').execute();

  /** A pending version of the actor whose upload is still open. */
  async function openFile(actor: Actor, shelf: ShelfAccess, versionId: string): Promise<FileRow> {
    const file = await database
      .selectFrom('upload_files')
      .innerJoin('uploads', 'uploads.id', 'upload_files.upload_id')
      .selectAll('upload_files')
      .select('uploads.reported')
      .where('upload_files.version_id', '=', versionId)
      .where('uploads.user_id', '=', actor.id)
      .where('uploads.shelf_id', '=', shelf.id)
      .executeTakeFirst();
    if (file === undefined) throw new AppError('not-found', 'there is no such pending version');
    if (file.reported === 1) throw new AppError('conflict', 'the upload is finished');
    return file;
  }

  /** From now on the collector leaves these contents alone. */
  async function keepFromCollection(files: readonly FileRow[]): Promise<void> {
    const at = new Date(now()).toISOString();
    const contents = [...new Map(files.map((file) => [file.sha256, Number(file.size)]))];
    for (const chunk of inChunks(contents)) {
      await database
        .insertInto('blobs')
        .values(chunk.map(([sha256, size]) => ({ sha256, size, created_at: at, condemned_ms: null })))
        .onConflict((conflict) => conflict.column('sha256').doUpdateSet({ condemned_ms: null }))
        .execute();
    }
  }

  /** A content that was at hand when the upload was announced may have gone since; from here on it stays. */
  async function refuseCollected(on: Database, files: readonly FileRow[]): Promise<void> {
    const atHand = files.filter(({ version_id, transfer }) => version_id !== null && transfer === 'none');
    for (const chunk of inChunks([...new Set(atHand.map(({ sha256 }) => sha256))])) {
      const kept = await on
        .updateTable('blobs')
        .set({ condemned_ms: null })
        .where('sha256', 'in', chunk)
        .executeTakeFirst();
      if (kept.numUpdatedRows === BigInt(chunk.length)) continue;
      throw new AppError('conflict', 'a content that was at hand is gone; announce the upload again');
    }
  }

  async function markArrived(files: readonly FileRow[]): Promise<void> {
    const versionIds = files.flatMap(({ version_id }) => (version_id === null ? [] : [version_id]));
    for (const chunk of inChunks(versionIds)) {
      await database.updateTable('upload_files').set({ arrived: 1 }).where('version_id', 'in', chunk).execute();
    }
  }

  /** Verifies what came of these files and makes it content. @throws AppError `upload-incomplete`, `content-mismatch` */
  async function finish(files: readonly FileRow[]): Promise<void> {
    if (files.length === 0) return;
    await keepFromCollection(files);
    await blobs.finish(files.map(pendingOf));
    await markArrived(files);
  }

  /** Says which files are missing, by their names, when contents are. */
  async function finishAll(files: readonly FileRow[]): Promise<void> {
    try {
      await finish(files);
    } catch (error) {
      if (!isAppError(error, 'upload-incomplete')) throw error;
      const missing: string[] = [];
      for (const file of files) {
        try {
          await finish([file]);
        } catch (failure) {
          if (!isAppError(failure, 'upload-incomplete')) throw failure;
          missing.push(file.name);
        }
      }
      if (missing.length === 0) return;
      throw new AppError('upload-incomplete', `${missing.length} files have not arrived`, {
        details: { missing: missing.slice(0, 50) },
        cause: error,
      });
    }
  }

  /** The changes of an upload, against the documents as they are now. */
  async function changesOf(on: Database, shelf: ShelfAccess, files: readonly FileRow[]): Promise<Change[]> {
    const names = files.flatMap(({ name, renamed_from }) => (renamed_from === null ? [name] : [name, renamed_from]));
    const current = await currentByKey(shelf.id, names.map(nameKey), on);
    return files.map((file): Change => {
      const content = { sha256: file.sha256, size: Number(file.size), mime: file.mime };
      const document = current.get(nameKey(file.renamed_from ?? file.name));
      if (file.code === 'A') {
        if (document !== undefined) {
          throw new AppError('conflict', 'a document of this name came meanwhile; announce the upload again', {
            details: { name: file.name },
          });
        }
        return { type: 'add', name: file.name, versionId: file.version_id ?? '', ...content };
      }
      if (document === undefined) {
        throw new AppError('conflict', 'the document was deleted meanwhile; announce the upload again', {
          details: { name: file.name },
        });
      }
      const base = { documentId: document.id, baseVersion: file.base_version };
      if (file.code === 'D') return { type: 'delete', ...base };
      if (file.renamed_from !== null) return { type: 'rename', ...base, name: file.name };
      return { type: 'modify', ...base, versionId: file.version_id ?? '', ...content };
    });
  }

  return {
    async info(shelf) {
      const { head_commit } = await database
        .selectFrom('shelves')
        .select('head_commit')
        .where('id', '=', shelf.id)
        .executeTakeFirstOrThrow();
      const { max_documents: max } = await plans.limits(database, shelf.owner_id);
      const used = max === null ? 0 : await plans.used(database, shelf.owner_id, 'max_documents');
      const rows = await currentRows(shelf.id).execute();
      return {
        head_commit,
        part_size: LIMITS.uploadPartBytes,
        document_room: max === null ? null : Math.max(0, max - used),
        documents: rows.map(({ id, name, current_version, sha256, size }) => ({
          id,
          name,
          current_version,
          sha256,
          size: Number(size),
        })),
      };
    },
    async ready(actor, shelf, message, announced) {
      const files = checkedFiles(announced);
      const keysOf = ({ key, renamed_from }: (typeof files)[number]) =>
        renamed_from === undefined ? [key] : [key, nameKey(renamed_from)];
      const current = await currentByKey(shelf.id, files.flatMap(keysOf));
      /** The document that a file changes. */
      const changedBy = ({ key, renamed_from }: (typeof files)[number]) =>
        current.get(renamed_from === undefined ? key : nameKey(renamed_from));
      const readable = await readableHashes(
        actor,
        files.map(({ sha256 }) => sha256),
      );
      const id = randomUUID();
      const planned = files.map((announced, position) => {
        const { key, ...file } = announced;
        const there = current.get(key);
        const code =
          file.renamed_from === undefined ? codeOf(file, there) : codeOfRename(file, changedBy(announced), there);
        return plan(id, position, file, code, readable);
      });
      const touched = files.flatMap((file, position) => {
        const code = planned[position]?.code;
        return code === 'M' || code === 'D' ? [changedBy(file)?.id ?? ''] : [];
      });
      await locks.refuse(database, actor.id, touched);
      await inTransaction(database, async (transaction) => {
        const added = planned.filter(({ code }) => code === 'A').length;
        await plans.claim(transaction, shelf.owner_id, 'max_documents', added);
        const created_at = new Date(now()).toISOString();
        const upload = {
          id,
          shelf_id: shelf.id,
          user_id: actor.id,
          message,
          reported: 0,
          commit_hash: null,
          created_at,
        };
        await transaction.insertInto('uploads').values(upload).execute();
        for (const chunk of inChunks(planned)) await transaction.insertInto('upload_files').values(chunk).execute();
      });
      return { upload_id: id, files: planned.map(readyFile) };
    },
    async status(actor, shelf, uploadId) {
      const upload = await uploadOf(actor, shelf, uploadId);
      const files = [];
      for (const file of await filesOf(uploadId)) {
        const received_parts = isAwaited(file) && file.parts > 0 ? await blobs.receivedParts(pendingOf(file)) : [];
        files.push({ ...readyFile(file), arrived: file.transfer === 'none' || file.arrived === 1, received_parts });
      }
      return { files, commit: upload.commit_hash === null ? null : await documents.commit(upload.commit_hash) };
    },
    async uploadUrl(actor, shelf, versionId, part) {
      const file = await openFile(actor, shelf, versionId);
      if (file.transfer === 'none') throw new AppError('conflict', 'the content is at hand already');
      const isPart = part !== null && part >= 1 && part <= file.parts;
      if (file.parts === 0 ? part !== null : !isPart) {
        throw new AppError(
          'bad-request',
          `the content is sent in ${file.parts === 0 ? 'one PUT' : `${file.parts} parts`}`,
        );
      }
      return blobs.uploadUrl(pendingOf(file), part);
    },
    async complete(actor, shelf, versionId) {
      const file = await openFile(actor, shelf, versionId);
      if (isAwaited(file)) await finish([file]);
    },
    async resolve(actor, shelf, uploadId, resolutions) {
      const upload = await uploadOf(actor, shelf, uploadId);
      if (upload.reported === 1) throw new AppError('conflict', 'the upload is finished');
      const files = await filesOf(uploadId);
      const byKey = new Map(files.map((file) => [nameKey(file.name), file]));
      const current = await currentByKey(shelf.id, [...byKey.keys()]);
      const readable = await readableHashes(
        actor,
        files.map(({ sha256 }) => sha256),
      );
      const { username } = await database
        .selectFrom('users')
        .select('username')
        .where('id', '=', actor.id)
        .executeTakeFirstOrThrow();
      const settled: FileRow[] = [];
      for (const { name, action } of resolutions) {
        const file = byKey.get(nameKey(normalizeName(name)));
        if (file === undefined) throw new AppError('not-found', 'the upload has no such file', { details: { name } });
        if (file.code !== 'C') throw new AppError('conflict', 'the file is not in conflict', { details: { name } });
        if (file.renamed_from !== null) {
          throw new AppError('conflict', 'a rename is announced again, from what there is now', { details: { name } });
        }
        const theirs = current.get(nameKey(file.name));
        const { renamed_from: _, ...rest } = file;
        const announced = { ...rest, size: Number(file.size), delete: file.deletes === 1 };
        const again = (code: ChangeCode, changed: Partial<AnnouncedFile>) =>
          plan(uploadId, file.position, { ...announced, ...changed }, code, readable);
        const mine =
          theirs === undefined ? again('A', { base_version: 0 }) : again('M', { base_version: theirs.current_version });
        if (action === 'keep-theirs') settled.push(again('UC', {}));
        else if (file.deletes === 1) {
          if (action === 'keep-both') throw new AppError('bad-request', 'a deletion leaves nothing to keep beside');
          settled.push(again(theirs === undefined ? 'UC' : 'D', { base_version: theirs?.current_version ?? 0 }));
        } else if (action === 'keep-mine') settled.push(mine);
        else
          settled.push(again('A', { name: conflictName(file.name, username ?? '', new Date(now())), base_version: 0 }));
      }
      await inTransaction(database, async (transaction) => {
        for (const { upload_id, position, ...row } of settled) {
          await transaction
            .updateTable('upload_files')
            .set(row)
            .where('upload_id', '=', upload_id)
            .where('position', '=', position)
            .where('code', '=', 'C')
            .execute();
        }
      });
      return { upload_id: uploadId, files: (await filesOf(uploadId)).map(readyFile) };
    },
    async abandon(actor, shelf, versionId) {
      const file = await openFile(actor, shelf, versionId);
      await database.deleteFrom('upload_files').where('version_id', '=', versionId).execute();
      await blobs.abandon(file.version_id ?? versionId);
    },
    async report(actor, shelf, uploadId) {
      const upload = await uploadOf(actor, shelf, uploadId);
      // The answer to an earlier report was lost: the same again, not the work twice.
      if (upload.reported === 1) return upload.commit_hash === null ? null : documents.commit(upload.commit_hash);
      const changing = (await filesOf(uploadId)).filter(isChange);
      await finishAll(changing.filter(isAwaited));
      const hash = await inTransaction(database, async (transaction): Promise<string | null> => {
        const claimed = await transaction
          .updateTable('uploads')
          .set({ reported: 1 })
          .where('id', '=', uploadId)
          .where('reported', '=', 0)
          .executeTakeFirst();
        if (claimed.numUpdatedRows !== 1n) {
          const { commit_hash } = await transaction
            .selectFrom('uploads')
            .select('commit_hash')
            .where('id', '=', uploadId)
            .executeTakeFirstOrThrow();
          return commit_hash;
        }
        if (changing.length === 0) return null;
        await refuseCollected(transaction, changing);
        const changes = await changesOf(transaction, shelf, changing);
        const request = { shelf, authorId: actor.id, message: upload.message, changes };
        const commitHash = await commits.commit(transaction, request);
        await transaction.updateTable('uploads').set({ commit_hash: commitHash }).where('id', '=', uploadId).execute();
        return commitHash;
      });
      if (hash === null) return null;
      onCommitted(hash);
      return documents.commit(hash);
    },
    async forgetAbandoned() {
      const before = new Date(now() - UPLOAD_LIFETIME_MS).toISOString();
      const files = await database
        .selectFrom('upload_files')
        .innerJoin('uploads', 'uploads.id', 'upload_files.upload_id')
        .select('upload_files.version_id')
        .where('uploads.created_at', '<', before)
        .where('uploads.reported', '=', 0)
        .where('upload_files.version_id', 'is not', null)
        .where('upload_files.transfer', '!=', 'none')
        .execute();
      for (const { version_id } of files) if (version_id !== null) await blobs.abandon(version_id);
      await database.deleteFrom('uploads').where('created_at', '<', before).execute();
    },
  };
}
