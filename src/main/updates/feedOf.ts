import brand from '../../../resources/brand.json' with { type: 'json' };
import type { ServerState } from '../../shared/bridge/index.ts';

/**
 * Where updates are looked for: a server updates the desktops of the people on it (decisions.md §11), the one on this computer
 * included, unless whoever builds the application names a feed for those who use it alone.
 */
export function feedOf({ mode, url }: ServerState, ownFeed: string | null = brand.updateFeed): string | null {
  if (mode === 'local' && ownFeed !== null) return ownFeed;
  return url === null ? null : `${url}/updates/`;
}
