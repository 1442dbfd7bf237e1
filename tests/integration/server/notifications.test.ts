import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import formbody from '@fastify/formbody';
import fastify from 'fastify';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createAccess } from '../../../src/server/access/access.ts';
import { openDatabase } from '../../../src/server/database/connection.ts';
import { createJobs, type Jobs } from '../../../src/server/jobs/jobs.ts';
import { createMailer } from '../../../src/server/mail/mailer.ts';
import { createDigest, type Digest, UNSUBSCRIBE_PATH } from '../../../src/server/notifications/digest.ts';
import { createEventHub } from '../../../src/server/notifications/eventHub.ts';
import type { NotificationChange } from '../../../src/server/notifications/live.ts';
import { createNotifications, type Notifications } from '../../../src/server/notifications/notifications.ts';
import { unsubscribeRoutes } from '../../../src/server/notifications/unsubscribeRoutes.ts';
import { api } from '../../../src/shared/api/index.ts';
import { NOTIFICATION_STREAM } from '../../../src/shared/api/notifications.ts';
import type { Shelf } from '../../../src/shared/model/library.ts';
import { addMember, verifyEmail } from '../../helpers/members.ts';
import { createAccount, startTestServer, TestClient, type TestServer, uploadFiles } from '../../helpers/server.ts';

type Client = Awaited<ReturnType<typeof createAccount>>;

let server: TestServer;
let ana: Client;
let ben: Client;
let eve: Client;
let count = 0;
let shelf: Shelf;
beforeAll(async () => {
  server = await startTestServer();
  ana = await createAccount(server.url);
  ben = await createAccount(server.url);
  eve = await createAccount(server.url);
});
beforeEach(async () => {
  count += 1;
  const lib = ana.account.library;
  shelf = await ana.call(api.shelves.create, { params: { lib }, body: { name: `Shelf ${count}` } });
  addMember(server, shelf.id, ben.account.username, 'editor');
  await ben.call(api.notifications.markAllAsRead, {});
});
afterAll(() => server.close());

const of = async (client: Client, limit = 10) => client.call(api.notifications.list, { query: { limit } });
const types = async (client: Client, limit: number) =>
  (await of(client, limit)).notifications.map(({ notification_type }) => notification_type);
const upload = (name: string, content: string, by: Client = ana) => uploadFiles(by, shelf, [{ name, content }]);

