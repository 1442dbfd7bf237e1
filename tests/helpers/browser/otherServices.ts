import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

/** What plays PostHog and Sentry for a test. */
export interface OtherServices {
  /** The settings by which a server tells them. */
  readonly env: Readonly<Record<string, string>>;
  /** What came in, in order. */
  readonly told: readonly { readonly path: string; readonly body: string }[];
  /** What PostHog was told, a line each. */
  counted(): string;
  /** What Sentry was told, a line each. */
  reported(): string;
  close(): void;
}

/** A browser that is none of the automated ones, which are not counted. */
export const COUNTED_BROWSER =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

/** Starts them on a free port of this machine. */
export async function startOtherServices(): Promise<OtherServices> {
  const told: { readonly path: string; readonly body: string }[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts);
    const isPacked = body[0] === 0x1f && body[1] === 0x8b;
    if (request.method === 'POST') {
      const text = (isPacked ? gunzipSync(body) : body).toString();
      // What a page sends as it goes comes in as a form.
      const data = new URLSearchParams(text).get('data');
      told.push({ path: request.url ?? '', body: data === null ? text : Buffer.from(data, 'base64').toString() });
    }
    response.writeHead(200, {
      'access-control-allow-origin': request.headers.origin ?? '*',
      'access-control-allow-credentials': 'true',
      'access-control-allow-headers': request.headers['access-control-request-headers'] ?? '*',
      'content-type': 'application/json',
    });
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const linesOf = (isReport: boolean) =>
    told
      .filter(({ path }) => path.includes('/envelope/') === isReport)
      .map(({ body }) => body)
      .join('\n');
  return {
    env: {
      ARMARIUM_POSTHOG_KEY: 'phc_of_a_test',
      ARMARIUM_POSTHOG_HOST: `http://${host}`,
      ARMARIUM_SENTRY_DSN: `http://public@${host}/1`,
    },
    told,
    counted: () => linesOf(false),
    reported: () => linesOf(true),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
