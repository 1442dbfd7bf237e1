import { createServer } from 'node:net';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROVIDER_IDS } from '../../../src/server/auth/providers.ts';
import { newSecret, secretHash } from '../../../src/server/auth/secrets.ts';
import { api } from '../../../src/shared/api/index.ts';
import { isAppError } from '../../../src/shared/errors.ts';
import { CLIENT_IDS } from '../../../src/shared/rules/clientIds.ts';
import { verifyEmail } from '../../helpers/members.ts';
import { startProvider, type TestProvider } from '../../helpers/oidcProvider.ts';
import { beginSignIn, createAccount, startTestServer, TestClient, type TestServer } from '../../helpers/server.ts';

let provider: TestProvider;
let server: TestServer;
/** The first account of the server. */
let admin: TestClient;
beforeAll(async () => {
  const port = await new Promise<number>((done) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => done(address !== null && typeof address === 'object' ? address.port : 0));
    });
  });
  provider = await startProvider(() =>
    ['oidc', 'apple'].map((id) => `http://127.0.0.1:${port}/accounts/${id}/callback/`),
  );
  const { issuer, clientId, clientSecret } = provider;
  server = await startTestServer({
    port,
    providers: [
      { id: 'oidc', label: 'Example', issuer, clientId, clientSecret },
      { id: 'apple', label: 'Apple', issuer, clientId, clientSecret },
      // Nobody listens there.
      { id: 'microsoft', label: 'Microsoft', issuer: 'http://127.0.0.1:1', clientId, clientSecret },
    ],
  });
  admin = await createAccount(server.url);
});
afterAll(async () => {
  await server.close();
  await provider.close();
});

/** Follows the way of a browser from the button to what the provider answers: where to go, or a page that posts a form. */
async function atProvider(client: TestClient, request: string, id = 'oidc') {
  const start = await client.fetch(`/auth/social/${id}/start?request=${encodeURIComponent(request)}`);
  const browser = new TestClient(provider.issuer);
  let location = start.headers.get('location') ?? '';
  let page = '';
  while (location.startsWith(provider.issuer)) {
    const response = await browser.fetch(location.slice(provider.issuer.length));
    page = await response.text();
    location = new URL(response.headers.get('location') ?? 'about:blank', provider.issuer).href;
  }
  return { path: location.slice(server.url.length), page };
}

/** What the callback screen does with the address that the provider sent the browser to: where to go on, or why not. */
async function handOn(client: TestClient, path: string) {
  const { pathname, searchParams } = new URL(path, server.url);
  const id = PROVIDER_IDS.find((each) => pathname === `/accounts/${each}/callback/`) ?? 'oidc';
  const answer = { code: searchParams.get('code') ?? '', state: searchParams.get('state') ?? '' };
  try {
    const { redirect } = await client.call(api.auth.social, { body: { provider: id, ...answer } });
    return { redirect, reason: null };
  } catch (error) {
    if (!isAppError(error, 'sign-in-failed')) throw error;
    return { redirect: '', reason: error.details?.reason };
  }
}

let persons = 0;
/** The next to sign in at the provider is somebody new. */
function somebodyNew(): string {
  persons += 1;
  const email = `somebody-${persons}@example.org`;
  provider.person = { sub: `somebody-${persons}`, email, email_verified: true, name: 'Somebody' };
  return email;
}
const parametersOf = (path: string) => Object.fromEntries(new URL(path, server.url).searchParams);

function inDatabase<T>(work: (database: SqliteDatabase.Database) => T): T {
  const database = new SqliteDatabase(join(server.dataDir, 'armarium.db'));
  try {
    return work(database);
  } finally {
    database.close();
  }
}

/** Subjects of the mails that went to an address. */
const mailsTo = (address: string) =>
  inDatabase((database) => database.prepare('SELECT subject FROM mails WHERE recipient = ?').pluck().all(address));

/** The rest of a sign-in, from the code to the session. */
async function finish(client: TestClient, begun: Awaited<ReturnType<typeof beginSignIn>>, location: string) {
  const url = new URL(location);
  await client.call(api.auth.token, {
    body: {
      grant_type: 'authorization_code',
      code: url.searchParams.get('code') ?? '',
      redirect_uri: begun.redirect_uri,
      client_id: CLIENT_IDS.web,
      code_verifier: begun.verifier,
      uuid: begun.uuid,
      source: 'web',
    },
  });
  return client.call(api.auth.userinfo, {});
}

