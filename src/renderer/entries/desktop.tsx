import type { BridgePort } from '../../shared/bridge/contract.ts';
import { start } from '../app/start.tsx';
import { loadTexts } from '../i18n/index.ts';
import { DesktopLayout } from '../layouts/desktop/DesktopLayout.tsx';
import { createDesktopPlatform } from '../platform/desktop.ts';
import { startedServer } from '../platform/startedServer.ts';

declare global {
  interface Window {
    /** Exposed by the preload. */
    readonly armarium: BridgePort;
  }
}

void start({
  layout: DesktopLayout,
  texts: loadTexts,
  client: { refreshBy: 'host' },
  platform: () => createDesktopPlatform(window.armarium),
  isKnownGuest: async ({ server, session }) => {
    const started = server === null ? null : await startedServer(server);
    return started?.status !== 'ready' || (await session.shell?.state())?.signedIn !== true;
  },
});
