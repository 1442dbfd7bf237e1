import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { api } from '../../../src/shared/api/index.ts';
import type { Shelf } from '../../../src/shared/model/library.ts';
import { CLIENT_IDS } from '../../../src/shared/rules/clientIds.ts';
import { addMember, verifyEmail } from '../../helpers/members.ts';
import { createAccount, somebody, startTestServer, type TestServer, uploadFiles } from '../../helpers/server.ts';

type Client = Awaited<ReturnType<typeof createAccount>>;

let server: TestServer;
let clock = Date.parse('2026-03-01T09:00:00Z');
let ana: Client;
let ben: Client;
let eve: Client;
let count = 0;
let shelf: Shelf;
beforeAll(async () => {
  server = await startTestServer({ now: () => clock });
  ana = await createAccount(server.url);
  ben = await createAccount(server.url);
  eve = await createAccount(server.url);
  verifyEmail(server, ben.account.email);
});
beforeEach(async () => {
  count += 1;
  const lib = ana.account.library;
  shelf = await ana.call(api.shelves.create, { params: { lib }, body: { name: `Shelf ${count}` } });
});
afterAll(() => server.close());

const at = () => ({ lib: shelf.library, id: shelf.id });
const invite = (body: { members?: string[]; emails?: string[]; role?: 'editor' | 'viewer' }, by: Client = ana) =>
  by.call(api.members.invite, { params: at(), body });
const list = (by: Client = ana) => by.call(api.members.list, { params: at() });
const pending = async (by: Client) =>
  (await by.call(api.members.pending, {})).invitations.filter(({ shelf_id }) => shelf_id === shelf.id);
const answer = (invitationId: string, b: 'accept' | 'decline', by: Client = ben, library_name = shelf.library) =>
  by.call(api.members.answer, { params: { a: invitationId, b }, body: { library_name } });

/** The newest mail to an address, read from where mails are written without an SMTP server. */
async function mailTo(address: string) {
  await server.server.settled();
  const folder = join(server.dataDir, 'mail');
  const mails = await Promise.all(
    (await readdir(folder)).map(async (name) => new PostalMime().parse(await readFile(join(folder, name)))),
  );
  return mails.find((mail) => mail.to?.some((to) => to.address === address));
}

/** What the audit log keeps of a shelf. */
function audited(shelfId: string): unknown[] {
  const database = new SqliteDatabase(join(server.dataDir, 'armarium.db'), { readonly: true });
  const rows = database.prepare('SELECT action, details FROM audit_log WHERE target_id = ?').all(shelfId);
  database.close();
  return rows;
}

