/** The route table of both specifications, as far as screens exist. Pure, so that guards and tests need no browser. */
import type { ShareEnd } from '../../shared/model/shareLink.ts';
import { nameKey, RESERVED_NAMES } from '../../shared/rules/names.ts';
import { plainPath } from '../../shared/rules/phone.ts';

/** Pages of plain text, for everybody. */
export const STATIC_PAGES = [
  'terms',
  'privacy',
  'security',
  'refund',
  'cookie',
  'contact',
  'company',
  'download',
  'open-source',
] as const;
export type StaticPage = (typeof STATIC_PAGES)[number];

/** Providers whose answers come back to a callback of their own; `oidc` is any that has no name. */
const PROVIDERS = ['google', 'microsoft', 'apple', 'oidc'] as const;
export type CallbackProvider = (typeof PROVIDERS)[number];

export type RouteMatch =
  | { readonly name: 'home' }
  /** Where a sign-in comes back to: from our own sign-in page (null), or from another provider. */
  | { readonly name: 'callback'; readonly provider: CallbackProvider | null }
  | { readonly name: 'redirect' }
  | { readonly name: 'page'; readonly page: StaticPage }
  | { readonly name: 'search' }
  | { readonly name: 'settings' }
  | { readonly name: 'favorites' }
  | { readonly name: 'trash' }
  /** What other applications shared with this one. */
  | { readonly name: 'receive' }
  | { readonly name: 'plans' }
  | { readonly name: 'billing' }
  | { readonly name: 'library'; readonly library: string }
  | { readonly name: 'library-settings'; readonly library: string }
  | { readonly name: 'shelf'; readonly library: string; readonly shelfId: string }
  | { readonly name: 'upload'; readonly library: string; readonly shelfId: string }
  | { readonly name: 'shelf-settings'; readonly library: string; readonly shelfId: string }
  | { readonly name: 'commits'; readonly library: string; readonly shelfId: string }
  | { readonly name: 'share'; readonly library: string; readonly shelfId: string }
  | {
      readonly name: 'share-statistics';
      readonly library: string;
      readonly shelfId: string;
      /** Null for all links of the shelf. */
      readonly linkId: string | null;
    }
  | { readonly name: 'shared'; readonly link: string }
  | { readonly name: 'shared-locked'; readonly link: string }
  | { readonly name: 'shared-closed'; readonly reason: 'expired' | 'not-found' }
  /** What follows `/dashboard`; empty for the dashboard itself. */
  | { readonly name: 'dashboard'; readonly child: string }
  | { readonly name: 'version'; readonly library: string; readonly shelfId: string; readonly versionId: string }
  | { readonly name: 'desktop-home' }
  | { readonly name: 'desktop-main' }
  | { readonly name: 'desktop-settings' }
  /** The link of a mail is too old. */
  | { readonly name: 'expired' }
  | { readonly name: 'not-found' };

export type RouteName = RouteMatch['name'];

/** Who may see a screen: only guests, only signed-in people, only administrators, anyone. */
export type Access = 'guest' | 'login' | 'admin' | 'public';

export const ROUTE_ACCESS: Readonly<Record<RouteName, Access>> = {
  home: 'guest',
  callback: 'public',
  redirect: 'public',
  page: 'public',
  search: 'login',
  settings: 'login',
  favorites: 'login',
  trash: 'login',
  receive: 'login',
  plans: 'login',
  billing: 'login',
  library: 'login',
  'library-settings': 'login',
  shelf: 'login',
  upload: 'login',
  'shelf-settings': 'login',
  commits: 'login',
  version: 'login',
  dashboard: 'admin',
  share: 'login',
  'share-statistics': 'login',
  shared: 'public',
  'shared-locked': 'public',
  'shared-closed': 'public',
  'desktop-home': 'guest',
  'desktop-main': 'login',
  'desktop-settings': 'login',
  expired: 'public',
  'not-found': 'public',
};

/** Pages of the dashboard, in the order of its navigation. */
export const DASHBOARD_CHILDREN = [
  'overview',
  'notices',
  'app-versions',
  'users',
  'shelves',
  'settings',
  'documents',
  'analytics',
  'storage',
] as const;
export type DashboardChild = (typeof DASHBOARD_CHILDREN)[number];

