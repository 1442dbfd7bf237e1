import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { DownloadSelection, FolderQuery, TRANSFER_ROUTES } from '../../shared/api/transfer.ts';
import { AppError } from '../../shared/errors.ts';
import { Id } from '../../shared/model/common.ts';
import { nameKey } from '../../shared/rules/names.ts';
import { type Access, READ } from '../access/access.ts';
import { inChunks } from '../database/chunks.ts';
import type { Database } from '../database/connection.ts';
import { contentDisposition } from '../documents/sendContent.ts';
import type { Actor } from '../http/context.ts';
import { routePath } from '../http/mount.ts';
import type { BlobStore } from '../storage/blobStore.ts';
import { type ArchiveEntry, zipStream } from './zipStream.ts';

export interface ArchiveOptions {
  readonly database: Database;
  readonly access: Access;
  readonly blobs: BlobStore;
  readonly authenticate: (request: FastifyRequest) => Promise<Actor | null>;
}

/** A document's current version with where it stands. */
interface CurrentFile {
  readonly name: string;
  readonly sha256: string;
  readonly size: number;
  readonly created_at: string;
  readonly library: string;
  readonly shelf: string;
}

const ShelfParams = z.object({ lib: z.string(), id: Id });

/** Answers with files as one ZIP. */
export function sendZip(
  reply: FastifyReply,
  name: string,
  entries: Iterable<ArchiveEntry> | AsyncIterable<ArchiveEntry>,
): FastifyReply {
  return reply
    .header('content-type', 'application/zip')
    .header('content-disposition', contentDisposition('attachment', `${name}.zip`))
    .header('content-security-policy', "default-src 'none'; sandbox")
    .header('cache-control', 'private, no-store')
    .send(zipStream(entries));
}

/** The signed-in user of a route that is no validated call. */
export async function signedIn(authenticate: ArchiveOptions['authenticate'], request: FastifyRequest): Promise<Actor> {
  const actor = await authenticate(request);
  if (actor === null) throw new AppError('unauthenticated', 'signing in is needed');
  return actor;
}

/** Current documents of shelves as ZIP files: names with their folders, dated by their versions. */
export function archiveRoutes(app: FastifyInstance, options: ArchiveOptions): void {
  const { database, access, blobs, authenticate } = options;

  const currentFiles = () =>
    database
      .selectFrom('documents')
      .innerJoin('versions', (join) =>
        join
          .onRef('versions.document_id', '=', 'documents.id')
          .onRef('versions.number', '=', 'documents.current_version'),
      )
      .innerJoin('shelves', 'shelves.id', 'documents.shelf_id')
      .innerJoin('libraries', 'libraries.id', 'shelves.library_id')
      .where('documents.deleted', '=', 0)
      .select([
        'documents.name',
        'versions.sha256',
        'versions.size',
        'versions.created_at',
        'shelves.name as shelf',
        'libraries.name as library',
      ])
      .orderBy('documents.name_key');

  const entryOf = (file: CurrentFile, name: string): ArchiveEntry => ({
    name,
    modified: new Date(file.created_at),
    size: file.size,
    open: () => blobs.read(file.sha256),
  });

  /** Files of several shelves stand in folders that are called after these, and so on for libraries. */
  function placed(files: readonly CurrentFile[]): ArchiveEntry[] {
    const libraries = new Set(files.map(({ library }) => library));
    const shelves = new Set(files.map(({ library, shelf }) => `${library}/${shelf}`));
    return files.map((file) => {
      const folders = [...(libraries.size > 1 ? [file.library] : []), ...(shelves.size > 1 ? [file.shelf] : [])];
      return entryOf(file, [...folders, file.name].join('/'));
    });
  }

  const hidden = { exposeHeadRoute: false };

  app.get(routePath(TRANSFER_ROUTES.shelfDownload), hidden, async (request, reply) => {
    const actor = await signedIn(authenticate, request);
    const params = ShelfParams.safeParse(request.params);
    if (!params.success) throw new AppError('not-found', 'there is no such shelf');
    const query = FolderQuery.safeParse(request.query);
    if (!query.success) throw new AppError('bad-request', 'the folder is not a name');
    const shelf = await access.shelf(actor, params.data.lib, params.data.id, READ);
    const { folder } = query.data;
    const key = nameKey(folder);
    const files = await currentFiles()
      .where('shelves.id', '=', shelf.id)
      // `0` is the character after `/`.
      .$if(key !== '', (wanted) =>
        wanted.where('documents.name_key', '>=', `${key}/`).where('documents.name_key', '<', `${key}0`),
      )
      .execute();
    if (folder !== '' && files.length === 0) throw new AppError('not-found', 'there is no such folder');
    // The folder itself stays, the ones that it stands in do not.
    const skipped = folder.lastIndexOf('/') + 1;
    const name = folder === '' ? shelf.name : folder.slice(skipped);
    return sendZip(
      reply,
      name,
      files.map((file) => entryOf(file, file.name.slice(skipped))),
    );
  });

  app.post(routePath(TRANSFER_ROUTES.documentsDownload), async (request, reply) => {
    const actor = await signedIn(authenticate, request);
    const body = DownloadSelection.strict().safeParse(request.body);
    if (!body.success) throw new AppError('bad-request', 'which documents are wanted is not clear');
    const ids = [...new Set(body.data.ids)];
    const files: CurrentFile[] = [];
    for (const chunk of inChunks(ids)) {
      const found = await currentFiles()
        .innerJoin('shelf_members', (join) =>
          join.onRef('shelf_members.shelf_id', '=', 'shelves.id').on('shelf_members.user_id', '=', actor.id),
        )
        .where('documents.id', 'in', chunk)
        .execute();
      files.push(...found);
    }
    if (files.length < ids.length) throw new AppError('not-found', 'a document is not there any more');
    const [only] = files;
    return sendZip(
      reply,
      only !== undefined && files.every(({ shelf }) => shelf === only.shelf) ? only.shelf : 'documents',
      placed(files),
    );
  });
}
