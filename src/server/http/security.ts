import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../shared/errors.ts';
import { RECEIVE_PATH } from '../../shared/rules/receive.ts';

/** Where Apple sends its answers: a form of another origin, which is only passed on as an address to ask for. */
const ANSWERS = /^\/accounts\/apple\/callback\/$/u;
/** Where a phone sends what is shared with the application; the server takes nothing of it and only leads on. */
const isShared = (url: string) => url === RECEIVE_PATH;
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/u;

export interface SecurityOptions {
  /** Where the server is reached from outside, when that is not where it listens. */
  readonly publicUrl: string | null;
  /** The server listens on this machine alone. */
  readonly isLoopback: boolean;
}

/**
 * The origin that a request was sent to, as browsers name it. Only a server that is on loopback alone goes by the Host header,
 * whose values are checked before; any other name could be forged, and codes of sign-ins would be sent there.
 */
export function createOriginOf(publicUrl: string | null): (request: FastifyRequest) => string {
  return (request) => (publicUrl === null ? `http://${request.headers.host ?? ''}` : new URL(publicUrl).origin);
}

/** What those ask who watch over the server; they call it by its address. */
const PROBES = new Set(['/health', '/ready', '/metrics']);

/**
 * What every request has to pass: the name it was sent to (against DNS rebinding), and, where cookies would give it rights, the
 * origin it comes from (against request forgery). And the headers that every answer carries.
 */
export function installSecurity(app: FastifyInstance, { publicUrl, isLoopback }: SecurityOptions): void {
  const originOf = createOriginOf(publicUrl);
  const publicHost = publicUrl === null ? null : new URL(publicUrl).host;

  app.addHook('onRequest', async (request, reply) => {
    reply
      .header('x-content-type-options', 'nosniff')
      .header('referrer-policy', 'no-referrer')
      .header('cross-origin-opener-policy', 'same-origin')
      .header('cross-origin-resource-policy', 'same-origin')
      .header('x-frame-options', 'DENY');
    const host = request.headers.host ?? '';
    const known = host === publicHost || (isLoopback && LOOPBACK.test(host));
    if (!known && !PROBES.has(request.url.split('?')[0] ?? '')) {
      throw new AppError('forbidden', `this server is not known as ${host}`);
    }
    if (SAFE.has(request.method) || ANSWERS.test(request.url) || isShared(request.url)) return;
    const { origin, cookie, authorization } = request.headers;
    const site = request.headers['sec-fetch-site'];
    if (authorization !== undefined) return;
    // Browsers say where a request comes from, and pages cannot change it; older ones name the origin alone.
    const isForeign =
      site !== undefined
        ? site !== 'same-origin'
        : origin !== undefined
          ? origin !== originOf(request)
          : cookie !== undefined;
    if (isForeign) throw new AppError('forbidden', 'the request comes from another origin');
  });
}

/** The content policy of the page's service worker, which loads nothing but the files that it keeps. */
export const SERVICE_WORKER_POLICY = "default-src 'none'; connect-src 'self'";

/**
 * The content policy of the web application's page, which may also send to some other `origins`, and reads again what it made
 * itself (`blob:`): the pages of a document that were exported.
 */
export function webPolicy(origins: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' blob: data:",
    "media-src 'self' blob:",
    "font-src 'self'",
    ["connect-src 'self' blob:", ...origins].join(' '),
    "worker-src 'self' blob:",
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}
