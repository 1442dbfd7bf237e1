import { Bell } from 'lucide-react';
import type { MouseEvent, UIEvent } from 'react';
import { Link } from 'wouter';
import type { Notification } from '../../../shared/model/notification.ts';
import { notificationText } from '../../../shared/rules/notifications.ts';
import { useServices } from '../../app/services.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { isPhoneLayout } from '../../ui/layoutKind.ts';
import { moveFocus } from '../../ui/moveFocus.ts';
import { richText, setApart } from '../../ui/richText.ts';
import { EmptyState, ErrorState } from '../../ui/States.tsx';
import { notify } from '../../ui/toast.ts';
import { When } from '../../ui/When.tsx';
import { useMarkAsRead, useNotifications } from './queries.ts';
import './notifications.css';

/** So near to the end of the list more of it is loaded (web-and-phone.md §9). */
const MORE_AT_PX = 20;

interface ItemProps {
  readonly notification: Notification;
  /** Told of a choice; true for one that leads somewhere. */
  readonly onChoose: (leads: boolean) => void;
}

function Item({ notification, onChoose }: ItemProps) {
  const { t } = useTranslation();
  const { metadata, is_read, is_target_deleted, created_at } = notification;
  const { key, words, link, deletedKey } = notificationText(notification.notification_type, metadata);
  const marked = {
    actor: setApart(words.actor),
    library: setApart(words.library),
    shelf: setApart(words.shelf),
    document: setApart(words.document),
    old: setApart(words.old),
    new: setApart(words.new),
    place: setApart(words.document === '' ? words.shelf : words.document),
  };
  const { windowControls } = useServices().platform;
  const choose = (event: MouseEvent) => {
    // What is gone is not gone to: it is said instead (web-and-phone.md §8).
    if (is_target_deleted) {
      event.preventDefault();
      const text = t(`talk.targetGone.${deletedKey}`);
      if (isPhoneLayout()) notify(text, 'info', undefined, t('talk.deletedTitlePhone'));
      else notify(text, 'warning', undefined, t('talk.deletedTitle'));
    }
    onChoose(!is_target_deleted && windowControls === null);
  };
  const content = (
    <>
      <Avatar name={metadata.actor_username} large />
      <span className="notification__text">
        <span className={is_read ? undefined : 'notification__unread'}>{richText(t(`talk.types.${key}`, marked))}</span>
        <span className="notification__when muted">
          <When moment={created_at} />
        </span>
      </span>
      {!is_read && (
        <span className="notification__dot">
          <span className="visually-hidden">{t('talk.isUnread')}</span>
        </span>
      )}
    </>
  );
  // On the desktop a choice reads a notification and leads nowhere (web-and-phone.md §2).
  return windowControls === null ? (
    <Link href={link} className="notification" data-roving="" onClick={choose}>
      {content}
    </Link>
  ) : (
    <button type="button" className="notification" data-roving="" onClick={choose}>
      {content}
    </button>
  );
}

export interface NotificationListProps {
  readonly unread: number;
  readonly onClose: () => void;
}

/** The overlay's content: what happened, newest first, and where it leads. */
export function NotificationList({ unread, onClose }: NotificationListProps) {
  const { t } = useTranslation();
  const list = useNotifications();
  const { mutate: markAsRead } = useMarkAsRead();
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const notifications = [
    ...new Map(list.data?.pages.flatMap((page) => page.notifications).map((each) => [each.id, each])).values(),
  ];
  const onScroll = ({ currentTarget: { scrollHeight, scrollTop, clientHeight } }: UIEvent) => {
    const isAtEnd = scrollHeight - scrollTop - clientHeight <= MORE_AT_PX;
    if (isAtEnd && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  };
  return (
    <>
      <header className="notifications__head">
        <h2 className="notifications__title">{t('nav.notifications')}</h2>
        {unread > 0 && (
          <button type="button" className="button button--small button--quiet" onClick={() => markAsRead('all')}>
            {t('talk.markAllRead')}
          </button>
        )}
      </header>
      {list.isPending ? (
        <div className="notifications__wait">
          <span className="spinner" role="status" aria-label={t('common.loading')} />
        </div>
      ) : list.isLoadingError ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : notifications.length === 0 ? (
        <EmptyState icon={Bell} title={t('talk.noNotifications')} text={t('talk.noNotificationsText')} />
      ) : (
        <ul className="notifications__list" onScroll={onScroll} onKeyDown={moveFocus}>
          {notifications.map((notification) => (
            <li key={notification.id}>
              <Item
                notification={notification}
                onChoose={(leads) => {
                  if (!notification.is_read) markAsRead(notification.id);
                  if (leads) onClose();
                }}
              />
            </li>
          ))}
          {isFetchingNextPage && (
            <li className="notifications__wait">
              <span className="spinner" role="status" aria-label={t('talk.loadingMore')} />
            </li>
          )}
        </ul>
      )}
    </>
  );
}
