import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sanitizeHtml } from '../../../src/server/notices/sanitize.ts';
import { api } from '../../../src/shared/api/index.ts';
import { createAccount, startTestServer, type TestServer, uploadFiles } from '../../helpers/server.ts';

type Client = Awaited<ReturnType<typeof createAccount>>;

let server: TestServer;
const clock = Date.parse('2026-03-01T09:00:00Z');
let admin: Client;
let ben: Client;
beforeAll(async () => {
  server = await startTestServer({ now: () => clock });
  admin = await createAccount(server.url);
  ben = await createAccount(server.url);
});
afterAll(() => server.close());

const day = (offset: number) => new Date(clock + offset * 24 * 3600_000).toISOString();
const draft = (changed: object = {}) => ({
  title: 'Maintenance',
  content: 'On Sunday.',
  start_date: day(-1),
  end_date: day(1),
  ...changed,
});
const create = (changed: object = {}, by: Client = admin) => by.call(api.notices.create, { body: draft(changed) });
const showing = async (query: { since?: string; force?: 'true' } = {}) =>
  (await ben.call(api.notices.showing, { query })).notices.map(({ title }) => title);

describe('service notices', () => {
  it('show while they are active and within their dates, until they are confirmed', async () => {
    const notice = await create();
    await create({ title: 'Later', start_date: day(1), end_date: day(2) });
    await create({ title: 'Over', start_date: day(-2), end_date: day(-1) });
    await create({ title: 'Off', active: false });
    expect(await showing()).toEqual(['Maintenance']);
    expect(await showing({ since: day(0) })).toEqual([]);
    const read = () => ben.call(api.notices.markRead, { params: { id: notice.id } });
    await read();
    await read();
    expect(await showing()).toEqual([]);
    expect(await showing({ force: 'true' })).toEqual(['Maintenance']);
    const { notices } = await admin.call(api.notices.list, { query: {} });
    expect(new Map(notices.map(({ title, state, read_count }) => [title, [state, read_count]]))).toEqual(
      new Map([
        ['Later', ['scheduled', 0]],
        ['Maintenance', ['showing', 1]],
        ['Off', ['off', 0]],
        ['Over', ['ended', 0]],
      ]),
    );
  });
  it('are written, changed and deleted by administrators alone', async () => {
    await expect(create({}, ben)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(ben.call(api.notices.list, { query: {} })).rejects.toMatchObject({ code: 'forbidden' });
    await expect(create({ end_date: day(-2) })).rejects.toMatchObject({ code: 'bad-request' });
    const { id } = await create({ title: 'Old' });
    const change = () => admin.call(api.notices.update, { params: { id }, body: draft({ title: 'New' }) });
    expect(await change()).toMatchObject({ id, title: 'New' });
    await admin.call(api.notices.remove, { params: { id } });
    await expect(change()).rejects.toMatchObject({ code: 'not-found' });
  });
  it('keep of HTML what is harmless', async () => {
    const content = '<p onclick="x()">Hi <a href="javascript:x">a</a><script>alert(1)</script><b>bold</p>';
    expect((await create({ content, content_type: 'html' })).content).toBe('<p>Hi <a>a</a><b>bold</b></p>');
    expect((await create({ content: '<b>text</b>' })).content).toBe('<b>text</b>');
  });
  it.each([
    ['<img src=x onerror=alert(1)>text', 'text'],
    ['<svg><style><img src=x></style></svg>after', 'after'],
    [
      '<a href="https://x.example/?a&b">x</a>',
      '<a href="https://x.example/?a&amp;b" rel="noopener noreferrer" target="_blank">x</a>',
    ],
    ['<ul><li>one<li>two</ul>', '<ul><li>one</li><li>two</li></ul>'],
    ['a < b &amp;&lt;script&gt;', 'a &lt; b &amp;&lt;script&gt;'],
  ])('rebuild %s', (html, expected) => {
    expect(sanitizeHtml(html)).toBe(expected);
    expect(sanitizeHtml(sanitizeHtml(html))).toBe(expected);
  });
});

describe('favourites', () => {
  it('are kept, listed with where they are, and left out once they are gone', async () => {
    const lib = admin.account.library;
    const shelf = await admin.call(api.shelves.create, { params: { lib }, body: { name: 'Shelf' } });
    const commit = await uploadFiles(admin, shelf, [{ name: 'lease.txt', content: 'x' }]);
    const document = commit?.changes[0]?.document_id ?? '';
    const library = (await admin.call(api.libraries.get, { params: { name: lib } })).id;
    const add = (kind: 'library' | 'shelf' | 'document', id: string, by: Client = admin) =>
      by.call(api.favorites.add, { params: { kind, id } });
    for (const [kind, id] of [
      ['library', library],
      ['shelf', shelf.id],
      ['document', document],
    ] as const) {
      await add(kind, id);
      await add(kind, id);
      await expect(add(kind, id, ben)).rejects.toMatchObject({ code: 'not-found' });
    }
    const list = async () => (await admin.call(api.favorites.list, {})).favorites;
    expect((await list()).map(({ kind, name, library: place }) => [kind, name, place]).sort()).toEqual([
      ['document', 'lease.txt', lib],
      ['library', lib, lib],
      ['shelf', 'Shelf', lib],
    ]);
    await admin.call(api.documents.remove, { params: { id: document }, body: {} });
    await admin.call(api.favorites.remove, { params: { kind: 'library', id: library } });
    expect((await list()).map(({ kind }) => kind)).toEqual(['shelf']);
    await admin.call(api.trash.restore, { params: { id: document }, body: {} });
    expect(await list()).toHaveLength(2);
  });
});
