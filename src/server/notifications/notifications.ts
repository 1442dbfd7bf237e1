import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { AppError } from '../../shared/errors.ts';
import type { Notification, NotificationMetadata } from '../../shared/model/notification.ts';
import type { Access } from '../access/access.ts';
import { READ } from '../access/access.ts';
import { inChunks } from '../database/chunks.ts';
import type { Database } from '../database/connection.ts';
import type { Actor } from '../http/context.ts';
import { createLiveNotifications, type LiveNotifications } from './live.ts';
import type { NotificationEvent, Notifier } from './notifier.ts';
import { notificationRows, showNotifications, unreadCounts } from './reading.ts';

export interface Follow {
  readonly kind: 'shelf' | 'document';
  readonly target_id: string;
  readonly mode: 'follow' | 'mute';
  readonly created_at: string;
}

/** Notifications of people, stored and live. */
export interface Notifications extends Notifier, Pick<LiveNotifications, 'listen' | 'close'> {
  unread(userId: string): Promise<number>;
  list(
    userId: string,
    page: number,
    limit: number,
  ): Promise<{ notifications: Notification[]; unread_count: number; has_more: boolean }>;
  /** @throws AppError `not-found` */
  markAsRead(userId: string, notificationId: string): Promise<number>;
  markAllAsRead(userId: string): Promise<void>;
  follows(userId: string): Promise<Follow[]>;
  /** @throws AppError `not-found` for what the actor cannot see. */
  follow(actor: Actor, kind: Follow['kind'], targetId: string, mode: Follow['mode']): Promise<Follow>;
  unfollow(userId: string, kind: Follow['kind'], targetId: string): Promise<void>;
  /** Forgets what is older than three months. */
  forgetOld(): Promise<void>;
}

const KEPT_MS = 90 * 24 * 3600_000;
/** Events of documents that only followers hear of: there are too many for everybody. */
const FOLLOWERS_ONLY = new Set(['DOC_VERSION']);
const MUTABLE = /^(DOC_|SHELF_COMMENT_ADD)/u;

/** Makes the service. */
export function createNotifications(options: {
  readonly database: Database;
  readonly access: Access;
  readonly log: Logger;
  readonly now: () => number;
}): Notifications {
  const { database, access, log, now } = options;
  const live = createLiveNotifications({ database, log, now });

  const iso = (ms: number) => new Date(ms).toISOString();

  /** Those who are to hear of it: without who did it, who muted the place, and, for some types, who does not follow it. */
  async function recipients(on: Database, event: NotificationEvent): Promise<string[]> {
    const users =
      'users' in event.to
        ? event.to.users
        : (
            await on.selectFrom('shelf_members').select('user_id').where('shelf_id', '=', event.to.membersOf).execute()
          ).map(({ user_id }) => user_id);
    const others = [...new Set(users)].filter((id) => id !== event.actorId);
    if (!MUTABLE.test(event.type) || others.length === 0) return others;
    const places = [event.metadata.shelf_id, event.metadata.document_id].filter((id) => id !== undefined);
    if (places.length === 0) return others;
    const wishes = await on
      .selectFrom('follows')
      .select(['user_id', 'mode'])
      .where('kind', 'in', ['shelf', 'document'])
      .where('target_id', 'in', places)
      .execute();
    const muted = new Set(wishes.filter(({ mode }) => mode === 'mute').map(({ user_id }) => user_id));
    const following = new Set(wishes.filter(({ mode }) => mode === 'follow').map(({ user_id }) => user_id));
    const named = new Set(event.mentioned ?? []);
    return others.filter(
      (id) => named.has(id) || (!muted.has(id) && (!FOLLOWERS_ONLY.has(event.type) || following.has(id))),
    );
  }

  const mine = (userId: string) => notificationRows(database).where('user_id', '=', userId);

  async function unread(userId: string): Promise<number> {
    return (await unreadCounts(database, [userId])).get(userId) ?? 0;
  }

  async function tellRead(userId: string): Promise<number> {
    const count = await unread(userId);
    live.read(userId, count);
    return count;
  }

  return {
    async notify(on, event) {
      const users = await recipients(on, event);
      if (users.length === 0) return;
      const actor = await on
        .selectFrom('users')
        .select(['username', 'user_image'])
        .where('id', '=', event.actorId)
        .executeTakeFirst();
      const metadata: NotificationMetadata = {
        actor_username: actor?.username ?? '',
        actor_image: actor?.user_image ?? null,
        ...event.metadata,
      };
      const created_at = iso(now());
      for (const chunk of inChunks(users)) {
        await on
          .insertInto('notifications')
          .values(
            chunk.map((user_id) => ({
              id: randomUUID(),
              user_id,
              notification_type: event.type,
              target_kind: event.target.kind,
              target_id: event.target.id,
              metadata: JSON.stringify(metadata),
              created_at,
            })),
          )
          .execute();
      }
      // The caller's transaction is over before the database answers the look.
      setImmediate(live.wake);
    },
    unread,
    async list(userId, page, limit) {
      const rows = await mine(userId)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit + 1)
        .offset((page - 1) * limit)
        .execute();
      return {
        notifications: await showNotifications(database, rows.slice(0, limit), now()),
        unread_count: await unread(userId),
        has_more: rows.length > limit,
      };
    },
    async markAsRead(userId, notificationId) {
      const found = await mine(userId).where('id', '=', notificationId).executeTakeFirst();
      if (found === undefined) throw new AppError('not-found', 'there is no such notification');
      await database.updateTable('notifications').set({ is_read: 1 }).where('id', '=', notificationId).execute();
      return tellRead(userId);
    },
    async markAllAsRead(userId) {
      await database
        .updateTable('notifications')
        .set({ is_read: 1 })
        .where('user_id', '=', userId)
        .where('is_read', '=', 0)
        .execute();
      await tellRead(userId);
    },
    follows: (userId) =>
      database
        .selectFrom('follows')
        .select(['kind', 'target_id', 'mode', 'created_at'])
        .where('user_id', '=', userId)
        .orderBy('created_at', 'desc')
        .limit(1000)
        .execute(),
    async follow(actor, kind, targetId, mode) {
      await (kind === 'shelf' ? access.shelfById(actor, targetId, READ) : access.document(actor, targetId, READ));
      const row = { kind, target_id: targetId, mode, created_at: iso(now()) };
      await database
        .insertInto('follows')
        .values({ user_id: actor.id, ...row })
        .onConflict((conflict) => conflict.columns(['user_id', 'kind', 'target_id']).doUpdateSet({ mode }))
        .execute();
      return row;
    },
    async unfollow(userId, kind, targetId) {
      await database
        .deleteFrom('follows')
        .where('user_id', '=', userId)
        .where('kind', '=', kind)
        .where('target_id', '=', targetId)
        .execute();
    },
    listen: live.listen,
    async forgetOld() {
      await database
        .deleteFrom('notifications')
        .where('created_at', '<', iso(now() - KEPT_MS))
        .execute();
    },
    close: live.close,
  };
}
