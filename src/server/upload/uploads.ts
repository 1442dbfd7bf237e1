import { createHash, randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { UploadFile } from '../../shared/api/documents.ts';
import { AppError } from '../../shared/errors.ts';
import type { ChangeCode, Commit, Shelf } from '../../shared/model/library.ts';
import { canonicalCommit } from '../../shared/rules/commit.ts';
import { LIMITS } from '../../shared/rules/limits.ts';
import { documentNameProblem, nameKey, normalizeName } from '../../shared/rules/names.ts';
import type { Database } from '../database/connection.ts';
import type { Documents } from '../documents/documents.ts';
import type { Actor } from '../http/context.ts';
import { checkLimit, planLimits } from '../libraries/libraries.ts';
import type { BlobStore } from '../storage/blobStore.ts';
import type { SignedGrant } from '../storage/signedUrls.ts';

type AnnouncedFile = z.output<typeof UploadFile>;

export interface ReadyFile {
  readonly name: string;
  readonly code: ChangeCode;
  readonly version_id: string | null;
  readonly transfer: 'none' | 'single';
}

/** Uploads by decisions.md §7: announced, sent, and committed all at once or not at all. */
export interface Uploads {
  info(shelf: Shelf): Promise<{
    head_commit: string | null;
    part_size: number;
    document_room: number | null;
    documents: { id: string; name: string; current_version: number; sha256: string; size: number }[];
  }>;
  ready(
    actor: Actor,
    shelf: Shelf,
    message: string,
    files: readonly AnnouncedFile[],
  ): Promise<{ upload_id: string; files: ReadyFile[] }>;
  /** What a pending version of the actor may be sent as. */
  grant(actor: Actor, shelf: Shelf, versionId: string): Promise<SignedGrant>;
  report(actor: Actor, shelf: Shelf, uploadId: string): Promise<Commit | null>;
}

export interface UploadsOptions {
  readonly database: Database;
  readonly documents: Documents;
  readonly blobs: BlobStore;
  readonly now: () => number;
  /** Told after a commit, with the shelf it was made on. */
  readonly onCommitted: (shelf: Shelf, commit: Commit) => void;
}

function checkWritable(actor: Actor, shelf: Shelf): void {
  const role = shelf.members.find((member) => member.member_id === actor.id)?.role;
  if (role !== 'owner' && role !== 'editor')
    throw new AppError('forbidden', 'only owner and editors upload to the shelf');
  if (shelf.archived) throw new AppError('forbidden', 'the shelf is archived and read-only');
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
    const twin = seen.get(key);
    if (twin !== undefined)
      throw new AppError('name-invalid', 'two files of one upload have the same name', {
        details: { name, twin, problem: 'twice' },
      });
    seen.set(key, name);
    return { ...file, name, key };
  });
}

