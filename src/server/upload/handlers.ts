import type { FastifyInstance } from 'fastify';
import { STREAM_ROUTES } from '../../shared/api/documents.ts';
import type { Api } from '../../shared/api/index.ts';
import { type Access, EDIT, READ } from '../access/access.ts';
import { actorOf, type CallContext } from '../http/context.ts';
import { type ApiHandlers, routePath } from '../http/mount.ts';
import type { FolderBlobStore } from '../storage/folderBlobStore.ts';
import type { SignedUrls } from '../storage/signedUrls.ts';
import type { Uploads } from './uploads.ts';

/** Handlers of the upload calls. */
export function uploadHandlers(access: Access, uploads: Uploads): ApiHandlers<Api>['upload'] {
  async function writable(params: { readonly lib: string; readonly id: string }, context: CallContext) {
    const actor = actorOf(context);
    return [actor, await access.shelf(actor, params.lib, params.id, EDIT)] as const;
  }

  async function abandon(
    { params, body }: { params: { lib: string; id: string }; body: { version_id: string } },
    context: CallContext,
  ) {
    await uploads.abandon(...(await writable(params, context)), body.version_id);
    return { version_id: body.version_id };
  }

  return {
    info: async ({ params }, context) =>
      uploads.info(await access.shelf(actorOf(context), params.lib, params.id, READ)),
    ready: async ({ params, body }, context) =>
      uploads.ready(...(await writable(params, context)), body.message, body.files),
    status: async ({ params }, context) => uploads.status(...(await writable(params, context)), params.upload),
    conflict: async ({ params, body }, context) =>
      uploads.resolve(...(await writable(params, context)), body.upload_id, body.resolutions),
    async presignedUrl({ params, body }, context) {
      const target = await writable(params, context);
      const { url, expiresIn } = await uploads.uploadUrl(...target, body.version_id, body.part ?? null);
      return { url, method: 'PUT', expires_in: expiresIn };
    },
    async completeMultipart({ params, body }, context) {
      await uploads.complete(...(await writable(params, context)), body.version_id);
      return { version_id: body.version_id };
    },
    async failed(input, context) {
      const { version_id, reason } = input.body;
      context.request.log.warn({ version: version_id, reason }, 'a client could not send a content');
      return abandon(input, context);
    },
    abandon,
    report: async ({ params, body }, context) => ({
      commit: await uploads.report(...(await writable(params, context)), body.upload_id),
    }),
  };
}

/** The embedded object store's only route: a PUT that a signature allows. The signature is all the right it needs. */
export async function storageRoutes(
  app: FastifyInstance,
  blobs: FolderBlobStore,
  signedUrls: SignedUrls,
): Promise<void> {
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
        await blobs.receive(grant, request.raw);
        return reply.code(200).send({ stored: true });
      },
    );
  });
}
