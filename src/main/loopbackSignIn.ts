import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AppError } from '../shared/errors.ts';

const WAIT_MS = 10 * 60_000;

/** A PKCE pair (RFC 7636): 32 random bytes in URL-safe base64, and their SHA-256. */
export function createPkce(): { readonly verifier: string; readonly challenge: string } {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** The loopback end of a sign-in (RFC 8252 §7.3): one redirect is taken, then the port closes. */
export interface Loopback {
  readonly redirectUri: string;
  /** Settles with what the browser brought; fails with `cancelled`, `sign-in-failed` or `timed-out`. */
  readonly redirected: Promise<{ readonly code: string; readonly state: string }>;
  cancel(): void;
  close(): void;
}

function page(title: string, text: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${title}</title><h1>${title}</h1><p>${text}</p></html>`;
}

/** Opens a port on this machine for the browser to come back to. */
export async function openLoopback(): Promise<Loopback> {
  const { promise, resolve, reject } = Promise.withResolvers<{ code: string; state: string }>();
  // The promise is awaited later than it may fail.
  promise.catch(() => undefined);
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const headers = {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'",
      'referrer-policy': 'no-referrer',
      connection: 'close',
    };
    if (request.method !== 'GET' || url.pathname !== '/callback') {
      response.writeHead(404, headers).end(page('Not found', 'This address only takes the end of a sign-in.'));
      return;
    }
    const code = url.searchParams.get('code');
    const state = url.searchParams.get('state');
    if (code === null || state === null) {
      response
        .writeHead(400, headers)
        .end(page('Sign-in failed', 'You can close this page and try again in the application.'));
      reject(new AppError('sign-in-failed', url.searchParams.get('error') ?? 'the browser brought no code'));
      return;
    }
    response.writeHead(200, headers).end(page('Signed in', 'You can close this page and go back to the application.'));
    resolve({ code, state });
  });
  await new Promise<void>((ready, fail) => {
    server.once('error', fail);
    server.listen(0, '127.0.0.1', ready);
  });
  const timer = setTimeout(() => reject(new AppError('timed-out', 'nobody signed in')), WAIT_MS);
  const close = () => {
    clearTimeout(timer);
    server.close();
  };
  return {
    redirectUri: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`,
    redirected: promise,
    cancel() {
      reject(new AppError('cancelled', 'the sign-in was given up'));
      close();
    },
    close,
  };
}
