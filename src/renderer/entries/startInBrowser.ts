import { readOwnResponse } from '../../shared/api/request.ts';
import type { LockPort } from '../api/tabLock.ts';
import { createTabLock } from '../api/tabLock.ts';
import { leaveForSignIn, restartOnReturn } from '../app/signInPlace.ts';
import { type Host, start } from '../app/start.tsx';
import { startI18n } from '../i18n/index.ts';
import { createOffline } from '../offline/offline.ts';
import { createWebPlatform } from '../platform/web.ts';

/** Starts the application as a page of a browser, in the layout of a window or of a phone. */
export function startInBrowser(layout: Host['layout']): Promise<void> {
  const locks: LockPort | undefined = 'locks' in navigator ? navigator.locks : undefined;
  const offline = createOffline();
  restartOnReturn(sessionStorage);
  return start({
    layout,
    texts: startI18n,
    offline,
    client: { read: readOwnResponse, refreshBy: 'client', refreshAlone: createTabLock(localStorage, locks) },
    platform: (client) =>
      createWebPlatform({
        client,
        origin: location.origin,
        localStore: localStorage,
        tabStore: sessionStorage,
        keptDocuments: offline.keptDocuments,
        leaveTo: (url) => leaveForSignIn(sessionStorage, url),
      }),
  });
}
