import type { FastifyInstance } from 'fastify';
import { STREAM_ROUTES } from '../../shared/api/documents.ts';
import type { Api } from '../../shared/api/index.ts';
import { actorOf } from '../http/context.ts';
import { type ApiHandlers, routePath } from '../http/mount.ts';
import type { Libraries } from '../libraries/libraries.ts';
import type { BlobStore } from '../storage/blobStore.ts';
import type { SignedUrls } from '../storage/signedUrls.ts';
import type { Uploads } from './uploads.ts';

/** Handlers of the upload calls. */
export function uploadHandlers(
  libraries: Libraries,
  uploads: Uploads,
  signedUrls: SignedUrls,
): ApiHandlers<Api>['upload'] {
  return {
    async info({ params }, context) {
      return uploads.info(await libraries.shelf(actorOf(context), params.lib, params.id));
    },
    async ready({ params, body }, context) {
      const actor = actorOf(context);
      return uploads.ready(actor, await libraries.shelf(actor, params.lib, params.id), body.message, body.files);
    },
    async presignedUrl({ params, body }, context) {
      const actor = actorOf(context);
      const shelf = await libraries.shelf(actor, params.lib, params.id);
      const { url, expiresIn } = signedUrls.sign(await uploads.grant(actor, shelf, body.version_id));
      return { url, method: 'PUT', expires_in: expiresIn };
    },
    async report({ params, body }, context) {
      const actor = actorOf(context);
      return {
        commit: await uploads.report(actor, await libraries.shelf(actor, params.lib, params.id), body.upload_id),
      };
    },
  };
}

/** The embedded object store's only route: a PUT that a signature allows. The signature is all the right it needs. */
export async function storageRoutes(app: FastifyInstance, blobs: BlobStore, signedUrls: SignedUrls): Promise<void> {
  await app.register(async (scope) => {
    // Bodies are taken as streams, whatever type the client says they have.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    scope.put(
      routePath(STREAM_ROUTES.storageObject),
      { bodyLimit: Number.MAX_SAFE_INTEGER },
      async (request, reply) => {
        const { key } = request.params as { key: string };
        const grant = signedUrls.check(key, request.query as Record<string, unknown>);
        await blobs.put(request.raw, grant);
        return reply.code(200).send({ stored: true });
      },
    );
  });
}
