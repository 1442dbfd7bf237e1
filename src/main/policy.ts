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

/**
 * Whether the system's browser may be sent to `url`: https, or http to this very machine for the sign-in of the embedded
 * server. Other schemes start other programs.
 */
export function isExternalUrlAllowed(url: string): boolean {
  if (url.length > 4096 || CONTROL.test(url) || !URL.canParse(url)) return false;
  const { protocol, hostname, username, password } = new URL(url);
  if (username !== '' || password !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
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
  if (!isExternalUrlAllowed(url)) return null;
  return new URL(url).origin;
}

/** Paths of the server that the page may reach through the application's own scheme. Tokens are the main process's business. */
export function isProxiedPath(path: string): boolean {
  if (/^\/auth\/v1\/(status|userinfo|complete-signup|change-password)\/$/u.test(path)) return true;
  return path.startsWith('/api/') || path.startsWith('/storage/');
}

/** The content policy of the application's page (desktop-shell.md §7, decisions.md §12: no `file:` source). */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: local-image:",
  "media-src 'self' blob: video-stream:",
  "font-src 'self'",
  // The page reads again what it made itself: the pages of a document that were exported.
  "connect-src 'self' blob:",
  "worker-src 'self' blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
