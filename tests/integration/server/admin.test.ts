import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { csvCell } from '../../../src/server/audit/reading.ts';
import { DOCUMENT_COLUMNS, SHELF_COLUMNS, USER_COLUMNS } from '../../../src/shared/api/admin.ts';
import { api } from '../../../src/shared/api/index.ts';
import type { Shelf } from '../../../src/shared/model/library.ts';
import type { SettingsChange } from '../../../src/shared/model/settings.ts';
import { CLIENT_IDS } from '../../../src/shared/rules/clientIds.ts';
import { PLAN_LIMITS } from '../../../src/shared/rules/limits.ts';
import {
  beginSignIn,
  createAccount,
  signIn,
  somebody,
  startTestServer,
  TestClient,
  type TestServer,
  uploadFiles,
} from '../../helpers/server.ts';

type Client = Awaited<ReturnType<typeof createAccount>>;

let server: TestServer;
let clock = Date.parse('2026-03-01T09:00:00Z');
let admin: Client;
let ben: Client;
let shelf: Shelf;
beforeAll(async () => {
  server = await startTestServer({ now: () => clock });
  admin = await createAccount(server.url);
  ben = await createAccount(server.url);
  const lib = ben.account.library;
  shelf = await ben.call(api.shelves.create, { params: { lib }, body: { name: 'Contracts' } });
  await uploadFiles(ben, shelf, [
    { name: 'lease.txt', content: '0123456789' },
    { name: 'copy.txt', content: '0123456789' },
  ]);
  await uploadFiles(ben, shelf, [{ name: 'lease.txt', content: 'twelve bytes' }]);
  const commit = await uploadFiles(ben, shelf, [{ name: 'gone.txt', content: 'gone' }]);
  await ben.call(api.documents.remove, {
    params: { id: commit?.changes[0]?.document_id ?? '' },
    body: { message: 'out' },
  });
});
afterAll(() => server.close());

const idOf = async (client: Client) => (await client.call(api.auth.userinfo, {})).user_id;

