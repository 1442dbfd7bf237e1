import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { TOTP } from 'otpauth';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../../src/shared/api/index.ts';
import { CLIENT_IDS } from '../../../src/shared/rules/clientIds.ts';
import { addMember } from '../../helpers/members.ts';
import {
  type Account,
  beginSignIn,
  createAccount,
  signIn,
  somebody,
  startTestServer,
  submitForm,
  TestClient,
  type TestServer,
  uploadFiles,
} from '../../helpers/server.ts';

type Client = Awaited<ReturnType<typeof createAccount>>;

let server: TestServer;
let clock = Date.parse('2026-03-01T09:00:00Z');
let admin: Client;
beforeAll(async () => {
  server = await startTestServer({ now: () => clock });
  admin = await createAccount(server.url);
});
afterAll(() => server.close());

async function mailsTo(address: string) {
  await server.server.settled();
  const folder = join(server.dataDir, 'mail');
  const mails = await Promise.all(
    (await readdir(folder)).map(async (name) => new PostalMime().parse(await readFile(join(folder, name)))),
  );
  return mails.filter((mail) => mail.to?.some((to) => to.address === address));
}

/** Where the link of the newest mail of a kind leads. */
async function linkTo(address: string, path: string): Promise<string> {
  const links = (await mailsTo(address)).flatMap(({ text }) => text?.match(/https?:\/\/\S+/gu) ?? []);
  return links.filter((link) => new URL(link).pathname === path).at(-1) ?? '';
}

const post = (path: string, fields: Record<string, string>, client = new TestClient(server.url)) =>
  client.fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  });
const tokenOf = (link: string) => new URL(link).searchParams.get('token') ?? '';
/** It leads to the page that says so. */
const expectTooLate = ({ status, headers }: Response) =>
  expect([status, headers.get('location')]).toEqual([303, '/expired']);
const isIn = async (client: TestClient) => (await client.call(api.auth.status, {})).isAuthenticated;
const signsIn = async (account: Account) => {
  const client = new TestClient(server.url);
  await signIn(client, account);
  return client;
};

describe('an email address', () => {
  it('is verified by the link of a mail and a button, once, which ends the trial', async () => {
    const ben = await createAccount(server.url);
    expect(await ben.call(api.auth.userinfo, {})).toMatchObject({ plan_type: 99, email_verified: false });
    const link = await linkTo(ben.account.email, '/verify-email');
    const page = await fetch(link);
    expect(await page.text()).toContain('This address is mine');
    expect(await ben.call(api.auth.userinfo, {})).toMatchObject({ email_verified: false });
    expect((await post('/verify-email', { token: tokenOf(link) })).status).toBe(200);
    expect(await ben.call(api.auth.userinfo, {})).toMatchObject({ plan_type: 0, email_verified: true });
    expectTooLate(await post('/verify-email', { token: tokenOf(link) }));
    expectTooLate(await fetch(link, { redirect: 'manual' }));
  });
  it('of the administrator needs no proof', async () => {
    expect(await admin.call(api.auth.userinfo, {})).toMatchObject({ user_type: 0, email_verified: true });
    expect(await mailsTo(admin.account.email)).toEqual([]);
  });
});

describe('a forgotten password', () => {
  it('is replaced by way of a mail, which signs every device out', async () => {
    const ben = await createAccount(server.url);
    const ask = (email: string) => post('/forgot-password', { request: '', email }).then((answer) => answer.text());
    // Nobody learns from the answer whether there is an account.
    expect(await ask(ben.account.email.toUpperCase())).toBe(await ask('nobody@example.org'));
    const token = tokenOf(await linkTo(ben.account.email, '/reset-password'));
    expect(await (await post('/reset-password', { token, password: 'short' })).text()).toContain('at least 8');
    const account = { ...ben.account, password: 'another five quiet words' };
    expect((await post('/reset-password', { token, password: account.password })).status).toBe(200);
    expect(await isIn(ben)).toBe(false);
    expect(await isIn(await signsIn(account))).toBe(true);
    await expect(signsIn(ben.account)).rejects.toMatchObject({ code: 'sign-in-failed' });
    expectTooLate(await post('/reset-password', { token, password: account.password }));
  });
  it('has a link that ends after an hour', async () => {
    const ben = await createAccount(server.url);
    await post('/forgot-password', { request: '', email: ben.account.email });
    const token = tokenOf(await linkTo(ben.account.email, '/reset-password'));
    const link = `${server.url}/reset-password?token=${token}`;
    expect(await (await fetch(link)).text()).toContain('Choose a new password');
    clock += 3600_001;
    expectTooLate(await fetch(link, { redirect: 'manual' }));
    expectTooLate(await post('/reset-password', { token, password: 'another five quiet words' }));
  });
});

