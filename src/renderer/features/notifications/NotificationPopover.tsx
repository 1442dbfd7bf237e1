import { Popover } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { useOpenLayer } from '../../ui/layers.ts';
import { NotificationList } from './NotificationList.tsx';

interface NotificationPopoverProps {
  /** A button, with its accessible name. */
  readonly trigger: ReactNode;
  readonly unread: number;
}

/** The notifications over the page, at the button that opened them. A press outside closes them, and so does opening another menu. */
export function NotificationPopover({ trigger, unread }: NotificationPopoverProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(true);
  useOpenLayer('overlays', isOpen);
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger asChild>{trigger}</Popover.Trigger>
      <Popover.Portal container={document.getElementById('content')}>
        <Popover.Content
          className="notifications"
          aria-label={t('nav.notifications')}
          align="end"
          sideOffset={8}
          collisionPadding={8}
        >
          <NotificationList unread={unread} onClose={() => setOpen(false)} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