async function signInWithProvider() {
  const client = new TestClient(server.url);
  const begun = await beginSignIn(client, 'web');
  const { path } = await atProvider(client, begun.request);
  return { client, begun, path, ...(await handOn(client, path)) };
}

describe('signing in with another provider', () => {
  it('stands on the page as a button, for configured providers alone', async () => {
    const client = new TestClient(server.url);
    const { request } = await beginSignIn(client, 'web');
    const page = await (await client.fetch(`/sign-in?request=${request}`)).text();
    expect(page).toContain('Continue with Example');
    expect(page).not.toContain('Google');
    expect((await client.fetch(`/auth/social/google/start?request=${request}`)).status).toBe(404);
  });
  it('makes an account for who is new, and knows them the next time', async () => {
    provider.person = { sub: 'person-1', email: 'new@example.org', email_verified: true, name: 'New Person' };
    const first = await signInWithProvider();
    const user = await finish(first.client, first.begun, first.redirect);
    expect(user).toMatchObject({ email: 'new@example.org', name: 'New Person', email_verified: true, plan_type: 0 });
    // The provider's name for the person counts, not the address, which may have changed.
    provider.person = { ...provider.person, email: 'other@example.org' };
    const second = await signInWithProvider();
    const again = await finish(second.client, second.begun, second.redirect);
    expect(again.user_id).toBe(user.user_id);
  });
  it('joins an account whose address both sides have verified, and no other', async () => {
    const ben = await createAccount(server.url);
    provider.person = { sub: 'person-2', email: ben.account.email, email_verified: true, name: 'Ben' };
    expect((await signInWithProvider()).reason).toBe('account-unproven');
    verifyEmail(server, ben.account.email);
    const joined = await signInWithProvider();
    const user = await finish(joined.client, joined.begun, joined.redirect);
    expect(user.username).toBe(ben.account.username);
  });
  it('trusts no address that the provider has not verified', async () => {
    const ben = await createAccount(server.url);
    verifyEmail(server, ben.account.email);
    provider.person = { sub: 'person-3', email: ben.account.email, email_verified: false, name: 'X' };
    expect((await signInWithProvider()).reason).toBe('address-unproven');
    // Nobody's yet: an account on trial, until our own mail has verified the address.
    provider.person = { sub: 'person-4', email: 'unverified@example.org', email_verified: false, name: 'X' };
    const { client, begun, redirect } = await signInWithProvider();
    const user = await finish(client, begun, redirect);
    expect(user).toMatchObject({ email: 'unverified@example.org', email_verified: false, plan_type: 99 });
    await server.server.settled();
    expect(mailsTo('unverified@example.org')).toEqual(['Verify your email address for Armarium']);
  });
  it('lets go of who joined an account before its address was verified, once its owner resets the password', async () => {
    const email = somebodyNew();
    provider.person = { ...provider.person, email_verified: false };
    expect((await signInWithProvider()).reason).toBeNull();
    const token = newSecret();
    inDatabase((database) =>
      database
        .prepare(
          `INSERT INTO mail_tokens (hash, user_id, purpose, email, expires_ms)
           SELECT ?, id, 'reset-password', email, ? FROM users WHERE email = ?`,
        )
        .run(secretHash(token), Date.now() + 60_000, email),
    );
    const reset = await new TestClient(server.url).fetch('/reset-password', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ token, password: 'four quiet reading rooms' }).toString(),
    });
    expect(reset.status).toBe(200);
    expect((await signInWithProvider()).reason).toBe('address-unproven');
  });
  it('takes the second step too', async () => {
    somebodyNew();
    const { client, begun, redirect } = await signInWithProvider();
    await finish(client, begun, redirect);
    const { secret } = await client.call(api.account.startSecondStep, {});
    await client.call(api.account.enableSecondStep, { body: { code: new TOTP({ secret }).generate() } });
    const again = await signInWithProvider();
    expect(await (await fetch(again.redirect)).text()).toContain('one-time-code');
  });
  it('keeps out who is disabled', async () => {
    const email = somebodyNew();
    await signInWithProvider();
    inDatabase((database) => database.prepare('UPDATE users SET disabled = 1 WHERE email = ?').run(email));
    expect((await signInWithProvider()).reason).toBe('disabled');
  });
  it('takes the answer that comes by a form of another origin, as from Apple', async () => {
    const email = somebodyNew();
    const client = new TestClient(server.url);
    const begun = await beginSignIn(client, 'web');
    const { page } = await atProvider(client, begun.request, 'apple');
    const fields = [...page.matchAll(/name="(\w+)" value="([^"]*)"/gu)].map(([, name = '', value = '']) => [
      name,
      value,
    ]);
    // Browsers send no cookies with such a form.
    const posted = await fetch(`${server.url}/accounts/apple/callback/`, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: 'https://appleid.apple.com',
        'sec-fetch-site': 'cross-site',
      },
      body: new URLSearchParams(Object.fromEntries(fields)).toString(),
    });
    expect(posted.status).toBe(303);
    const { redirect } = await handOn(client, posted.headers.get('location') ?? '');
    expect(await finish(client, begun, redirect)).toMatchObject({ email });
  });
  it.each([
    ['by the cookie of its browser', true],
    ['by its own verifier', false],
  ])('is completed by a client that got the answer, %s', async (_how, byCookie) => {
    const email = somebodyNew();
    const [browser, client] = [new TestClient(server.url), new TestClient(server.url)];
    const begun = await beginSignIn(client, 'web');
    const { code = '', state = '' } = parametersOf((await atProvider(browser, begun.request)).path);
    const { redirect } = await (byCookie ? browser : client).call(api.auth.social, {
      body: { provider: 'oidc', state, code, ...(byCookie ? {} : { code_verifier: begun.verifier }) },
    });
    expect(await finish(client, begun, redirect)).toMatchObject({ email });
  });
  it('comes back with a refusal, and says so of an answer that belongs to nothing', async () => {
    provider.refuses = true;
    const client = new TestClient(server.url);
    const { path } = await atProvider(client, (await beginSignIn(client, 'web')).request);
    expect(parametersOf(path)).toMatchObject({ error: 'access_denied' });
    provider.refuses = false;
    expect(await handOn(new TestClient(server.url), '/accounts/oidc/callback/?code=x&state=y')).toMatchObject({
      reason: 'ended',
    });
  });
  it('takes an answer once, from the browser that asked, for the sign-in that it belongs to', async () => {
    const begin = async () => {
      somebodyNew();
      const client = new TestClient(server.url);
      const { path } = await atProvider(client, (await beginSignIn(client, 'web')).request);
      return { client, path };
    };
    const reasonOf = async (client: TestClient, path: string) => (await handOn(client, path)).reason;
    const own = await begin();
    expect(await reasonOf(own.client, own.path.replace('/oidc/', '/apple/'))).toBe('ended');
    expect(await reasonOf(own.client, own.path)).toBeNull();
    expect(await reasonOf(own.client, own.path)).toBe('ended');
    const slipped = await begin();
    expect(await reasonOf(new TestClient(server.url), slipped.path)).toBe('other-browser');
    const [mine, other] = [await begin(), await begin()];
    const { code = '' } = parametersOf(other.path);
    const mixed = `/accounts/oidc/callback/?${new URLSearchParams({ ...parametersOf(mine.path), code })}`;
    expect(await reasonOf(mine.client, mixed)).toBe('unverifiable');
  });
  it('makes no account where the server takes nobody new', async () => {
    somebodyNew();
    await admin.call(api.admin.changeSettings, { body: { sign_up: 'closed' } });
    expect((await signInWithProvider()).reason).toBe('no-sign-up');
    await admin.call(api.admin.changeSettings, { body: { sign_up: 'open' } });
  });
  it('says so when the provider cannot be reached, or the sign-in has ended', async () => {
    const client = new TestClient(server.url);
    const { request } = await beginSignIn(client, 'web');
    const unreachable = await client.fetch(`/auth/social/microsoft/start?request=${request}`);
    expect([unreachable.status, await unreachable.text()]).toEqual([
      502,
      expect.stringContaining('Microsoft cannot be reached'),
    ]);
    expect((await client.fetch('/auth/social/oidc/start?request=unknown')).status).toBe(410);
  });
});
