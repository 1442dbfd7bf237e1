import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { api } from '../../../src/shared/api/index.ts';
import type { Shelf } from '../../../src/shared/model/library.ts';
import { addMember } from '../../helpers/members.ts';
import { createAccount, startTestServer, type TestServer, uploadFiles } from '../../helpers/server.ts';

type Client = Awaited<ReturnType<typeof createAccount>>;

let server: TestServer;
let ana: Client;
let ben: Client;
let eve: Client;
let count = 0;
let now = Date.now();
let lib = '';
let shelf: Shelf;
beforeAll(async () => {
  server = await startTestServer({ now: () => now });
  ana = await createAccount(server.url);
  ben = await createAccount(server.url);
  eve = await createAccount(server.url);
});
beforeEach(async () => {
  count += 1;
  lib = (await ana.call(api.libraries.create, { body: { name: `Library ${count}` } })).name;
  shelf = await ana.call(api.shelves.create, { params: { lib }, body: { name: 'Contracts' } });
  addMember(server, shelf.id, ben.account.username, 'editor');
});
afterAll(() => server.close());

const inShelf = (library = lib) => ({ lib: library, id: shelf.id });
const namesOf = async (client: Client, archived?: 'exclude' | 'include' | 'only') =>
  (await client.call(api.libraries.list, { query: archived === undefined ? {} : { archived } })).libraries.map(
    ({ name }) => name,
  );