describe('the admin area', () => {
  it('shows counts, growth and health, and every figure’s rows', async () => {
    const { counts, growth, health, bytes } = await admin.call(api.admin.overview, {});
    expect(counts).toMatchObject({ users: 2, libraries: 2, shelves: 1, documents: 3, versions: 4, blobs: 3 });
    expect(bytes).toBe(10 + 12 + 4);
    expect(growth.at(-1)).toMatchObject({ day: '2026-03-01', users: 2, versions: 4 });
    expect(health).toMatchObject({ database: 'sqlite', mails_failed: 0 });
    const users = await admin.call(api.admin.users, { query: { search: ben.account.username.toUpperCase() } });
    expect(users.items).toMatchObject([{ email: ben.account.email, library_count: 1, document_count: 2 }]);
    const libraries = await admin.call(api.admin.libraries, { query: {} });
    expect(libraries).toMatchObject({ count: 2, has_more: false });
    const shelves = await admin.call(api.admin.shelves, { query: { search: 'contr' } });
    expect(shelves.items).toMatchObject([{ name: 'Contracts', member_count: 1, document_count: 2 }]);
    const documents = await admin.call(api.admin.documents, { query: { shelf_id: shelf.id, page_size: 2 } });
    expect(documents).toMatchObject({ count: 3, has_more: true });
    expect((await admin.call(api.admin.users, { query: { search: '%' } })).items).toEqual([]);
  });
  it('sorts its lists by what is asked for', async () => {
    const query = { sort: 'document_count', order: 'desc' } as const;
    const [first] = (await admin.call(api.admin.users, { query })).items;
    expect(first).toMatchObject({ username: ben.account.username, document_count: 2 });
    const [least] = (await admin.call(api.admin.users, { query: { ...query, order: 'asc' } })).items;
    expect(least?.username).toBe(admin.account.username);
    for (const sort of USER_COLUMNS) {
      expect((await admin.call(api.admin.users, { query: { sort } })).items).toHaveLength(2);
    }
    for (const sort of SHELF_COLUMNS) {
      expect((await admin.call(api.admin.shelves, { query: { sort } })).items).toHaveLength(1);
    }
    const names = async (sort: (typeof DOCUMENT_COLUMNS)[number]) =>
      (await admin.call(api.admin.documents, { query: { sort, order: 'desc' } })).items.map(({ name }) => name);
    expect(await names('name')).toEqual(['lease.txt', 'gone.txt', 'copy.txt']);
    expect(await names('size')).toEqual(['lease.txt', 'copy.txt', 'gone.txt']);
    for (const sort of DOCUMENT_COLUMNS) expect(await names(sort)).toHaveLength(3);
    const owner = ben.account.username;
    expect((await admin.call(api.admin.libraries, { query: { owner } })).items).toMatchObject([{ owner }]);
    expect((await admin.call(api.admin.documents, { query: { owner } })).count).toBe(3);
    const others = { owner: admin.account.username };
    expect((await admin.call(api.admin.documents, { query: others })).count).toBe(0);
    const [document] = (await admin.call(api.admin.documents, { query: {} })).items;
    expect(document).toMatchObject({ name: 'copy.txt', shelf_id: shelf.id });
  });
  it('tells what storage is used for: three numbers that sum to the total', async () => {
    const { libraries, total, stored, saved } = await admin.call(api.admin.storage, {});
    expect(libraries).toEqual([
      {
        library: ben.account.library,
        owner: ben.account.username,
        current: 22,
        older: 10,
        trash: 4,
        total: 36,
      },
    ]);
    expect([total, stored, saved]).toEqual([36, 26, 10]);
    expect((await ben.call(api.insight.storage, {})).libraries).toEqual(libraries);
    expect((await admin.call(api.insight.storage, {})).libraries).toEqual([]);
    expect(await admin.call(api.admin.collect, {})).toEqual({ success: true });
  });
  it('changes plan and type, disables, and never locks the last administrator out', async () => {
    const id = await idOf(ben);
    const update = (user: string, body: { plan_type?: 0 | 1; user_type?: 0 | 1; disabled?: boolean }) =>
      admin.call(api.admin.updateUser, { params: { id: user }, body });
    expect(await update(id, { plan_type: 1 })).toMatchObject({ plan_type: 1 });
    expect(await ben.call(api.auth.userinfo, {})).toMatchObject({ max_libraries: 20 });
    const own = await idOf(admin);
    await expect(update(own, { user_type: 1 })).rejects.toMatchObject({ code: 'conflict' });
    await expect(update(own, { disabled: true })).rejects.toMatchObject({ code: 'conflict' });
    await update(id, { disabled: true });
    expect((await ben.call(api.auth.status, {})).isAuthenticated).toBe(false);
    await update(id, { disabled: false });
    await signIn(ben, ben.account);
    await admin.call(api.admin.signOutUser, { params: { id } });
    expect((await ben.call(api.auth.status, {})).isAuthenticated).toBe(false);
    await signIn(ben, ben.account);
    await admin.call(api.admin.resetPassword, { params: { id } });
    const { mails } = await admin.call(api.admin.mails, { query: {} });
    expect(mails.map(({ recipient }) => recipient)).toContain(ben.account.email);
    const other = await createAccount(server.url);
    await admin.call(api.admin.removeUser, { params: { id: await idOf(other) } });
    expect((await other.call(api.auth.status, {})).isAuthenticated).toBe(false);
  });
  it('is nobody else’s', async () => {
    const refused = { code: 'forbidden' };
    await expect(ben.call(api.admin.overview, {})).rejects.toMatchObject(refused);
    await expect(ben.call(api.admin.settings, {})).rejects.toMatchObject(refused);
    await expect(ben.call(api.admin.audit, { query: {} })).rejects.toMatchObject(refused);
    expect((await ben.fetch('/api/v1/admin/audit.csv')).status).toBe(403);
  });
  it('counts what is used, by nothing but its kind', async () => {
    await new TestClient(server.url).call(api.insight.pageView, { body: { screen: 'shelf' } });
    await new TestClient(server.url).call(api.insight.pageView, { body: { screen: 'shelf' } });
    await expect(
      new TestClient(server.url).call(api.insight.pageView, { body: { screen: '/Library of Ana' } }),
    ).rejects.toMatchObject({ code: 'bad-request' });
    const { counts } = await admin.call(api.admin.analytics, { query: {} });
    expect(counts).toContainEqual({ day: '2026-03-01', kind: 'page-view', name: 'shelf', count: 2 });
    expect(counts).toContainEqual({ day: '2026-03-01', kind: 'upload', name: 'commit', count: 4 });
  });
});

