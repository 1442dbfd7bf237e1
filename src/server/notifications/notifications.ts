import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { AppError } from '../../shared/errors.ts';
import type { Notification, NotificationMetadata } from '../../shared/model/notification.ts';
import { notificationText } from '../../shared/rules/notifications.ts';
import type { Access } from '../access/access.ts';
import { READ } from '../access/access.ts';
import { inChunks } from '../database/chunks.ts';
import type { Database } from '../database/connection.ts';
import type { Actor } from '../http/context.ts';
import type { NotificationEvent, Notifier } from './notifier.ts';

export interface Follow {
  readonly kind: 'shelf' | 'document';
  readonly target_id: string;
  readonly mode: 'follow' | 'mute';
  readonly created_at: string;
}

/** What a listener is told: something new, or that something was read. */
export type NotificationChange =
  | { readonly type: 'notification'; readonly notification: Notification; readonly unread_count: number }
  | { readonly type: 'read'; readonly unread_count: number };

/** Notifications of people, stored and live. */
export interface Notifications extends Notifier {
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
  /**
   * Tells `listener` of what comes for a user from now on; with `after`, the id of the last one that the client saw, also of
   * what came since. @returns how to stop
   */
  listen(userId: string, after: string | null, listener: (change: NotificationChange) => void): () => void;
  /** Forgets what is older than three months. */
  forgetOld(): Promise<void>;
  close(): Promise<void>;
}

const KEPT_MS = 90 * 24 * 3600_000;
/** How often others' writes are looked for while somebody listens. */
const POLL_MS = 2_000;
/** A row may become visible this much later than its time says. */
const OVERLAP_MS = 30_000;
/** Events of documents that only followers hear of: there are too many for everybody. */
const FOLLOWERS_ONLY = new Set(['DOC_VERSION']);
const MUTABLE = /^(DOC_|SHELF_COMMENT_ADD)/u;

interface Listener {
  readonly userId: string;
  /** Ids that were told already, with their times. */
  readonly told: Map<string, string>;
  since: string;
  readonly tell: (change: NotificationChange) => void;
}

