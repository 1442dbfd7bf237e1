import '../ui/base.css';
import '../ui/controls.css';
import '../ui/loading.css';
import '../ui/page.css';
import './app.css';
import type { ComponentType, ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { type ApiClient, type ApiClientOptions, createApiClient } from '../api/client.ts';
import { createQueryClient } from '../api/queries.ts';
import type { Offline } from '../offline/offline.ts';
import type { Platform } from '../platform/types.ts';
import { beginLater } from '../ui/later.tsx';
import { startTheme } from '../ui/theme.ts';
import { App } from './App.tsx';
import { matchRoute } from './routes.ts';
import { preloadScreen } from './screens.ts';
import { startScrollPlaces } from './scrollPlace.ts';
import { createSessionStore, type SessionStore } from './sessionStore.ts';

/** What an entry chooses for its host. */
export interface Host {
  readonly platform: (client: ApiClient) => Platform;
  readonly layout: ComponentType<{ readonly children: ReactNode }>;
  /** Loads the messages that the layout needs at once. */
  readonly texts: () => Promise<void>;
  readonly client: Pick<ApiClientOptions, 'read' | 'refreshBy' | 'refreshAlone'>;
  /** Missing where pages and data do not come over a network. */
  readonly offline?: Offline;
  readonly isKnownGuest?: (platform: Platform) => Promise<boolean>;
}

/** Nothing that runs in production writes to the console (web-and-phone.md §8, decisions.md §11). */
function silenceConsole(): void {
  const nothing = () => undefined;
  const methods = Object.entries(console).filter(([, value]) => typeof value === 'function');
  Object.assign(console, Object.fromEntries(methods.map(([name]) => [name, nothing])));
}

/** Starts the application in the specified order: console, state, services, wording, mount. */
export async function start(host: Host): Promise<void> {
  if (import.meta.env.PROD) silenceConsole();
  startTheme();
  startScrollPlaces();
  for (const event of ['pointerdown', 'keydown']) addEventListener(event, beginLater, { once: true, capture: true });
  preloadScreen(matchRoute(location.pathname).name);
  const queries = createQueryClient(host.offline?.persister);
  // The client and the session know each other: expiry is the client's to notice and the session's to show.
  let session: SessionStore | null = null;
  const client = createApiClient({
    fetch: (url, init) => fetch(url, init),
    onSessionExpired: () => session?.getState().markExpired(),
    onSessionRefused: () => session?.getState().loseSession(),
    onReachable: (reachable) => session?.getState().setReachable(reachable),
    ...host.client,
  });
  const platform = host.platform(client);
  const { isKnownGuest } = host;
  session = createSessionStore({
    client,
    session: platform.session,
    localStore: localStorage,
    tabStore: sessionStorage,
    onSignedIn: (user) => host.offline?.begin(user, client),
    onSignedOut: () => {
      queries.clear();
      host.offline?.forget();
    },
    ...(host.offline === undefined ? {} : { recall: host.offline.recall }),
    ...(isKnownGuest === undefined ? {} : { isKnownGuest: () => isKnownGuest(platform) }),
  });
  await host.texts();
  const root = document.getElementById('root');
  if (root === null) throw new Error('the page has no root element');
  createRoot(root).render(
    <App services={{ platform, client, session, tabStore: sessionStorage }} queries={queries} layout={host.layout} />,
  );
}