/** Makes the service. */
export function createUploads({ database, documents, blobs, now, onCommitted }: UploadsOptions): Uploads {
  async function documentRoom(userId: string, on: Database = database): Promise<{ used: number; max: number | null }> {
    const { used } = await on
      .selectFrom('documents')
      .innerJoin('shelves', 'shelves.id', 'documents.shelf_id')
      .innerJoin('libraries', 'libraries.id', 'shelves.library_id')
      .select(({ fn }) => fn.countAll<number>().as('used'))
      .where('libraries.owner_id', '=', userId)
      .where('documents.deleted', '=', 0)
      .executeTakeFirstOrThrow();
    return { used: Number(used), max: (await planLimits(on, userId)).max_documents };
  }

  const ownerOf = (shelf: Shelf) => shelf.members.find((member) => member.role === 'owner')?.member_id ?? '';

  /** Contents that the actor can read already. Others' stay unknown: that a hash is there must not be learnt by asking. */
  async function readableHashes(actor: Actor, hashes: readonly string[]): Promise<Set<string>> {
    const found = new Set<string>();
    for (let from = 0; from < hashes.length; from += 500) {
      const rows = await database
        .selectFrom('versions')
        .innerJoin('documents', 'documents.id', 'versions.document_id')
        .innerJoin('shelf_members', 'shelf_members.shelf_id', 'documents.shelf_id')
        .select('versions.sha256')
        .distinct()
        .where('shelf_members.user_id', '=', actor.id)
        .where('versions.sha256', 'in', hashes.slice(from, from + 500))
        .execute();
      for (const row of rows) found.add(row.sha256);
    }
    return found;
  }

  async function currentByKey(shelfId: string) {
    const rows = await database
      .selectFrom('documents')
      .leftJoin('versions', (join) =>
        join
          .onRef('versions.document_id', '=', 'documents.id')
          .onRef('versions.number', '=', 'documents.current_version'),
      )
      .select([
        'documents.id',
        'documents.name',
        'documents.name_key',
        'documents.current_version',
        'documents.deleted',
        'versions.sha256',
        'versions.size',
      ])
      .where('documents.shelf_id', '=', shelfId)
      .execute();
    return new Map(rows.map((row) => [row.name_key, row]));
  }

  function codeOf(
    file: AnnouncedFile,
    current: { deleted: number; sha256: string | null; current_version: number } | undefined,
  ): ChangeCode {
    const exists = current !== undefined && current.deleted === 0;
    if (file.delete) {
      if (!exists) return 'UC';
      return current.current_version === file.base_version ? 'D' : 'C';
    }
    if (!exists) return 'A';
    if (current.sha256 === file.sha256) return 'UC';
    return current.current_version === file.base_version ? 'M' : 'C';
  }

  return {
    async info(shelf) {
      const { head_commit } = await database
        .selectFrom('shelves')
        .select('head_commit')
        .where('id', '=', shelf.id)
        .executeTakeFirstOrThrow();
      const { used, max } = await documentRoom(ownerOf(shelf));
      const rows = [...(await currentByKey(shelf.id)).values()].filter((row) => row.deleted === 0);
      return {
        head_commit,
        part_size: LIMITS.uploadPartBytes,
        document_room: max === null ? null : Math.max(0, max - used),
        documents: rows.map((row) => ({
          id: row.id,
          name: row.name,
          current_version: row.current_version,
          sha256: row.sha256 ?? '',
          size: Number(row.size ?? 0),
        })),
      };
    },
    async ready(actor, shelf, message, announced) {
      checkWritable(actor, shelf);
      const files = checkedFiles(announced);
      const current = await currentByKey(shelf.id);
      const readable = await readableHashes(actor, [...new Set(files.map((file) => file.sha256))]);
      const id = randomUUID();
      const planned = files.map((file) => {
        const code = codeOf(file, current.get(file.key));
        const makesVersion = code === 'A' || code === 'M';
        const transfer = makesVersion && !readable.has(file.sha256) ? ('single' as const) : ('none' as const);
        return { file, code, transfer, versionId: makesVersion ? randomUUID() : null };
      });
      const added = planned.filter(({ code }) => code === 'A').length;
      if (added > 0) {
        const { used } = await documentRoom(ownerOf(shelf));
        checkLimit(await planLimits(database, ownerOf(shelf)), 'max_documents', used, added);
      }
      await database.transaction().execute(async (transaction) => {
        await transaction
          .insertInto('uploads')
          .values({
            id,
            shelf_id: shelf.id,
            user_id: actor.id,
            message,
            reported: 0,
            commit_hash: null,
            created_at: new Date(now()).toISOString(),
          })
          .execute();
        for (const [position, { file, code, transfer, versionId }] of planned.entries()) {
          await transaction
            .insertInto('upload_files')
            .values({
              upload_id: id,
              position,
              name: file.name,
              size: file.size,
              sha256: file.sha256,
              mime: file.mime,
              base_version: file.base_version,
              code,
              version_id: versionId,
              transfer,
            })
            .execute();
        }
      });
      return {
        upload_id: id,
        files: planned.map(({ file, code, transfer, versionId }) => ({
          name: file.name,
          code,
          version_id: versionId,
          transfer,
        })),
      };
    },
    async grant(actor, shelf, versionId) {
      checkWritable(actor, shelf);
      const file = await database
        .selectFrom('upload_files')
        .innerJoin('uploads', 'uploads.id', 'upload_files.upload_id')
        .select(['upload_files.sha256', 'upload_files.size', 'uploads.reported'])
        .where('upload_files.version_id', '=', versionId)
        .where('uploads.user_id', '=', actor.id)
        .where('uploads.shelf_id', '=', shelf.id)
        .executeTakeFirst();
      if (file === undefined) throw new AppError('not-found', 'there is no such pending version');
      if (file.reported === 1) throw new AppError('conflict', 'the upload is finished');
      return { key: versionId, sha256: file.sha256, size: Number(file.size) };
    },
    async report(actor, shelf, uploadId) {
      checkWritable(actor, shelf);
      const upload = await database
        .selectFrom('uploads')
        .selectAll()
        .where('id', '=', uploadId)
        .where('user_id', '=', actor.id)
        .where('shelf_id', '=', shelf.id)
        .executeTakeFirst();
      if (upload === undefined) throw new AppError('not-found', 'there is no such upload');
      // The answer to an earlier report was lost: the same again, not the work twice.
      if (upload.reported === 1) return upload.commit_hash === null ? null : documents.commit(upload.commit_hash);
      const files = await database
        .selectFrom('upload_files')
        .selectAll()
        .where('upload_id', '=', uploadId)
        .orderBy('position')
        .execute();
      const changes = files.filter((file) => file.code === 'A' || file.code === 'M' || file.code === 'D');
      const missing: string[] = [];
      for (const file of changes) {
        if (file.code !== 'D' && !(await blobs.has(file.sha256))) missing.push(file.name);
      }
      if (missing.length > 0) {
        throw new AppError('upload-incomplete', `${missing.length} files have not arrived`, {
          details: { missing: missing.slice(0, 50) },
        });
      }
      const hash = await database.transaction().execute(async (transaction): Promise<string | null> => {
        const claimed = await transaction
          .updateTable('uploads')
          .set({ reported: 1 })
          .where('id', '=', uploadId)
          .where('reported', '=', 0)
          .executeTakeFirst();
        if (claimed.numUpdatedRows !== 1n) throw new AppError('conflict', 'the upload is being committed already');
        if (changes.length === 0) return null;
        const commitHash = await commitChanges(transaction, actor, shelf, upload.message, changes);
        await transaction.updateTable('uploads').set({ commit_hash: commitHash }).where('id', '=', uploadId).execute();
        return commitHash;
      });
      if (hash === null) return null;
      const commit = await documents.commit(hash);
      onCommitted(shelf, commit);
      return commit;
    },
  };

  /** Writes the commit, its versions and the documents' new state inside the caller's transaction. */
  async function commitChanges(
    transaction: Database,
    actor: Actor,
    shelf: Shelf,
    message: string,
    changes: readonly {
      name: string;
      code: string;
      base_version: number;
      version_id: string | null;
      sha256: string;
      size: number;
      mime: string;
    }[],
  ): Promise<string> {
    const createdAt = new Date(now()).toISOString();
    const { head_commit } = await transaction
      .selectFrom('shelves')
      .select('head_commit')
      .where('id', '=', shelf.id)
      .executeTakeFirstOrThrow();
    const last = await transaction
      .selectFrom('commits')
      .select(({ fn }) => fn.max('sequence').as('sequence'))
      .where('shelf_id', '=', shelf.id)
      .executeTakeFirst();
    const planned = [];
    for (const change of changes) {
      const document = await transaction
        .selectFrom('documents')
        .selectAll()
        .where('shelf_id', '=', shelf.id)
        .where('name_key', '=', nameKey(change.name))
        .executeTakeFirst();
      const exists = document !== undefined && document.deleted === 0;
      const isStale = change.code === 'A' ? exists : !exists || document.current_version !== change.base_version;
      if (isStale) {
        throw new AppError('conflict', 'a document changed since the upload was announced; announce it again', {
          details: { name: change.name },
        });
      }
      planned.push({ change, document, number: change.code === 'D' ? null : (document?.current_version ?? 0) + 1 });
    }
    if (changes.some((change) => change.code === 'A')) {
      const owner = ownerOf(shelf);
      const { used } = await documentRoom(owner, transaction);
      checkLimit(
        await planLimits(transaction, owner),
        'max_documents',
        used,
        changes.filter((change) => change.code === 'A').length,
      );
    }
    const canonical = canonicalCommit({
      shelfId: shelf.id,
      parent: head_commit,
      authorId: actor.id,
      createdAt,
      message,
      changes: planned.map(({ change, number }) => ({
        code: change.code as 'A' | 'M' | 'D',
        name: change.name,
        versionNumber: number,
        sha256: number === null ? null : change.sha256,
      })),
    });
    const hash = createHash('sha256').update(canonical).digest('hex');
    await transaction
      .insertInto('commits')
      .values({
        hash,
        shelf_id: shelf.id,
        sequence: (last?.sequence ?? 0) + 1,
        parent: head_commit,
        message,
        author_id: actor.id,
        created_at: createdAt,
      })
      .execute();
    for (const [position, { change, document, number }] of planned.entries()) {
      const documentId = document?.id ?? randomUUID();
      if (document === undefined) {
        await transaction
          .insertInto('documents')
          .values({
            id: documentId,
            shelf_id: shelf.id,
            name: change.name,
            name_key: nameKey(change.name),
            original_filename: change.name.split('/').at(-1) ?? change.name,
            mime: change.mime,
            current_version: 1,
            deleted: 0,
          })
          .execute();
      } else {
        await transaction
          .updateTable('documents')
          .set(number === null ? { deleted: 1 } : { deleted: 0, current_version: number, mime: change.mime })
          .where('id', '=', documentId)
          .execute();
      }
      if (number !== null && change.version_id !== null) {
        await transaction
          .insertInto('versions')
          .values({
            id: change.version_id,
            document_id: documentId,
            number,
            name: document?.name ?? change.name,
            sha256: change.sha256,
            size: Number(change.size),
            mime: change.mime,
            author_id: actor.id,
            commit_hash: hash,
            created_at: createdAt,
          })
          .execute();
        await transaction
          .insertInto('blobs')
          .values({ sha256: change.sha256, size: Number(change.size), created_at: createdAt })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      }
      await transaction
        .insertInto('commit_changes')
        .values({
          commit_hash: hash,
          position,
          code: change.code as 'A' | 'M' | 'D',
          document_id: documentId,
          name: document?.name ?? change.name,
          version_id: number === null ? null : change.version_id,
        })
        .execute();
    }
    await transaction
      .updateTable('shelves')
      .set({ head_commit: hash, updated_at: createdAt })
      .where('id', '=', shelf.id)
      .execute();
    return hash;
  }
}
