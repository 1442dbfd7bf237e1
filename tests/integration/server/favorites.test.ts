import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { api } from '../../../src/shared/api/index.ts';
import type { Shelf } from '../../../src/shared/model/library.ts';
import { addMember } from '../../helpers/members.ts';
import { createAccount, startTestServer, type TestServer, uploadFiles } from '../../helpers/server.ts';

type Client = Awaited<ReturnType<typeof createAccount>>;
type Kind = 'library' | 'shelf' | 'document';

let server: TestServer;
let ana: Client;
let ben: Client;
let count = 0;
let shelf: Shelf;
let ids: Record<Kind, string>;
beforeAll(async () => {
  server = await startTestServer();
  ana = await createAccount(server.url);
  ben = await createAccount(server.url);
});
beforeEach(async () => {
  count += 1;
  const lib = ana.account.library;
  shelf = await ana.call(api.shelves.create, { params: { lib }, body: { name: `Shelf ${count}` } });
  const commit = await uploadFiles(ana, shelf, [{ name: 'folder/lease.txt', content: `x ${count}` }]);
  const library = (await ana.call(api.libraries.get, { params: { name: lib } })).id;
  ids = { library, shelf: shelf.id, document: commit?.changes[0]?.document_id ?? '' };
});
afterAll(() => server.close());

const KINDS = ['library', 'shelf', 'document'] as const;
const add = (kind: Kind, by: Client = ana, id = ids[kind]) => by.call(api.favorites.add, { params: { kind, id } });
const remove = (kind: Kind, by: Client = ana) => by.call(api.favorites.remove, { params: { kind, id: ids[kind] } });
const list = async (by: Client = ana) => (await by.call(api.favorites.list, {})).favorites;
const kinds = async (by: Client = ana) => {
  const mine = new Set<string>(Object.values(ids));
  return (await list(by))
    .filter(({ id }) => mine.has(id))
    .map(({ kind }) => kind)
    .sort();
};

describe('favourites', () => {
  it.each(KINDS)('keep a %s once, and let it go', async (kind) => {
    await add(kind);
    await add(kind);
    expect(await kinds()).toEqual([kind]);
    await remove(kind);
    await remove(kind);
    expect(await kinds()).toEqual([]);
  });
  it('say where each one is', async () => {
    for (const kind of KINDS) await add(kind);
    const library = ana.account.library;
    const place = { library, shelf: shelf.name, shelf_id: shelf.id };
    const mine = new Map((await list()).map((each) => [each.id, each]));
    expect(mine.get(ids.library)).toMatchObject({ name: library, library, shelf: null, shelf_id: null });
    expect(mine.get(ids.shelf)).toMatchObject({ name: shelf.name, ...place });
    expect(mine.get(ids.document)).toMatchObject({ name: 'folder/lease.txt', ...place });
  });
  it.each(KINDS)('take no %s that one cannot see, as if there were none', async (kind) => {
    await expect(add(kind, ben)).rejects.toMatchObject({ code: 'not-found' });
    await expect(add(kind, ana, randomUUID())).rejects.toMatchObject({ code: 'not-found' });
    await expect(add(kind, ana, 'x')).rejects.toMatchObject({ code: 'bad-request' });
  });
  it('of viewers, and of archived shelves, are favourites like any other', async () => {
    addMember(server, shelf.id, ben.account.username, 'viewer');
    const params = { lib: shelf.library, id: shelf.id };
    await ana.call(api.shelves.archive, { params, body: { action: 'archive' } });
    for (const kind of KINDS) await add(kind, ben);
    expect(await kinds(ben)).toEqual(['document', 'library', 'shelf']);
    expect(await kinds()).not.toContain('shelf');
  });
  it('are left out while they cannot be seen, and come back', async () => {
    for (const kind of KINDS) await add(kind);
    const document = { params: { id: ids.document } };
    await ana.call(api.documents.remove, { ...document, body: {} });
    await expect(add('document')).rejects.toMatchObject({ code: 'not-found' });
    expect(await kinds()).toEqual(['library', 'shelf']);
    await ana.call(api.trash.restore, { ...document, body: {} });
    expect(await kinds()).toEqual(['document', 'library', 'shelf']);
    await ana.call(api.shelves.remove, { params: { lib: shelf.library, id: shelf.id } });
    expect(await kinds()).toEqual(['library']);
  });
});
