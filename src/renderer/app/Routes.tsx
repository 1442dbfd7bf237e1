import { Compass, MailX } from 'lucide-react';
import { type ReactNode, Suspense, useDeferredValue, useEffect, useMemo } from 'react';
import { Link } from 'wouter';
import { AppError, assertNever } from '../../shared/errors.ts';
import { nameKey } from '../../shared/rules/names.ts';
import { useTranslation } from '../i18n/useTranslation.ts';
import { EmptyState, ErrorState } from '../ui/States.tsx';
import { useTitle } from '../ui/useTitle.ts';
import { FirstContent } from './FirstContent.tsx';
import { decideRoute, type GuardDecision } from './guards.ts';
import { navigate, ShownPlace, useAddressOfLayout, usePathname, useSearch } from './place.ts';
import {
  type Access,
  matchRoute,
  paths,
  ROUTE_ACCESS,
  type RouteMatch,
  safeReturnPath,
  shareTargetOf,
} from './routes.ts';
import * as screens from './screens.ts';
import { useScrollPlace } from './scrollPlace.ts';
import { useServices, useSession } from './services.ts';
import { useContentAhead, useShelfAhead } from './shelfAhead.ts';
import { hasReturned } from './signInPlace.ts';

const NEEDS_LOGIN: ReadonlySet<Access> = new Set(['login', 'admin']);

function Opening() {
  const { t } = useTranslation();
  return (
    <div className="state" role="status" aria-label={t('session.checking')}>
      <span className="spinner" />
    </div>
  );
}

/** There is nothing at the address; or there was, and the link of a mail has led to it too late. */
function NotFound({ isExpired = false }: { readonly isExpired?: boolean }) {
  const { t } = useTranslation();
  const title = isExpired ? t('notFound.mailExpired') : t('notFound.title');
  useTitle(title);
  return (
    <EmptyState
      icon={isExpired ? MailX : Compass}
      title={title}
      text={isExpired ? t('notFound.mailExpiredText') : t('notFound.text')}
      level={1}
    >
      <Link href={paths.home} className="button">
        {t('notFound.home')}
      </Link>
    </EmptyState>
  );
}

function ScreenOf({ route }: { readonly route: RouteMatch }): ReactNode {
  useContentAhead(usePathname());
  const username = useSession(({ user }) => user?.username ?? '');
  const query = new URLSearchParams(useSearch());
  const compared = query.get('compare');
  switch (route.name) {
    case 'home':
      return <screens.home.Screen />;
    case 'callback':
      return <screens.callback.Screen provider={route.provider} />;
    case 'redirect':
      return <screens.redirect.Screen />;
    case 'page':
      return <screens.page.Screen page={route.page} />;
    case 'search':
      return <screens.search.Screen />;
    case 'trash':
      return <screens.trash.Screen />;
    case 'favorites':
      return <screens.favorites.Screen />;
    case 'receive':
      return <screens.receive.Screen />;
    case 'settings':
      return <screens.settings.Screen />;
    case 'plans':
      return <screens.plans.Screen />;
    case 'billing':
      return <screens.billing.Screen />;
    case 'library-settings':
      return <screens.librarySettings.Screen key={route.library} library={route.library} />;
    case 'shelf-settings':
      return <screens.shelfSettings.Screen key={route.shelfId} library={route.library} shelfId={route.shelfId} />;
    case 'desktop-settings':
      return <screens.desktopSettings.Screen />;
    case 'library':
      // Libraries and users share one namespace: under the own name stands the own list.
      return nameKey(route.library) === nameKey(username) ? (
        <screens.libraryList.Screen />
      ) : (
        <screens.library.Screen key={route.library} library={route.library} />
      );
    case 'shelf':
      return (
        <screens.shelf.Screen
          key={route.shelfId}
          library={route.library}
          shelfId={route.shelfId}
          members={screens.members.Screen}
          comments={screens.comments.Screen}
          history={screens.timeline.Screen}
        />
      );
    case 'upload':
      return <screens.upload.Screen key={route.shelfId} library={route.library} shelfId={route.shelfId} />;
    case 'commits':
      return <screens.commits.Screen key={route.shelfId} library={route.library} shelfId={route.shelfId} />;
    case 'version': {
      const { library, shelfId, versionId } = route;
      return compared === null ? (
        <screens.version.Screen
          library={library}
          shelfId={shelfId}
          versionId={versionId}
          comments={screens.comments.Screen}
          viewer={screens.viewer.Screen}
        />
      ) : (
        <screens.compare.Screen
          library={library}
          shelfId={shelfId}
          versionId={versionId}
          earlierId={compared}
          find={query.get('find') ?? ''}
        />
      );
    }
    case 'dashboard':
      return <screens.dashboard.Screen child={route.child} />;
    case 'share':
      return <screens.share.Screen key={route.shelfId} library={route.library} shelfId={route.shelfId} />;
    case 'share-statistics': {
      const { library, shelfId, linkId } = route;
      return <screens.shareStatistics.Screen key={linkId} library={library} shelfId={shelfId} linkId={linkId} />;
    }
    case 'shared':
      return <screens.shared.Screen key={route.link} link={route.link} viewer={screens.viewer.Screen} />;
    case 'shared-locked':
      return <screens.sharedLocked.Screen key={route.link} link={route.link} />;
    case 'shared-closed':
      return <screens.sharedClosed.Screen reason={route.reason} />;
    case 'desktop-home':
      return <screens.desktopHome.Screen />;
    case 'desktop-main':
      return <screens.overview.Screen />;
    case 'expired':
      return <NotFound isExpired />;
    case 'not-found':
      return <NotFound />;
    default:
      return assertNever(route);
  }
}

