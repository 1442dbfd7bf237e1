import { app, type Session, session, shell } from 'electron';
import type { Logger } from 'pino';
import { isAppUrl, isLinkAllowed, isPermissionGranted } from './policy.ts';

/** Denies what no page of ours needs, for every web contents that will ever exist. */
export function guardWebContents(log: Logger): void {
  app.on('web-contents-created', (_created, contents) => {
    const refuse = (kind: string) => (event: { preventDefault(): void; readonly url: string }) => {
      if (isAppUrl(event.url)) return;
      log.warn({ kind }, 'a navigation out of the application was refused');
      event.preventDefault();
    };
    contents.on('will-navigate', refuse('navigate'));
    contents.on('will-frame-navigate', refuse('frame'));
    contents.on('will-redirect', refuse('redirect'));
    contents.on('will-attach-webview', (event) => event.preventDefault());
    contents.setWindowOpenHandler(({ url }) => {
      if (isLinkAllowed(url)) {
        shell.openExternal(url).catch((error: unknown) => log.warn({ err: error }, 'the browser could not be opened'));
      } else log.warn('a link to another program was refused');
      return { action: 'deny' };
    });
  });
}

function guard(guarded: Session): void {
  guarded.setPermissionRequestHandler((_contents, permission, answer, { requestingUrl }) =>
    answer(isPermissionGranted(permission, requestingUrl)),
  );
  guarded.setPermissionCheckHandler((_contents, permission, origin, { requestingUrl }) =>
    isPermissionGranted(permission, requestingUrl ?? origin),
  );
  guarded.setDevicePermissionHandler(() => false);
}

/** Denies permissions in every session by default; must run once the application is ready. */
export function guardSessions(): void {
  guard(session.defaultSession);
  app.on('session-created', guard);
}
