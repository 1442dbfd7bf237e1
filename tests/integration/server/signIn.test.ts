import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../../src/shared/api/index.ts';
import { CLIENT_IDS } from '../../../src/shared/rules/clientIds.ts';
import {
  beginSignIn,
  createAccount,
  signIn,
  somebody,
  startTestServer,
  submitForm,
  TestClient,
  type TestServer,
} from '../../helpers/server.ts';

let clock = Date.parse('2026-05-01T12:00:00Z');
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ now: () => clock });
});
afterAll(() => server.close());

const refreshBody = (client: TestClient) => ({
  client_id: CLIENT_IDS.desktop,
  refresh_token: client.refreshToken ?? '',
});
async function desktop(): Promise<TestClient> {
  const account = somebody();
  await createAccount(server.url, account);
  const client = new TestClient(server.url);
  await signIn(client, account, 'sign-in', 'electron');
  return client;
}

describe('signing in: user_type 0 is admin (web-and-phone.md §9)', () => {
  it('makes the first account the administrator, without limits, and later ones unverified', async () => {
    const fresh = await startTestServer();
    const first = await createAccount(fresh.url);
    const second = await createAccount(fresh.url);
    expect(await first.call(api.auth.userinfo, {})).toMatchObject({
      user_type: 0,
      plan_type: 2,
      max_documents: null,
      has_default_library: true,
    });
    expect(await second.call(api.auth.userinfo, {})).toMatchObject({ user_type: 1, plan_type: 99, max_documents: 50 });
    await fresh.close();
  });
  it('keeps web tokens out of bodies, in cookies that scripts cannot read', async () => {
    const client = new TestClient(server.url);
    const account = somebody();
    const begun = await beginSignIn(client, 'web');
    const response = await submitForm(client, 'sign-up', begun.request, account);
    expect(response.status).toBe(303);
    const code = new URL(response.headers.get('location') ?? '').searchParams.get('code') ?? '';
    const token = await client.fetch('/auth/v1/token/', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code,
        redirect_uri: begun.redirect_uri,
        client_id: begun.client_id,
        code_verifier: begun.verifier,
        uuid: begun.uuid,
        source: 'web',
      }).toString(),
    });
    expect(await token.json()).toEqual({ success: true, expires_in: 900 });
    for (const line of token.headers.getSetCookie()) expect(line).toMatch(/HttpOnly; SameSite=Lax/u);
    expect(client.cookies.size).toBe(3);
  });
  it('gives the desktop its tokens in the body and takes them as bearer', async () => {
    const client = await desktop();
    expect(client.token).toMatch(/^[\w-]{43}$/u);
    expect(await client.call(api.auth.status, {})).toMatchObject({ isAuthenticated: true });
  });
  it('completes the sign-in of a desktop for who is signed in in a browser, and of nothing else', async () => {
    const fresh = await startTestServer();
    const browser = await createAccount(fresh.url);
    const client = new TestClient(fresh.url);
    const begun = await beginSignIn(client, 'electron');
    const body = { request: begun.request };
    await expect(client.call(api.auth.completeDesktop, { body })).rejects.toMatchObject({ code: 'unauthenticated' });
    const { redirect } = await browser.call(api.auth.completeDesktop, { body });
    const answer = new URL(redirect);
    expect(answer.origin + answer.pathname).toBe(begun.redirect_uri);
    const { access_token } = await client.call(api.auth.token, {
      body: {
        grant_type: 'authorization_code',
        code: answer.searchParams.get('code') ?? '',
        redirect_uri: begun.redirect_uri,
        client_id: begun.client_id,
        code_verifier: begun.verifier,
        uuid: begun.uuid,
        source: 'electron',
      },
    });
    client.token = access_token ?? null;
    expect((await client.call(api.auth.userinfo, {})).username).toBe(browser.account.username);
    const web = await beginSignIn(client, 'web');
    for (const request of [web.request, 'made-up', '']) {
      const refused = browser.call(api.auth.completeDesktop, { body: { request } });
      await expect(refused).rejects.toMatchObject({ code: 'gone' });
    }
    await fresh.close();
  });
  it('uses a code once; a second use ends what came of the first', async () => {
    const client = new TestClient(server.url);
    const account = somebody();
    const { valid, body } = await signIn(client, account, 'sign-up', 'electron');
    expect(valid).toBe(true);
    await expect(client.call(api.auth.token, { body })).rejects.toMatchObject({ code: 'sign-in-failed' });
    expect(await client.call(api.auth.status, {})).toEqual({ isAuthenticated: false, user: null });
  });
  it.each([
    ['another verifier', { code_verifier: randomBytes(32).toString('base64url') }],
    ['another uuid', { uuid: crypto.randomUUID() }],
    ['another redirect', { redirect_uri: 'http://127.0.0.1:1/callback' }],
    ['the other client', { client_id: CLIENT_IDS.web }],
    ['the other source', { source: 'web' as const }],
  ])('refuses a code with %s', async (_what, change) => {
    const client = new TestClient(server.url);
    const begun = await beginSignIn(client, 'electron');
    const response = await submitForm(client, 'sign-up', begun.request, somebody());
    const code = new URL(response.headers.get('location') ?? '').searchParams.get('code') ?? '';
    const body = {
      grant_type: 'authorization_code' as const,
      code,
      redirect_uri: begun.redirect_uri,
      client_id: begun.client_id,
      code_verifier: begun.verifier,
      uuid: begun.uuid,
      source: 'electron' as const,
    };
    await expect(client.call(api.auth.token, { body: { ...body, ...change } })).rejects.toMatchObject({
      code: 'sign-in-failed',
    });
  });
  it('lets a code live for a minute', async () => {
    const client = new TestClient(server.url);
    const begun = await beginSignIn(client, 'electron');
    const response = await submitForm(client, 'sign-up', begun.request, somebody());
    const code = new URL(response.headers.get('location') ?? '').searchParams.get('code') ?? '';
    const state = new URL(response.headers.get('location') ?? '').searchParams.get('state') ?? '';
    expect(await client.call(api.auth.verify, { body: { code, state, uuid: begun.uuid } })).toEqual({ valid: true });
    expect(await client.call(api.auth.verify, { body: { code, state: 'x', uuid: begun.uuid } })).toEqual({
      valid: false,
    });
    clock += 60_001;
    expect(await client.call(api.auth.verify, { body: { code, state, uuid: begun.uuid } })).toEqual({ valid: false });
  });
  it.each([
    'https://evil.example/callback',
    'http://127.0.0.1.evil.example:80/callback',
    'http://127.0.0.1/callback?x=1',
    'armarium://callback',
  ])('sends nobody to %s', async (redirect) => {
    await expect(beginSignIn(new TestClient(server.url), 'electron', redirect)).rejects.toMatchObject({
      code: 'bad-request',
    });
  });
  it('says the same of a wrong password and of an unknown address, and after ten guesses looks at none for a while', async () => {
    const account = somebody();
    await createAccount(server.url, account);
    const client = new TestClient(server.url);
    const { request } = await beginSignIn(client, 'web');
    const wrong = await submitForm(client, 'sign-in', request, { ...account, password: 'not the password' });
    const unknown = await submitForm(client, 'sign-in', request, somebody());
    expect([wrong.status, unknown.status]).toEqual([401, 401]);
    expect(await wrong.text()).toContain('Email address or password is wrong.');
    for (let guess = 0; guess < 9; guess += 1)
      await submitForm(client, 'sign-in', request, { ...account, password: `guess ${guess}` });
    expect((await submitForm(client, 'sign-in', request, account)).status).toBe(429);
    clock += 15 * 60_000 + 1;
    expect((await submitForm(client, 'sign-in', request, account)).status).toBe(303);
  });
  it('shows what is wrong in the form, without the password, and with nothing of the input run', async () => {
    const client = new TestClient(server.url);
    const { request } = await beginSignIn(client, 'web');
    const page = await submitForm(client, 'sign-up', request, {
      ...somebody(),
      email: '"><script>alert(1)</script>',
      password: 'hunter2hunter2',
    });
    const html = await page.text();
    expect(page.status).toBe(422);
    expect(html).toContain('This is not an email address.');
    expect(html).not.toContain('<script>');
    expect(html).not.toContain('hunter2');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  });
  it.each([
    ['short', 'at least 8'],
    ['password123', 'first that are guessed'],
  ])('refuses the password %s', async (password, message) => {
    const client = new TestClient(server.url);
    const { request } = await beginSignIn(client, 'web');
    expect(await (await submitForm(client, 'sign-up', request, { ...somebody(), password })).text()).toContain(message);
  });
});

