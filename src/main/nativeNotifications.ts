import { BrowserWindow, Notification } from 'electron';
import type { Logger } from 'pino';
import type { NativeNotification } from '../shared/bridge/index.ts';

export interface NativeNotificationsOptions {
  /** A click leads into the application. */
  readonly openPath: (path: string) => void;
  readonly log: Logger;
}

/** Some desktops of Linux read markup in the text below the title; names are no markup. */
const plain = (text: string) => (process.platform === 'linux' ? text.replace(/[<>&]/gu, ' ') : text);

/**
 * Notifications of the operating system, which knows when nobody wants to be disturbed. Whoever looks at the window sees
 * the bell, and is not told twice.
 */
export function createNativeNotifications({ openPath, log }: NativeNotificationsOptions) {
  // One that is collected as garbage is deaf to its click.
  const shown = new Set<Notification>();
  return (wanted: NativeNotification): void => {
    if (!Notification.isSupported() || BrowserWindow.getFocusedWindow() !== null) return;
    const notification = new Notification({ title: wanted.title, body: plain(wanted.body) });
    shown.add(notification);
    notification.on('click', () => {
      shown.delete(notification);
      openPath(wanted.path);
    });
    notification.on('close', () => shown.delete(notification));
    notification.on('failed', (_event, error) => {
      shown.delete(notification);
      log.warn({ reason: error }, 'a notification could not be shown');
    });
    notification.show();
  };
}
