import { createHash, webcrypto } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { createApiClient } from '../../../src/renderer/api/client.ts';
import { base64Url, type CryptoPort, createPkce, randomUuid } from '../../../src/renderer/api/pkce.ts';
import { beginSignIn, completeSignIn, handOnSocial } from '../../../src/renderer/api/signIn.ts';

const crypto = webcrypto as unknown as CryptoPort;
const withoutSubtle: CryptoPort = { getRandomValues: (array) => crypto.getRandomValues(array) };

describe('PKCE (web-and-phone.md §7)', () => {
  it.each([
    ['with the native hash', crypto],
    ['with the software hash of plain-HTTP pages', withoutSubtle],
  ])('makes a verifier of 32 random bytes and its SHA-256 as challenge, %s', async (_name, port) => {
    const { verifier, challenge } = await createPkce(port);
    expect(verifier).toMatch(/^[A-Za-z0-9_-]{43}$/u);
    expect(Buffer.from(verifier, 'base64url')).toHaveLength(32);
    expect(challenge).toBe(createHash('sha256').update(verifier).digest('base64url'));
    expect((await createPkce(port)).verifier).not.toBe(verifier);
  });

  it('encodes as URL-safe base64', () => {
    const bytes = new Uint8Array([251, 255, 254, 0, 62, 63]);
    expect(base64Url(bytes)).toBe(Buffer.from(bytes).toString('base64url'));
  });

  it('makes version 4 UUIDs', () => {
    expect(randomUuid(crypto)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u);
  });
});

/** The server's side of the flow, as far as the client can see it. */
function signInServer(valid = true, exchanged = 200) {
  const sent: Record<string, Record<string, string>> = {};
  const kept = new Map<string, string>();
  const store = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
  const answers: Record<string, unknown> = {
    '/auth/v1/initiate/': { auth_url: 'https://server.example/sign-in?request=1' },
    '/auth/v1/verify/': { valid },
    '/auth/v1/token/': { success: true, expires_in: 900 },
    '/auth/v1/social/': { redirect: 'https://page.example/callback?code=c&state=s' },
  };
  const client = createApiClient({
    onSessionExpired: () => undefined,
    fetch: (url, { body = '', headers }) => {
      const isForm = headers['content-type']?.includes('form') === true;
      sent[url] = isForm ? Object.fromEntries(new URLSearchParams(body)) : (JSON.parse(body) as Record<string, string>);
      const refused = url === '/auth/v1/token/' && exchanged !== 200;
      const answer = refused ? { error: { code: 'sign-in-failed', message: 'refused by the server' } } : answers[url];
      const status = refused ? exchanged : 200;
      return Promise.resolve({ status, text: () => Promise.resolve(JSON.stringify(answer)) });
    },
  });
  return { sent, host: { client, store, origin: 'https://page.example' } };
}

describe('signing in by redirect (web-and-phone.md §4, §5, §8)', () => {
  it('proves with the verifier that it began the sign-in, and knows where to go on', async () => {
    const { sent, host } = signInServer();
    await expect(beginSignIn({ ...host, returnTo: '/Monastery', crypto })).resolves.toContain('/sign-in');
    await expect(completeSignIn({ ...host, code: 'c', state: 's' })).resolves.toEqual({ returnTo: '/Monastery' });
    const begun = sent['/auth/v1/initiate/'];
    const token = sent['/auth/v1/token/'];
    expect(begun).toMatchObject({ source: 'web', client_id: 'armarium-web', code_challenge_method: 'S256' });
    expect(begun?.redirect_uri).toBe('https://page.example/callback');
    expect(token).toMatchObject({ grant_type: 'authorization_code', code: 'c', uuid: begun?.uuid, source: 'web' });
    expect(
      createHash('sha256')
        .update(token?.code_verifier ?? '')
        .digest('base64url'),
    ).toBe(begun?.code_challenge);
    expect(sent['/auth/v1/verify/']).toEqual({ code: 'c', state: 's', uuid: begun?.uuid });
  });

  it('does not exchange a code that was not verified', async () => {
    const { sent, host } = signInServer(false);
    await beginSignIn({ ...host, returnTo: null, crypto });
    await expect(completeSignIn({ ...host, code: 'c', state: 's' })).rejects.toThrow('Invalid verification response');
    expect(sent['/auth/v1/token/']).toBeUndefined();
  });

  it('tells of a token exchange that fails, and rethrows its error', async () => {
    const { host } = signInServer(true, 401);
    const onFailed = vi.fn();
    await expect(completeSignIn({ ...host, code: 'c', state: 's', onFailed })).rejects.toThrow('no sign-in was begun');
    // Nothing was exchanged: a link that somebody made signs nobody out.
    expect(onFailed).not.toHaveBeenCalled();
    await beginSignIn({ ...host, returnTo: null, crypto });
    await expect(completeSignIn({ ...host, code: 'c', state: 's', onFailed })).rejects.toThrow('refused by the server');
    expect(onFailed).toHaveBeenCalledOnce();
  });

  it('hands on what another provider answered, with the verifier of the sign-in that this tab began (§7)', async () => {
    const { sent, host } = signInServer();
    const answer = { provider: 'google', state: 's', code: 'c' } as const;
    await expect(handOnSocial({ ...host, ...answer })).resolves.toEqual({
      redirect: 'https://page.example/callback?code=c&state=s',
    });
    // The desktop began it: the browser has only its cookie.
    expect(sent['/auth/v1/social/']).toEqual(answer);
    await beginSignIn({ ...host, returnTo: null, crypto });
    await handOnSocial({ ...host, ...answer });
    await completeSignIn({ ...host, code: 'c', state: 's' });
    expect(sent['/auth/v1/social/']).toEqual({ ...answer, code_verifier: sent['/auth/v1/token/']?.code_verifier });
  });

  it('refuses a code that comes back to a tab which began nothing, and uses a sign-in once', async () => {
    const { host } = signInServer();
    await expect(completeSignIn({ ...host, code: 'c', state: 's' })).rejects.toMatchObject({ code: 'sign-in-failed' });
    await beginSignIn({ ...host, returnTo: null, crypto });
    await completeSignIn({ ...host, code: 'c', state: 's' });
    await expect(completeSignIn({ ...host, code: 'c', state: 's' })).rejects.toMatchObject({ code: 'sign-in-failed' });
  });
});
