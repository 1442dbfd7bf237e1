import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { api } from '../../../src/shared/api/index.ts';
import type { Shelf } from '../../../src/shared/model/library.ts';
import { addMember } from '../../helpers/members.ts';
import { createAccount, startTestServer, type TestClient, type TestServer, uploadFiles } from '../../helpers/server.ts';

type Client = Awaited<ReturnType<typeof createAccount>>;

let dataDir = '';
let server: TestServer;
let ana: Client;
let ben: Client;
let shelves = 0;
let shelf: Shelf;
let phrase = '';
let id = '';
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'armarium-search-'));
  server = await startTestServer({ dataDir });
  ana = await createAccount(server.url);
  ben = await createAccount(server.url);
});
beforeEach(async () => {
  shelves += 1;
  phrase = `phrase number ${shelves}.`;
  const lib = ana.account.library;
  shelf = await ana.call(api.shelves.create, { params: { lib }, body: { name: `Shelf ${shelves}` } });
  addMember(server, shelf.id, ben.account.username, 'viewer');
  const commit = await uploadFiles(ana, shelf, [{ name: `lease ${shelves}.txt`, content: `It holds ${phrase}` }]);
  id = commit?.changes[0]?.document_id ?? '';
});
afterAll(async () => {
  await server.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function find(scope: 'current' | 'history', by: TestClient = ben) {
  await server.server.indexed();
  return (await by.call(api.search.run, { query: { q: phrase, scope } })).results;
}

describe('search on the server', () => {
  it('says that it is not complete while a commit is being read, to those whom that concerns', async () => {
    const eve = await createAccount(server.url);
    const files = Array.from({ length: 50 }, (_, file) => ({ name: `${file}.txt`, content: `${file} has ${phrase}` }));
    await uploadFiles(ana, shelf, files);
    const query = { q: phrase, scope: 'current' as const, limit: 100 };
    const [hers, others] = await Promise.all([
      ana.call(api.search.run, { query }),
      eve.call(api.search.run, { query }),
    ]);
    expect(hers.complete ? hers.results.length : 51).toBe(51);
    expect(others).toMatchObject({ complete: true, results: [] });
    await server.server.indexed();
    expect(await ana.call(api.search.run, { query })).toMatchObject({ complete: true, files: 51 });
  });
  it('shows a deleted document in the history alone, marked as such, until it is restored', async () => {
    await ana.call(api.documents.remove, { params: { id }, body: {} });
    expect(await find('current')).toEqual([]);
    expect(await find('history')).toMatchObject([{ documentId: id, deleted: true }]);
    await ana.call(api.trash.restore, { params: { id }, body: {} });
    expect(await find('current')).toMatchObject([{ documentId: id, versionNumber: 2 }]);
    expect((await find('history')).map(({ deleted }) => deleted)).toEqual([undefined, undefined]);
  });
  it('finds a version by its label, once, with its text when that matches too', async () => {
    await uploadFiles(ana, shelf, [{ name: `lease ${shelves}.txt`, content: 'rewritten' }]);
    const { versions } = await ana.call(api.documents.history, { params: { id } });
    const first = versions.find(({ number }) => number === 1)?.id ?? '';
    await ana.call(api.documents.label, { params: { id: first }, body: { label: `Signed, ${phrase}` } });
    await server.server.indexed();
    const [result, ...others] = await find('history');
    expect(others).toEqual([]);
    expect(result).toMatchObject({ versionId: first, versionNumber: 1, matches: 1 });
    expect(result?.items.map(({ type }) => type)).toEqual(['Label', 'Content']);
    expect(await find('current')).toEqual([]);
    const signed = await ben.call(api.search.run, { query: { q: 'signed, PHRASE', scope: 'history' } });
    expect(signed.results.filter(({ documentId }) => documentId === id)).toMatchObject([{ versionId: first }]);
    const stranger = await createAccount(server.url);
    expect(await find('history', stranger)).toEqual([]);
  });
  it('tells which versions had a text, and with what message it went (field.md row 77)', async () => {
    const name = `lease ${shelves}.txt`;
    const texts = ['rewritten', ...[3, 4, 5, 6, 7].map((number) => `${number} ${phrase}`), 'shorter'];
    for (const [index, content] of texts.entries()) {
      await uploadFiles(ana, shelf, [{ name, content }], `edit ${index + 2}`);
    }
    const found = (await find('history')).filter(({ documentId }) => documentId === id);
    expect(found.map(({ versionNumber, removedIn }) => [versionNumber, removedIn?.commitMessage])).toEqual([
      [7, 'edit 8'],
      [6, undefined],
      [5, undefined],
      [4, undefined],
      [3, undefined],
      [1, 'edit 2'],
    ]);
    expect(found[0]?.removedIn).toMatchObject({ versionNumber: 8 });
  });
  it.each([
    ['its type', { types: 'pdf,docx' }, 0],
    ['its type', { types: 'pdf,TXT' }, 1],
    ['its author', { author: 'nobody' }, 0],
    ['a date before it', { until: '2026-01-01T00:00:00Z' }, 0],
    ['dates around it', { since: '2026-01-01T00:00:00Z', until: '2999-01-01T00:00:00Z' }, 1],
  ])('is narrowed by %s: %o', async (_, filters, count) => {
    const commit = await uploadFiles(ana, shelf, [{ name: 'other.txt', content: 'of something else' }]);
    const other = commit?.changes[0]?.document_id;
    const comment = { comment: `About ${phrase}`, document_id: other };
    await ana.call(api.comments.create, { params: { lib: shelf.library, id: shelf.id }, body: comment });
    await server.server.indexed();
    const found = async (query: object) => (await ben.call(api.search.run, { query: { q: phrase, ...query } })).files;
    expect(await found(filters)).toBe(2 * count);
    expect(await found({ author: ana.account.username.toUpperCase(), ...filters })).toBe(2 * count);
  });
  it('finds a document in the trash by a phrase of any of its versions', async () => {
    await uploadFiles(ana, shelf, [{ name: `lease ${shelves}.txt`, content: 'rewritten' }]);
    await uploadFiles(ana, shelf, [{ name: 'kept.txt', content: `It holds ${phrase} too` }]);
    await server.server.indexed();
    await ana.call(api.documents.remove, { params: { id } });
    await server.server.indexed();
    const trash = (text: string, by: TestClient = ben) => by.call(api.trash.list, { query: { text } });
    expect(await trash(phrase)).toMatchObject({ count: 1, documents: [{ id }] });
    expect(await trash('no such phrase')).toMatchObject({ count: 0 });
    expect(await trash(phrase, await createAccount(server.url))).toMatchObject({ count: 0 });
    await expect(trash('x')).rejects.toMatchObject({ code: 'bad-request' });
  });
  it('forgets what is deleted for good', async () => {
    await ana.call(api.documents.remove, { params: { id }, body: {} });
    await ana.call(api.trash.remove, { params: { id } });
    expect(await find('history')).toEqual([]);
  });
  it('follows names', async () => {
    await ana.call(api.shelves.update, { params: { lib: shelf.library, id: shelf.id }, body: { name: 'Renamed' } });
    await ana.call(api.documents.rename, { params: { id }, body: { name: 'moved/lease.txt' } });
    expect(await find('current')).toMatchObject([{ filename: 'moved/lease.txt', shelfName: 'Renamed' }]);
    await ana.call(api.shelves.remove, { params: { lib: shelf.library, id: shelf.id } });
    expect(await find('history')).toEqual([]);
    await ana.call(api.trash.restore, { params: { id }, body: {} });
    expect((await find('current')).map(({ versionNumber }) => versionNumber)).toEqual([3]);
  });
  it('brings in after a start what was committed and deleted when nobody indexed it', async () => {
    const other = await uploadFiles(ana, shelf, [{ name: 'other.txt', content: `Also ${phrase}` }]);
    expect(await find('current')).toHaveLength(2);
    await server.close();
    await rm(join(dataDir, 'index'), { recursive: true, force: true });
    server = await startTestServer({ dataDir });
    for (const client of [ana, ben]) Object.assign(client, { url: server.url });
    await ana.call(api.documents.remove, { params: { id: other?.changes[0]?.document_id ?? '' }, body: {} });
    expect(await find('current')).toMatchObject([{ documentId: id }]);
    expect(await find('history')).toHaveLength(2);
  });
});
