import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Session } from '../../../src/main/session.ts';
import type { TokenStore, Tokens } from '../../../src/main/tokenStore.ts';
import { api } from '../../../src/shared/api/index.ts';
import { CLIENT_IDS } from '../../../src/shared/rules/clientIds.ts';
import {
  type Account,
  createAccount,
  somebody,
  startTestServer,
  submitForm,
  TestClient,
  type TestServer,
} from '../../helpers/server.ts';

/** What the system's browser does with the address that it is sent to. */
let visit: (url: string) => Promise<void>;
vi.mock('electron', () => ({ shell: { openExternal: (url: string) => visit(url) } }));
const { createSession } = await import('../../../src/main/session.ts');

let clock = Date.parse('2026-05-01T12:00:00Z');
let server: TestServer;
let who: Account;
beforeAll(async () => {
  server = await startTestServer({ now: () => clock });
  who = somebody();
  await createAccount(server.url, who);
});
afterAll(() => server.close());

let kept: Map<string, Tokens>;
let session: Session;
/** Lines of the log. */
let told: string[];
beforeEach(async () => {
  kept = new Map();
  const store: TokenStore = {
    backend: 'memory',
    load: async (origin) => kept.get(origin) ?? null,
    save: async (origin, tokens) => void kept.set(origin, tokens),
    clear: async (origin) => void kept.delete(origin),
  };
  told = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void told.push(line) });
  session = createSession({ store, log, now: () => clock });
  await session.useServer(server.url);
  visit = async (url) => {
    const answer = await submitForm(
      new TestClient(server.url),
      'sign-in',
      new URL(url).searchParams.get('request') ?? '',
      who,
    );
    await fetch(answer.headers.get('location') ?? '');
  };
});

async function isSignedIn(token: string | null): Promise<boolean> {
  const client = new TestClient(server.url);
  client.token = token;
  return (await client.call(api.auth.status, {})).isAuthenticated;
}

describe('the session of the desktop (web-and-phone.md §4, §8)', () => {
  it('signs in by the browser and the loopback redirect, and keeps the tokens in the store', async () => {
    expect(await session.signIn()).toMatchObject({ signedIn: true, signingIn: false });
    expect(await isSignedIn(await session.accessToken(null))).toBe(true);
    expect(kept.get(server.url)?.accessToken).toBe(await session.accessToken(null));
  });
  it('is known once a keychain that takes its time has been read; calls meanwhile wait for its token', async () => {
    await session.signIn();
    const opened = Promise.withResolvers<TokenStore>();
    const late = createSession({ store: opened.promise, log: pino({ level: 'silent' }), now: () => clock });
    const used = late.useServer(server.url);
    expect(late.state().signedIn).toBe(false);
    const [known, token] = [late.known(), late.accessToken(null)];
    opened.resolve({
      backend: 'keyring',
      load: async (origin) => kept.get(origin) ?? null,
      save: async () => undefined,
      clear: async () => undefined,
    });
    expect(await known).toEqual({ signedIn: true, signingIn: false, storage: 'keyring' });
    expect(await isSignedIn(await token)).toBe(true);
    await used;
  });
  it('can be given up while the browser is open', async () => {
    visit = async () => session.cancelSignIn();
    await expect(session.signIn()).rejects.toMatchObject({ code: 'cancelled' });
    expect(session.state()).toMatchObject({ signedIn: false, signingIn: false });
  });
  it('does not take a redirect that belongs to another sign-in', async () => {
    visit = async (url) => {
      const answer = await submitForm(
        new TestClient(server.url),
        'sign-in',
        new URL(url).searchParams.get('request') ?? '',
        who,
      );
      const redirect = new URL(answer.headers.get('location') ?? '');
      redirect.searchParams.set('state', 'forged');
      await fetch(redirect);
    };
    await expect(session.signIn()).rejects.toMatchObject({
      code: 'sign-in-failed',
      message: 'Invalid verification response',
    });
  });
  it('refreshes once for many, before the token ends', async () => {
    await session.signIn();
    const before = await session.accessToken(null);
    clock += 14.5 * 60_000;
    const tokens = await Promise.all(Array.from({ length: 20 }, () => session.accessToken(null)));
    expect(new Set(tokens).size).toBe(1);
    expect(tokens[0]).not.toBe(before);
    expect(await isSignedIn(tokens[0] ?? null)).toBe(true);
  });
  it('ends when the server refuses to go on', async () => {
    await session.signIn();
    const states: boolean[] = [];
    session.onChange((state) => states.push(state.signedIn));
    clock += 31 * 24 * 3600_000;
    expect(await session.accessToken(null)).toBeNull();
    expect(states).toEqual([false]);
    expect(kept.size).toBe(0);
  });
  it('goes on, and loses nothing, while the server does not answer', async () => {
    await session.signIn();
    const tokens = kept.get(server.url);
    await session.useServer('http://127.0.0.1:9');
    kept.set('http://127.0.0.1:9', tokens as Tokens);
    await session.useServer(null);
    await session.useServer('http://127.0.0.1:9');
    clock += 15 * 60_000;
    await expect(session.accessToken(null)).rejects.toMatchObject({ code: 'server-unreachable' });
    expect(session.state().signedIn).toBe(true);
    expect(await session.signOut()).toMatchObject({ signedIn: false });
    expect(kept.has('http://127.0.0.1:9')).toBe(false);
  });
  it('says No refresh token found and ends where the store has none (web-and-phone.md §8)', async () => {
    await session.signIn();
    const tokens = kept.get(server.url) as Tokens;
    await session.useServer(null);
    kept.set(server.url, { ...tokens, refreshToken: null });
    await session.useServer(server.url);
    expect(session.state().signedIn).toBe(true);
    expect(await session.accessToken(tokens.accessToken)).toBeNull();
    expect(session.state().signedIn).toBe(false);
    expect(told.join()).toContain('No refresh token found');
    expect(kept.size).toBe(0);
  });
  it('ends when it was revoked elsewhere', async () => {
    await session.signIn();
    const { accessToken, refreshToken } = kept.get(server.url) as Tokens;
    const elsewhere = new TestClient(server.url);
    await elsewhere.call(api.auth.revoke, {
      body: { client_id: CLIENT_IDS.desktop, access_token: accessToken, refresh_token: refreshToken ?? '' },
    });
    // The server refused the token that is held: the session asks once more and ends.
    expect(await session.accessToken(accessToken)).toBeNull();
    expect(session.state().signedIn).toBe(false);
    expect(kept.size).toBe(0);
  });
  it('goes on with the server on this computer, whose port is another at each start', async () => {
    await session.useServer(null);
    await session.useServer(server.url, 'local');
    await session.signIn();
    expect([...kept.keys()]).toEqual(['local']);
    await session.useServer(null);
    expect(session.state().signedIn).toBe(false);
    await session.useServer('http://127.0.0.1:9', 'local');
    expect(session.state().signedIn).toBe(true);
    await session.signOut();
    expect(kept.size).toBe(0);
  });
  it('signs out on the server too', async () => {
    await session.signIn();
    const token = await session.accessToken(null);
    await session.signOut();
    expect(await isSignedIn(token)).toBe(false);
  });
});
