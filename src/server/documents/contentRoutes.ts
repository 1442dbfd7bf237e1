import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { STREAM_ROUTES } from '../../shared/api/documents.ts';
import { AppError } from '../../shared/errors.ts';
import { Id } from '../../shared/model/common.ts';
import type { Actor } from '../http/context.ts';
import { routePath } from '../http/mount.ts';
import type { BlobStore } from '../storage/blobStore.ts';
import type { SignedPaths } from '../storage/signedPaths.ts';
import type { Documents, VersionContent } from './documents.ts';
import { sendContent } from './sendContent.ts';

export interface ContentRoutesOptions {
  readonly documents: Documents;
  readonly blobs: BlobStore;
  readonly signedPaths: SignedPaths;
  readonly authenticate: (request: FastifyRequest) => Promise<Actor | null>;
}

/** The id in a route's path; what is none names nothing. */
function idOf(request: FastifyRequest): string {
  const id = Id.safeParse((request.params as { id?: unknown }).id);
  if (!id.success) throw new AppError('not-found', 'there is no such version');
  return id.data;
}

/** Contents of versions, to those who are members or have a signed address. */
export function contentRoutes(app: FastifyInstance, options: ContentRoutesOptions): void {
  const { documents, blobs, signedPaths, authenticate } = options;

  function member(path: string, find: (actor: Actor, id: string) => Promise<VersionContent>, download: boolean): void {
    app.get(routePath(path), async (request, reply) => {
      const actor = await authenticate(request);
      if (actor === null) throw new AppError('unauthenticated', 'signing in is needed');
      const content = await find(actor, idOf(request));
      return sendContent(request, reply, blobs, { ...content, name: content.document_name }, download);
    });
  }

  function signed(path: string, download: boolean): void {
    app.get(routePath(path), async (request, reply): Promise<FastifyReply> => {
      signedPaths.check(request.url.split('?')[0] ?? '', request.query);
      const content = await documents.content(idOf(request));
      return sendContent(request, reply, blobs, { ...content, name: content.document_name }, download);
    });
  }

  member(STREAM_ROUTES.versionContent, documents.version, false);
  member(STREAM_ROUTES.versionDownload, documents.version, true);
  member(STREAM_ROUTES.documentDownload, documents.currentVersion, true);
  signed(STREAM_ROUTES.signedContent, false);
  signed(STREAM_ROUTES.signedDownload, true);
}
