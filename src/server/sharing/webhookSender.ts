import { createHmac } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { request } from 'node:https';
import { isIP } from 'node:net';
import { z } from 'zod';
import { AppError } from '../../shared/errors.ts';
import { Id } from '../../shared/model/common.ts';
import { isPublicAddress } from './publicAddress.ts';

/** What a body says for certain. */
const WebhookBody = z.object({ link_id: Id });

const TIMEOUT_MS = 10_000;

/** The secret that signs a link's calls. It follows from the server's key, so nothing of it is stored. */
export function webhookSecret(key: Buffer, linkId: string): string {
  return createHmac('sha256', key).update(`webhook of ${linkId}`).digest('base64url');
}

/** An address without the brackets that IPv6 has in a URL. */
const hostOf = (url: URL) => url.hostname.replace(/^\[(.*)\]$/u, '$1');

/** What keeps an address from being called, in words, or null: only https on the public internet is. */
export function webhookProblem(address: string): string | null {
  const url = URL.parse(address);
  if (url === null || url.protocol !== 'https:') return 'the address of a webhook begins with https://';
  if (url.username !== '' || url.password !== '') return 'the address of a webhook holds no password';
  const host = hostOf(url);
  if (isIP(host) !== 0 && !isPublicAddress(host)) return 'the address of a webhook is on the public internet';
  return null;
}

/** The address that a name has on the public internet; a name that has another one too is refused altogether. */
async function publicAddressOf(url: URL, resolve: (host: string) => Promise<readonly string[]>): Promise<string> {
  const host = hostOf(url);
  const addresses = isIP(host) === 0 ? await resolve(host) : [host];
  const [first] = addresses;
  if (first === undefined || !addresses.every(isPublicAddress)) {
    throw new AppError('forbidden', `${host} is not on the public internet`);
  }
  return first;
}

const resolveAll = async (host: string) => (await lookup(host, { all: true })).map(({ address }) => address);

/**
 * One POST that goes to `address`, whatever the name says by then. A redirect is an answer like any other.
 * @returns the status.
 */
export function post(
  url: URL,
  address: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  signal: AbortSignal,
): Promise<number> {
  return new Promise((done, failed) => {
    const call = request(
      url,
      {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
        agent: false,
        lookup: (_host, { all }, found) => {
          const family = isIP(address);
          if (all === true) found(null, [{ address, family }]);
          else found(null, address, family);
        },
        signal,
      },
      (response) => {
        // What is answered is of no use, and could be without end.
        response.destroy();
        done(response.statusCode ?? 0);
      },
    );
    call.once('error', failed);
    call.end(body);
  });
}

/**
 * Makes what does the jobs of kind `webhook`: one POST, signed in the way of `x-armarium-signature: sha256=<HMAC of time, dot
 * and body>`. The server calls only addresses of the public internet, so that nobody can reach through it what stands beside
 * it: a name is resolved once, all its addresses are checked, and the connection goes to what was checked.
 */
export function createWebhookSender(options: {
  readonly key: Buffer;
  readonly now: () => number;
  /** All addresses of a name; by default those that the system finds. */
  readonly resolve?: (host: string) => Promise<readonly string[]>;
}): (call: { readonly url: string; readonly body: string }, signal: AbortSignal) => Promise<void> {
  const { key, now, resolve = resolveAll } = options;

  return async ({ url: target, body }, stopping) => {
    const problem = webhookProblem(target);
    if (problem !== null) throw new AppError('forbidden', problem);
    const url = new URL(target);
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(TIMEOUT_MS)]);
    const address = await publicAddressOf(url, resolve);
    const { link_id } = WebhookBody.parse(JSON.parse(body));
    const time = String(Math.floor(now() / 1000));
    const signature = createHmac('sha256', webhookSecret(key, link_id)).update(`${time}.${body}`).digest('hex');
    const headers = { 'x-armarium-time': time, 'x-armarium-signature': `sha256=${signature}` };
    const status = await post(url, address, headers, body, signal);
    if (status < 200 || status > 299) throw new AppError('server-unreachable', `the webhook answered ${status}`);
  };
}
