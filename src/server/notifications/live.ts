import type { Logger } from 'pino';
import type { Notification } from '../../shared/model/notification.ts';
import { inChunks } from '../database/chunks.ts';
import type { Database } from '../database/connection.ts';
import { type NotificationRow, notificationRows, showNotifications, unreadCounts } from './reading.ts';
import { createShelfChanges, type ShelfChange } from './shelfChanges.ts';

/** What a listener is told. */
export type NotificationChange =
  | {
      readonly type: 'notification';
      readonly notification: Notification;
      readonly unread_count: number;
      /** What a client names that comes back, to be told exactly of the others. */
      readonly cursor: string;
    }
  /** How many are unread now. The first one says that from here on nothing is missed. */
  | { readonly type: 'read'; readonly unread_count: number }
  /** Other service notices are to be shown than before. */
  | { readonly type: 'notice' }
  | ShelfChange;

/** Tells of notifications as they come. */
export interface LiveNotifications {
  /**
   * Tells `listener` of what comes for a user from now on; with the cursor of the last one that the client saw, also of what
   * came since. @returns how to stop
   */
  listen(userId: string, after: string | null, listener: (change: NotificationChange) => void): () => void;
  /** Something was stored here: it is looked for at once. */
  wake(): void;
  /** Something was read here. */
  read(userId: string, unreadCount: number): void;
  close(): Promise<void>;
}

/** How often what other servers wrote is looked for while somebody listens. */
const POLL_MS = 2_000;
/** A row may become visible this much later than its time says: transactions take time, and clocks differ. */
const OVERLAP_MS = 30_000;
/** A client that comes back is told of this many; the others are in its list. */
const TOLD_AGAIN = 500;
/** Ids that a cursor names, cut short: it is a header of each reconnection. A client with more is told some twice. */
const CURSOR_IDS = 50;
const CURSOR_ID_LENGTH = 8;

interface Listener {
  readonly userId: string;
  readonly after: string | null;
  /** Ids that need not be told any more, with their times. */
  readonly told: Map<string, string>;
  readonly tell: (change: NotificationChange) => void;
}

const shortened = (id: string) => id.slice(0, CURSOR_ID_LENGTH);

/**
 * The last row told, and others told shortly before it. Its time alone would not do: others may have the same, or become
 * visible later with an earlier one.
 */
function cursorOf({ told }: Listener, id: string): string {
  const others = [...told.keys()].filter((each) => each !== id).slice(-CURSOR_IDS);
  return [id, ...others.map(shortened)].join('.');
}

/**
 * Makes the service. It asks the database and not its own writes alone, so that several servers may share one database; all
 * listeners together are one question, and nothing is asked while nobody listens.
 */
