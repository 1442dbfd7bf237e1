import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ComponentType, type ReactNode, useDeferredValue, useEffect } from 'react';
import { Router } from 'wouter';
import { Commands } from '../features/commands/Commands.tsx';
import { laterPart } from '../ui/later.tsx';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { OutOfReach } from './OutOfReach.tsx';
import { PageViews } from './PageViews.tsx';
import { usePathname, useRouterPlace } from './place.ts';
import { Routes } from './Routes.tsx';
import { preloadLater } from './screens.ts';
import { type Services, ServicesContext, useServices, useSession } from './services.ts';
import { SIGNED_IN_KEY } from './sessionStore.ts';

const UploadTray = laterPart(async () => (await import('../features/shelf/upload/UploadTray.tsx')).UploadTray);
const UploadWatch = laterPart(async () => (await import('../features/shelf/upload/UploadWatch.tsx')).UploadWatch);
const LiveWatch = laterPart(async () => (await import('../features/live/LiveWatch.tsx')).LiveWatch);
const InsightWatch = laterPart(async () => (await import('../features/insight/InsightWatch.tsx')).InsightWatch);
const ServiceNotices = laterPart(async () => (await import('../features/notices/ServiceNotices.tsx')).ServiceNotices);
const SessionExpiredDialog = laterPart(
  async () => (await import('../features/account/SessionExpiredDialog.tsx')).SessionExpiredDialog,
);

/** Asks who is signed in on the first navigation, and again when the shell's server or session changes. */
function SessionWatch() {
  const { platform, session } = useServices();
  useEffect(() => {
    const { check, shellSignedOut, changedElsewhere } = session.getState();
    void check();
    // Told of what other tabs store, never of what this one does.
    const onStorage = ({ key, newValue }: StorageEvent) => {
      if (key === SIGNED_IN_KEY) changedElsewhere(newValue !== null);
    };
    addEventListener('storage', onStorage);
    const stops = [
      () => removeEventListener('storage', onStorage),
      platform.server?.onChanged((state) => {
        if (state.status !== 'starting') void check();
      }),
      platform.session.shell?.onChanged(({ signedIn, signingIn }) => {
        if (signedIn) void check();
        else if (!signingIn) shellSignedOut();
      }),
    ];
    return () => {
      for (const stop of stops) stop?.();
    };
  }, [platform, session]);
  return null;
}

export interface AppProps {
  readonly services: Services;
  readonly queries: QueryClient;
  readonly layout: ComponentType<{ readonly children: ReactNode }>;
}

function Screens({ layout: Layout }: Pick<AppProps, 'layout'>) {
  // As late as the routes have it, so that an error is left together with its screen.
  const pathname = useDeferredValue(usePathname());
  const isSignedIn = useSession(({ status }) => status === 'signed-in');
  useEffect(() => {
    if (isSignedIn) void preloadLater();
  }, [isSignedIn]);
  return (
    <>
      <Layout>
        <OutOfReach />
        <ErrorBoundary resetKey={pathname}>
          <Routes />
        </ErrorBoundary>
      </Layout>
      {isSignedIn && <UploadTray />}
      <UploadWatch />
      <Commands />
      <LiveWatch />
      <PageViews />
      <InsightWatch />
      <ServiceNotices />
      <SessionExpiredDialog />
    </>
  );
}

/** The application: one for every host, over the services that its entry chose. */
export function App({ services, queries, layout }: AppProps) {
  return (
    <ServicesContext value={services}>
      <QueryClientProvider client={queries}>
        <SessionWatch />
        <ErrorBoundary resetKey="application">
          <Router hook={useRouterPlace}>
            <Screens layout={layout} />
          </Router>
        </ErrorBoundary>
      </QueryClientProvider>
    </ServicesContext>
  );
}