describe('an invitation', () => {
  it('goes to people by name and by address, and says of each what became of it', async () => {
    const stranger = somebody('new').email;
    const wanted = { members: [ben.account.username, 'nobody'], emails: [stranger, 'not an address'] };
    expect((await invite(wanted)).outcomes.map(({ outcome }) => outcome)).toEqual([
      'invited',
      'unknown-user',
      'invited',
      'invalid-email',
    ]);
    expect((await invite({ emails: [stranger] })).outcomes[0]?.outcome).toBe('sent-again');
    expect((await invite({ members: [ana.account.username] })).outcomes[0]?.outcome).toBe('already-member');
    const mail = await mailTo(stranger);
    expect(mail?.subject).toContain(shelf.name);
    expect(mail?.text).toMatch(new RegExp(`${server.url}/settings\\?invitation=`, 'u'));
    expect((await list()).invitations.map(({ state }) => state)).toEqual(['pending', 'pending']);
  });
  it('shows the owner what they wrote, never the address behind a user name', async () => {
    const { user_id } = await eve.call(api.auth.userinfo, {});
    const stranger = `New.${somebody('new').email}`;
    await invite({ members: [ben.account.username.toUpperCase(), user_id], emails: [stranger] });
    const answer = await list();
    expect(answer.invitations.map(({ username, email }) => [username, email])).toEqual(
      expect.arrayContaining([
        [ben.account.username, null],
        [eve.account.username, null],
        [null, stranger],
      ]),
    );
    const invitation_id = answer.invitations.find(({ username }) => username === ben.account.username)?.invitation_id;
    const again = await ana.call(api.members.resend, {
      params: at(),
      body: { invitation_id: invitation_id ?? '' },
    });
    const cancelled = await ana.call(api.members.cancel, {
      params: at(),
      body: { invitation_id: again.invitation_id },
    });
    const traces = audited(shelf.id);
    expect(traces).toHaveLength(4);
    for (const shown of [answer, again, cancelled, traces]) {
      expect(JSON.stringify(shown)).not.toContain(ben.account.email);
      expect(JSON.stringify(shown)).not.toContain(eve.account.email);
    }
    expect(await mailTo(ben.account.email)).toBeDefined();
    expect(await mailTo(stranger)).toBeDefined();
  });
  it('goes once to who was given twice', async () => {
    const { email, username } = ben.account;
    const { outcomes } = await invite({ members: [username, username], emails: [email, ` ${email.toUpperCase()} `] });
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['invited', 'invited', 'invited']);
    expect((await list()).invitations).toHaveLength(1);
    expect(audited(shelf.id)).toHaveLength(1);
  });
  it('is accepted by who it was sent to, once, and tells who sent it', async () => {
    await invite({ members: [ben.account.username], role: 'viewer' });
    const [invitation] = await pending(ben);
    expect(invitation).toMatchObject({ shelf_name: shelf.name, role: 'viewer', invited_by: ana.account.username });
    const id = invitation?.invitation_id ?? '';
    await expect(answer(id, 'accept', eve)).rejects.toMatchObject({ code: 'not-found' });
    await expect(answer(id, 'accept', ben, 'Other')).rejects.toMatchObject({ code: 'not-found' });
    expect(await answer(id, 'accept')).toEqual({ state: 'accepted', library: shelf.library, shelf_id: shelf.id });
    expect(await answer(id, 'accept')).toMatchObject({ state: 'accepted' });
    await expect(answer(id, 'decline')).rejects.toMatchObject({ code: 'gone' });
    expect(audited(shelf.id).slice(1)).toEqual([
      { action: 'member.join', details: JSON.stringify({ who: `${ben.account.username}: viewer` }) },
    ]);
    expect((await list(ben)).members.map(({ username, role, email }) => [username, role, email])).toEqual(
      [
        [ana.account.username, 'owner', null],
        [ben.account.username, 'viewer', null],
      ].sort(([a = ''], [b = '']) => ((a ?? '') < (b ?? '') ? -1 : 1)),
    );
    const { notifications } = await ana.call(api.notifications.list, { query: { limit: 1 } });
    expect(notifications[0]).toMatchObject({ notification_type: 'SHELF_INVITE_ACCEPTED', is_target_deleted: false });
  });
  it('is declined', async () => {
    await invite({ members: [ben.account.username] });
    await answer((await pending(ben))[0]?.invitation_id ?? '', 'decline');
    expect((await list()).invitations[0]?.state).toBe('declined');
    expect((await list()).members).toHaveLength(1);
  });
  it('is taken back, or ends by itself, and is dead then', async () => {
    await invite({ members: [ben.account.username] });
    const [first] = await pending(ben);
    const cancel = () =>
      ana.call(api.members.cancel, { params: at(), body: { invitation_id: first?.invitation_id ?? '' } });
    await cancel();
    await expect(cancel()).rejects.toMatchObject({ code: 'conflict' });
    expect(await pending(ben)).toEqual([]);
    await expect(answer(first?.invitation_id ?? '', 'accept')).rejects.toMatchObject({ code: 'gone' });
  });
  it('is shown to nobody who has not verified the address', async () => {
    await invite({ members: [eve.account.username] });
    expect(await pending(eve)).toEqual([]);
    const id = (await list()).invitations[0]?.invitation_id ?? '';
    await expect(answer(id, 'accept', eve)).rejects.toMatchObject({ code: 'forbidden' });
  });
  it('counts against the day each time that it is sent', async () => {
    const dan = await createAccount(server.url);
    const lib = dan.account.library;
    shelf = await dan.call(api.shelves.create, { params: { lib }, body: { name: 'Shelf' } });
    const emails = Array.from({ length: 50 }, (_, index) => `reader${index}@example.org`);
    for (const outcome of ['invited', 'sent-again', 'sent-again', 'sent-again']) {
      const { outcomes } = await invite({ emails }, dan);
      expect(new Set(outcomes.map((each) => each.outcome))).toEqual(new Set([outcome]));
    }
    const [open] = (await list(dan)).invitations;
    const body = { invitation_id: open?.invitation_id ?? '' };
    await expect(dan.call(api.members.resend, { params: at(), body })).rejects.toMatchObject({ code: 'throttled' });
    // Who belongs to the shelf already costs no mail.
    await expect(invite({ members: [dan.account.username] }, dan)).resolves.toMatchObject({
      outcomes: [{ outcome: 'already-member' }],
    });
  });
  it('is sent by the owner alone, and not too often', async () => {
    addMember(server, shelf.id, ben.account.username, 'editor');
    await expect(invite({ emails: ['x@example.org'] }, ben)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(invite({ emails: ['x@example.org'] }, eve)).rejects.toMatchObject({ code: 'not-found' });
    const emails = (from: number) => Array.from({ length: 50 }, (_, index) => `guest${from + index}@example.org`);
    await expect(
      (async () => {
        for (const from of [0, 50, 100, 150]) await invite({ emails: emails(from) });
      })(),
    ).rejects.toMatchObject({ code: 'throttled' });
    clock += 24 * 3600_000;
    for (const client of [ana, ben, eve]) {
      await client.call(api.auth.refresh, { body: { client_id: CLIENT_IDS.web } });
    }
  });
});

