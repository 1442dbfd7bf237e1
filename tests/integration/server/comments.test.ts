import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { mentioned } from '../../../src/server/comments/comments.ts';
import { searchComments } from '../../../src/server/comments/searchComments.ts';
import { inChunks } from '../../../src/server/database/chunks.ts';
import { type Database, openDatabase } from '../../../src/server/database/connection.ts';
import { api } from '../../../src/shared/api/index.ts';
import type { Shelf } from '../../../src/shared/model/library.ts';
import { SearchQuery } from '../../../src/shared/model/search.ts';
import { addMember } from '../../helpers/members.ts';
import { createAccount, startTestServer, type TestServer, uploadFiles } from '../../helpers/server.ts';

type Client = Awaited<ReturnType<typeof createAccount>>;

let server: TestServer;
let clock = Date.parse('2026-03-01T09:00:00Z');
let stepMs = 1;
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
      clock += stepMs;
      return clock;
    },
  });
  ana = await createAccount(server.url);
  ben = await createAccount(server.url);
  eve = await createAccount(server.url);
});
afterAll(() => server.close());

/** A shelf of Ana's that Ben reads, with one document. */
async function makeShelf(): Promise<void> {
  count += 1;
  const lib = ana.account.library;
  shelf = await ana.call(api.shelves.create, { params: { lib }, body: { name: `Shelf ${count}` } });
  addMember(server, shelf.id, ben.account.username, 'viewer');
  const commit = await uploadFiles(ana, shelf, [{ name: 'lease.txt', content: `text ${count}` }]);
  versionId = commit?.changes[0]?.version_id ?? '';
  documentId = commit?.changes[0]?.document_id ?? '';
}

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
  beforeEach(makeShelf);
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
  it('are unread also when they come in the moment of the one that was marked', async () => {
    stepMs = 0;
    try {
      const first = await write(ana, 'one');
      await ben.call(api.comments.markRead, { params: at(), body: { last_comment_id: first.id } });
      const later = await write(ana, 'two');
      expect(await unread(ben)).toBe(1);
      expect(await list(ben)).toMatchObject({ last_comment_id: later.id, comments: [{ id: later.id }, {}] });
    } finally {
      stepMs = 1;
    }
  });
  it.each([
    ['nothing', ' \n '],
    ['more than 5,000 characters', 'x'.repeat(5001)],
    ['a NUL', 'a \0'],
    ['half a character', 'a \uD800 b'],
  ])('are refused with %s', async (_what, text) => {
    await expect(write(ben, text)).rejects.toMatchObject({ code: 'bad-request' });
  });
  it('are not begun on a document in the trash', async () => {
    await ana.call(api.documents.remove, { params: { id: documentId }, body: {} });
    for (const place of [{ document_id: documentId }, { version_id: versionId }]) {
      await expect(write(ana, 'x', place)).rejects.toMatchObject({ code: 'not-found' });
    }
  });
  it('leave a trace when answers of others go with them', async () => {
    const traces = () => {
      const database = new SqliteDatabase(join(server.dataDir, 'armarium.db'), { readonly: true });
      const rows = database
        .prepare("SELECT details FROM audit_log WHERE action = 'comment.delete' AND target_id = ?")
        .pluck()
        .all(shelf.id);
      database.close();
      return rows.map((row) => JSON.parse(String(row)));
    };
    const remove = (by: Client, cid: string) => by.call(api.comments.remove, { params: { ...at(), cid } });
    await remove(ben, (await write(ben, 'alone')).id);
    expect(traces()).toEqual([]);
    const first = await write(ben, 'asks');
    await write(ana, 'answers', { parent_id: first.id });
    await remove(ben, first.id);
    expect(traces()).toEqual([{ of: ben.account.username, answers: 1 }]);
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

describe('a name after an @', () => {
  const MEMBERS = ['ana', 'ana lovelace', 'ben.k', 'Zoë', '田中'].map((username) => ({ id: username, username }));
  it.each([
    ['@ana, look', ['ana']],
    ['(@ANA) and @ben.k.', ['ana', 'ben.k']],
    ['@Ana Lovelace alone', ['ana lovelace']],
    ['@ana lovelace and @ana', ['ana', 'ana lovelace']],
    ['of @zoe\u0308', ['Zoë']],
    ['@田中さん', ['田中']],
    ['@anabel is another', []],
    ['mail joe@ana.example.org', []],
    ['ana without it', []],
    ['', []],
  ])('%j names %j', (text, named) => {
    expect(mentioned(text, MEMBERS).sort()).toEqual([...named].sort());
  });
});

describe('a search in comments', () => {
  beforeEach(makeShelf);
  let database: Database;
  beforeAll(async () => {
    database = await openDatabase({ dataDir: server.dataDir });
  });
  afterAll(() => database.destroy());

  const find = async (by: Client, text: string, more: Partial<SearchQuery> = {}) => {
    const { user_id } = await by.call(api.auth.userinfo, {});
    const query = { ...SearchQuery.parse({ text, scope: 'current' }), shelf: shelf.name, ...more };
    return searchComments(database, { id: user_id, isAdmin: false, familyId: '' }, query);
  };

  it('finds the document, with the lines that match', async () => {
    await write(ana, 'First line\nthe KEYSTONE and the keyſtone', { document_id: documentId });
    await write(ben, 'A keystone on the version', { version_id: versionId });
    await write(ben, 'stone');
    const [result, ...others] = await find(ben, 'Keystone');
    expect(others).toEqual([]);
    expect(result).toMatchObject({
      filename: 'lease.txt',
      documentId,
      versionId,
      versionNumber: 1,
      shelfId: shelf.id,
      libraryName: shelf.library,
      matches: 0,
      items: [
        { type: 'Comment', number: 1, line: 1, text: 'A keystone on the version', ranges: [[2, 10]] },
        {
          type: 'Comment',
          number: 2,
          line: 2,
          ranges: [
            [4, 12],
            [21, 29],
          ],
        },
      ],
    });
    expect((await find(ben, 'keystone', { itemsPerResult: 1 }))[0]?.items).toHaveLength(1);
    expect((await find(ben, 'KEYSTONE', { matchCase: true }))[0]?.items).toHaveLength(1);
    expect(await find(ben, 'key', { wholeWord: true })).toEqual([]);
    expect(await find(eve, 'keystone')).toEqual([]);
    expect(await find(ben, 'keystone', { shelf: 'Another' })).toEqual([]);
    expect(await find(ben, 'keystone', { library: ben.account.library })).toEqual([]);
  });
  it.each([
    ['100%_\\sure', '100%_\\SURE', '100xx\\sure'],
    ['Größe ΣΟΦΟΣ', 'GRÖßE σοφος', 'grosse sofos'],
    ['two words', 'TWO WORDS', 'twowords'],
  ])('takes %j as it is', async (comment, text, another) => {
    await write(ana, comment);
    expect(await find(ben, text)).toMatchObject([{ documentId: null, filename: shelf.name }]);
    expect(await find(ben, another)).toEqual([]);
  });
  it('looks through many, newest first, up to the limit', async () => {
    await write(ana, 'an old oddity', { document_id: documentId });
    const { user_id } = await ana.call(api.auth.userinfo, {});
    const at = '2031-01-01T00:00:00.000Z';
    const rows = Array.from({ length: 1200 }, (_, index) => ({
      id: randomUUID(),
      shelf_id: shelf.id,
      user_id,
      comment: index === 0 ? 'a new oddity' : 'an oddſty',
      created_at: at,
      updated_at: at,
    }));
    for (const chunk of inChunks(rows)) {
      const whole = chunk.map((row) => ({
        ...row,
        document_id: null,
        version_id: null,
        parent_id: null,
        resolved_at: null,
        resolved_by: null,
      }));
      await database.insertInto('comments').values(whole).execute();
    }
    expect((await find(ben, 'oddity')).map(({ documentId: on }) => on)).toEqual([null, documentId]);
    expect(await find(ben, 'oddity', { limit: 1 })).toHaveLength(1);
  });
  it('leaves what is in the trash to the history', async () => {
    await write(ana, 'ammonite', { document_id: documentId });
    await ana.call(api.documents.remove, { params: { id: documentId }, body: {} });
    expect(await find(ben, 'ammonite')).toEqual([]);
    expect(await find(ben, 'ammonite', { scope: 'history' })).toMatchObject([{ documentId, deleted: true }]);
  });
});