describe('the settings', () => {
  const change = (body: z.input<typeof SettingsChange>) => admin.call(api.admin.changeSettings, { body });

  it('change plans, and count at once', async () => {
    const settings = await admin.call(api.admin.settings, {});
    expect(settings).toMatchObject({ sign_up: 'open', trash_days: 30, smtp: null, providers: [] });
    await change({ plan_limits: { ...PLAN_LIMITS, 1: { max_libraries: 1, max_shelves: 1, max_documents: 3 } } });
    expect(await ben.call(api.auth.userinfo, {})).toMatchObject({ max_shelves: 1 });
    await expect(
      ben.call(api.shelves.create, { params: { lib: shelf.library }, body: { name: 'Second' } }),
    ).rejects.toMatchObject({ code: 'plan-limit-reached', details: { limit: 'max_shelves', max: 1, used: 1 } });
  });
  it('close sign-up, or keep it to who was invited', async () => {
    const joins = async (account = somebody()) => {
      const client = new TestClient(server.url);
      await signIn(client, account, 'sign-up').catch(() => undefined);
      return (await client.call(api.auth.status, {})).isAuthenticated;
    };
    const offersSignUp = async () => {
      const { request } = await beginSignIn(new TestClient(server.url), 'web');
      return (await (await fetch(`${server.url}/sign-in?request=${request}`)).text()).includes('No account yet?');
    };
    await change({ sign_up: 'closed' });
    expect(await joins()).toBe(false);
    expect(await offersSignUp()).toBe(false);
    await change({ sign_up: 'invited' });
    expect(await offersSignUp()).toBe(true);
    expect(await joins()).toBe(false);
    const guest = somebody();
    await ben.call(api.members.invite, {
      params: { lib: shelf.library, id: shelf.id },
      body: { emails: [guest.email] },
    });
    expect(await joins(guest)).toBe(true);
    await change({ sign_up: 'open' });
    expect(await joins()).toBe(true);
  });
  it('write secrets and never read them', async () => {
    const provider = { id: 'oidc' as const, label: 'SSO', issuer: 'https://sso.example', client_id: 'armarium' };
    await expect(change({ providers: [provider] })).rejects.toMatchObject({ code: 'bad-request' });
    await change({ providers: [{ ...provider, client_secret: 'canary-secret' }] });
    const smtp = { host: 'mail.example', port: 465, secure: true, username: 'me', from: 'me@example.org' };
    const answer = await change({ smtp: { ...smtp, password: 'canary-password' } });
    expect(answer).toMatchObject({ smtp: { has_password: true }, providers: [{ label: 'SSO', has_secret: true }] });
    expect(JSON.stringify(answer)).not.toContain('canary');
    // Left out, they stay.
    expect(await change({ providers: [{ ...provider, label: 'Other' }], smtp })).toMatchObject({
      smtp: { has_password: true },
      providers: [{ label: 'Other', has_secret: true }],
    });
    expect(await change({ smtp: { ...smtp, password: '' } })).toMatchObject({ smtp: { has_password: false } });
    await change({ smtp: null, providers: [] });
  });
  it('keep the password that the environment gave, until another one is written', async () => {
    const url = 'smtps://me:canary%2Fpassword@mail.example';
    const mailing = await startTestServer({ smtp: { url, from: 'me@example.org' } });
    const owner = await createAccount(mailing.url);
    const { smtp } = await owner.call(api.admin.settings, {});
    expect(smtp).toMatchObject({ host: 'mail.example', port: 465, username: 'me', has_password: true });
    if (smtp === null) throw new Error('no mail server');
    const { has_password: _, ...body } = smtp;
    const change = async (more: Partial<typeof body>) =>
      (await owner.call(api.admin.changeSettings, { body: { smtp: { ...body, ...more } } })).smtp;
    expect(await change({ port: 587 })).toMatchObject({ port: 587, has_password: true });
    expect(await change({ host: 'post.example' })).toMatchObject({ host: 'post.example', has_password: false });
    await mailing.close();
  });
});

