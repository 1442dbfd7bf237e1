import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { TRANSFER_ROUTES } from '../../shared/api/transfer.ts';
import { AppError } from '../../shared/errors.ts';
import { type ArchiveOptions, sendZip, signedIn } from '../archive/archiveRoutes.ts';
import type { ArchiveEntry } from '../archive/zipStream.ts';
import type { Audit } from '../audit/audit.ts';
import type { Database } from '../database/connection.ts';
import { routePath } from '../http/mount.ts';
import type { BlobStore } from '../storage/blobStore.ts';
import { exportShelves, libraryFile, shelfFiles } from './exportTree.ts';
import { LIBRARY_FILE } from './format.ts';
import type { LibrarySource } from './snapshot.ts';

/** A library as exports tell of it. @throws AppError `not-found` */
export async function librarySource(database: Database, libraryId: string): Promise<LibrarySource> {
  const row = await database
    .selectFrom('libraries')
    .innerJoin('users', 'users.id', 'libraries.owner_id')
    .select(['libraries.id', 'libraries.name', 'libraries.archived', 'libraries.created_at', 'users.username'])
    .where('libraries.id', '=', libraryId)
    .executeTakeFirst();
  if (row === undefined) throw new AppError('not-found', 'there is no such library');
  const { username, archived, ...library } = row;
  return { ...library, owner: username ?? '', archived: archived === 1 };
}

async function* libraryFiles(
  database: Database,
  blobs: BlobStore,
  library: LibrarySource,
  at: number,
): AsyncGenerator<ArchiveEntry> {
  const shelves = await exportShelves(database, library.id);
  const contents = new Set<string>();
  for (const shelf of shelves) yield* shelfFiles(database, blobs, shelf, contents);
  const text = `${JSON.stringify(libraryFile(library, shelves, at, true), null, 2)}\n`;
  yield { name: LIBRARY_FILE, modified: new Date(at), size: null, open: () => Readable.from([Buffer.from(text)]) };
}

/** A whole library as a ZIP, for its owner; every content is checked on its way. */
export function libraryExportRoutes(
  app: FastifyInstance,
  options: ArchiveOptions & { readonly audit: Audit; readonly now: () => number },
): void {
  const { database, access, audit, blobs, authenticate, now } = options;
  app.get(routePath(TRANSFER_ROUTES.libraryExport), { exposeHeadRoute: false }, async (request, reply) => {
    const actor = await signedIn(authenticate, request);
    const { name } = request.params as { readonly name: string };
    const { id, isOwner } = await access.library(actor, name);
    if (!isOwner) throw new AppError('forbidden', 'only its owner may export a library');
    const library = await librarySource(database, id);
    await audit.record(database, actor, request.ip, {
      action: 'library.export',
      target: { kind: 'library', id, name: library.name },
      libraryId: id,
    });
    return sendZip(reply, library.name, libraryFiles(database, blobs, library, now()));
  });
}
