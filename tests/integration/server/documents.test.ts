import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { api } from '../../../src/shared/api/index.ts';
import type { Shelf } from '../../../src/shared/model/library.ts';
import { CLIENT_IDS } from '../../../src/shared/rules/clientIds.ts';
import { addMember } from '../../helpers/members.ts';
import { createAccount, startTestServer, type TestServer, uploadFiles } from '../../helpers/server.ts';

type Client = Awaited<ReturnType<typeof createAccount>>;

let clock = Date.parse('2026-03-01T09:00:00Z');
let server: TestServer;
let ana: Client;
let ben: Client;
let vera: Client;
let eve: Client;
let shelves = 0;
let shelf: Shelf;
let id = '';
beforeAll(async () => {
  server = await startTestServer({ now: () => clock });
  [ana, ben, vera, eve] = [
    await createAccount(server.url),
    await createAccount(server.url),
    await createAccount(server.url),
    await createAccount(server.url),
  ];
});
beforeEach(async () => {
  shelves += 1;
  const lib = ana.account.library;
  shelf = await ana.call(api.shelves.create, { params: { lib }, body: { name: `Shelf ${shelves}` } });
  addMember(server, shelf.id, ben.account.username, 'editor');
  addMember(server, shelf.id, vera.account.username, 'viewer');
  const commit = await uploadFiles(ana, shelf, [{ name: 'folder/lease.txt', content: `first ${shelves}` }]);
  id = commit?.changes[0]?.document_id ?? '';
});
afterAll(() => server.close());

/** Time goes by; everybody's session is renewed, as their clients would. */
async function pass(ms: number): Promise<void> {
  clock += ms;
  for (const client of [ana, ben, vera, eve]) {
    await client.call(api.auth.refresh, { body: { client_id: CLIENT_IDS.web } });
  }
}

const at = () => ({ lib: shelf.library, id: shelf.id });
const second = () => uploadFiles(ben, shelf, [{ name: 'folder/lease.txt', content: `second ${shelves}` }], 'why');
const history = async () => (await ana.call(api.documents.history, { params: { id } })).versions;
const textOf = async (versionId: string) => (await ana.fetch(`/api/v1/version/${versionId}/content/`)).text();
const current = async () => (await ana.call(api.documents.shelfDetail, { params: at() })).documents;

describe('what changed on a shelf since a commit', () => {
  const read = () => ana.call(api.documents.shelfDetail, { params: at() });
  const changes = (since: string | undefined) =>
    ana.call(api.documents.changes, { params: { ...at(), since: since ?? '' } });

  it('brings a list that is known up to date, by whoever changed it', async () => {
    await uploadFiles(ana, shelf, [
      { name: 'stays.txt', content: 'stays' },
      { name: 'goes.txt', content: 'goes' },
    ]);
    const before = await read();
    const goes = before.documents.find(({ name }) => name === 'goes.txt')?.id ?? '';
    await second();
    await ben.call(api.documents.rename, { params: { id }, body: { name: 'new/lease.txt' } });
    await uploadFiles(ben, shelf, [{ name: 'a.txt', content: 'a' }]);
    await ben.call(api.documents.remove, { params: { id: goes }, body: { message: 'away with it' } });
    const lock = await ben.call(api.documents.lock, { params: { id }, body: {} });
    const after = await read();
    const told = await changes(before.last_commit?.hash);
    expect(told).toEqual({
      shelf: after.shelf,
      last_commit: after.last_commit,
      documents: after.documents.filter(({ name }) => name !== 'stays.txt'),
      removed: [goes],
      locks: [{ ...lock, document_id: id }],
    });
    expect(told.last_commit).toMatchObject({ message: 'away with it', author: ben.account.username });
    expect(await changes(after.last_commit?.hash)).toMatchObject({ documents: [], removed: [] });
  });
  it('cannot be told of a commit of another shelf, and not to strangers', async () => {
    const lib = ana.account.library;
    const other = await ana.call(api.shelves.create, { params: { lib }, body: { name: `Other ${shelves}` } });
    const commit = await uploadFiles(ana, other, [{ name: 'a.txt', content: 'a' }]);
    await expect(changes(commit?.hash)).rejects.toMatchObject({ code: 'gone' });
    const { last_commit } = await read();
    const asked = { params: { ...at(), since: last_commit?.hash ?? '' } };
    await expect(eve.call(api.documents.changes, asked)).rejects.toMatchObject({ code: 'not-found' });
  });
});