describe('the audit log', () => {
  it('has who did what, when and from where, for the administrator and for owners', async () => {
    const { items } = await admin.call(api.admin.audit, { query: { action: 'document.delete' } });
    expect(items).toMatchObject([
      { actor: ben.account.username, target_name: 'gone.txt', address: '127.0.0.1', at: '2026-03-01T09:00:00.000Z' },
    ]);
    const own = await ben.call(api.insight.libraryAudit, { params: { name: ben.account.library }, query: {} });
    expect(own.items.map(({ action }) => action)).toContain('document.delete');
    expect(own.items.map(({ action }) => action)).not.toContain('settings.update');
    await expect(
      admin.call(api.insight.libraryAudit, { params: { name: ben.account.library }, query: {} }),
    ).rejects.toMatchObject({ code: 'not-found' });
    const csv = await (await admin.fetch('/api/v1/admin/audit.csv')).text();
    expect(csv.split('\r\n')[0]).toBe('time,actor,action,kind,name,address,details');
    expect(csv).toContain('document.delete,document,gone.txt,127.0.0.1');
  });
  it.each([
    ['plain', 'plain'],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['=1+1', "'=1+1"],
    ['-2', "'-2"],
    ['@cmd\n', '"\'@cmd\n"'],
  ])('writes %j so that a spreadsheet shows it', (value, cell) => {
    expect(csvCell(value)).toBe(cell);
  });
});

describe('old versions', () => {
  it('are kept until the days that were set are over, and for ever where they have a label', async () => {
    const params = { lib: shelf.library, id: shelf.id };
    const due = (ahead_days: number) => ben.call(api.retention.due, { params, query: { ahead_days } });
    expect(await due(3650)).toEqual({ days: null, versions: [], has_more: false });
    const versionsOf = async () => {
      const { documents } = await ben.call(api.documents.shelfDetail, { params });
      const id = documents.find(({ name }) => name === 'lease.txt')?.id ?? '';
      return (await ben.call(api.documents.history, { params: { id } })).versions;
    };
    await uploadFiles(ben, shelf, [{ name: 'lease.txt', content: 'third version' }]);
    const [, second, first] = await versionsOf();
    await ben.call(api.documents.label, { params: { id: second?.id ?? '' }, body: { label: 'signed' } });
    await admin.call(api.admin.changeSettings, { body: { version_days: 1 } });
    expect((await due(0)).versions).toEqual([]);
    expect((await due(1)).versions).toEqual([]);
    expect((await due(2)).versions).toMatchObject([
      { id: first?.id, number: 1, expires_at: '2026-03-02T09:00:00.000Z' },
    ]);
    await server.server.settled();
    expect(await versionsOf()).toHaveLength(3);
    clock += 24 * 3600_000 + 1;
    await server.server.settled();
    for (const client of [admin, ben]) {
      await client.call(api.auth.refresh, { body: { client_id: CLIENT_IDS.web } });
    }
    expect((await versionsOf()).map(({ number, label }) => [number, label])).toEqual([
      [3, null],
      [2, 'signed'],
    ]);
    const { commits } = await ben.call(api.documents.commits, { params, query: {} });
    expect(commits.at(-1)?.changes).toContainEqual(expect.objectContaining({ version_number: 1, size: 10 }));
    await admin.call(api.admin.changeSettings, { body: { version_days: null } });
  });
});

describe('time', () => {
  it('lets the trash go after the days that were set', async () => {
    await admin.call(api.admin.changeSettings, { body: { trash_days: 2 } });
    await ben.call(api.auth.refresh, { body: { client_id: CLIENT_IDS.web } });
    expect((await ben.call(api.trash.list, { query: {} })).count).toBe(1);
    clock += 2 * 24 * 3600_000 + 1;
    await server.server.settled();
    for (const client of [admin, ben]) {
      await client.call(api.auth.refresh, { body: { client_id: CLIENT_IDS.web } });
    }
    expect((await ben.call(api.trash.list, { query: {} })).count).toBe(0);
    const { commits } = await ben.call(api.documents.commits, {
      params: { lib: shelf.library, id: shelf.id },
      query: {},
    });
    expect(commits.map(({ message }) => message)).toContain('out');
  });
});
