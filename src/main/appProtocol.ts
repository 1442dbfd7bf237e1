import { readFile } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';
import { net, protocol } from 'electron';
import type { Logger } from 'pino';
import { AppError, type ErrorCode, toWireError } from '../shared/errors.ts';
import { LIMITS } from '../shared/rules/limits.ts';
import { isPdfWorker, PDF_WORKER_POLICY } from '../shared/rules/pdfWorker.ts';
import { IMAGE_SCHEME, VIDEO_SCHEME } from './localMedia.ts';
import { APP_SCHEME, isProxiedPath, pagePolicy } from './policy.ts';
import type { Session } from './session.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
};

/** Files that the application was asked to open, by ids that mean nothing but to the main process. */
const OPENED = /^\/opened\/([\w-]+)$/u;

/** The schemes of the application; must run before it is ready. No `corsEnabled`: it would grant cross-origin reads (CVE-2026-70604). */
export function registerSchemes(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: APP_SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true } },
    { scheme: IMAGE_SCHEME, privileges: { standard: true, secure: true } },
    { scheme: VIDEO_SCHEME, privileges: { standard: true, secure: true, stream: true } },
  ]);
}

export interface AppProtocolOptions {
  /** Folder of the built page. */
  readonly pageRoot: string;
  readonly session: Session;
  readonly serverOrigin: () => string | null;
  /** What the page may send to besides: services of others that the server in use names. */
  readonly serviceSources: () => readonly string[];
  /** The contents of a file that the application was asked to open; null for any other id. */
  readonly openedFile: (id: string) => Promise<Response | null>;
  /** Told after a request that may have changed something on the server. */
  readonly onWritten: (path: string) => void;
  readonly log: Logger;
}

/**
 * Serves the application's page from its own scheme, and passes its data calls on to the server with the token added, so
 * that the page needs neither tokens nor another origin.
 */
export function handleAppScheme(options: AppProtocolOptions): void {
  protocol.handle(APP_SCHEME, async (request) => {
    const url = new URL(request.url);
    if (url.host !== 'armarium') return new Response(null, { status: 404 });
    const [, opened] = OPENED.exec(url.pathname) ?? [];
    if (opened !== undefined && request.method === 'GET') {
      return (await options.openedFile(opened)) ?? new Response(null, { status: 404 });
    }
    return isProxiedPath(url.pathname) ? proxy(request, url, options) : page(url.pathname, request.method, options);
  });
}

async function page(
  path: string,
  method: string,
  { pageRoot: root, serviceSources }: AppProtocolOptions,
): Promise<Response> {
  if (method !== 'GET' && method !== 'HEAD') return new Response(null, { status: 405 });
  const policy = isPdfWorker(path) ? PDF_WORKER_POLICY : pagePolicy(serviceSources());
  const headers = { 'content-security-policy': policy, 'x-content-type-options': 'nosniff' };
  const decoded = decode(path);
  const file = decoded === null ? null : normalize(join(root, decoded));
  if (file?.startsWith(root + sep) && extname(file) !== '') {
    try {
      const type = TYPES[extname(file)] ?? 'application/octet-stream';
      return new Response(new Uint8Array(await readFile(file)), { headers: { ...headers, 'content-type': type } });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      return new Response(null, { status: 404, headers });
    }
  }
  const index = await readFile(join(root, 'index.html'));
  return new Response(new Uint8Array(index), { headers: { ...headers, 'content-type': TYPES['.html'] as string } });
}

function decode(path: string): string | null {
  try {
    const decoded = decodeURIComponent(path);
    return decoded.includes('\0') ? null : decoded;
  } catch {
    // Not percent-encoded text, so no file of ours: the page's own routes answer it.
    return null;
  }
}

function failure(status: number, code: ErrorCode, message: string): Response {
  return Response.json({ error: toWireError(new AppError(code, message)) }, { status });
}

const PASSED_REQUEST_HEADERS = [
  'accept',
  'content-type',
  'range',
  'if-range',
  'if-none-match',
  'accept-language',
  'idempotency-key',
];
const DROPPED_RESPONSE_HEADERS = [
  'set-cookie',
  'connection',
  'transfer-encoding',
  'content-encoding',
  'content-length',
  'keep-alive',
];

async function proxy(request: Request, url: URL, options: AppProtocolOptions): Promise<Response> {
  const origin = options.serverOrigin();
  if (origin === null) return failure(503, 'server-unreachable', 'no server was chosen or it is not running');
  const isStorage = url.pathname.startsWith('/storage/');
  const hasBody = request.method !== 'GET' && request.method !== 'HEAD';
  // Contents are streamed; calls are small, and kept so that they can be sent again after a refresh.
  const body = !hasBody ? undefined : isStorage ? request.body : await request.arrayBuffer();

  const send = (token: string | null) => {
    const headers = new Headers();
    for (const name of PASSED_REQUEST_HEADERS) {
      const value = request.headers.get(name);
      if (value !== null) headers.set(name, value);
    }
    const length = request.headers.get('content-length');
    if (isStorage && length !== null) headers.set('content-length', length);
    if (token !== null && !isStorage) headers.set('authorization', `Bearer ${token}`);
    const init: RequestInit & { duplex?: 'half' } = {
      method: request.method,
      headers,
      redirect: 'error',
      signal: request.signal,
      ...(body === undefined || body === null ? {} : { body, duplex: 'half' }),
    };
    return net.fetch(origin + url.pathname + url.search, init);
  };

  try {
    let token = isStorage ? null : await options.session.accessToken(null);
    let response = await send(token);
    if (response.status === 401 && token !== null) {
      token = await options.session.accessToken(token);
      if (token === null) return failure(401, 'session-expired', 'the session has ended');
      response = await send(token);
    }
    if (hasBody && response.ok) options.onWritten(url.pathname);
    const headers = new Headers(response.headers);
    for (const name of DROPPED_RESPONSE_HEADERS) headers.delete(name);
    return new Response(response.body, { status: response.status, headers });
  } catch (error) {
    if (request.signal.aborted) return failure(499, 'cancelled', 'the request was given up');
    options.log.warn(
      { path: url.pathname, reason: error instanceof Error ? error.message : String(error) },
      'no answer',
    );
    return failure(
      502,
      'server-unreachable',
      `the server does not answer within ${LIMITS.requestTimeoutMs / 1000} seconds`,
    );
  }
}
