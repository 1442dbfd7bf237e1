import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { SHARING_STREAMS, shareTopic } from '../../shared/api/sharing.ts';
import { AppError, isAppError } from '../../shared/errors.ts';
import { Id } from '../../shared/model/common.ts';
import type { EventStream, EventStreams } from '../events/eventStream.ts';
import type { Actor } from '../http/context.ts';
import { routePath } from '../http/mount.ts';
import type { ShareLinks } from './shareLinks.ts';

const Path = z.object({ lib: z.string(), id: Id, linkId: Id });

/** Windows that one person may have open at once. */
const STREAMS_EACH = 12;

/** Openings and downloads as they happen, to who may see the link's statistics, as long as they may (field.md row 46). */
export function statisticsStream(
  app: FastifyInstance,
  options: {
    readonly links: ShareLinks;
    readonly streams: EventStreams;
    readonly authenticate: (request: FastifyRequest) => Promise<Actor | null>;
    /** Hears of what is published to a topic. @returns how to stop */
    readonly subscribe: (topic: string, listener: (data: unknown) => void) => () => void;
  },
): void {
  const { links, streams, authenticate, subscribe } = options;
  const open = new Map<string, number>();

  async function watcher(request: FastifyRequest, path: z.infer<typeof Path>): Promise<Actor> {
    const actor = await authenticate(request);
    if (actor === null) throw new AppError('unauthenticated', 'signing in is needed');
    await links.linkScope(actor, path, path.linkId);
    return actor;
  }

  const mayStillWatch = (request: FastifyRequest, path: z.infer<typeof Path>) =>
    watcher(request, path).then(
      () => true,
      (error: unknown) => {
        if (isAppError(error)) return false;
        throw error;
      },
    );

  app.get(routePath(SHARING_STREAMS.live), async (request, reply) => {
    const path = Path.safeParse(request.params);
    if (!path.success) throw new AppError('not-found', 'there is no such link');
    const { id } = await watcher(request, path.data);
    const count = open.get(id) ?? 0;
    if (count >= STREAMS_EACH) throw new AppError('throttled', 'too many live connections; close other windows');
    open.set(id, count + 1);
    let stream: EventStream | null = null;
    const stop = subscribe(shareTopic(path.data.linkId), (data) => stream?.send('share-event', data));
    stream = streams.open(request, reply, {
      isAlive: () => mayStillWatch(request, path.data),
      onClose() {
        stop();
        const left = (open.get(id) ?? 1) - 1;
        if (left === 0) open.delete(id);
        else open.set(id, left);
      },
    });
  });
}
