import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sanitizeHtml } from '../../../src/server/notices/sanitize.ts';
import { api } from '../../../src/shared/api/index.ts';
import { createAccount, startTestServer, TestClient, type TestServer } from '../../helpers/server.ts';

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

describe('service notices (web-and-phone.md §4)', () => {
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
    await expect(admin.call(api.notices.remove, { params: { id } })).rejects.toMatchObject({ code: 'not-found' });
    await expect(new TestClient(server.url).call(api.notices.showing, { query: {} })).rejects.toMatchObject({
      code: 'unauthenticated',
    });
  });
  it('go by the moment, however it is written', async () => {
    const second = (ms: number) => new Date(clock + ms).toISOString().replace('.000Z', 'Z');
    const starting = await create({ title: 'Now', start_date: second(0), end_date: second(1000) });
    expect([starting.state, starting.start_date]).toEqual(['showing', new Date(clock).toISOString()]);
    expect(await showing({ force: 'true' })).toContain('Now');
    expect(await create({ title: 'Ended', start_date: second(-1000), end_date: second(0) })).toMatchObject({
      state: 'ended',
    });
  });
  it('cannot be confirmed before they show', async () => {
    const { id } = await create({ start_date: day(1), end_date: day(2) });
    await expect(ben.call(api.notices.markRead, { params: { id } })).rejects.toMatchObject({ code: 'not-found' });
  });
  it('come in pages', async () => {
    const list = (query: object) => admin.call(api.notices.list, { query });
    const { count, notices } = await list({});
    const [first, last] = [await list({ page_size: count - 1 }), await list({ page: 2, page_size: count - 1 })];
    expect([first.has_more, last.has_more]).toEqual([true, false]);
    expect([...first.notices, ...last.notices]).toEqual(notices);
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
  it('rebuild whatever comes of allowed elements alone', () => {
    const piece = fc.constantFrom(
      ...'<p> </p> <a href="javascript:x"> <a href=https://x.example/> </a> <script> </script> <svg> </svg> <img/onerror=x>'.split(
        ' ',
      ),
      ...[
        '<!--',
        '-->',
        '<![CDATA[',
        ']]>',
        '<',
        '>',
        '"',
        "'",
        '&lt;',
        '&#60;b&#62;',
        '<math><style>',
        '<ul><li>',
        '\0',
      ],
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string({ maxLength: 6 })), { maxLength: 20 }), (pieces) => {
        const html = sanitizeHtml(pieces.join(''));
        const address = ' href="https://x.example/" rel="noopener noreferrer" target="_blank"';
        expect(html.replaceAll(address, '').replace(/<\/?(p|a|b|ul|li)>/gu, '')).not.toMatch(/[<>]/u);
      }),
    );
  });
});