export function createLiveNotifications(options: {
  readonly database: Database;
  readonly log: Logger;
  readonly now: () => number;
}): LiveNotifications {
  const { database, log, now } = options;
  /** Those whose part of the past is not known yet. */
  const joining = new Set<Listener>();
  const listeners = new Set<Listener>();
  let timer: NodeJS.Timeout | null = null;
  let looking: Promise<void> | null = null;
  let lookAgain = false;
  let isClosed = false;
  /** When the last look began that went well. */
  let lookedAt = 0;
  /** The notices that were showing at that time. */
  let showing: string | null = null;
  const shelfChanges = createShelfChanges(database);

  const iso = (ms: number) => new Date(ms).toISOString();

  async function tellEach(rows: readonly NotificationRow[], to: readonly Listener[]): Promise<void> {
    const wanted = rows.filter(({ id, user_id }) =>
      to.some((listener) => listener.userId === user_id && !listener.told.has(id)),
    );
    if (wanted.length === 0) return;
    const unread = await unreadCounts(database, [...new Set(wanted.map(({ user_id }) => user_id))]);
    const notifications = await showNotifications(database, wanted, now());
    for (const [index, notification] of notifications.entries()) {
      const userId = wanted[index]?.user_id ?? '';
      for (const listener of to) {
        if (listener.userId !== userId || listener.told.has(notification.id)) continue;
        listener.told.set(notification.id, notification.created_at);
        const cursor = cursorOf(listener, notification.id);
        listener.tell({ type: 'notification', notification, unread_count: unread.get(userId) ?? 0, cursor });
      }
    }
  }

  /** What a client that comes back has not been told; null when its cursor names nothing, as for one that is new. */
  async function missedBy({ userId, after }: Listener): Promise<NotificationRow[] | null> {
    const [lastId = '', ...others] = after?.split('.') ?? [];
    if (lastId === '') return null;
    const mine = notificationRows(database).where('user_id', '=', userId);
    const last = await mine.where('id', '=', lastId).executeTakeFirst();
    if (last === undefined) return null;
    const seen = new Set(others);
    const rows = await mine
      .where('created_at', '>', iso(Date.parse(last.created_at) - OVERLAP_MS))
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(TOLD_AGAIN)
      .execute();
    return rows.filter(({ id }) => id !== lastId && !seen.has(shortened(id))).reverse();
  }

  /** Lets somebody in: what is there by now counts as told, but for what a client that comes back has missed. */
  async function admit(listener: Listener, from: string): Promise<void> {
    const missed = await missedBy(listener);
    const missedIds = new Set(missed?.map(({ id }) => id));
    const recent = await notificationRows(database)
      .where('user_id', '=', listener.userId)
      .where('created_at', '>', from)
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    for (const { id, created_at } of recent) if (!missedIds.has(id)) listener.told.set(id, created_at);
    const unread = await unreadCounts(database, [listener.userId]);
    // Who stopped meanwhile is in neither set and stays out.
    if (!joining.has(listener)) return;
    listener.tell({ type: 'read', unread_count: unread.get(listener.userId) ?? 0 });
    await tellEach(missed ?? [], [listener]);
    if (joining.delete(listener)) listeners.add(listener);
  }

  async function lookForNotifications(from: string): Promise<void> {
    const all = [...listeners];
    for (const users of inChunks([...new Set(all.map(({ userId }) => userId))])) {
      const rows = await notificationRows(database)
        .where('user_id', 'in', users)
        .where('created_at', '>', from)
        .orderBy('created_at')
        .orderBy('id')
        .execute();
      await tellEach(rows, all);
    }
    for (const { told } of all) {
      for (const [id, at] of told) if (at <= from) told.delete(id);
    }
  }

  /** Notices come and go by their dates too, so the ones that show are compared and no change is waited for. */
  async function lookForNotices(at: string): Promise<void> {
    const rows = await database
      .selectFrom('service_notices')
      .select(['id', 'updated_at'])
      .where('active', '=', 1)
      .where('start_date', '<=', at)
      .where('end_date', '>', at)
      .orderBy('id')
      .execute();
    const found = JSON.stringify(rows);
    if (showing !== null && found !== showing) for (const { tell } of listeners) tell({ type: 'notice' });
    showing = found;
  }

  async function lookForShelfChanges(from: string): Promise<void> {
    for (const { userId, change } of await shelfChanges.since(from)) {
      for (const listener of listeners) if (listener.userId === userId) listener.tell(change);
    }
  }

  async function look(): Promise<void> {
    const startedAt = now();
    if (listeners.size === 0) {
      lookedAt = startedAt;
      showing = null;
      shelfChanges.forget();
    }
    const from = iso(Math.min(lookedAt, startedAt) - OVERLAP_MS);
    for (const listener of [...joining]) await admit(listener, from);
    await lookForNotifications(from);
    await lookForShelfChanges(from);
    await lookForNotices(iso(startedAt));
    lookedAt = startedAt;
  }

  /** One look at a time; what is asked for meanwhile is looked for after it. */
  function wake(): void {
    if (isClosed || joining.size + listeners.size === 0) return;
    lookAgain = true;
    const lookOn = async () => {
      while (lookAgain) {
        lookAgain = false;
        await look();
      }
    };
    looking ??= lookOn()
      .catch((error: unknown) => log.error({ err: error }, 'new notifications could not be looked for'))
      .finally(() => {
        looking = null;
      });
  }

  function rest(): void {
    if (joining.size + listeners.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  }

  return {
    listen(userId, after, tell) {
      const listener: Listener = { userId, after, told: new Map(), tell };
      if (!isClosed) {
        joining.add(listener);
        timer ??= setInterval(wake, POLL_MS).unref();
        wake();
      }
      return () => {
        joining.delete(listener);
        listeners.delete(listener);
        rest();
      };
    },
    wake,
    read(userId, unread_count) {
      for (const listener of listeners) if (listener.userId === userId) listener.tell({ type: 'read', unread_count });
    },
    async close() {
      isClosed = true;
      joining.clear();
      listeners.clear();
      rest();
      await looking;
    },
  };
}
