import type { User } from '../../shared/model/user.ts';
import { paths, ROUTE_ACCESS, type RouteMatch, signInPage } from './routes.ts';

/** What the guards decide on. */
export interface GuardContext {
  readonly route: RouteMatch;
  /** The address with its query, to come back to after signing in. */
  readonly address: string;
  readonly user: User | null;
  /** The shell's screens exist. */
  readonly hasShell: boolean;
  readonly currentLibrary: string | null;
}

export type GuardDecision =
  | { readonly kind: 'show' }
  | { readonly kind: 'redirect'; readonly to: string; readonly remember?: string }
  /** Signed in, but without a user name: the sign-up is completed in place. */
  | { readonly kind: 'complete-signup' }
  /** At the start without a library of one's own: asked to make one. Others' shelves stay in reach under their addresses. */
  | { readonly kind: 'first-library' }
  /** Signed in, but no library is known: signed out and sent to the start (web-and-phone.md §2). */
  | { readonly kind: 'sign-out' }
  /** The desktop application sent the browser here to be signed in: asked whether to, by somebody who is signed in. */
  | { readonly kind: 'desktop-sign-in'; readonly request: string }
  /** The same by a guest: on to the server's own sign-in page, which is no screen. */
  | { readonly kind: 'sign-in-page'; readonly to: string };

/** The sign-in of a desktop application that an address is about (decisions.md §4). */
function desktopRequest(address: string): string | null {
  const query = new URLSearchParams(address.split('?')[1] ?? '');
  return query.get('source') === 'client' ? query.get('request') : null;
}

const ADMIN = 0;
const isDashboard = (route: RouteMatch) => route.name === 'dashboard' && route.child === '';

/** The route guards of web-and-phone.md §2, in their order. */
export function decideRoute({ route, address, user, hasShell, currentLibrary }: GuardContext): GuardDecision {
  if (hasShell && route.name === 'home') return { kind: 'redirect', to: paths.desktopHome };
  if (!hasShell && route.name.startsWith('desktop-')) return { kind: 'redirect', to: paths.home };
  const start = hasShell ? paths.desktopHome : paths.home;
  const access = ROUTE_ACCESS[route.name];
  if (access === 'public') return { kind: 'show' };
  const request = access === 'guest' && !hasShell ? desktopRequest(address) : null;
  if (user === null) {
    if (access !== 'guest') return { kind: 'redirect', to: start, remember: address };
    return request === null ? { kind: 'show' } : { kind: 'sign-in-page', to: signInPage(request) };
  }
  if (user.username === '') return { kind: 'complete-signup' };
  if (access === 'login') return { kind: 'show' };
  if (access === 'admin') {
    // Only a convenience: the server lets nobody else see anything of it.
    if (user.user_type !== ADMIN) return { kind: 'redirect', to: paths.home };
    return isDashboard(route) ? { kind: 'redirect', to: paths.dashboard('overview') } : { kind: 'show' };
  }
  if (request !== null)
    return user.has_default_library ? { kind: 'desktop-sign-in', request } : { kind: 'first-library' };
  if (hasShell) return { kind: 'redirect', to: paths.desktopMain };
  if (currentLibrary !== null) return { kind: 'redirect', to: paths.library(currentLibrary) };
  return user.has_default_library ? { kind: 'sign-out' } : { kind: 'first-library' };
}