/** Screens whose whole address is one segment. */
const PLAIN = [
  'redirect',
  'search',
  'settings',
  'favorites',
  'trash',
  'plans',
  'billing',
  'expired',
  'receive',
] as const;
const isOneOf = <T extends string>(names: readonly T[], segment: string | undefined): segment is T =>
  segment !== undefined && (names as readonly string[]).includes(segment);

const DESKTOP = ['home', 'main', 'settings'] as const;

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

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu;
/** Whether a segment may name a shelf, a version or a link: a word in its place leads nowhere. */
const isId = (segment: string) => ID.test(segment);

/** The screens of those who were given a link. */
function matchShared([, link, more]: readonly string[], count: number): RouteMatch {
  if (link === undefined) return { name: 'not-found' };
  if (count === 2) {
    return link === 'expired' || link === 'not-found'
      ? { name: 'shared-closed', reason: link }
      : { name: 'shared', link };
  }
  return count === 3 && more === 'password-required' ? { name: 'shared-locked', link } : { name: 'not-found' };
}

/** The screens of a shelf's share links. */
function matchShare(
  place: { readonly library: string; readonly shelfId: string },
  rest: readonly string[],
): RouteMatch {
  const [stat, linkId] = rest;
  if (stat === undefined) return { name: 'share', ...place };
  if (stat !== 'stat' || rest.length > 2 || (linkId !== undefined && !isId(linkId))) return { name: 'not-found' };
  return { name: 'share-statistics', ...place, linkId: linkId ?? null };
}

/** Screens whose addresses hold no name that somebody gave. */
function matchFixed(segments: readonly string[]): RouteMatch | null {
  const [first, second, third] = segments;
  if (segments.length === 1) {
    if (isOneOf(PLAIN, first)) return { name: first };
    if (first === 'callback') return { name: 'callback', provider: null };
    if (isOneOf(STATIC_PAGES, first)) return { name: 'page', page: first };
  }
  if (segments.length === 2 && first === 'desktop' && isOneOf(DESKTOP, second)) return { name: `desktop-${second}` };
  if (segments.length === 3 && first === 'accounts' && isOneOf(PROVIDERS, second) && third === 'callback') {
    return { name: 'callback', provider: second };
  }
  return null;
}

