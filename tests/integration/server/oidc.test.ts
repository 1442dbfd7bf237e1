import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLIENT_IDS } from '../../../src/shared/api/auth.ts';
import { api } from '../../../src/shared/api/index.ts';
import { verifyEmail } from '../../helpers/members.ts';
import { startProvider, type TestProvider } from '../../helpers/oidcProvider.ts';
import { beginSignIn, createAccount, startTestServer, TestClient, type TestServer } from '../../helpers/server.ts';

let provider: TestProvider;
let server: TestServer;
beforeAll(async () => {
  const port = await new Promise<number>((done) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => done(address !== null && typeof address === 'object' ? address.port : 0));
    });
  });
  provider = await startProvider(() => [`http://127.0.0.1:${port}/accounts/oidc/callback/`]);
  const { issuer, clientId, clientSecret } = provider;
  server = await startTestServer({
    port,
    providers: [{ id: 'oidc', label: 'Example', issuer, clientId, clientSecret }],
  });
  await createAccount(server.url);
});
afterAll(async () => {
  await server.close();
  await provider.close();
});

/** Follows the way of a browser from the button to where it ends at our server. */
async function throughProvider(client: TestClient, request: string): Promise<Response> {
  const start = await client.fetch(`/auth/social/oidc/start?request=${encodeURIComponent(request)}`);
  const browser = new TestClient(provider.issuer);
  let location = start.headers.get('location') ?? '';
  while (location.startsWith(provider.issuer)) {
    const response = await browser.fetch(location.slice(provider.issuer.length));
    location = new URL(response.headers.get('location') ?? 'about:blank', provider.issuer).href;
  }
  return client.fetch(location.slice(server.url.length));
}

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
  const answer = await throughProvider(client, begun.request);
  return { client, begun, answer };
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
    expect(first.answer.status).toBe(303);
    const user = await finish(first.client, first.begun, first.answer.headers.get('location') ?? '');
    expect(user).toMatchObject({ email: 'new@example.org', name: 'New Person', email_verified: true, plan_type: 0 });
    // The provider's name for the person counts, not the address, which may have changed.
    provider.person = { ...provider.person, email: 'other@example.org' };
    const second = await signInWithProvider();
    const again = await finish(second.client, second.begun, second.answer.headers.get('location') ?? '');
    expect(again.user_id).toBe(user.user_id);
  });
  it('joins an account whose address both sides have verified, and no other', async () => {
    const ben = await createAccount(server.url);
    provider.person = { sub: 'person-2', email: ben.account.email, email_verified: true, name: 'Ben' };
    const refused = await signInWithProvider();
    expect([refused.answer.status, await refused.answer.text()]).toEqual([
      400,
      expect.stringContaining('has not verified it'),
    ]);
    verifyEmail(server, ben.account.email);
    const joined = await signInWithProvider();
    const user = await finish(joined.client, joined.begun, joined.answer.headers.get('location') ?? '');
    expect(user.username).toBe(ben.account.username);
  });
  it('trusts no address that the provider has not verified', async () => {
    provider.person = { sub: 'person-3', email: 'unverified@example.org', email_verified: false, name: 'X' };
    const { answer } = await signInWithProvider();
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('is verified')]);
  });
  it('says so when the person refused, or the answer belongs to nothing', async () => {
    provider.refuses = true;
    const { answer } = await signInWithProvider();
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('did not let Example')]);
    provider.refuses = false;
    const stray = await new TestClient(server.url).fetch('/accounts/oidc/callback/?code=x&state=y');
    expect([stray.status, await stray.text()]).toEqual([400, expect.stringContaining('no longer under way')]);
    await expect(
      new TestClient(server.url).call(api.auth.social, { body: { provider: 'oidc', state: 'x', code: 'y' } }),
    ).rejects.toMatchObject({ code: 'sign-in-failed' });
  });
});
