import { readOwnResponse } from '../../shared/api/request.ts';
import type { LockPort } from '../api/tabLock.ts';
import { createTabLock } from '../api/tabLock.ts';
import { start } from '../app/start.tsx';
import { startI18n } from '../i18n/index.ts';
import { WebLayout } from '../layouts/web/WebLayout.tsx';
import { createOffline } from '../offline/offline.ts';
import { createWebPlatform } from '../platform/web.ts';

const locks: LockPort | undefined = 'locks' in navigator ? navigator.locks : undefined;

void start({
  layout: WebLayout,
  texts: startI18n,
  offline: createOffline(),
  client: { read: readOwnResponse, refreshBy: 'client', refreshAlone: createTabLock(localStorage, locks) },
  platform: (client) =>
    createWebPlatform({
      client,
      origin: location.origin,
      localStore: localStorage,
      tabStore: sessionStorage,
      leaveTo: (url) => location.assign(url),
    }),
});