describe('a shelf of many documents', () => {
  it('is read in parts, by name, each after the last name that is known', async () => {
    await uploadFiles(
      ana,
      shelf,
      ['Zeta.txt', 'beta.txt', 'Alpha.txt'].map((name) => ({ name, content: name })),
    );
    const part = async (query: { readonly limit?: number; readonly after?: string }) => {
      const { documents } = await ana.call(api.documents.shelfDetail, { params: at(), query });
      return documents.map(({ name }) => name);
    };
    expect(await part({ limit: 2 })).toEqual(['Alpha.txt', 'beta.txt']);
    expect(await part({ limit: 2, after: 'BETA.txt' })).toEqual(['folder/lease.txt', 'Zeta.txt']);
    expect(await part({ after: 'Zeta.txt' })).toEqual([]);
    expect(await part({})).toEqual(['Alpha.txt', 'beta.txt', 'folder/lease.txt', 'Zeta.txt']);
    const numbered = ['page 2.txt', 'page 009.txt', 'page 09.txt', 'page 9.txt', 'page 10.txt'];
    await uploadFiles(
      ana,
      shelf,
      numbered.map((name) => ({ name, content: name })),
    );
    const parts = [];
    for (let after = 'folder/lease.txt', next = ''; next !== 'Zeta.txt'; after = next) {
      [next = 'Zeta.txt'] = await part({ limit: 1, after });
      parts.push(next);
    }
    expect(parts).toEqual([...numbered, 'Zeta.txt']);
  });
});

