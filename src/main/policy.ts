/** Pure decisions about addresses that pages and servers hand to the shell. Each names the threat that it answers. */

export const APP_SCHEME = 'app';
export const APP_ORIGIN = `${APP_SCHEME}://armarium`;

/** Whether a frame or navigation target is our own application. Anything else in a window of ours could call the bridge. */
export function isAppUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, host, username, password } = new URL(url);
  return protocol === `${APP_SCHEME}:` && host === 'armarium' && username === '' && password === '';
}

// Control characters and NUL end a path early in some operating systems' openers (CVE-2026-70603).
const CONTROL = /\p{Cc}/u;

/** Whether `url` is https, or http to this very machine, and names nobody to sign in as. */
function isWebUrl(url: string): boolean {
  if (url.length > 4096 || CONTROL.test(url) || !URL.canParse(url)) return false;
  const { protocol, hostname, username, password } = new URL(url);
  if (username !== '' || password !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

/** Whether `url` writes a mail, and no more: some mail programs attach files of this machine that an address names. */
function isMailUrl(url: string): boolean {
  if (url.length > 2048 || CONTROL.test(url) || !URL.canParse(url)) return false;
  const { protocol, searchParams } = new URL(url);
  return protocol === 'mailto:' && ![...searchParams.keys()].some((name) => /^attach/iu.test(name));
}

/**
 * Whether the operating system may be asked to open `url`: https and mailto, and http to this very machine for the sign-in
 * of the embedded server. Other schemes start other programs.
 */
export function isExternalUrlAllowed(url: string): boolean {
  return isWebUrl(url) || isMailUrl(url);
}

/** Whether a link of a page may open the browser or the mail program. Pages have no business with servers on this machine. */
export function isLinkAllowed(url: string): boolean {
  return /^(?:https|mailto):/iu.test(url) && isExternalUrlAllowed(url);
}

/** What a page of ours may ask of the browser engine; all else is denied, and everything to anybody else. */
const PERMISSIONS: ReadonlySet<string> = new Set(['clipboard-sanitized-write', 'fullscreen']);

/** Whether a permission is granted to a page at `requestingUrl`. */
export function isPermissionGranted(permission: string, requestingUrl: string | undefined): boolean {
  return PERMISSIONS.has(permission) && requestingUrl !== undefined && isAppUrl(requestingUrl);
}

// Nothing that leads out: no second slash, no backslash, no control character.
const APP_PATH = /^\/(?![/\\])[^\\\p{Cc}]{0,1999}$/u;

/** Whether text is a path inside the application. */
export function isAppPath(path: string): boolean {
  return APP_PATH.test(path);
}

/** The path inside the application that a link `armarium://open/…` names, or null. Any page and any mail may hold such a link. */
export function pathOfLink(link: string, scheme: string): string | null {
  if (link.length > 2048 || !URL.canParse(link)) return null;
  const { protocol, host, username, password, pathname, search } = new URL(link);
  if (protocol !== `${scheme}:` || host !== 'open' || username !== '' || password !== '') return null;
  return isAppPath(pathname + search) ? pathname + search : null;
}

/** The path of one of our pages, to come back to at the next start; null for anything else. */
export function pathOfPage(url: string): string | null {
  if (!isAppUrl(url)) return null;
  const { pathname, search } = new URL(url);
  return isAppPath(pathname + search) ? pathname + search : null;
}

/** Whether a host name is this machine. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/u.test(hostname);
}

/**
 * The origin of a server that a person typed, or null when it must not be used: tokens and documents go over TLS, except
 * to this machine.
 */
export function serverOrigin(url: string): string | null {
  if (!isWebUrl(url)) return null;
  return new URL(url).origin;
}

/** Paths of the server that the page may reach through the application's own scheme. Tokens are the main process's business. */
export function isProxiedPath(path: string): boolean {
  if (/^\/auth\/v1\/(status|userinfo|complete-signup|change-password)\/$/u.test(path)) return true;
  return path.startsWith('/api/') || path.startsWith('/storage/');
}

// What a content policy takes for one host. An address may hold `*`, `;` or `'` in that place, which a policy reads as its own.
const POLICY_HOST = /^[a-z\d](?:[a-z\d.-]*[a-z\d])?$/u;

/**
 * The source of a content policy for a service of others that the server at `server` names, or null when it must not be
 * reached: https to one host, and to this machine only for a server of this machine, which may also name http.
 */
export function serviceSource(url: string, server: string): string | null {
  if (url.length > 2048 || CONTROL.test(url) || !URL.canParse(url)) return null;
  const { protocol, hostname, origin } = new URL(url);
  if (!POLICY_HOST.test(hostname)) return null;
  if (isLoopback(hostname)) return /^https?:$/u.test(protocol) && isLoopback(new URL(server).hostname) ? origin : null;
  return protocol === 'https:' ? origin : null;
}

/**
 * The content policy of the application's page (desktop-shell.md §7, decisions.md §12: no `file:` source), which may also
 * send to some `sources`.
 */
export function pagePolicy(sources: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' blob: local-image:",
    "media-src 'self' blob: video-stream:",
    "font-src 'self'",
    // The page reads again what it made itself: the pages of a document that were exported.
    ["connect-src 'self' blob:", ...sources].join(' '),
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