describe('signed-in people', () => {
  it('change their password, and stay signed in here alone', async () => {
    const ben = await createAccount(server.url);
    const elsewhere = await signsIn(ben.account);
    const change = (current_password: string, new_password: string) =>
      ben.call(api.auth.changePassword, { body: { current_password, new_password } });
    await expect(change('wrong', 'another five quiet words')).rejects.toMatchObject({ code: 'credentials-invalid' });
    await expect(change(ben.account.password, 'password1')).rejects.toMatchObject({ code: 'password-weak' });
    await change(ben.account.password, 'another five quiet words');
    expect([await isIn(ben), await isIn(elsewhere)]).toEqual([true, false]);
  });
  it('see where they are signed in, and sign out one device or all', async () => {
    const ben = await createAccount(server.url);
    const elsewhere = await signsIn(ben.account);
    const { sessions } = await ben.call(api.account.sessions, {});
    expect(sessions.map(({ is_current }) => is_current).sort()).toEqual([false, true]);
    const other = sessions.find(({ is_current }) => !is_current)?.id ?? '';
    await expect(admin.call(api.account.endSession, { params: { id: other } })).rejects.toMatchObject({
      name: 'AppError',
    });
    await ben.call(api.account.endSession, { params: { id: other } });
    expect(await isIn(elsewhere)).toBe(false);
    await signsIn(ben.account);
    await ben.call(api.account.signOutEverywhere, {});
    expect(await isIn(ben)).toBe(false);
  });
  it('delete their account with all that is theirs; what they wrote for others stays', async () => {
    const ben = await createAccount(server.url);
    const own = await ben.call(api.shelves.create, { params: { lib: ben.account.library }, body: { name: 'Own' } });
    await uploadFiles(ben, own, [{ name: 'a.txt', content: 'gone with the account' }]);
    await admin.call(api.auth.refresh, { body: { client_id: CLIENT_IDS.web } });
    const lib = admin.account.library;
    const shared = await admin.call(api.shelves.create, { params: { lib }, body: { name: 'Common' } });
    addMember(server, shared.id, ben.account.username, 'editor');
    await uploadFiles(ben, shared, [{ name: 'b.txt', content: 'stays' }]);
    await ben.call(api.comments.create, { params: { lib, id: shared.id }, body: { comment: 'stays' } });
    const answer = await ben.fetch('/api/v1/users/delete/', { method: 'DELETE' });
    expect([answer.status, await answer.text()]).toEqual([204, '']);
    expect(ben.cookies.has('armarium_access')).toBe(false);
    expect(await isIn(ben)).toBe(false);
    await expect(signsIn(ben.account)).rejects.toMatchObject({ code: 'sign-in-failed' });
    const { documents } = await admin.call(api.documents.shelfDetail, { params: { lib, id: shared.id } });
    expect(documents).toMatchObject([{ name: 'b.txt', author: '' }]);
    const { comments } = await admin.call(api.comments.list, { params: { lib, id: shared.id }, query: {} });
    expect(comments).toMatchObject([{ comment: 'stays', author: null }]);
    expect(await admin.call(api.libraries.checkName, { query: { name: ben.account.username } })).toMatchObject({
      available: true,
    });
    expect(await admin.call(api.libraries.checkName, { query: { name: ben.account.library } })).toMatchObject({
      available: true,
    });
  });
  it('do not leave a server without an administrator', async () => {
    await expect(admin.call(api.account.remove, {})).rejects.toMatchObject({ code: 'conflict' });
  });
  it('change their name', async () => {
    expect(await admin.call(api.account.update, { body: { name: ' Ana ', mail_digest: true } })).toMatchObject({
      name: 'Ana',
      mail_digest: true,
    });
  });
});

