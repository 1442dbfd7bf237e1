import { z } from 'zod';
import { Id, Timestamp } from './common.ts';

/** The 18 types of web-and-phone.md §9. */
export const NOTIFICATION_TYPES = [
  'LIBRARY_DELETE',
  'LIBRARY_ARCHIVE',
  'LIBRARY_UNARCHIVE',
  'LIBRARY_RENAME',
  'SHELF_DELETE',
  'SHELF_ARCHIVE',
  'SHELF_UNARCHIVE',
  'SHELF_RENAME',
  'DOC_UPLOAD',
  'DOC_DELETE',
  'DOC_RESTORE',
  'DOC_VERSION',
  'DOC_RENAME',
  'SHARE_LINK_CREATE',
  'SHELF_INVITE',
  'SHELF_INVITE_ACCEPTED',
  'SHELF_INVITE_DECLINED',
  'SHELF_COMMENT_ADD',
] as const;
export type NotificationType = (typeof NOTIFICATION_TYPES)[number];

/** What a notification tells of, in the names of that time (web-and-phone.md §3). */
export const NotificationMetadata = z.object({
  actor_username: z.string(),
  actor_image: z.string().nullable(),
  library_name: z.string().optional(),
  old_name: z.string().optional(),
  new_name: z.string().optional(),
  shelf_name: z.string().optional(),
  shelf_id: Id.optional(),
  document_name: z.string().optional(),
  document_id: Id.optional(),
});
export type NotificationMetadata = z.infer<typeof NotificationMetadata>;

/** A notification as its reader gets it; `message` and `link` follow from the rest (rules/notifications.ts). */
export const Notification = z.object({
  id: Id,
  notification_type: z.string(),
  is_read: z.boolean(),
  /** What it leads to is deleted, or no longer the reader's to see. */
  is_target_deleted: z.boolean(),
  message: z.string(),
  link: z.string(),
  created_at: Timestamp,
  metadata: NotificationMetadata,
});
export type Notification = z.infer<typeof Notification>;