describe('a library', () => {
  it('is renamed, and then found under its new name alone', async () => {
    const renamed = await ana.call(api.libraries.update, { params: { name: lib }, body: { name: `Renamed ${count}` } });
    expect(renamed.name).toBe(`Renamed ${count}`);
    await expect(ana.call(api.libraries.get, { params: { name: lib } })).rejects.toMatchObject({ code: 'not-found' });
    expect((await ben.call(api.libraries.get, { params: { name: renamed.name } })).shelves).toHaveLength(1);
    // The old name is free again.
    await ana.call(api.libraries.create, { body: { name: lib } });
  });
  it('is made also when the settings were last read a while ago, on the one connection that there is', async () => {
    now += 60_000;
    const made = await ana.call(api.libraries.create, { body: { name: `Later ${count}` } });
    expect(made.shelf_count).toBe(0);
  });
  it('leads home: the oldest of the own ones, where the first is deleted or handed over', async () => {
    const home = async () => (await dora.call(api.auth.userinfo, {})).default_library;
    const dora = await createAccount(server.url);
    const first = dora.account.library;
    expect(await home()).toBe(first);
    await dora.call(api.libraries.remove, { params: { name: first } });
    expect(await dora.call(api.auth.userinfo, {})).toMatchObject({ default_library: null, has_default_library: false });
    await dora.call(api.libraries.create, { body: { name: `Second ${first}` } });
    expect(await home()).toBe(`Second ${first}`);
  });
  it('takes its own name in other letters, and no name that is taken or reserved', async () => {
    const update = (name: string) => ana.call(api.libraries.update, { params: { name: lib }, body: { name } });
    expect((await update(lib.toUpperCase())).name).toBe(lib.toUpperCase());
    await expect(update(ben.account.username)).rejects.toMatchObject({ code: 'name-taken' });
    await expect(update('Settings')).rejects.toMatchObject({ code: 'name-invalid' });
    expect((await ana.call(api.libraries.get, { params: { name: lib } })).shelf_count).toBe(1);
  });
  it('that is archived is read-only, leaves the lists, and comes back', async () => {
    const act = (action: 'archive' | 'unarchive') =>
      ana.call(api.libraries.archive, { params: { name: lib }, body: { action } });
    expect((await act('archive')).archived).toBe(true);
    await act('archive');
    expect(await namesOf(ana)).not.toContain(lib);
    expect(await namesOf(ben, 'only')).toEqual([lib]);
    await expect(uploadFiles(ben, shelf, [{ name: 'a.txt', content: 'a' }])).rejects.toMatchObject({
      code: 'archived',
    });
    const blocked = [
      ana.call(api.shelves.create, { params: { lib }, body: { name: 'New' } }),
      ana.call(api.shelves.update, { params: inShelf(), body: { name: 'New' } }),
      ana.call(api.libraries.update, { params: { name: lib }, body: { name: 'New' } }),
    ];
    for (const each of blocked) await expect(each).rejects.toMatchObject({ code: 'archived' });
    expect((await ben.call(api.documents.shelfDetail, { params: inShelf() })).documents).toEqual([]);
    await act('unarchive');
    expect(await namesOf(ana)).toContain(lib);
  });
  it('is deleted with all that is in it, and its name is free', async () => {
    await uploadFiles(ana, shelf, [{ name: 'a.txt', content: 'deleted with its library' }]);
    await ana.call(api.libraries.remove, { params: { name: lib } });
    await expect(ben.call(api.documents.shelfDetail, { params: inShelf() })).rejects.toMatchObject({
      code: 'not-found',
    });
    await expect(ana.call(api.libraries.remove, { params: { name: lib } })).rejects.toMatchObject({
      code: 'not-found',
    });
    await ana.call(api.libraries.create, { body: { name: lib } });
  });
  it('is handed over to a member, whose plan counts then', async () => {
    const to = (username: string) => ana.call(api.libraries.transfer, { params: { name: lib }, body: { username } });
    await expect(to(eve.account.username)).rejects.toMatchObject({ code: 'not-found' });
    await expect(to(ben.account.username)).rejects.toMatchObject({
      code: 'plan-limit-reached',
      details: { limit: 'max_libraries', max: 1, used: 1 },
    });
    const rich = await createAccount(server.url);
    addMember(server, shelf.id, rich.account.username, 'viewer');
    await rich.call(api.libraries.remove, { params: { name: rich.account.library } });
    await to(rich.account.username);
    const { members } = await rich.call(api.shelves.update, { params: inShelf(), body: { name: 'Mine' } });
    expect(new Map(members.map(({ username, role }) => [username, role]))).toEqual(
      new Map([
        [ana.account.username, 'editor'],
        [ben.account.username, 'editor'],
        [rich.account.username, 'owner'],
      ]),
    );
  });
  it('tells its owner how many shelves fit', async () => {
    const counts = (client: Client) => client.call(api.libraries.shelfCount, { params: { name: lib } });
    expect(await counts(ana)).toMatchObject({ count: 1, max_shelves: null });
    expect(await counts(ben)).toEqual({ count: 1, used: null, max_shelves: null });
  });
});