describe('a member', () => {
  beforeEach(async () => {
    addMember(server, shelf.id, ben.account.username, 'viewer');
  });
  const idOf = async (client: Client) => (await client.call(api.auth.userinfo, {})).user_id;

  it('gets another role, and what it allows, at the next call', async () => {
    const setRole = (role: 'editor' | 'viewer', by: Client = ana) =>
      idOf(ben).then((member_id) => by.call(api.members.setRole, { params: at(), body: { member_id, role } }));
    const ready = () =>
      ben.call(api.upload.ready, {
        params: at(),
        body: { files: [{ name: 'a.txt', size: 0, sha256: '0'.repeat(64) }] },
      });
    await expect(ready()).rejects.toMatchObject({ code: 'forbidden' });
    await setRole('editor');
    expect((await ready()).files).toHaveLength(1);
    await expect(setRole('viewer', ben)).rejects.toMatchObject({ code: 'forbidden' });
  });
  it('is removed, or leaves, and sees nothing any more', async () => {
    const remove = async (who: Client, by: Client) =>
      by.call(api.members.remove, { params: at(), body: { member_id: await idOf(who) } });
    await expect(remove(ana, ben)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(remove(ana, ana)).rejects.toMatchObject({ code: 'conflict' });
    await remove(ben, ben);
    await expect(list(ben)).rejects.toMatchObject({ code: 'not-found' });
    addMember(server, shelf.id, ben.account.username, 'viewer');
    await remove(ben, ana);
    await expect(ben.call(api.documents.shelfInfo, { params: at() })).rejects.toMatchObject({ code: 'not-found' });
    await expect(remove(ben, ana)).rejects.toMatchObject({ code: 'not-found' });
  });
  it('gives back what they had checked out when they may no longer change it', async () => {
    const member_id = await idOf(ben);
    const commit = await uploadFiles(ana, shelf, [{ name: 'lease.txt', content: `text ${count}` }]);
    const id = commit?.changes[0]?.document_id ?? '';
    const setRole = (role: 'editor' | 'viewer') =>
      ana.call(api.members.setRole, { params: at(), body: { member_id, role } });
    const lock = () => ben.call(api.documents.lock, { params: { id }, body: { hours: 168 } });
    const holder = async () =>
      (await ana.call(api.documents.shelfDetail, { params: at() })).documents[0]?.lock?.user_id ?? null;
    await setRole('editor');
    await lock();
    expect(await holder()).toBe(member_id);
    await setRole('viewer');
    expect(await holder()).toBeNull();
    await setRole('editor');
    await lock();
    await ana.call(api.members.remove, { params: at(), body: { member_id } });
    expect(await holder()).toBeNull();
  });
  it('is not removed or changed by names of nobody, nor on an archived shelf except to go', async () => {
    const member_id = await idOf(ben);
    const call = { params: at(), body: { member_id, role: 'editor' as const } };
    await expect(
      ana.call(api.members.setRole, { ...call, body: { ...call.body, member_id: shelf.id } }),
    ).rejects.toMatchObject({ code: 'not-found' });
    await ana.call(api.shelves.archive, { params: at(), body: { action: 'archive' } });
    await expect(ana.call(api.members.setRole, call)).rejects.toMatchObject({ code: 'archived' });
    await expect(invite({ emails: ['x@example.org'] })).rejects.toMatchObject({ code: 'archived' });
    await ana.call(api.members.remove, { params: at(), body: { member_id } });
    expect((await list()).members).toHaveLength(1);
  });
});