/** The screen that a path names. Phones have addresses of their own for the same screens. */
export function matchRoute(pathname: string): RouteMatch {
  const segments = decodeSegments(plainPath(pathname));
  if (segments === null) return { name: 'not-found' };
  const [first, second, third, fourth] = segments;
  if (first === undefined) return { name: 'home' };
  const fixed = matchFixed(segments);
  if (fixed !== null) return fixed;
  if (first === 'dashboard') return { name: 'dashboard', child: segments.slice(1).join('/') };
  if (first === 'shared') return matchShared(segments, segments.length);
  if (RESERVED_NAMES.has(nameKey(first))) return { name: 'not-found' };
  if (second === undefined) return { name: 'library', library: first };
  if (second === 'settings' && segments.length === 2) return { name: 'library-settings', library: first };
  if (!isId(second)) return { name: 'not-found' };
  const place = { library: first, shelfId: second };
  if (third === undefined) return { name: 'shelf', ...place };
  if (third === 'upload' && segments.length === 3) return { name: 'upload', ...place };
  if (third === 'settings' && fourth === undefined) return { name: 'shelf-settings', ...place };
  if (third === 'commits' && fourth === undefined) return { name: 'commits', ...place };
  if (third === 'share') return matchShare(place, segments.slice(3));
  if (third === 'version' && fourth !== undefined && isId(fourth) && segments.length === 4) {
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
  /** The changes of the shelf that is kept in a folder of this computer, over the overview. */
  changesHere: (folder: string) => `/desktop/main?changes=${encodeURIComponent(folder)}`,
  desktopSettings: '/desktop/settings',
  settings: '/settings',
  favorites: '/favorites',
  trash: '/trash',
  settingsTab: (tab: string) => `/settings?tab=${encodeURIComponent(tab)}`,
  plans: '/plans',
  billing: '/billing',
  page: (page: StaticPage) => path(page),
  search: (query = '') => (query === '' ? '/search' : `/search?q=${encodeURIComponent(query)}`),
  library: (library: string) => path(library),
  librarySettings: (library: string) => path(library, 'settings'),
  /** A user's own library list stands under the user's name. */
  user: (username: string) => path(username),
  shelf: (library: string, shelfId: string) => path(library, shelfId),
  /** The shelf with one of its documents in sight. */
  document: (library: string, shelfId: string, documentId: string) =>
    `${path(library, shelfId)}?document=${encodeURIComponent(documentId)}`,
  shelfTab: (library: string, shelfId: string, tab: 'files' | 'members' | 'comments' | 'history') =>
    `${path(library, shelfId)}?tab=${tab}`,
  upload: (library: string, shelfId: string) => path(library, shelfId, 'upload'),
  shelfSettings: (library: string, shelfId: string) => path(library, shelfId, 'settings'),
  /** The comments beside a shelf's documents, also of one document alone. */
  comments: (library: string, shelfId: string, documentId?: string) =>
    `${path(library, shelfId)}?tab=comments${documentId === undefined ? '' : `&document=${encodeURIComponent(documentId)}`}`,
  commits: (library: string, shelfId: string) => path(library, shelfId, 'commits'),
  version: (
    library: string,
    shelfId: string,
    versionId: string,
    find?: { readonly text: string; readonly at?: string | null; readonly line?: number | null },
  ) => {
    const address = path(library, shelfId, 'version', versionId);
    const query = new URLSearchParams();
    if (find !== undefined && find.text !== '') query.set('find', find.text);
    if (find?.at !== undefined && find.at !== null) query.set('at', find.at);
    if (find?.line !== undefined && find.line !== null) query.set('line', String(find.line));
    return query.size === 0 ? address : `${address}?${query}`;
  },
  /** The share links of a shelf. */
  share: (library: string, shelfId: string) => path(library, shelfId, 'share'),
  /** What became of all links of a shelf, or of one. */
  shareStatistics: (library: string, shelfId: string, linkId: string | null = null) =>
    linkId === null ? path(library, shelfId, 'share', 'stat') : path(library, shelfId, 'share', 'stat', linkId),
  /** What is behind a share link; with one of its documents open. */
  shared: (link: string, documentId: string | null = null) =>
    documentId === null ? path('shared', link) : `${path('shared', link)}?document=${encodeURIComponent(documentId)}`,
  sharedLocked: (link: string) => path('shared', link, 'password-required'),
  sharedExpired: (reason?: ShareEnd) => (reason === undefined ? '/shared/expired' : `/shared/expired?reason=${reason}`),
  sharedNotFound: '/shared/not-found',
  /** A page of the dashboard, with what its list is narrowed to. */
  dashboard: (child: DashboardChild, query: Readonly<Record<string, string>> = {}) => {
    const search = new URLSearchParams(query);
    return search.size === 0 ? path('dashboard', child) : `${path('dashboard', child)}?${search}`;
  },
  /** A version beside an earlier one of its document. */
  compare: (library: string, shelfId: string, versionId: string, earlierId: string, find = '') => {
    const query = new URLSearchParams({ compare: earlierId, ...(find === '' ? {} : { find }) });
    return `${path(library, shelfId, 'version', versionId)}?${query}`;
  },
} as const;

/** The server's own page, on which a sign-in that was begun is finished. */
export const signInPage = (request: string) => `/sign-in?request=${encodeURIComponent(request)}`;

/** What the share dialog is asked for: the whole shelf, a document of it, or one version. */
export interface ShareTarget {
  readonly kind: 'shelf' | 'document' | 'version';
  /** Of the document or version; empty for the shelf. */
  readonly id: string;
}

const SHARE_TARGET = /^(?:(shelf)|(document|version):([\w-]+))$/u;

/** The search of an address with which the share dialog stands over its screen. */
export function shareSearch(search: string, { kind, id }: ShareTarget): string {
  const query = new URLSearchParams(search);
  query.set('share', kind === 'shelf' ? kind : `${kind}:${id}`);
  return `?${query}`;
}

/** What an address asks the share dialog for, if it does. */
export function shareTargetOf(search: string): ShareTarget | null {
  const [, shelf, kind, id] = SHARE_TARGET.exec(new URLSearchParams(search).get('share') ?? '') ?? [];
  if (shelf !== undefined) return { kind: 'shelf', id: '' };
  return id !== undefined && (kind === 'document' || kind === 'version') ? { kind, id } : null;
}

/**
 * A path inside the application to go back to, or null. Anything else (another origin, `//host`, a backslash) would let a
 * link send a person who just signed in elsewhere.
 */
export function safeReturnPath(target: string | null): string | null {
  if (target === null || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(target)) return null;
  return target;
}