describe('staying signed in', () => {
  it('ends an access token after a quarter of an hour and renews it', async () => {
    const client = await desktop();
    clock += 15 * 60_000 + 1;
    expect(await client.call(api.auth.status, {})).toMatchObject({ isAuthenticated: false });
    client.token = (await client.call(api.auth.refresh, { body: refreshBody(client) })).access_token ?? null;
    expect(await client.call(api.auth.status, {})).toMatchObject({ isAuthenticated: true });
  });
  it('gives the same answer again when it was lost, so that one line of tokens never forks', async () => {
    const client = await desktop();
    const lost = await client.call(api.auth.refresh, { body: refreshBody(client) });
    const again = await client.call(api.auth.refresh, { body: refreshBody(client) });
    expect([again.access_token, again.refresh_token]).toEqual([lost.access_token, lost.refresh_token]);
    client.token = again.access_token ?? null;
    expect(await client.call(api.auth.status, {})).toMatchObject({ isAuthenticated: true });
  });
  it('takes a token that comes back later for stolen, and ends all that came of it', async () => {
    const client = await desktop();
    const next = await client.call(api.auth.refresh, { body: refreshBody(client) });
    clock += 10_001;
    await expect(client.call(api.auth.refresh, { body: refreshBody(client) })).rejects.toMatchObject({
      code: 'session-expired',
    });
    client.token = next.access_token ?? null;
    expect(await client.call(api.auth.status, {})).toMatchObject({ isAuthenticated: false });
    await expect(
      client.call(api.auth.refresh, {
        body: { client_id: CLIENT_IDS.desktop, refresh_token: next.refresh_token ?? '' },
      }),
    ).rejects.toMatchObject({ code: 'session-expired' });
  });
  it('ends with signing out, which revokes the tokens (web-and-phone.md §4)', async () => {
    const client = await desktop();
    await client.call(api.auth.revoke, {
      body: { client_id: CLIENT_IDS.desktop, refresh_token: client.refreshToken ?? '' },
    });
    await expect(client.call(api.auth.userinfo, {})).rejects.toMatchObject({ code: 'unauthenticated' });
  });
});
