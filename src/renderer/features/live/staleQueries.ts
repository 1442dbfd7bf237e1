import type { QueryKey } from '@tanstack/react-query';
import { assertNever } from '../../../shared/errors.ts';
import type { Notification } from '../../../shared/model/notification.ts';
import { queryKeys } from '../../api/queries.ts';
import type { LiveEvent } from './liveStream.ts';

/** What a notification tells of has changed. Changes of documents are commits, which are told of besides. */
function touchedBy({ notification_type: type, metadata: { shelf_id } }: Notification): readonly QueryKey[] {
  if (type.startsWith('DOC_')) return [];
  if (type === 'SHELF_INVITE') return [queryKeys.invitations];
  if (type === 'SHELF_COMMENT_ADD') return shelf_id === undefined ? [] : [queryKeys.comments(shelf_id)];
  return [queryKeys.libraries, ...(shelf_id === undefined ? [] : [queryKeys.shelf(shelf_id)])];
}

/** Which parts of the cached server state are out of date after an event. The key `[]` is all of them. */
export function staleQueries(event: LiveEvent): readonly QueryKey[] {
  switch (event.type) {
    case 'notification':
      return [queryKeys.notificationList, ...touchedBy(event.notification)];
    case 'commit':
      return [
        queryKeys.shelf(event.shelf_id),
        queryKeys.documents,
        queryKeys.versions,
        queryKeys.libraries,
        queryKeys.trash,
      ];
    case 'members':
      return [queryKeys.shelf(event.shelf_id), queryKeys.libraries];
    // A notice stays unseen otherwise, until the next check in minutes; all else is asked for as people move about.
    case 'connected':
    case 'notice':
      return [queryKeys.serviceNotices];
    case 'read':
      return [];
    case 'resumed':
      return [[]];
    default:
      return assertNever(event);
  }
}