describe('a shelf', () => {
  it('is renamed, and its name is the only one of its kind in the library', async () => {
    await ana.call(api.shelves.create, { params: { lib }, body: { name: 'Other' } });
    const update = (name: string) => ana.call(api.shelves.update, { params: inShelf(), body: { name } });
    await expect(update('OTHER')).rejects.toMatchObject({ code: 'name-taken' });
    expect(await update('contracts')).toMatchObject({ name: 'contracts', library: lib });
  });
  it('that is archived is read-only, and hidden unless it is asked for', async () => {
    const shelves = async (archived: 'exclude' | 'only') =>
      (await ben.call(api.shelves.list, { params: { lib }, query: { archived } })).shelves.length;
    await ana.call(api.shelves.archive, { params: inShelf(), body: { action: 'archive' } });
    expect([await shelves('exclude'), await shelves('only')]).toEqual([0, 1]);
    await expect(uploadFiles(ana, shelf, [{ name: 'a.txt', content: 'a' }])).rejects.toMatchObject({
      code: 'archived',
    });
    await ana.call(api.shelves.archive, { params: inShelf(), body: { action: 'unarchive' } });
    expect(await uploadFiles(ana, shelf, [{ name: 'a.txt', content: 'a' }])).not.toBeNull();
  });
  it('goes to the trash with its documents, and comes back with the first that is restored', async () => {
    await uploadFiles(ben, shelf, [
      { name: 'a.txt', content: 'kept in the trash' },
      { name: 'b.txt', content: 'kept too' },
    ]);
    await ana.call(api.shelves.remove, { params: inShelf() });
    await expect(ben.call(api.documents.shelfInfo, { params: inShelf() })).rejects.toMatchObject({ code: 'not-found' });
    await ana.call(api.shelves.create, { params: { lib }, body: { name: shelf.name } });
    const trash = await ana.call(api.trash.list, { query: { library: lib, sort: 'name', order: 'asc' } });
    expect(trash.documents.map(({ name, shelf_deleted }) => [name, shelf_deleted])).toEqual([
      ['a.txt', true],
      ['b.txt', true],
    ]);
    expect((await ben.call(api.trash.list, { query: { library: lib } })).count).toBe(0);
    await ana.call(api.trash.restore, { params: { id: trash.documents[0]?.id ?? '' }, body: {} });
    const back = await ben.call(api.documents.shelfDetail, { params: inShelf() });
    expect(back.shelf).toMatchObject({ name: `${shelf.name} (restored)`, document_count: 1 });
    expect(back.documents.map(({ name }) => name)).toEqual(['a.txt']);
    expect((await ben.call(api.trash.list, { query: { library: lib } })).documents[0]).toMatchObject({
      name: 'b.txt',
      shelf_deleted: false,
    });
  });
});

describe('names of libraries and shelves, checked for availability before use (web-and-phone.md §5)', () => {
  it('are taken in every Unicode form and case of them', async () => {
    const taken = `R\u00e9sum\u00e9 ${lib}`;
    await ana.call(api.libraries.create, { body: { name: taken } });
    await ana.call(api.shelves.create, { params: { lib: taken }, body: { name: '\u00c9tag\u00e8re' } });
    const library = (name: string) => ben.call(api.libraries.checkName, { query: { name } });
    const named = (name: string) => ana.call(api.shelves.checkName, { params: { lib: taken }, query: { name } });
    for (const form of [taken, taken.normalize('NFD'), taken.toUpperCase()]) {
      expect(await library(form)).toMatchObject({ available: false });
    }
    for (const form of ['\u00c9tag\u00e8re', 'E\u0301TAGE\u0300RE']) {
      expect(await named(form)).toMatchObject({ available: false });
    }
    expect(await library(`Resume ${lib}`)).toEqual({ available: true, problem: null });
    expect(await named('Etagere')).toEqual({ available: true, problem: null });
    expect(await library('what?')).toEqual({ available: false, problem: 'forbidden-character' });
  });
});

describe('what only the owner may', () => {
  const calls = [
    [
      'rename the library',
      (by: Client) => by.call(api.libraries.update, { params: { name: lib }, body: { name: 'X' } }),
    ],
    ['delete the library', (by: Client) => by.call(api.libraries.remove, { params: { name: lib } })],
    [
      'archive the library',
      (by: Client) => by.call(api.libraries.archive, { params: { name: lib }, body: { action: 'archive' } }),
    ],
    [
      'hand the library over',
      (by: Client) => by.call(api.libraries.transfer, { params: { name: lib }, body: { username: 'x' } }),
    ],
    ['make a shelf', (by: Client) => by.call(api.shelves.create, { params: { lib }, body: { name: 'X' } })],
    ['rename the shelf', (by: Client) => by.call(api.shelves.update, { params: inShelf(), body: { name: 'X' } })],
    ['delete the shelf', (by: Client) => by.call(api.shelves.remove, { params: inShelf() })],
    [
      'archive the shelf',
      (by: Client) => by.call(api.shelves.archive, { params: inShelf(), body: { action: 'archive' } }),
    ],
  ] as const;
  it.each(calls)('%s: an editor may not, and for a stranger it is not there', async (_what, act) => {
    await expect(act(ben)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(act(eve)).rejects.toMatchObject({ code: 'not-found' });
  });
});
