import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

type Handler = (request: Request) => Response | Promise<Response>;

/**
 * Custom schemes for a Chromium that does not know them. `app://armarium/x` is served as `http://armarium.app.localhost:PORT/x`:
 * a loopback host that Chromium takes for a secure context, so that origins, policies, workers, history and streams in both
 * directions work as they do under the scheme. The one difference a page can see is its `location.origin`.
 */
export interface Schemes {
  handle(scheme: string, handler: Handler): void;
  unhandle(scheme: string): void;
  isHandled(scheme: string): boolean;
  /** Resolves once addresses can be translated. */
  readonly ready: Promise<void>;
  /** What Chromium is to load for an address of ours. */
  toBrowser(url: string): string;
  /** A text with what Chromium is to load for the addresses in it of schemes that only pages use. */
  withinBrowser(text: string): string;
  /** What the main process is to see for an address of Chromium's. */
  fromBrowser(url: string): string;
}

function headersOf(request: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  return headers;
}

/** Starts the loopback server behind the schemes. */
export function createSchemes(): Schemes {
  const handlers = new Map<string, Handler>();
  let port = 0;

  const fromBrowser = (url: string) =>
    url.replace(
      new RegExp(`^http://([^/:]+)\\.([a-z-]+)\\.localhost:${port}(?=/|$)`, 'u'),
      (_, host: string, scheme: string) => `${scheme}://${host}`,
    );

  /** A content policy names schemes; what stands in for them are hosts. */
  function translated(headers: Headers): Record<string, string> {
    const policy = headers.get('content-security-policy');
    if (policy !== null) {
      const sources = policy.replace(/(?<= )([a-z]+-[a-z]+):(?=[ ;])/gu, (whole, scheme: string) =>
        handlers.has(scheme) ? `http://*.${scheme}.localhost:${port}` : whole,
      );
      headers.set('content-security-policy', sources);
    }
    return Object.fromEntries(headers);
  }

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const url = fromBrowser(`http://${incoming.headers.host}${incoming.url}`);
    const handler = handlers.get(new URL(url).protocol.slice(0, -1));
    if (handler === undefined) {
      outgoing.writeHead(404).end();
      return;
    }
    const gone = new AbortController();
    outgoing.once('close', () => {
      if (!outgoing.writableFinished) gone.abort();
    });
    const method = incoming.method ?? 'GET';
    const hasBody = method !== 'GET' && method !== 'HEAD';
    const init: RequestInit & { duplex?: 'half' } = {
      method,
      headers: headersOf(incoming),
      signal: gone.signal,
      ...(hasBody
        ? { body: Readable.toWeb(incoming) as ReadableStream<Uint8Array<ArrayBuffer>>, duplex: 'half' as const }
        : {}),
    };
    const response = await handler(new Request(url, init));
    outgoing.writeHead(response.status, translated(response.headers));
    if (response.body === null) outgoing.end();
    else await pipeline(Readable.fromWeb(response.body as never), outgoing);
  }

  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch((error: unknown) => {
      if (!outgoing.headersSent) outgoing.writeHead(500);
      outgoing.end();
      if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE')
        process.stderr.write(`stand-in: ${String(error)}\n`);
    });
  });
  server.unref();
  const ready = new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', () => {
      port = (server.address() as AddressInfo).port;
      done();
    });
  });
  return {
    handle(scheme, handler) {
      if (handlers.has(scheme)) throw new Error(`Failed to register protocol: ${scheme}`);
      handlers.set(scheme, handler);
    },
    unhandle: (scheme) => {
      handlers.delete(scheme);
    },
    isHandled: (scheme) => handlers.has(scheme),
    ready,
    toBrowser: (url) =>
      url.replace(/^([a-z-]+):\/\/([^/]+)/u, (whole, scheme: string, host: string) =>
        handlers.has(scheme) ? `http://${host}.${scheme}.localhost:${port}` : whole,
      ),
    withinBrowser: (text) =>
      text.replace(/([a-z]+-[a-z]+):\/\/([\w-]+)(?=\/)/gu, (whole, scheme: string, host: string) =>
        handlers.has(scheme) ? `http://${host}.${scheme}.localhost:${port}` : whole,
      ),
    fromBrowser,
  };
}