describe('the second step', () => {
  const codeAt = (secret: string, at = clock) => new TOTP({ secret }).generate({ timestamp: at });

  async function withSecondStep() {
    const ben = await createAccount(server.url);
    const { secret, uri, qr_svg } = await ben.call(api.account.startSecondStep, {});
    expect(uri).toMatch(/^otpauth:\/\/totp\//u);
    expect(qr_svg).toMatch(/^<svg/u);
    const enable = (code: string) => ben.call(api.account.enableSecondStep, { body: { code } });
    await expect(enable('000000')).rejects.toMatchObject({ code: 'credentials-invalid' });
    const { recovery_codes } = await enable(codeAt(secret));
    expect(new Set(recovery_codes).size).toBe(10);
    return { ben, secret, recovery_codes };
  }

  /** Signs in up to the second step. @returns what the page asks with */
  async function toSecondStep(account: Account) {
    const client = new TestClient(server.url);
    const { request } = await beginSignIn(client, 'web');
    const page = await submitForm(client, 'sign-in', request, account);
    const token = /name="token" value="([\w-]+)"/u.exec(await page.text())?.[1] ?? '';
    return { client, step: (code: string) => post('/second-step', { token, code }, client) };
  }

  it('is asked for after the password, and takes each code once', async () => {
    const { ben, secret } = await withSecondStep();
    const { step } = await toSecondStep(ben.account);
    expect((await step('123456')).status).toBe(401);
    // The code that turned it on was used.
    expect((await step(codeAt(secret))).status).toBe(401);
    clock += 30_000;
    const done = await step(codeAt(secret));
    expect([done.status, new URL(done.headers.get('location') ?? '').pathname]).toEqual([303, '/callback']);
    const again = await toSecondStep(ben.account);
    expect((await again.step(codeAt(secret))).status).toBe(401);
  });
  it('takes a recovery code instead, once, however it is typed', async () => {
    const { ben, recovery_codes } = await withSecondStep();
    const [code = ''] = recovery_codes;
    expect((await (await toSecondStep(ben.account)).step(code.toUpperCase().replaceAll('-', ' '))).status).toBe(303);
    expect((await (await toSecondStep(ben.account)).step(code)).status).toBe(401);
    expect(await ben.call(api.account.secondStep, {})).toEqual({ enabled: true, recovery_codes_left: 9 });
  });
  it('looks at ten codes in a quarter of an hour', async () => {
    const { ben } = await withSecondStep();
    const { step } = await toSecondStep(ben.account);
    for (let guess = 0; guess < 10; guess += 1) expect((await step(`00000${guess}`)).status).toBe(401);
    expect((await step('000011')).status).toBe(429);
  });
  it('is turned off by the password or a code', async () => {
    const { ben, recovery_codes } = await withSecondStep();
    const disable = (proof: string) => ben.call(api.account.disableSecondStep, { body: { proof } });
    await expect(disable('wrong')).rejects.toMatchObject({ code: 'credentials-invalid' });
    await disable(recovery_codes[0] ?? '');
    expect(await isIn(await signsIn(ben.account))).toBe(true);
  });
});

describe('guesses', () => {
  it('that strangers use up keep nobody out who signed in here before', async () => {
    const ben = await createAccount(server.url);
    const wrong = { ...ben.account, password: 'wrong' };
    const guess = async (client: TestClient, account: Account) =>
      (await submitForm(client, 'sign-in', (await beginSignIn(client, 'web')).request, account)).status;
    const stranger = new TestClient(server.url);
    for (let count = 0; count < 10; count += 1) expect(await guess(stranger, wrong)).toBe(401);
    expect(await guess(stranger, ben.account)).toBe(429);
    expect(await guess(ben, ben.account)).toBe(303);
    expect(await guess(new TestClient(server.url), somebody())).toBe(401);
    // Not even when neighbours have used up what comes from their common address.
    for (let count = 0; count < 100; count += 1)
      await post('/forgot-password', { request: '', email: somebody().email });
    expect(await guess(new TestClient(server.url), somebody())).toBe(429);
    expect(await guess(ben, ben.account)).toBe(303);
    clock += 15 * 60_000 + 1;
  });
  it('of who sits at an open session are counted as well', async () => {
    const ben = await createAccount(server.url);
    const change = (current_password: string) =>
      ben.call(api.auth.changePassword, { body: { current_password, new_password: 'another five quiet words' } });
    for (let count = 0; count < 10; count += 1) {
      await expect(change('wrong')).rejects.toMatchObject({ code: 'credentials-invalid' });
    }
    await expect(change(ben.account.password)).rejects.toMatchObject({ code: 'throttled' });
    await expect(
      ben.call(api.account.disableSecondStep, { body: { proof: ben.account.password } }),
    ).rejects.toMatchObject({ code: 'throttled' });
  });
  it('cannot fill a mailbox', async () => {
    const ben = await createAccount(server.url);
    const resend = () => ben.call(api.account.resendVerification, {});
    for (let count = 0; count < 3; count += 1) await resend();
    await expect(resend()).rejects.toMatchObject({ code: 'throttled' });
    for (let count = 0; count < 5; count += 1)
      await post('/forgot-password', { request: '', email: ben.account.email });
    const subjects = (await mailsTo(ben.account.email)).map(({ subject = '' }) => subject);
    expect(subjects.filter((subject) => subject.startsWith('Verify'))).toHaveLength(4);
    expect(subjects.filter((subject) => subject.startsWith('A new password'))).toHaveLength(3);
  });
});

describe('a disabled account', () => {
  it('is out at once, and its sessions are not renewed', async () => {
    const ben = await createAccount(server.url);
    const database = new SqliteDatabase(join(server.dataDir, 'armarium.db'));
    database.prepare('UPDATE users SET disabled = 1 WHERE email = ?').run(ben.account.email);
    database.close();
    expect(await isIn(ben)).toBe(false);
    await expect(ben.call(api.auth.refresh, { body: { client_id: CLIENT_IDS.web } })).rejects.toMatchObject({
      code: 'session-expired',
    });
    const client = new TestClient(server.url);
    const page = await submitForm(client, 'sign-in', (await beginSignIn(client, 'web')).request, ben.account);
    expect([page.status, await page.text()]).toEqual([403, expect.stringContaining('disabled')]);
  });
});

describe('a new password', () => {
  it('ends sign-ins that the old one had nearly finished', async () => {
    const ben = await createAccount(server.url);
    const thief = new TestClient(server.url);
    const { request, verifier, ...begun } = await beginSignIn(thief, 'web');
    const page = await submitForm(thief, 'sign-in', request, ben.account);
    const code = new URL(page.headers.get('location') ?? '').searchParams.get('code') ?? '';
    await ben.call(api.auth.changePassword, {
      body: { current_password: ben.account.password, new_password: 'another five quiet words' },
    });
    const body = { ...begun, code, code_verifier: verifier, grant_type: 'authorization_code', source: 'web' } as const;
    await expect(thief.call(api.auth.token, { body })).rejects.toMatchObject({ code: 'sign-in-failed' });
    expect(await isIn(ben)).toBe(true);
  });
});

describe('the plan of an account', () => {
  it('is told with what each plan allows and how much of the own one is in use', async () => {
    const ben = await createAccount(server.url);
    const before = await ben.call(api.account.plan, {});
    expect(before).toMatchObject({ plan_type: 99, used: { libraries: 1, shelves: 0, documents: 0 } });
    expect(before.plans.map(({ plan_type, max_shelves }) => [plan_type, max_shelves])).toEqual([
      [99, 2],
      [0, 20],
      [1, 500],
      [2, null],
    ]);
    const shelf = await ben.call(api.shelves.create, { params: { lib: ben.account.library }, body: { name: 'One' } });
    await uploadFiles(ben, shelf, [{ name: 'a.txt', content: 'a' }]);
    expect((await ben.call(api.account.plan, {})).used).toEqual({ libraries: 1, shelves: 1, documents: 1 });
  });
});
