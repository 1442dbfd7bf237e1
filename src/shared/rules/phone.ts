/**
 * Who gets the phone layout, and under which addresses it stands (web-and-phone.md §2, "Phone routes"). The server chooses the
 * page by it, and the page keeps to the addresses of its layout by it, so the two cannot disagree.
 */

/** Kept while somebody on a phone asked for the desktop site. */
export const DESKTOP_SITE_COOKIE = 'armarium_desktop_site';

/** Phones by the names that their browsers give. Tablets have room for the web layout, and do not call themselves mobile. */
const PHONE = /\b(?:iPhone|iPod|Windows Phone|IEMobile|BB10|KAIOS)\b|\bAndroid\b.*\bMobile\b/u;

/** Whether a browser says that it is a phone's. */
export function isPhone(userAgent: string): boolean {
  return PHONE.test(userAgent);
}

/** The layout of a browser's page: a phone's own, unless the desktop site was asked for. */
export function layoutFor(userAgent: string, wantsDesktopSite: boolean): 'web' | 'phone' {
  return isPhone(userAgent) && !wantsDesktopSite ? 'phone' : 'web';
}

const BASE = '/m';

/**
 * First segments of addresses that are the same on every device: the start, where sign-ins come back to, what mails lead to,
 * the shell's screens, and the installers, which no phone takes.
 */
const EVERYWHERE: ReadonlySet<string> = new Set([
  '',
  'callback',
  'accounts',
  'redirect',
  'expired',
  'desktop',
  'download',
]);

/** The path of a screen without what marks it as a phone's. */
export function plainPath(path: string): string {
  if (path === BASE) return '/';
  return path.startsWith(`${BASE}/`) ? path.slice(BASE.length) : path;
}

/** The address of a screen in the phone layout. @param path may be followed by a query and a fragment */
export function phonePath(path: string): string {
  const [first = ''] = path.slice(1).split(/[/?#]/u, 1);
  return EVERYWHERE.has(first) || first === BASE.slice(1) ? path : BASE + path;
}
