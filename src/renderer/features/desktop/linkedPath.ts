import { matchRoute, ROUTE_ACCESS, type RouteName } from '../../app/routes.ts';

/** Addresses that finish something which the application itself has begun: nothing for links that anybody may write. */
const UNLINKED: ReadonlySet<RouteName> = new Set(['callback', 'redirect', 'expired', 'not-found']);

/** Where a link into the application leads: a screen of ours, with its query; null for all else. */
export function linkedPath(path: string): string | null {
  const [pathname = ''] = path.split(/[?#]/u);
  const { name } = matchRoute(pathname);
  return UNLINKED.has(name) || ROUTE_ACCESS[name] === 'guest' ? null : path;
}
