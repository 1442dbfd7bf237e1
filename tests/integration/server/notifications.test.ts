import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { api } from '../../../src/shared/api/index.ts';
import { NOTIFICATION_STREAM } from '../../../src/shared/api/notifications.ts';
import type { Shelf } from '../../../src/shared/model/library.ts';
import { addMember } from '../../helpers/members.ts';
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

describe('notifications', () => {
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
    await until('retry:');
    await upload('live.txt', `live ${count}`);
    await until('live.txt');
    await ben.call(api.notifications.markAllAsRead, {});
    await until('event: read\ndata: {"unread_count":0}');
    controller.abort();
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