describe('a document', () => {
  it('tells in its history which version each change replaced', async () => {
    await second();
    const { commits } = await ana.call(api.documents.commits, { params: at(), query: {} });
    const [newest, oldest] = commits.map(({ changes }) => changes[0]);
    expect(oldest).toMatchObject({ code: 'A', previous_version_id: null, previous_size: null });
    expect(newest).toMatchObject({ code: 'M', previous_version_id: oldest?.version_id, previous_size: oldest?.size });
  });
  it('is renamed by a commit, keeps its id and history, and its old name is free', async () => {
    const { commit } = await ben.call(api.documents.rename, {
      params: { id },
      body: { name: 'archive/Lease 2020.txt', message: 'tidy' },
    });
    expect(commit.changes.map(({ code, name }) => [code, name])).toEqual([
      ['D', 'folder/lease.txt'],
      ['A', 'archive/Lease 2020.txt'],
    ]);
    expect((await history()).map(({ number, document_name }) => [number, document_name])).toEqual([
      [2, 'archive/Lease 2020.txt'],
      [1, 'folder/lease.txt'],
    ]);
    const again = await uploadFiles(ana, shelf, [{ name: 'folder/lease.txt', content: 'another' }]);
    expect(again?.changes[0]?.document_id).not.toBe(id);
    const taken = ana.call(api.documents.rename, { params: { id }, body: { name: 'FOLDER/lease.txt' } });
    await expect(taken).rejects.toMatchObject({ code: 'name-taken' });
    const invalid = ana.call(api.documents.rename, { params: { id }, body: { name: 'a//b' } });
    await expect(invalid).rejects.toMatchObject({ code: 'name-invalid' });
  });
  it('is deleted by a commit, once, unless it changed since it was seen', async () => {
    await second();
    const remove = (base_version?: number) =>
      ana.call(api.documents.remove, {
        params: { id },
        body: { message: 'out', ...(base_version === undefined ? {} : { base_version }) },
      });
    await expect(remove(1)).rejects.toMatchObject({ code: 'conflict' });
    expect((await remove(2)).commit).toMatchObject({ message: 'out', changes: [{ code: 'D' }] });
    await expect(remove()).rejects.toMatchObject({ code: 'not-found' });
    expect(await current()).toEqual([]);
  });
  it('gets an older content back as a new version', async () => {
    await second();
    const [, first] = await history();
    const restore = (body: { message?: string } = {}) =>
      ben.call(api.documents.restoreVersion, { params: { id: first?.id ?? '' }, body });
    expect((await restore()).commit).toMatchObject({
      message: 'Restore of v1',
      changes: [{ code: 'M', version_number: 3 }],
    });
    expect(await textOf((await history())[0]?.id ?? '')).toBe(`first ${shelves}`);
    await expect(restore()).rejects.toMatchObject({ code: 'conflict' });
  });
  it('names its versions', async () => {
    const [version] = await history();
    const label = (text: string | null, by: Client = ben) =>
      by.call(api.documents.label, { params: { id: version?.id ?? '' }, body: { label: text } });
    expect((await label('  signed  ')).label).toBe('signed');
    expect((await history())[0]?.label).toBe('signed');
    expect((await label(null)).label).toBeNull();
    await expect(label('x', vera)).rejects.toMatchObject({ code: 'forbidden' });
  });
  it('that is checked out refuses the changes of others, with who and since, until its time is over', async () => {
    const lock = await ben.call(api.documents.lock, { params: { id }, body: { hours: 1 } });
    expect(lock).toMatchObject({ by: ben.account.username, since: new Date(clock).toISOString() });
    const refused = { code: 'locked', details: { by: ben.account.username, name: 'folder/lease.txt' } };
    const change = () => uploadFiles(ana, shelf, [{ name: 'folder/lease.txt', content: `mine ${clock}` }]);
    await expect(change()).rejects.toMatchObject(refused);
    await expect(ana.call(api.documents.remove, { params: { id }, body: {} })).rejects.toMatchObject(refused);
    await expect(ana.call(api.documents.lock, { params: { id }, body: {} })).rejects.toMatchObject(refused);
    expect((await current())[0]?.lock).toMatchObject({ by: ben.account.username });
    expect(await second()).not.toBeNull();
    await pass(3600_001);
    expect(await change()).not.toBeNull();
    expect((await current())[0]?.lock).toBeNull();
  });
  it('is given back by who has it, or taken from them by the owner', async () => {
    const unlock = (by: Client) => by.call(api.documents.unlock, { params: { id } });
    await ana.call(api.documents.lock, { params: { id }, body: {} });
    await expect(unlock(ben))
      .resolves.toBeDefined()
      .catch(() => undefined);
    await expect(unlock(vera)).rejects.toMatchObject({ code: 'locked' });
    await unlock(ana);
    await ben.call(api.documents.lock, { params: { id }, body: {} });
    await unlock(ana);
    await unlock(ana);
    expect((await current())[0]?.lock).toBeNull();
  });
  it('is read by an address that needs no sign-in, for two minutes', async () => {
    const [version] = await history();
    const { url } = await vera.call(api.documents.contentUrl, { params: { id: version?.id ?? '' }, query: {} });
    const read = (path: string) => fetch(server.url + path);
    expect(await (await read(url)).text()).toBe(`first ${shelves}`);
    expect((await read(url.replace(version?.id ?? '', id))).status).toBe(403);
    await pass(120_001);
    expect((await read(url)).status).toBe(403);
  });
});

describe('a copy of the shelf', () => {
  it('is compared with what stands there, and with the newest commit', async () => {
    const commit = await second();
    const [version] = await history();
    const state = { id, name: 'folder/lease.txt', current_version: 2, current_version_id: version?.id, lock: null };
    expect((await vera.call(api.documents.versionInfo, { params: at() })).documents).toMatchObject([state]);
    const latest = await vera.call(api.documents.latest, { params: at() });
    expect(latest.commit).toEqual(commit);
    expect(latest.documents).toMatchObject([state]);
  });
});