describe('notifications become read, one or all at once (web-and-phone.md §4)', () => {
  it('tell the other members what was done, and are read one by one or all at once', async () => {
    const commit = await upload('lease.txt', `first ${count}`);
    const id = commit?.changes[0]?.document_id ?? '';
    await ana.call(api.documents.rename, { params: { id }, body: { name: 'folder/contract.txt' } });
    await ana.call(api.documents.remove, { params: { id }, body: {} });
    await ana.call(api.trash.restore, { params: { id }, body: {} });
    const params = { lib: shelf.library, id: shelf.id };
    await ana.call(api.shelves.update, { params, body: { name: `New ${count}` } });
    await ana.call(api.shelves.archive, { params, body: { action: 'archive' } });
    await ana.call(api.shelves.archive, { params, body: { action: 'unarchive' } });
    const { notifications, unread_count, has_more } = await of(ben, 7);
    expect(notifications.map(({ message }) => message.replace(/^\S+ /u, ''))).toEqual([
      `brought the shelf New ${count} back from the archive`,
      `archived the shelf New ${count}`,
      `renamed the shelf Shelf ${count} to New ${count}`,
      `restored contract.txt in Shelf ${count}`,
      `deleted contract.txt from Shelf ${count}`,
      'renamed lease.txt to folder/contract.txt',
      `added lease.txt to Shelf ${count}`,
    ]);
    expect(unread_count).toBe(7);
    expect(has_more).toBe(count > 1);
    const [first] = notifications;
    const read = () => ben.call(api.notifications.markAsRead, { params: { id: first?.id ?? '' } });
    expect([(await read()).unread_count, (await read()).unread_count]).toEqual([6, 6]);
    await expect(eve.call(api.notifications.markAsRead, { params: { id: first?.id ?? '' } })).rejects.toMatchObject({
      code: 'not-found',
    });
    await ben.call(api.notifications.markAllAsRead, {});
    expect(await ben.call(api.notifications.count, {})).toEqual({ status: 'success', count: 0 });
  });
  it('say when what they lead to is gone', async () => {
    const commit = await upload('lease.txt', `gone ${count}`);
    expect((await of(ben, 1)).notifications[0]?.is_target_deleted).toBe(false);
    const id = commit?.changes[0]?.document_id ?? '';
    await ana.call(api.documents.remove, { params: { id }, body: {} });
    expect((await of(ben, 2)).notifications.map(({ is_target_deleted }) => is_target_deleted)).toEqual([true, true]);
    await ana.call(api.shelves.remove, { params: { lib: shelf.library, id: shelf.id } });
    expect((await of(ben, 1)).notifications[0]).toMatchObject({
      notification_type: 'SHELF_DELETE',
      is_target_deleted: true,
    });
  });
  it('tell of new versions those who follow, and of nothing those who muted', async () => {
    const commit = await upload('lease.txt', `v1 ${count}`);
    const id = commit?.changes[0]?.document_id ?? '';
    await upload('lease.txt', `v2 ${count}`);
    expect(await types(ben, 1)).toEqual(['DOC_UPLOAD']);
    const follow = (mode: 'follow' | 'mute', kind: 'document' | 'shelf' = 'document') =>
      ben.call(api.notifications.follow, { params: { kind, id: kind === 'shelf' ? shelf.id : id }, body: { mode } });
    await follow('follow');
    await upload('lease.txt', `v3 ${count}`);
    expect(await types(ben, 1)).toEqual(['DOC_VERSION']);
    await follow('mute', 'shelf');
    await upload('lease.txt', `v4 ${count}`);
    await upload('other.txt', `v4 ${count}`);
    expect(await types(ben, 2)).toEqual(['DOC_VERSION', 'DOC_UPLOAD']);
    await expect(
      eve.call(api.notifications.follow, { params: { kind: 'shelf', id: shelf.id }, body: { mode: 'follow' } }),
    ).rejects.toMatchObject({ code: 'not-found' });
    await ben.call(api.notifications.unfollow, { params: { kind: 'shelf', id: shelf.id } });
    const { follows } = await ben.call(api.notifications.follows, {});
    expect(follows.filter(({ target_id }) => [id, shelf.id].includes(target_id))).toMatchObject([{ mode: 'follow' }]);
  });
  it('of a large commit are one, not thousands', async () => {
    const files = Array.from({ length: 30 }, (_, index) => ({ name: `${index}.txt`, content: `${count} ${index}` }));
    await uploadFiles(ana, shelf, files);
    expect((await of(ben, 1)).unread_count).toBe(1);
  });
});

/** Reads a stream of server-sent events until `enough` says so. */
async function events(client: TestClient, enough: (seen: string) => boolean, lastEventId?: string): Promise<string> {
  const controller = new AbortController();
  const headers = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
  const response = await client.fetch(NOTIFICATION_STREAM, { signal: controller.signal, headers });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  let seen = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    seen += decoder.decode(chunk as Uint8Array, { stream: true });
    if (enough(seen)) break;
  }
  controller.abort();
  return seen;
}

