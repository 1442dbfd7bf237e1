import type { FastifyInstance, FastifyRequest } from 'fastify';
import { APP_VERSION_FILE, type appVersions as calls, UPDATE_FEED } from '../../shared/api/appVersions.ts';
import { AppError } from '../../shared/errors.ts';
import { Id } from '../../shared/model/common.ts';
import { sendContent } from '../documents/sendContent.ts';
import { type Actor, callerOf } from '../http/context.ts';
import { type ApiHandlers, routePath } from '../http/mount.ts';
import type { BlobStore } from '../storage/blobStore.ts';
import type { AppVersions } from './appVersions.ts';

/** Handlers of the calls on versions of the desktop application. */
export function appVersionsHandlers(versions: AppVersions): ApiHandlers<{ appVersions: typeof calls }>['appVersions'] {
  return {
    list: ({ query }) => versions.list(query.page, query.page_size),
    create: ({ body }, context) => versions.create(callerOf(context), body),
    update: ({ params, body }, context) => versions.update(callerOf(context), params.id, body),
    async remove({ params }, context) {
      await versions.remove(callerOf(context), params.id);
      return { deleted: true };
    },
    latest: async ({ query }) => ({ version: await versions.latest(query.platform ?? null, query.channel) }),
    releaseNotes: ({ params, query }) => versions.releaseNotes(params.version, query.platform ?? null),
  };
}

/** Installers come in and go out as streams; the feed is what update clients read. */
export async function appVersionRoutes(
  app: FastifyInstance,
  options: {
    readonly versions: AppVersions;
    readonly blobs: BlobStore;
    readonly authenticate: (request: FastifyRequest) => Promise<Actor | null>;
  },
): Promise<void> {
  const { versions, blobs, authenticate } = options;

  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    scope.put(routePath(APP_VERSION_FILE), { bodyLimit: Number.MAX_SAFE_INTEGER }, async (request) => {
      const actor = await authenticate(request);
      if (actor === null) throw new AppError('unauthenticated', 'signing in is needed');
      if (!actor.isAdmin) throw new AppError('forbidden', 'only an administrator may');
      const { id, name } = request.params as { id: string; name: string };
      if (!Id.safeParse(id).success) throw new AppError('not-found', 'there is no such version');
      return versions.putFile({ actor, address: request.ip }, id, name, request.raw);
    });
  });

  app.get(routePath(UPDATE_FEED), async (request, reply) => {
    const { file: name } = request.params as { file: string };
    const feed = await versions.feed(name);
    if (feed !== null) {
      return reply.type('text/yaml; charset=utf-8').header('cache-control', 'no-cache').send(feed);
    }
    const file = await versions.file(name);
    if (file === null) throw new AppError('not-found', 'there is no such update');
    return sendContent(request, reply, blobs, { ...file, mime: 'application/octet-stream' }, true);
  });
}
