import type { Expression, SqlBool } from 'kysely';
import type { Notification, NotificationMetadata } from '../../shared/model/notification.ts';
import { notificationText } from '../../shared/rules/notifications.ts';
import { inChunks } from '../database/chunks.ts';
import type { Database } from '../database/connection.ts';

/** The columns that readers get something of. */
export const NOTIFICATION_COLUMNS = [
  'id',
  'user_id',
  'notification_type',
  'target_kind',
  'target_id',
  'metadata',
  'is_read',
  'created_at',
] as const;

/** Notifications as the database has them, to begin a query with. */
export const notificationRows = (on: Database) => on.selectFrom('notifications').select(NOTIFICATION_COLUMNS);

export type NotificationRow = Awaited<ReturnType<ReturnType<typeof notificationRows>['executeTakeFirstOrThrow']>>;

/** Those of some notifications whose target is there and their reader's to see, whoever the readers are. */
async function livingTargets(on: Database, ids: readonly string[], now: number): Promise<string[]> {
  const rows = await on
    .selectFrom('notifications')
    .select('notifications.id')
    .where('notifications.id', 'in', ids)
    .where(({ eb, and, or, exists, selectFrom }) => {
      const mine = selectFrom('shelf_members').whereRef('shelf_members.user_id', '=', 'notifications.user_id');
      const when = (kind: NotificationRow['target_kind'], isThere: Expression<SqlBool>) =>
        and([eb('notifications.target_kind', '=', kind), isThere]);
      return or([
        when(
          'library',
          or([
            exists(
              selectFrom('libraries')
                .select('libraries.id')
                .whereRef('libraries.id', '=', 'notifications.target_id')
                .whereRef('libraries.owner_id', '=', 'notifications.user_id'),
            ),
            exists(
              mine
                .innerJoin('shelves', 'shelves.id', 'shelf_members.shelf_id')
                .select('shelves.id')
                .whereRef('shelves.library_id', '=', 'notifications.target_id'),
            ),
          ]),
        ),
        when(
          'shelf',
          exists(mine.select('shelf_id').whereRef('shelf_members.shelf_id', '=', 'notifications.target_id')),
        ),
        when(
          'document',
          exists(
            mine
              .innerJoin('documents', 'documents.shelf_id', 'shelf_members.shelf_id')
              .select('documents.id')
              .whereRef('documents.id', '=', 'notifications.target_id')
              .where('documents.deleted', '=', 0),
          ),
        ),
        when(
          'share-link',
          exists(
            mine
              .innerJoin('share_links', 'share_links.shelf_id', 'shelf_members.shelf_id')
              .leftJoin('documents', 'documents.id', 'share_links.document_id')
              .select('share_links.id')
              .whereRef('share_links.id', '=', 'notifications.target_id')
              .where('share_links.revoked_at', 'is', null)
              .where((link) =>
                link.or([link('share_links.document_id', 'is', null), link('documents.deleted', '=', 0)]),
              ),
          ),
        ),
        when(
          'invitation',
          exists(
            selectFrom('invitations')
              .innerJoin('users', 'users.email_key', 'invitations.email_key')
              .select('invitations.id')
              .whereRef('invitations.id', '=', 'notifications.target_id')
              .whereRef('users.id', '=', 'notifications.user_id')
              .where('invitations.state', '=', 'pending')
              .where('invitations.expires_ms', '>', now),
          ),
        ),
      ]);
    })
    .execute();
  return rows.map(({ id }) => id);
}

/** What readers get of rows, which may be of several readers, in the same order. */
export async function showNotifications(
  on: Database,
  rows: readonly NotificationRow[],
  now: number,
): Promise<Notification[]> {
  const living = new Set<string>();
  for (const chunk of inChunks(rows)) {
    const ids = chunk.map(({ id }) => id);
    for (const id of await livingTargets(on, ids, now)) living.add(id);
  }
  return rows.map((row) => {
    const metadata = JSON.parse(row.metadata) as NotificationMetadata;
    const { message, link } = notificationText(row.notification_type, metadata);
    return {
      id: row.id,
      notification_type: row.notification_type,
      is_read: row.is_read === 1,
      is_target_deleted: !living.has(row.id),
      message,
      link,
      created_at: row.created_at,
      metadata,
    };
  });
}

/** How many notifications each of some readers has not read. */
export async function unreadCounts(on: Database, userIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await on
    .selectFrom('notifications')
    .select(({ fn }) => ['user_id', fn.countAll<number>().as('count')])
    .where('user_id', 'in', userIds)
    .where('is_read', '=', 0)
    .groupBy('user_id')
    .execute();
  const counts = new Map(rows.map(({ user_id, count }) => [user_id, Number(count)]));
  return new Map(userIds.map((id) => [id, counts.get(id) ?? 0]));
}