describe('the live stream', () => {
  it('shows what happens as it happens', async () => {
    const controller = new AbortController();
    const response = await ben.fetch(NOTIFICATION_STREAM, { signal: controller.signal });
    const reader = (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader();
    let seen = '';
    const until = async (text: string) => {
      while (!seen.includes(text)) seen += (await reader.read()).value ?? '';
    };
    await until('event: read');
    await upload('live.txt', `live ${count}`);
    await until('live.txt');
    await ben.call(api.notifications.markAllAsRead, {});
    await until('event: read\ndata: {"unread_count":0}');
    controller.abort();
  });
  it('tells of each commit, also of a new version that nobody is notified of', async () => {
    await upload('quiet.txt', `first ${count}`);
    let second: Promise<unknown> | undefined;
    await events(ben, (text) => {
      const told = text.split(`event: commit\ndata: {"shelf_id":"${shelf.id}"}`).length - 1;
      if (told === 1) second ??= upload('quiet.txt', `second ${count}`);
      return told === 2;
    });
    await second;
    expect(await types(ben, 1)).toEqual(['DOC_UPLOAD']);
  });
  it('tells of another role, and who is taken off the shelf of that', async () => {
    const params = { lib: ana.account.library, id: shelf.id };
    const { members } = await ana.call(api.members.list, { params });
    const member_id = members.find(({ username }) => username === ben.account.username)?.member_id ?? '';
    let removed: Promise<unknown> | undefined;
    await ana.call(api.members.setRole, { params, body: { member_id, role: 'viewer' } });
    await events(ben, (text) => {
      const told = text.split(`event: members\ndata: {"shelf_id":"${shelf.id}"}`).length - 1;
      if (told === 1) removed ??= ana.call(api.members.remove, { params, body: { member_id } });
      return told === 2;
    });
    await removed;
  });
  it('tells the members of who joins them', async () => {
    verifyEmail(server, eve.account.email);
    const params = { lib: ana.account.library, id: shelf.id };
    await ana.call(api.members.invite, { params, body: { members: [eve.account.username] } });
    const { invitations } = await eve.call(api.members.pending, {});
    const a = invitations.find(({ shelf_id }) => shelf_id === shelf.id)?.invitation_id ?? '';
    let joined: Promise<unknown> | undefined;
    await events(ben, (text) => {
      const told = text.split(`event: members\ndata: {"shelf_id":"${shelf.id}"}`).length - 1;
      if (told === 1) {
        joined ??= eve.call(api.members.answer, { params: { a, b: 'accept' }, body: { library_name: shelf.library } });
      }
      return told === 2;
    });
    await joined;
  });
  it('is for who is signed in', async () => {
    const response = await new TestClient(server.url).fetch(NOTIFICATION_STREAM);
    expect(response.status).toBe(401);
  });
  it('misses nothing between two connections', async () => {
    await upload('seen.txt', `seen ${count}`);
    const last = (await of(ben, 1)).notifications[0]?.id ?? '';
    await upload('missed.txt', `missed ${count}`);
    const seen = await events(ben, (text) => text.includes('missed.txt'), last);
    expect(seen).not.toContain('seen.txt","document_id');
  });
});

describe('notifications of what one lost sight of', () => {
  it('lead nowhere any more, as if it were deleted', async () => {
    await upload('lease.txt', `lost ${count}`);
    const gone = async () => (await of(ben, 1)).notifications[0]?.is_target_deleted;
    expect(await gone()).toBe(false);
    const params = { lib: shelf.library, id: shelf.id };
    const { members } = await ana.call(api.members.list, { params });
    const member_id = members.find(({ username }) => username === ben.account.username)?.member_id ?? '';
    await ana.call(api.members.remove, { params, body: { member_id } });
    expect(await gone()).toBe(true);
  });
});

describe('what is asked wrongly', () => {
  it.each([{ limit: 0 }, { limit: 101 }, { page: 0 }])('is refused: %o', async (query) => {
    await expect(ben.call(api.notifications.list, { query })).rejects.toMatchObject({ code: 'bad-request' });
  });
  it('is not found, or not asked by anybody', async () => {
    const params = { id: randomUUID() };
    await expect(ben.call(api.notifications.markAsRead, { params })).rejects.toMatchObject({ code: 'not-found' });
    const nobody = new TestClient(server.url);
    await expect(nobody.call(api.notifications.count, {})).rejects.toMatchObject({ code: 'unauthenticated' });
    const follow = { params: { kind: 'document' as const, ...params }, body: { mode: 'mute' as const } };
    await expect(ben.call(api.notifications.follow, follow)).rejects.toMatchObject({ code: 'not-found' });
  });
});

/** The services on a database of their own, with a clock that stands still until it is moved. */
async function services() {
  const folder = await mkdtemp(join(tmpdir(), 'armarium-notifications-'));
  const database = await openDatabase({ dataDir: folder });
  let clock = Date.parse('2026-03-01T09:00:00Z');
  const now = () => clock;
  const log = pino({ level: 'silent' });
  const [actor, reader] = [randomUUID(), randomUUID()];
  for (const [id, username] of [
    [actor, 'ana'],
    [reader, 'ben'],
  ] as const) {
    await database
      .insertInto('users')
      .values({
        id,
        email: `${username}@example.org`,
        email_key: username,
        username,
        name: username,
        user_image: null,
        plan_type: 0,
        user_type: 1,
        password_hash: '',
        default_library_id: null,
        created_at: new Date(clock).toISOString(),
        email_verified: 1,
        mail_digest: 1,
      })
      .execute();
  }
  const running: { close(): Promise<void> }[] = [];
  const start = () => {
    const service = createNotifications({ database, access: createAccess(database), log, now });
    running.push(service);
    return service;
  };
  const notifications = start();
  return {
    folder,
    database,
    now,
    log,
    reader,
    notifications,
    /** Another server on the same database. */
    start,
    move(ms: number) {
      clock += ms;
    },
    notify: (name: string, by = notifications) =>
      by.notify(database, {
        type: 'LIBRARY_RENAME',
        actorId: actor,
        target: { kind: 'library', id: actor },
        metadata: { library_name: name, old_name: 'Old', new_name: name },
        to: { users: [reader] },
      }),
    async close() {
      for (const service of running) await service.close();
      await database.destroy();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Listens, and lets a test wait for what comes. */
function listening(service: Notifications, userId: string, after: string | null = null) {
  const changes: NotificationChange[] = [];
  let looked: (() => void) | null = null;
  const stop = service.listen(userId, after, (change) => {
    changes.push(change);
    looked?.();
  });
  const names = () =>
    changes.flatMap((change) =>
      change.type === 'notification' ? [change.notification.metadata.library_name ?? ''] : [],
    );
  const until = async (isEnough: () => boolean) => {
    while (!isEnough()) await new Promise<void>((resolve) => (looked = resolve));
  };
  return {
    changes,
    names,
    until,
    /** From now on nothing may be missed. */
    ready: () => until(() => changes.some(({ type }) => type === 'read')),
    cursor: () => changes.flatMap((change) => (change.type === 'notification' ? [change.cursor] : [])).at(-1) ?? null,
    stop,
  };
}

describe('what listeners are told', () => {
  let own: Awaited<ReturnType<typeof services>>;
  beforeEach(async () => {
    own = await services();
  });
  afterEach(() => own.close());

  it('is each notification once, however many come at a time', async () => {
    const listener = listening(own.notifications, own.reader);
    await listener.ready();
    const wanted = Array.from({ length: 300 }, (_, index) => `${index}`);
    for (const name of wanted) await own.notify(name);
    await listener.until(() => listener.names().length >= wanted.length);
    await own.notify('last');
    await listener.until(() => listener.names().includes('last'));
    expect(listener.names().sort()).toEqual([...wanted, 'last'].sort());
  });
  it('is nothing that was there before', async () => {
    await own.notify('before');
    const listener = listening(own.notifications, own.reader);
    await listener.ready();
    await own.notify('after');
    await listener.until(() => listener.names().length > 0);
    expect(listener.names()).toEqual(['after']);
    expect(listener.changes).toMatchObject([
      { type: 'read', unread_count: 1 },
      { type: 'notification', unread_count: 2 },
    ]);
  });
  it('is what came since, to a client that comes back: also of the same moment, and nothing twice', async () => {
    const first = listening(own.notifications, own.reader);
    await first.ready();
    for (const name of ['a', 'b', 'c']) await own.notify(name);
    await first.until(() => first.names().length === 3);
    first.stop();
    await own.notify('d');
    own.move(3600_000);
    await own.notify('e');
    const other = own.start();
    const second = listening(other, own.reader, first.cursor());
    await second.until(() => second.names().length === 2);
    await own.notify('f', other);
    await second.until(() => second.names().includes('f'));
    expect(second.names()).toEqual(['d', 'e', 'f']);
  });
  it('is nothing of the past to a client that names what is not its own', async () => {
    await own.notify('before');
    const listener = listening(own.notifications, own.reader, `${randomUUID()}.x`);
    await listener.ready();
    await own.notify('after');
    await listener.until(() => listener.names().length > 0);
    expect(listener.names()).toEqual(['after']);
  });
  it('is also what became visible late, and what another server stored', async () => {
    const listener = listening(own.notifications, own.reader);
    await listener.ready();
    const other = own.start();
    own.move(20_000);
    await own.notify('in time');
    await listener.until(() => listener.names().length === 1);
    own.move(-10_000);
    await own.notify('late', other);
    await listener.until(() => listener.names().length === 2);
    expect(listener.names()).toEqual(['in time', 'late']);
  });
  it('is that something was read, in all windows', async () => {
    const listeners = [listening(own.notifications, own.reader), listening(own.notifications, own.reader)];
    for (const each of listeners) await each.ready();
    await own.notify('a');
    for (const each of listeners) await each.until(() => each.names().length === 1);
    await own.notifications.markAllAsRead(own.reader);
    for (const { changes } of listeners) expect(changes.at(-1)).toEqual({ type: 'read', unread_count: 0 });
  });
  it('is that a service notice begins, also when its time comes', async () => {
    const at = (ms: number) => new Date(own.now() + ms).toISOString();
    const notice = { id: randomUUID(), title: '', content: 'x', content_type: 'text' as const, active: 1 };
    const dates = { start_date: at(60_000), end_date: at(120_000), created_at: at(0), updated_at: at(0) };
    await own.database
      .insertInto('service_notices')
      .values({ ...notice, ...dates })
      .execute();
    const listener = listening(own.notifications, own.reader);
    await listener.ready();
    const told = () => listener.changes.filter(({ type }) => type === 'notice').length;
    await own.notify('a');
    await listener.until(() => listener.names().length === 1);
    expect(told()).toBe(0);
    own.move(60_000);
    await own.notify('it begins');
    await listener.until(() => told() === 1);
    own.move(60_000);
    await own.notify('it ends');
    await listener.until(() => told() === 2);
  });
  it('ends with the service', async () => {
    const listener = listening(own.notifications, own.reader);
    await listener.ready();
    await own.notifications.close();
    await own.notify('a');
    listening(own.notifications, own.reader);
    expect(listener.names()).toEqual([]);
  });
});

describe('the daily mail', () => {
  let own: Awaited<ReturnType<typeof services>>;
  let digest: Digest;
  let jobs: Jobs;
  beforeEach(async () => {
    own = await services();
    const { database, now, log, folder } = own;
    jobs = createJobs({ database, log, now });
    const smtp = async () => null;
    const mailer = createMailer({
      jobs,
      database,
      folder: join(folder, 'mail'),
      smtp,
      defaultFrom: 'a@b.example',
      now,
    });
    const publicUrl = () => 'https://papers.example';
    digest = createDigest({ database, mailer, key: Buffer.alloc(32, 7), publicUrl, now });
  });
  afterEach(async () => {
    await jobs.stop();
    await own.close();
  });

  const sent = async () => {
    const rows = await own.database.selectFrom('jobs').select('payload').where('kind', '=', 'mail').execute();
    return rows.map(({ payload }) => JSON.parse(payload) as { to: string; subject: string; text: string });
  };
  const tokenIn = (text = '') => decodeURIComponent(/unsubscribe\?token=(\S+)/u.exec(text)?.[1] ?? '');

  it('tells once of what is unread, and of nothing when there is nothing', async () => {
    await digest.send();
    expect(await sent()).toEqual([]);
    await own.notify('Papers');
    await digest.send();
    await digest.send();
    const [mail, ...others] = await sent();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ to: 'ben@example.org', subject: expect.stringMatching(/: 1 new notification$/u) });
    expect(mail?.text).toContain('ana renamed the library Old to Papers');
    await own.notify('Next');
    await digest.send();
    expect(await sent()).toHaveLength(2);
  });
  it('shows the newest, and how many more there are', async () => {
    for (let index = 0; index < 25; index += 1) {
      own.move(1);
      await own.notify(`Name ${index}`);
    }
    await digest.send();
    const [mail] = await sent();
    expect(mail?.subject).toMatch(/: 25 new notifications$/u);
    expect(mail?.text).toContain('Name 24\n');
    expect(mail?.text).not.toContain('Name 4\n');
    expect(mail?.text).toContain('And 5 more: https://papers.example/');
  });
  it.each([{ mail_digest: 0 }, { disabled: 1 }, { email_verified: 0 }])(
    'is not for accounts with %o',
    async (state) => {
      await own.notify('Papers');
      await own.database.updateTable('users').set(state).execute();
      await digest.send();
      expect(await sent()).toEqual([]);
    },
  );
  it('does not tell of what was read', async () => {
    await own.notify('Papers');
    await own.notifications.markAllAsRead(own.reader);
    await digest.send();
    expect(await sent()).toEqual([]);
  });
  it("ends with its link, which asks first, needs no sign-in, and is nobody else's", async () => {
    await own.notify('Papers');
    await digest.send();
    const token = tokenIn((await sent())[0]?.text);
    const app = fastify();
    await app.register(formbody);
    unsubscribeRoutes(app, digest);
    const ask = (method: 'GET' | 'POST', given: string) =>
      app.inject({ method, url: `${UNSUBSCRIBE_PATH}?token=${encodeURIComponent(given)}` });
    const wants = async () =>
      (await own.database.selectFrom('users').select('mail_digest').where('id', '=', own.reader).execute())[0]
        ?.mail_digest;
    const page = await ask('GET', token);
    expect([page.statusCode, page.body.includes('<form method="post"')]).toEqual([200, true]);
    const [id = '', signature = ''] = token.split('.');
    for (const wrong of ['', id, `${id}.`, `${id}.${signature}x`, `${randomUUID()}.${signature}`]) {
      expect([(await ask('GET', wrong)).statusCode, (await ask('POST', wrong)).statusCode]).toEqual([404, 404]);
    }
    expect(await wants()).toBe(1);
    expect([(await ask('POST', token)).statusCode, (await ask('POST', token)).statusCode]).toEqual([200, 200]);
    expect(await wants()).toBe(0);
    await app.close();
  });
});

describe('topics', () => {
  it('reach those who watch them, until they stop', () => {
    const hub = createEventHub();
    const seen: unknown[] = [];
    const watch = () => hub.subscribe('share-link:1', (data) => seen.push(data));
    const [stop, stopOther] = [watch(), watch()];
    hub.publish({ topic: 'share-link:1', data: 1 });
    stop();
    stop();
    hub.publish({ topic: 'share-link:1', data: 2 });
    hub.publish({ topic: 'share-link:2', data: 3 });
    stopOther();
    hub.publish({ topic: 'share-link:1', data: 4 });
    expect(seen).toEqual([1, 1, 2]);
  });
});
