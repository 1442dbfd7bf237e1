import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../shared/errors.ts';
import { isPdfWorker, PDF_WORKER_POLICY } from '../../shared/rules/pdfWorker.ts';
import { DESKTOP_SITE_COOKIE, layoutFor } from '../../shared/rules/phone.ts';
import { RECEIVE_FAILED, RECEIVE_PATH } from '../../shared/rules/receive.ts';
import { SERVICE_WORKER_POLICY, webPolicy } from './security.ts';

/** The build leaves it compressed too. */
const SERVICE_WORKER = /service-worker\.js(?:\.(?:br|gz))?$/u;

/** Paths that are the server's own: what is not found there is an error, not a page of the application. */
const OWN = /^\/(api|auth|storage|updates|assets)\//u;

/**
 * Serves the built web application: hashed files for good, its page for every other path, to phones the page of their layout.
 * To the `origins` its page may send too: a store of contents that is not here, services of others.
 */
export async function serveWebApp(
  app: FastifyInstance,
  webRoot: string | null,
  origins: readonly string[],
): Promise<void> {
  const policy = webPolicy(origins);
  const read = (name: string) => {
    const file = webRoot === null ? null : join(webRoot, name);
    return file !== null && existsSync(file) ? readFileSync(file, 'utf8') : null;
  };
  const page = read('index.html');
  const pages = { web: page, phone: read('phone.html') ?? page };
  if (webRoot !== null && page !== null) {
    await app.register(fastifyStatic, {
      root: webRoot,
      index: false,
      wildcard: false,
      cacheControl: false,
      preCompressed: true,
      setHeaders(reply, path) {
        if (isPdfWorker(path)) reply.header('content-security-policy', PDF_WORKER_POLICY);
        if (SERVICE_WORKER.test(path)) reply.header('content-security-policy', SERVICE_WORKER_POLICY);
        const isAsset = path.includes('assets');
        reply.header('cache-control', isAsset ? 'public, max-age=31536000, immutable' : 'no-cache');
        // The frame of a notice has an origin of its own and takes its style and fonts from here. They are public files.
        if (isAsset) {
          reply.header('cross-origin-resource-policy', 'cross-origin').header('access-control-allow-origin', '*');
        }
      },
    });
  }
  // The page's service worker takes what is shared; it comes this far only where there is none.
  app.post(
    RECEIVE_PATH,
    { onRequest: async (_request, reply) => reply.redirect(RECEIVE_FAILED, 303) },
    () => undefined,
  );
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] ?? '';
    const wantsPage = (request.method === 'GET' || request.method === 'HEAD') && !OWN.test(path);
    if (!wantsPage || page === null) throw new AppError('not-found', `there is nothing at ${path}`);
    const wantsDesktopSite = request.cookies[DESKTOP_SITE_COOKIE] !== undefined;
    const layout = layoutFor(request.headers['user-agent'] ?? '', wantsDesktopSite);
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', policy)
      .header('cache-control', 'no-cache')
      .header('vary', 'user-agent, cookie')
      .send(pages[layout]);
  });
}
