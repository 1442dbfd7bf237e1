import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type notifications as calls, NOTIFICATION_STREAM } from '../../shared/api/notifications.ts';
import { AppError } from '../../shared/errors.ts';
import type { EventStreams } from '../events/eventStream.ts';
import { type Actor, actorOf } from '../http/context.ts';
import type { ApiHandlers } from '../http/mount.ts';
import type { Notifications } from './notifications.ts';

/** Handlers of the notification calls. */
export function notificationsHandlers(
  notifications: Notifications,
): ApiHandlers<{ notifications: typeof calls }>['notifications'] {
  const status = 'success' as const;
  return {
    count: async (_input, context) => ({ status, count: await notifications.unread(actorOf(context).id) }),
    list: async ({ query }, context) => ({
      status,
      ...(await notifications.list(actorOf(context).id, query.page, query.limit)),
    }),
    markAsRead: async ({ params }, context) => ({
      status,
      unread_count: await notifications.markAsRead(actorOf(context).id, params.id),
    }),
    async markAllAsRead(_input, context) {
      await notifications.markAllAsRead(actorOf(context).id);
      return { status, unread_count: 0 };
    },
    follows: async (_input, context) => ({ follows: await notifications.follows(actorOf(context).id) }),
    follow: ({ params, body }, context) => notifications.follow(actorOf(context), params.kind, params.id, body.mode),
    async unfollow({ params }, context) {
      await notifications.unfollow(actorOf(context).id, params.kind, params.id);
      return { removed: true };
    },
  };
}

/** Windows that one person may have open at once; a browser itself allows six connections. */
const STREAMS_EACH = 12;

/** The live stream. It goes on where a client stopped that names the last event it saw. */
export function notificationStream(
  app: FastifyInstance,
  options: {
    readonly notifications: Notifications;
    readonly streams: EventStreams;
    readonly authenticate: (request: FastifyRequest) => Promise<Actor | null>;
  },
): void {
  const { notifications, streams, authenticate } = options;
  const open = new Map<string, number>();

  app.get(NOTIFICATION_STREAM, async (request, reply) => {
    const actor = await authenticate(request);
    if (actor === null) throw new AppError('unauthenticated', 'signing in is needed');
    // Who went while this was asked has had its end already, and none would come to count it off.
    if (reply.raw.destroyed) {
      reply.hijack();
      return;
    }
    const count = open.get(actor.id) ?? 0;
    if (count >= STREAMS_EACH) throw new AppError('throttled', 'too many live connections; close other windows');
    open.set(actor.id, count + 1);
    const last = request.headers['last-event-id'];
    const stream = streams.open(request, reply, {
      isAlive: async () => (await authenticate(request)) !== null,
      onClose() {
        stop();
        const left = (open.get(actor.id) ?? 1) - 1;
        if (left === 0) open.delete(actor.id);
        else open.set(actor.id, left);
      },
    });
    const stop = notifications.listen(actor.id, typeof last === 'string' ? last : null, (change) => {
      if (change.type === 'notification') {
        const { type, cursor, ...data } = change;
        stream.send(type, data, cursor);
      } else {
        const { type, ...data } = change;
        stream.send(type, data);
      }
    });
  });
}
