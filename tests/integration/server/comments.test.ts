import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { api } from '../../../src/shared/api/index.ts';
import type { Shelf } from '../../../src/shared/model/library.ts';
import { addMember } from '../../helpers/members.ts';
import { createAccount, startTestServer, type TestServer, uploadFiles } from '../../helpers/server.ts';

type Client = Awaited<ReturnType<typeof createAccount>>;

let server: TestServer;
let clock = Date.parse('2026-03-01T09:00:00Z');
let ana: Client;
let ben: Client;
let eve: Client;
let count = 0;
let shelf: Shelf;
let versionId = '';
let documentId = '';
beforeAll(async () => {
  server = await startTestServer({
    now: () => {
      clock += 1;
      return clock;
    },
  });
  ana = await createAccount(server.url);
  ben = await createAccount(server.url);
  eve = await createAccount(server.url);
});
beforeEach(async () => {
  count += 1;
  const lib = ana.account.library;
  shelf = await ana.call(api.shelves.create, { params: { lib }, body: { name: `Shelf ${count}` } });
  addMember(server, shelf.id, ben.account.username, 'viewer');
  const commit = await uploadFiles(ana, shelf, [{ name: 'lease.txt', content: `text ${count}` }]);
  versionId = commit?.changes[0]?.version_id ?? '';
  documentId = commit?.changes[0]?.document_id ?? '';
});
afterAll(() => server.close());

const at = () => ({ lib: shelf.library, id: shelf.id });
const write = (
  by: Client,
  comment: string,
  more: { version_id?: string; document_id?: string; parent_id?: string } = {},
) => by.call(api.comments.create, { params: at(), body: { comment, ...more } });
const list = (by: Client, query: { version_id?: string; resolved?: 'only' | 'exclude' } = {}) =>
  by.call(api.comments.list, { params: at(), query });
const unread = async (by: Client) => (await by.call(api.comments.hasUnread, { params: at() })).unread_count;

describe('comments', () => {
  it('stand on a shelf, a document or a version, and say which', async () => {
    await write(ben, '  On the <shelf>  ');
    await write(ben, 'On the document', { document_id: documentId });
    const onVersion = await write(ana, 'On the version', { version_id: versionId });
    expect(onVersion).toMatchObject({ document_name: 'lease.txt', version_number: 1, written_on_current: true });
    await uploadFiles(ana, shelf, [{ name: 'lease.txt', content: 'newer' }]);
    const { comments, count: all } = await list(ana);
    expect(all).toBe(3);
    expect(comments.map(({ comment, written_on_current }) => [comment, written_on_current])).toEqual([
      ['On the version', false],
      ['On the document', null],
      ['On the <shelf>', null],
    ]);
    expect(comments[2]?.author).toMatchObject({ username: ben.account.username });
    expect((await list(ana, { version_id: versionId })).count).toBe(1);
    const ofVersion = await ben.call(api.comments.ofVersion, { params: { id: versionId }, query: {} });
    expect(ofVersion.comments.map(({ id }) => id)).toEqual([onVersion.id]);
  });
  it('are answered and resolved', async () => {
    const first = await write(ben, 'Is clause 4 right?', { document_id: documentId });
    const reply = await write(ana, 'Yes.', { parent_id: first.id });
    expect(reply).toMatchObject({ parent_id: first.id, document_id: documentId });
    expect((await write(ben, 'Thanks', { parent_id: reply.id })).parent_id).toBe(first.id);
    const resolve = (resolved: boolean) =>
      ana.call(api.comments.resolve, { params: { ...at(), cid: first.id }, body: { resolved } });
    expect((await resolve(true)).resolved_at).not.toBeNull();
    expect((await list(ben, { resolved: 'only' })).count).toBe(1);
    expect((await resolve(false)).resolved_at).toBeNull();
  });
  it('are changed by who wrote them, and deleted by them or the owner', async () => {
    const own = await write(ben, 'first');
    const update = (by: Client, comment: string) =>
      by.call(api.comments.update, { params: { ...at(), cid: own.id }, body: { comment } });
    const remove = (by: Client, cid: string) => by.call(api.comments.remove, { params: { ...at(), cid } });
    expect((await update(ben, 'second')).comment).toBe('second');
    await expect(update(ana, 'x')).rejects.toMatchObject({ code: 'forbidden' });
    await expect(update(eve, 'x')).rejects.toMatchObject({ code: 'not-found' });
    await expect(update(ben, '   ')).rejects.toMatchObject({ code: 'bad-request' });
    const anas = await write(ana, 'mine');
    await expect(remove(ben, anas.id)).rejects.toMatchObject({ code: 'forbidden' });
    await remove(ana, own.id);
    await expect(remove(ana, own.id)).rejects.toMatchObject({ code: 'not-found' });
    const onVersion = await ben.call(api.comments.createOnVersion, {
      params: { id: versionId },
      body: { comment: 'here' },
    });
    const removeThere = (id: string) => ben.call(api.comments.removeFromVersion, { params: { id, cid: onVersion.id } });
    await removeThere(versionId);
    await expect(removeThere(versionId)).rejects.toMatchObject({ code: 'not-found' });
  });
  it('are unread until they are marked, and the mark only moves forward', async () => {
    const first = await write(ana, 'one');
    const second = await write(ana, 'two');
    expect([await unread(ben), await unread(ana)]).toEqual([2, 0]);
    const mark = (last_comment_id: string) =>
      ben.call(api.comments.markRead, { params: at(), body: { last_comment_id } });
    expect(await mark(second.id)).toEqual({ has_unread: false, unread_count: 0 });
    expect(await mark(first.id)).toEqual({ has_unread: false, unread_count: 0 });
    await write(ana, 'three');
    expect(await unread(ben)).toBe(1);
    await expect(mark(versionId)).rejects.toMatchObject({ code: 'not-found' });
  });
  it('tell the other members, also who muted the shelf when they are named', async () => {
    const newest = async () => {
      const { notifications } = await ben.call(api.notifications.list, { query: { limit: 1 } });
      return notifications[0];
    };
    await write(ana, 'Look', { document_id: documentId });
    expect(await newest()).toMatchObject({
      notification_type: 'SHELF_COMMENT_ADD',
      message: expect.stringContaining('commented on lease.txt'),
      link: `/${encodeURIComponent(shelf.library)}/${shelf.id}?tab=comments&document=${documentId}`,
    });
    await ben.call(api.notifications.follow, { params: { kind: 'shelf', id: shelf.id }, body: { mode: 'mute' } });
    const before = (await newest())?.id;
    await write(ana, 'quiet');
    expect((await newest())?.id).toBe(before);
    await write(ana, `@${ben.account.username.toUpperCase()} look`);
    expect((await newest())?.id).not.toBe(before);
  });
  it('are not for strangers, and none are written on an archived shelf', async () => {
    await expect(list(eve)).rejects.toMatchObject({ code: 'not-found' });
    await expect(write(eve, 'x')).rejects.toMatchObject({ code: 'not-found' });
    await expect(write(ana, 'x', { version_id: shelf.id })).rejects.toMatchObject({ code: 'not-found' });
    await ana.call(api.shelves.archive, { params: at(), body: { action: 'archive' } });
    await expect(write(ana, 'x')).rejects.toMatchObject({ code: 'archived' });
    expect((await list(ben)).count).toBe(0);
  });
});
