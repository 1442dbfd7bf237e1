import { Bell } from 'lucide-react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { later } from '../../ui/later.tsx';
import { useOverlay } from '../../ui/useOverlay.ts';
import { useUnreadCount } from './queries.ts';
import './bell.css';

const popoverCode = later(async () => (await import('./NotificationPopover.tsx')).NotificationPopover);

/** More are not counted on the bell, where there is no room; its name tells the number. */
const MOST_SHOWN = 99;

/**
 * The bell with the number of unread notifications, and the overlay that it opens. That the number could not be asked for is
 * not shown (web-and-phone.md §8).
 */
export function NotificationBell() {
  const { t } = useTranslation();
  const { data: unread = 0 } = useUnreadCount();
  const { code: Popover, trigger } = useOverlay(popoverCode);
  const button = {
    className: 'icon-button bell__button',
    'aria-label': unread === 0 ? t('nav.notifications') : t('nav.bell', { count: unread }),
    children: (
      <>
        <Bell />
        {unread > 0 && (
          <span className="bell__count" aria-hidden="true">
            {unread > MOST_SHOWN ? `${MOST_SHOWN}+` : unread}
          </span>
        )}
      </>
    ),
  };
  return (
    <div className="bell">
      {Popover === null ? (
        <button type="button" aria-haspopup="dialog" {...trigger} {...button} />
      ) : (
        <Popover trigger={<button type="button" {...button} />} unread={unread} />
      )}
    </div>
  );
}
