/** The route table of both specifications, as far as screens exist. Pure, so that guards and tests need no browser. */

export type RouteMatch =
  | { readonly name: 'home' }
  | { readonly name: 'callback' }
  | { readonly name: 'search' }
  | { readonly name: 'settings' }
  | { readonly name: 'favorites' }
  | { readonly name: 'trash' }
  | { readonly name: 'plans' }
  | { readonly name: 'billing' }
  | { readonly name: 'library'; readonly library: string }
  | { readonly name: 'library-settings'; readonly library: string }
  | { readonly name: 'shelf'; readonly library: string; readonly shelfId: string }
  | { readonly name: 'shelf-settings'; readonly library: string; readonly shelfId: string }
  | { readonly name: 'commits'; readonly library: string; readonly shelfId: string }
  | { readonly name: 'version'; readonly library: string; readonly shelfId: string; readonly versionId: string }
  | { readonly name: 'desktop-home' }
  | { readonly name: 'desktop-main' }
  | { readonly name: 'desktop-settings' }
  | { readonly name: 'not-found' };

export type RouteName = RouteMatch['name'];

/** Who may see a screen: only guests, only signed-in people, anyone; and whether it exists in the desktop shell only. */
export type Access = 'guest' | 'login' | 'public';

export const ROUTE_ACCESS: Readonly<Record<RouteName, Access>> = {
  home: 'guest',
  callback: 'public',
  search: 'login',
  settings: 'login',
  favorites: 'login',
  trash: 'login',
  plans: 'login',
  billing: 'login',
  library: 'login',
  'library-settings': 'login',
  shelf: 'login',
  'shelf-settings': 'login',
  commits: 'login',
  version: 'login',
  'desktop-home': 'guest',
  'desktop-main': 'login',
  'desktop-settings': 'login',
  'not-found': 'public',
};

/** First segments that belong to the application but have no screen (yet): never a library's page. */
const WITHOUT_SCREEN: ReadonlySet<string> = new Set(
  (
    'm api auth assets updates desktop dashboard shared accounts redirect plans favorites trash billing terms privacy ' +
    'security refund cookie contact company download open-source expired sign-in sign-up forgot-password ' +
    'reset-password verify-email second-step storage'
  ).split(' '),
);

/** Screens whose whole address is one segment. */
const PLAIN = ['callback', 'search', 'settings', 'favorites', 'trash', 'plans', 'billing'] as const;
const isPlain = (segment: string): segment is (typeof PLAIN)[number] => (PLAIN as readonly string[]).includes(segment);

function decodeSegments(pathname: string): readonly string[] | null {
  try {
    return pathname
      .split('/')
      .filter((segment) => segment !== '')
      .map((segment) => decodeURIComponent(segment));
  } catch {
    // Not percent-encoded text: no path of ours.
    return null;
  }
}

/** The screen that a path names. */
export function matchRoute(pathname: string): RouteMatch {
  const segments = decodeSegments(pathname);
  if (segments === null) return { name: 'not-found' };
  const [first, second, third, fourth] = segments;
  if (first === undefined) return { name: 'home' };
  if (segments.length === 1 && isPlain(first)) return { name: first };
  if (
    first === 'desktop' &&
    segments.length === 2 &&
    (second === 'home' || second === 'main' || second === 'settings')
  ) {
    return { name: `desktop-${second}` };
  }
  if (WITHOUT_SCREEN.has(first.toLowerCase())) return { name: 'not-found' };
  if (second === undefined) return { name: 'library', library: first };
  // The id of a shelf is never a word.
  if (second === 'settings') {
    return segments.length === 2 ? { name: 'library-settings', library: first } : { name: 'not-found' };
  }
  const place = { library: first, shelfId: second };
  if (third === undefined) return { name: 'shelf', ...place };
  if (third === 'settings' && fourth === undefined) return { name: 'shelf-settings', ...place };
  if (third === 'commits' && fourth === undefined) return { name: 'commits', ...place };
  if (third === 'version' && fourth !== undefined && segments.length === 4) {
    return { name: 'version', ...place, versionId: fourth };
  }
  return { name: 'not-found' };
}

function path(...segments: readonly string[]): string {
  return `/${segments.map(encodeURIComponent).join('/')}`;
}

/** Addresses of the screens. */
export const paths = {
  home: '/',
  desktopHome: '/desktop/home',
  desktopMain: '/desktop/main',
  desktopSettings: '/desktop/settings',
  settings: '/settings',
  favorites: '/favorites',
  trash: '/trash',
  settingsTab: (tab: string) => `/settings?tab=${encodeURIComponent(tab)}`,
  plans: '/plans',
  billing: '/billing',
  search: (query = '') => (query === '' ? '/search' : `/search?q=${encodeURIComponent(query)}`),
  library: (library: string) => path(library),
  librarySettings: (library: string) => path(library, 'settings'),
  /** A user's own library list stands under the user's name. */
  user: (username: string) => path(username),
  shelf: (library: string, shelfId: string) => path(library, shelfId),
  /** The shelf with one of its documents in sight. */
  document: (library: string, shelfId: string, documentId: string) =>
    `${path(library, shelfId)}?document=${encodeURIComponent(documentId)}`,
  shelfTab: (library: string, shelfId: string, tab: 'members' | 'comments') => `${path(library, shelfId)}?tab=${tab}`,
  shelfSettings: (library: string, shelfId: string) => path(library, shelfId, 'settings'),
  /** The comments beside a shelf's documents, also of one document alone. */
  comments: (library: string, shelfId: string, documentId?: string) =>
    `${path(library, shelfId)}?tab=comments${documentId === undefined ? '' : `&document=${encodeURIComponent(documentId)}`}`,
  commits: (library: string, shelfId: string) => path(library, shelfId, 'commits'),
  version: (
    library: string,
    shelfId: string,
    versionId: string,
    find?: { readonly text: string; readonly line?: number | null },
  ) => {
    const address = path(library, shelfId, 'version', versionId);
    const query = new URLSearchParams();
    if (find !== undefined && find.text !== '') query.set('find', find.text);
    if (find?.line !== undefined && find.line !== null) query.set('line', String(find.line));
    return query.size === 0 ? address : `${address}?${query}`;
  },
  /** A version beside an earlier one of its document. */
  compare: (library: string, shelfId: string, versionId: string, earlierId: string) =>
    `${path(library, shelfId, 'version', versionId)}?compare=${encodeURIComponent(earlierId)}`,
} as const;

/**
 * A path inside the application to go back to, or null. Anything else (another origin, `//host`, a backslash) would let a
 * link send a person who just signed in elsewhere.
 */
export function safeReturnPath(target: string | null): string | null {
  if (target === null || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(target)) return null;
  return target;
}