describe('rights on single documents', () => {
  const calls = [
    ['delete', (by: Client) => by.call(api.documents.remove, { params: { id }, body: {} })],
    ['rename', (by: Client) => by.call(api.documents.rename, { params: { id }, body: { name: 'x' } })],
    ['lock', (by: Client) => by.call(api.documents.lock, { params: { id }, body: {} })],
    [
      'restore a version',
      async (by: Client) =>
        by.call(api.documents.restoreVersion, { params: { id: (await history())[0]?.id ?? '' }, body: {} }),
    ],
  ] as const;
  it.each(calls)('%s: not a viewer, not a stranger, not on an archived shelf', async (_what, act) => {
    await expect(act(vera)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(act(eve)).rejects.toMatchObject({ code: 'not-found' });
    await ana.call(api.shelves.archive, { params: at(), body: { action: 'archive' } });
    await expect(act(ana)).rejects.toMatchObject({ code: 'archived' });
  });
});

describe('the trash', () => {
  const remove = (by: Client = ana) => by.call(api.documents.remove, { params: { id }, body: {} });
  const list = (by: Client, query: Record<string, never> | { name: string } = {}) => by.call(api.trash.list, { query });

  it('says where a document was, who deleted it and when, and how long it stays', async () => {
    await second();
    await remove(ben);
    const { documents } = await list(ana, { name: 'LEASE' });
    expect(documents.find((each) => each.id === id)).toMatchObject({
      name: 'folder/lease.txt',
      library: shelf.library,
      shelf: shelf.name,
      deleted_by: ben.account.username,
      deleted_at: new Date(clock).toISOString(),
      expires_at: new Date(clock + 30 * 24 * 3600_000).toISOString(),
      version_count: 2,
    });
    expect((await list(vera)).documents.find((each) => each.id === id)).toMatchObject({ can_restore: false });
    expect((await list(eve)).count).toBe(0);
    expect((await list(ana, { name: 'no%such' })).count).toBe(0);
  });
  it('gives a document back with its whole history', async () => {
    await second();
    await remove();
    const restore = (by: Client) => by.call(api.trash.restore, { params: { id }, body: {} });
    await expect(restore(vera)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(restore(eve)).rejects.toMatchObject({ code: 'not-found' });
    expect((await restore(ben)).commit.changes[0]).toMatchObject({ code: 'A', version_number: 3 });
    await expect(restore(ben)).rejects.toMatchObject({ code: 'not-found' });
    expect((await history()).map(({ number }) => number)).toEqual([3, 2, 1]);
    expect((await current())[0]).toMatchObject({ id, current_version: 3 });
  });
  it('offers another name where the name is taken', async () => {
    await remove();
    await uploadFiles(ana, shelf, [{ name: 'folder/lease.txt', content: 'in its place' }]);
    const restore = (body: { name?: string }) => ana.call(api.trash.restore, { params: { id }, body });
    await expect(restore({})).rejects.toMatchObject({ code: 'name-taken' });
    await restore({ name: 'folder/lease (old).txt' });
    expect((await current()).map(({ name }) => name).sort()).toEqual(['folder/lease (old).txt', 'folder/lease.txt']);
  });
  it('deletes for good, by the owner alone, and reports on each of many', async () => {
    await remove();
    await expect(ben.call(api.trash.remove, { params: { id } })).rejects.toMatchObject({ code: 'forbidden' });
    const ids = [id, '00000000-0000-4000-8000-000000000000'];
    const { outcomes } = await ana.call(api.trash.removeMany, { body: { ids } });
    expect(outcomes.map(({ code }) => code)).toEqual([null, 'not-found']);
    await expect(ana.call(api.documents.history, { params: { id } })).rejects.toMatchObject({ code: 'not-found' });
    const [, commit] = (await ana.call(api.documents.commits, { params: at(), query: {} })).commits;
    expect(commit?.changes[0]).toMatchObject({ code: 'A', version_number: 1, size: 7 + String(shelves).length - 1 });
  });
  it('restores many', async () => {
    const more = await uploadFiles(ana, shelf, [{ name: 'b.txt', content: 'b' }]);
    const other = more?.changes[0]?.document_id ?? '';
    await remove();
    await ana.call(api.documents.remove, { params: { id: other }, body: {} });
    const { outcomes } = await ana.call(api.trash.restoreMany, { body: { ids: [id, other] } });
    expect(outcomes.every(({ code }) => code === null)).toBe(true);
    expect((await current()).length).toBe(2);
  });
});
