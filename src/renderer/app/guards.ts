import type { User } from '../../shared/model/user.ts';
import { paths, ROUTE_ACCESS, type RouteMatch } from './routes.ts';

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
  /** Signed in, but without a user name or a first library: the sign-up is completed in place. */
  | { readonly kind: 'complete-signup' }
  /** Signed in, but no library is known: signed out and sent to the start (web-and-phone.md §2). */
  | { readonly kind: 'sign-out' };

/** Whether an account still lacks its user name or its first library. */
export function needsSignup(user: User): boolean {
  return user.username === '' || !user.has_default_library;
}

/** The route guards of web-and-phone.md §2, in their order. */
export function decideRoute({ route, address, user, hasShell, currentLibrary }: GuardContext): GuardDecision {
  if (hasShell && route.name === 'home') return { kind: 'redirect', to: paths.desktopHome };
  if (!hasShell && route.name.startsWith('desktop-')) return { kind: 'redirect', to: paths.home };
  const start = hasShell ? paths.desktopHome : paths.home;
  const access = ROUTE_ACCESS[route.name];
  if (access === 'public') return { kind: 'show' };
  if (user === null) {
    return access === 'guest' ? { kind: 'show' } : { kind: 'redirect', to: start, remember: address };
  }
  if (needsSignup(user)) return { kind: 'complete-signup' };
  if (access === 'login') return { kind: 'show' };
  if (hasShell) return { kind: 'redirect', to: paths.desktopMain };
  return currentLibrary === null ? { kind: 'sign-out' } : { kind: 'redirect', to: paths.library(currentLibrary) };
}
