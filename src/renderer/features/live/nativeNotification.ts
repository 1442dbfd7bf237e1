import type { TFunction } from 'i18next';
import type { NativeNotification } from '../../../shared/bridge/index.ts';
import type { Notification } from '../../../shared/model/notification.ts';
import { notificationText } from '../../../shared/rules/notifications.ts';

/** What calls for somebody who is doing something else: they are spoken to. Everything else waits at the bell. */
const CALLING: ReadonlySet<string> = new Set(['SHELF_COMMENT_ADD', 'SHELF_INVITE']);

/** A notification as the operating system shows it; null for one that it does not. */
export function nativeNotification(
  { notification_type, metadata, is_read }: Notification,
  t: TFunction,
): NativeNotification | null {
  if (is_read || !CALLING.has(notification_type)) return null;
  const { key, words, link } = notificationText(notification_type, metadata);
  const place = words.document === '' ? words.shelf : words.document;
  return {
    title: t(`talk.types.${key}`, { ...words, place }),
    body: [words.library, words.shelf].filter((name) => name !== '').join(' / '),
    path: link,
  };
}
