import { Bell } from 'lucide-react';
import { Popover } from 'radix-ui';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useUnreadCount } from './queries.ts';
import './bell.css';

const NotificationList = lazy(async () => ({
  default: (await import('./NotificationList.tsx')).NotificationList,
}));

/** More are not counted on the bell, where there is no room; its name tells the number. */
const MOST_SHOWN = 99;

/**
 * The bell with the number of unread notifications, and the overlay that it opens. A press outside closes it, and so does
 * opening another menu. That the number could not be asked for is not shown (web-and-phone.md §8).
 */
export function NotificationBell() {
  const { t } = useTranslation();
  const { data: unread = 0 } = useUnreadCount();
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="bell">
      <Popover.Root open={isOpen} onOpenChange={setOpen}>
        <Popover.Trigger
          className="icon-button bell__button"
          aria-label={unread === 0 ? t('talk.notifications') : t('talk.bell', { count: unread })}
        >
          <Bell />
          {unread > 0 && (
            <span className="bell__count" aria-hidden="true">
              {unread > MOST_SHOWN ? `${MOST_SHOWN}+` : unread}
            </span>
          )}
        </Popover.Trigger>
        <Popover.Portal container={document.getElementById('content')}>
          <Popover.Content
            className="notifications"
            aria-label={t('talk.notifications')}
            align="end"
            sideOffset={8}
            collisionPadding={8}
          >
            <Suspense
              fallback={
                <div className="notifications__wait">
                  <span className="spinner" role="status" aria-label={t('common.loading')} />
                </div>
              }
            >
              <NotificationList unread={unread} onClose={() => setOpen(false)} />
            </Suspense>
          </Popover.Content>
        </Popover.Portal>
      </Popover.Root>
    </div>
  );
}