/** Makes the service. */
export function createNotifications(options: {
  readonly database: Database;
  readonly access: Access;
  readonly log: Logger;
  readonly now: () => number;
}): Notifications {
  const { database, access, log, now } = options;
  const listeners = new Set<Listener>();
  let timer: NodeJS.Timeout | null = null;
  let looking: Promise<void> | null = null;
  let lookAgain = false;

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
      .where('target_id', 'in', places)
      .execute();
    const muted = new Set(wishes.filter(({ mode }) => mode === 'mute').map(({ user_id }) => user_id));
    const following = new Set(wishes.filter(({ mode }) => mode === 'follow').map(({ user_id }) => user_id));
    const named = new Set(event.mentioned ?? []);
    return others.filter(
      (id) => named.has(id) || (!muted.has(id) && (!FOLLOWERS_ONLY.has(event.type) || following.has(id))),
    );
  }

  const rowsOf = (userId: string) =>
    database
      .selectFrom('notifications')
      .select(['id', 'notification_type', 'target_kind', 'target_id', 'metadata', 'is_read', 'created_at'])
      .where('user_id', '=', userId);
  type Row = Awaited<ReturnType<ReturnType<typeof rowsOf>['executeTakeFirstOrThrow']>>;

  /** The targets that are still there for this reader, as `kind id`. */
  async function livingTargets(userId: string, rows: readonly Row[]): Promise<Set<string>> {
    const idsOf = (kind: Row['target_kind']) => [
      ...new Set(rows.filter(({ target_kind }) => target_kind === kind).map(({ target_id }) => target_id)),
    ];
    const living = new Set<string>();
    const add = (kind: string, found: readonly { id: string }[]) => {
      for (const { id } of found) living.add(`${kind} ${id}`);
    };
    const [libraries, shelves, documents, links, invitations] = [
      idsOf('library'),
      idsOf('shelf'),
      idsOf('document'),
      idsOf('share-link'),
      idsOf('invitation'),
    ];
    const mine = database.selectFrom('shelf_members').where('shelf_members.user_id', '=', userId);
    if (libraries.length > 0) {
      const found = await mine
        .innerJoin('shelves', 'shelves.id', 'shelf_members.shelf_id')
        .select('shelves.library_id as id')
        .distinct()
        .where('shelves.library_id', 'in', libraries)
        .execute();
      const own = await database
        .selectFrom('libraries')
        .select('id')
        .where('owner_id', '=', userId)
        .where('id', 'in', libraries)
        .execute();
      add('library', [...found, ...own]);
    }
    if (shelves.length > 0) {
      add('shelf', await mine.select('shelf_id as id').where('shelf_id', 'in', shelves).execute());
    }
    if (documents.length > 0) {
      const found = await mine
        .innerJoin('documents', 'documents.shelf_id', 'shelf_members.shelf_id')
        .select('documents.id')
        .where('documents.id', 'in', documents)
        .where('documents.deleted', '=', 0)
        .execute();
      add('document', found);
    }
    if (links.length > 0) {
      const found = await mine
        .innerJoin('share_links', 'share_links.shelf_id', 'shelf_members.shelf_id')
        .select('share_links.id')
        .where('share_links.id', 'in', links)
        .where('share_links.revoked_at', 'is', null)
        .execute();
      add('share-link', found);
    }
    if (invitations.length > 0) {
      const found = await database
        .selectFrom('invitations')
        .select('id')
        .where('id', 'in', invitations)
        .where('state', '=', 'pending')
        .where('expires_ms', '>', now())
        .execute();
      add('invitation', found);
    }
    return living;
  }

  async function shown(userId: string, rows: readonly Row[]): Promise<Notification[]> {
    const living = await livingTargets(userId, rows);
    return rows.map(({ id, notification_type, target_kind, target_id, metadata, is_read, created_at }) => {
      const parsed = JSON.parse(metadata) as NotificationMetadata;
      const { message, link } = notificationText(notification_type, parsed);
      const is_target_deleted = !living.has(`${target_kind} ${target_id}`);
      return {
        id,
        notification_type,
        is_read: is_read === 1,
        is_target_deleted,
        message,
        link,
        created_at,
        metadata: parsed,
      };
    });
  }

  async function unread(userId: string): Promise<number> {
    const { count } = await database
      .selectFrom('notifications')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('user_id', '=', userId)
      .where('is_read', '=', 0)
      .executeTakeFirstOrThrow();
    return Number(count);
  }

  async function lookFor(listener: Listener): Promise<void> {
    const from = iso(Date.parse(listener.since) - OVERLAP_MS);
    const rows = await rowsOf(listener.userId)
      .where('created_at', '>', from)
      .orderBy('created_at')
      .orderBy('id')
      .limit(200)
      .execute();
    const fresh = rows.filter(({ id }) => !listener.told.has(id));
    for (const [id, at] of listener.told) if (at < from) listener.told.delete(id);
    if (fresh.length === 0) return;
    const unread_count = await unread(listener.userId);
    for (const notification of await shown(listener.userId, fresh)) {
      listener.told.set(notification.id, notification.created_at);
      if (notification.created_at > listener.since) listener.since = notification.created_at;
      listener.tell({ type: 'notification', notification, unread_count });
    }
  }

  async function look(): Promise<void> {
    do {
      lookAgain = false;
      for (const listener of listeners) await lookFor(listener);
    } while (lookAgain);
  }

  /** One look at a time; what is asked for meanwhile is looked for after it. */
  function wake(): void {
    if (listeners.size === 0) return;
    lookAgain = true;
    looking ??= look()
      .catch((error: unknown) => log.error({ err: error }, 'new notifications could not be looked for'))
      .finally(() => {
        looking = null;
      });
  }

  async function toldRead(userId: string): Promise<number> {
    const unread_count = await unread(userId);
    for (const listener of listeners) if (listener.userId === userId) listener.tell({ type: 'read', unread_count });
    return unread_count;
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
      setImmediate(wake);
    },
    unread,
    async list(userId, page, limit) {
      const rows = await rowsOf(userId)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit + 1)
        .offset((page - 1) * limit)
        .execute();
      return {
        notifications: await shown(userId, rows.slice(0, limit)),
        unread_count: await unread(userId),
        has_more: rows.length > limit,
      };
    },
    async markAsRead(userId, notificationId) {
      const found = await rowsOf(userId).where('id', '=', notificationId).executeTakeFirst();
      if (found === undefined) throw new AppError('not-found', 'there is no such notification');
      await database.updateTable('notifications').set({ is_read: 1 }).where('id', '=', notificationId).execute();
      return toldRead(userId);
    },
    async markAllAsRead(userId) {
      await database
        .updateTable('notifications')
        .set({ is_read: 1 })
        .where('user_id', '=', userId)
        .where('is_read', '=', 0)
        .execute();
      await toldRead(userId);
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
    listen(userId, after, tell) {
      const listener: Listener = { userId, told: new Map(), since: iso(now()), tell };
      let isOver = false;
      const begin = async () => {
        const last = after === null ? undefined : await rowsOf(userId).where('id', '=', after).executeTakeFirst();
        const since = last?.created_at ?? iso(now());
        const seen = await rowsOf(userId)
          .where('created_at', '>', iso(Date.parse(since) - OVERLAP_MS))
          .where('created_at', '<=', since)
          .execute();
        for (const { id, created_at } of seen) listener.told.set(id, created_at);
        listener.since = since;
        if (isOver) return;
        listeners.add(listener);
        timer ??= setInterval(wake, POLL_MS).unref();
        wake();
      };
      begin().catch((error: unknown) => log.error({ err: error }, 'nobody could listen'));
      return () => {
        isOver = true;
        listeners.delete(listener);
        if (listeners.size > 0 || timer === null) return;
        clearInterval(timer);
        timer = null;
      };
    },
    async forgetOld() {
      await database
        .deleteFrom('notifications')
        .where('created_at', '<', iso(now() - KEPT_MS))
        .execute();
    },
    async close() {
      listeners.clear();
      if (timer !== null) clearInterval(timer);
      timer = null;
      await looking;
    },
  };
}