/** The share dialog, over any screen of a shelf whose address asks for it; so it can be linked to, and Back closes it. */
function ShareOverlay({ route }: { readonly route: RouteMatch }) {
  const search = useSearch();
  const pathname = usePathname();
  const target = shareTargetOf(search);
  if (target === null || (route.name !== 'shelf' && route.name !== 'version' && route.name !== 'share')) return null;
  const query = new URLSearchParams(search);
  query.delete('share');
  const close = () => navigate(query.size === 0 ? pathname : `${pathname}?${query}`, { replace: true });
  return (
    <Suspense fallback={null}>
      <screens.shareDialog.Screen library={route.library} shelfId={route.shelfId} target={target} onClose={close} />
    </Suspense>
  );
}

/** Decisions that lead away from the address. */
const WAITING: ReadonlySet<GuardDecision['kind']> = new Set(['redirect', 'sign-out', 'sign-in-page']);

/** The screen of the present address, after the guards. */
export function Routes() {
  const { t } = useTranslation();
  const { platform, tabStore } = useServices();
  const [presentPath, presentSearch] = [usePathname(), useSearch()];
  // A press of a link is answered at once: the next screen is made ready beside the present one. Within a screen nothing lags.
  const address = useDeferredValue(presentPath + presentSearch);
  const pathname = address.replace(/\?.*$/su, '');
  const search = pathname === presentPath ? presentSearch : address.slice(pathname.length);
  useShelfAhead(presentPath);
  const place = useMemo(() => ({ pathname, search }), [pathname, search]);
  const { status, user, ended, check, signOut, currentLibrary, rememberReturn, takeReturn } = useSession(
    (state) => state,
  );
  const route = matchRoute(pathname);
  const isKnown = status === 'guest' || status === 'signed-in';
  const decision = isKnown
    ? decideRoute({
        route,
        address: pathname + search,
        user,
        hasShell: platform.windowControls !== null,
        currentLibrary: currentLibrary(),
      })
    : null;
  const to = decision?.kind === 'redirect' ? decision.to : null;
  const remember = decision?.kind === 'redirect' ? decision.remember : undefined;
  const mustLeave = decision?.kind === 'sign-out';
  const page = decision?.kind === 'sign-in-page' ? decision.to : null;

  useEffect(() => {
    if (to === null) return;
    if (remember !== undefined && ended !== 'by-choice') rememberReturn(remember);
    // Someone who signed in goes where they had wanted to go.
    const back = user !== null && remember === undefined ? safeReturnPath(takeReturn()) : null;
    navigate(back ?? to, { replace: true });
  }, [to, remember, ended, user, rememberReturn, takeReturn]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the end of a session leads to the start, no later move
  useEffect(() => {
    if (status !== 'guest' || ended === 'no') return;
    if (ended === 'expired' && NEEDS_LOGIN.has(ROUTE_ACCESS[route.name])) rememberReturn(pathname + search);
    navigate(platform.windowControls === null ? paths.home : paths.desktopHome, { replace: true });
  }, [status, ended]);
  const access = ROUTE_ACCESS[route.name];
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the sign-in that has come back leads on, no later move
  useEffect(() => {
    if (!isKnown || !hasReturned(tabStore) || status !== 'signed-in') return;
    // A guest's screen is replaced, by its guard if that leads elsewhere; any other stays, for Back to lead to.
    if (access !== 'guest') navigate(safeReturnPath(takeReturn()) ?? paths.home);
    else if (decision?.kind === 'first-library') {
      const back = safeReturnPath(takeReturn());
      if (back !== null) navigate(back, { replace: true });
    }
  }, [isKnown, status]);
  useEffect(() => {
    if (mustLeave) void signOut();
  }, [mustLeave, signOut]);
  useEffect(() => {
    if (page !== null) location.replace(page);
  }, [page]);
  useAddressOfLayout(pathname);
  useScrollPlace(pathname, search);

  if (status === 'unreachable') {
    return (
      <ErrorState
        error={new AppError('server-unreachable', 'the session could not be checked')}
        title={t('session.unreachableTitle')}
        onRetry={() => void check()}
      />
    );
  }
  if (decision === null || WAITING.has(decision.kind)) return <Opening />;
  return (
    <ShownPlace value={place}>
      <Suspense fallback={<Opening />}>
        {decision.kind === 'complete-signup' ? (
          <screens.signup.Screen />
        ) : decision.kind === 'first-library' ? (
          <screens.firstLibrary.Screen />
        ) : decision.kind === 'desktop-sign-in' ? (
          <screens.desktopSignIn.Screen request={decision.request} />
        ) : (
          <ScreenOf route={route} />
        )}
        {decision.kind === 'show' && <ShareOverlay route={route} />}
        <FirstContent />
      </Suspense>
    </ShownPlace>
  );
}
