import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../../src/shared/api/index.ts';
import { isAppError } from '../../../src/shared/errors.ts';
import type { Shelf } from '../../../src/shared/model/library.ts';
import { addMember } from '../../helpers/members.ts';
import { createAccount, startTestServer, type TestServer, uploadFiles } from '../../helpers/server.ts';
import { type Computer, type Kept, makeShelf, openComputer } from './workspaceFixture.ts';

let server: TestServer;
/** Of whom are most computers here: the server takes few sign-ups from one address. */
let ana: Computer['client'];
let bo: Computer['client'];
let computers: Computer[] = [];

beforeAll(async () => {
  server = await startTestServer();
  ana = await createAccount(server.url, undefined, { source: 'electron' });
  bo = await createAccount(server.url, undefined, { source: 'electron' });
});
afterAll(() => server.close());
afterEach(async () => {
  for (const computer of computers) await computer.close();
  computers = [];
});

async function computer(options: Partial<Parameters<typeof openComputer>[1]> = {}): Promise<Computer> {
  const made = await openComputer(server.url, { client: ana, ...options });
  computers.push(made);
  return made;
}

/** A computer with a kept shelf that holds these. */
async function kept(files: Record<string, string>): Promise<{ here: Computer; shelf: Shelf; copy: Kept }> {
  const here = await computer();
  const shelf = await makeShelf(here);
  await commitThere(here, shelf, files);
  return { here, shelf, copy: await here.keep(shelf) };
}

/** Commits past the workspace, as the web application does. */
async function commitThere({ client }: Computer, shelf: Shelf, files: Record<string, string>): Promise<void> {
  await uploadFiles(
    client,
    shelf,
    Object.entries(files).map(([name, content]) => ({ name, content })),
    'from elsewhere',
  );
}

async function documentsOf({ client }: Computer, shelf: Shelf) {
  const { documents } = await client.call(api.documents.latest, { params: { lib: shelf.library, id: shelf.id } });
  return documents;
}

async function deleteThere(who: Computer, shelf: Shelf, name: string): Promise<void> {
  const id = (await documentsOf(who, shelf)).find((document) => document.name === name)?.id ?? '';
  await who.client.call(api.documents.remove, { params: { id }, body: {} });
}

async function codeOf(work: Promise<unknown>): Promise<string | null> {
  try {
    await work;
    return null;
  } catch (error) {
    if (!isAppError(error)) throw error;
    return error.code;
  }
}

/** Does something as somebody for whom folders can be closed; root may read every one. */
async function asNobody(home: string, work: () => Promise<void>): Promise<void> {
  if (process.getuid?.() !== 0) return work();
  const nobody = 65_534;
  await chown(home, nobody, nobody);
  for (const entry of await readdir(home, { recursive: true })) await chown(join(home, entry), nobody, nobody);
  process.seteuid?.(nobody);
  try {
    await work();
  } finally {
    process.seteuid?.(0);
  }
}

describe('a shelf that is kept on this computer', () => {
  it('comes with its folders, in the time of its versions, and stays in step with the shelf', async () => {
    const { here, shelf, copy } = await kept({ 'lease.txt': 'the first\n', 'plans/ground floor.txt': 'a kitchen\n' });
    expect(copy.folder).toBe(join(here.home, shelf.library, shelf.name));
    expect(await copy.contents()).toEqual({ 'lease.txt': 'the first\n', 'plans/ground floor.txt': 'a kitchen\n' });
    expect(copy.state()).toMatchObject({
      state: 'ready',
      is_writable: true,
      counts: { UC: 2, A: 0, M: 0, D: 0, C: 0 },
    });
    const [lease] = await documentsOf(here, shelf);
    expect((await stat(copy.path('lease.txt'))).mtime.toISOString()).toBe(lease?.updated_at);

    await commitThere(here, shelf, { 'lease.txt': 'the second\n', 'new.txt': 'new\n' });
    await deleteThere(here, shelf, 'plans/ground floor.txt');
    expect(await copy.codes()).toEqual({});
    expect(await copy.contents()).toEqual({ 'lease.txt': 'the second\n', 'new.txt': 'new\n' });
    expect(existsSync(copy.path('plans'))).toBe(false);
  });

  it('shows what was done here, and commits what was chosen of it', async () => {
    const { here, shelf, copy } = await kept({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' });
    await copy.write('a.txt', 'a, edited\n');
    await rm(copy.path('b.txt'));
    await copy.write('d/e.txt', 'new\n');
    await copy.write('c.txt', 'c, edited\n');
    expect(await copy.codes()).toEqual({ 'a.txt': 'M', 'b.txt': 'D', 'c.txt': 'M', 'd/e.txt': 'A' });
    expect(copy.document('a.txt')).toMatchObject({
      current_version: 2,
      remoteVersionNumber: 1,
      conflictStatus: 'none',
    });
    expect(copy.document('d/e.txt')).toMatchObject({ remoteVersionNumber: null });

    const hash = await copy.commit(['a.txt', 'b.txt', 'd/e.txt'], 'Three of four');
    const { commits } = await here.client.call(api.documents.commits, {
      params: { lib: shelf.library, id: shelf.id },
      query: {},
    });
    expect(commits[0]).toMatchObject({ hash, message: 'Three of four' });
    expect(commits[0]?.changes.map(({ code, name }) => [code, name]).sort()).toEqual([
      ['A', 'd/e.txt'],
      ['D', 'b.txt'],
      ['M', 'a.txt'],
    ]);
    expect(await copy.codes()).toEqual({ 'c.txt': 'M' });
    expect((await documentsOf(here, shelf)).map(({ name, current_version }) => [name, current_version])).toEqual([
      ['a.txt', 2],
      ['c.txt', 1],
      ['d/e.txt', 1],
    ]);
  });

  it('takes documents to their new names with their history, in the one commit', async () => {
    const { here, shelf, copy } = await kept({ 'a.txt': 'a\n', 'deep/b.txt': 'b\n', 'c.txt': 'c\n' });
    const before = new Map((await documentsOf(here, shelf)).map(({ name, id }) => [name, id]));
    await rename(copy.path('deep'), copy.path('shallow'));
    await rename(copy.path('a.txt'), copy.path('z.txt'));
    await copy.write('c.txt', 'edited\n');
    expect(await copy.codes()).toEqual({
      'a.txt': 'D',
      'z.txt': 'A',
      'deep/b.txt': 'D',
      'shallow/b.txt': 'A',
      'c.txt': 'M',
    });
    await copy.commit(['a.txt', 'z.txt', 'deep/b.txt', 'shallow/b.txt', 'c.txt']);
    expect(await copy.codes()).toEqual({});
    const after = new Map((await documentsOf(here, shelf)).map(({ name, id }) => [name, id]));
    expect(after).toEqual(
      new Map([
        ['c.txt', before.get('c.txt')],
        ['shallow/b.txt', before.get('deep/b.txt')],
        ['z.txt', before.get('a.txt')],
      ]),
    );
    const { commits } = await here.client.call(api.documents.commits, {
      params: { lib: shelf.library, id: shelf.id },
      query: {},
    });
    expect(commits).toHaveLength(2);
  });

  it('follows the renames of others', async () => {
    const { here, shelf, copy } = await kept({ 'a.txt': 'a\n' });
    const [document] = await documentsOf(here, shelf);
    await here.client.call(api.documents.rename, { params: { id: document?.id ?? '' }, body: { name: 'there/z.txt' } });
    expect(await copy.codes()).toEqual({});
    expect(await copy.contents()).toEqual({ 'there/z.txt': 'a\n' });
  });

  it('goes on under new names of shelf and library, and where its folder is called otherwise', async () => {
    const here = await computer();
    const library = await here.client.call(api.libraries.create, { body: { name: `Old ${ana.account.library}` } });
    const shelf = await here.client.call(api.shelves.create, {
      params: { lib: library.name },
      body: { name: 'Leases' },
    });
    await commitThere(here, shelf, { 'a.txt': 'a\n' });
    const copy = await here.keep(shelf);
    const body = { name: `New ${ana.account.library}` };
    await here.client.call(api.libraries.update, { params: { name: library.name }, body });
    const [renamed] = (await here.client.call(api.libraries.listWithShelves, { query: {} })).libraries.flatMap(
      ({ shelves }) => shelves.filter(({ id }) => id === shelf.id),
    );
    if (renamed === undefined) throw new Error('the shelf has gone');
    await commitThere(here, renamed, { 'a.txt': 'a, edited\n' });
    expect(await copy.codes()).toEqual({});
    expect(copy.state()).toMatchObject({ state: 'ready', library: `New ${ana.account.library}` });
    expect(await copy.read('a.txt')).toBe('a, edited\n');

    await rename(copy.folder, join(here.home, 'Elsewhere'));
    await here.workspace.sync();
    expect(here.workspace.checkouts()).toMatchObject([
      { folder: join(here.home, 'Elsewhere'), shelf_id: shelf.id, state: 'ready' },
    ]);
  });

  it('takes files up that were in its folder before: what is the same is in step, what is not is a conflict', async () => {
    const here = await computer();
    const shelf = await makeShelf(here);
    await commitThere(here, shelf, { 'same.txt': 'same\n', 'other.txt': 'theirs\n' });
    const folder = join(here.home, shelf.library, shelf.name);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'same.txt'), 'same\n');
    await writeFile(join(folder, 'other.txt'), 'mine\n');
    await writeFile(join(folder, 'extra.txt'), 'extra\n');
    const copy = await here.keep(shelf);
    expect(copy.folder).toBe(folder);
    expect(await copy.codes()).toEqual({ 'other.txt': 'C', 'extra.txt': 'A' });
    expect(await copy.contents()).toEqual({ 'same.txt': 'same\n', 'other.txt': 'mine\n', 'extra.txt': 'extra\n' });
  });

  it('is a folder like others again when it is given up', async () => {
    const { here, shelf, copy } = await kept({ 'a.txt': 'a\n' });
    await here.workspace.release(copy.folder);
    expect(here.workspace.checkouts()).toEqual([]);
    expect(await readdir(copy.folder)).toEqual(['a.txt']);
    await commitThere(here, shelf, { 'a.txt': 'later\n' });
    await here.workspace.sync();
    expect(await copy.read('a.txt')).toBe('a\n');
  });
});

describe('a conflict (web-and-phone.md §4)', () => {
  async function conflicted() {
    const made = await kept({ 'a.txt': 'first\n' });
    await made.copy.write('a.txt', 'mine\n');
    await commitThere(made.here, made.shelf, { 'a.txt': 'theirs\n' });
    expect(await made.copy.codes()).toEqual({ 'a.txt': 'C' });
    expect(await made.copy.read('a.txt')).toBe('mine\n');
    const found = made.copy.document('a.txt');
    expect(found).toMatchObject({ conflictStatus: 'conflict', remoteVersionNumber: 2 });
    expect(found?.conflictVersionNumber).toBe(found?.current_version);
    expect(await codeOf(made.copy.commit(['a.txt']))).toBe('conflict');
    return { ...made, checkout: made.here.workspace.at(made.copy.folder) };
  }

  it('keeps mine as a version on top of theirs', async () => {
    const { here, shelf, copy, checkout } = await conflicted();
    await checkout.resolve('a.txt', 'keep-mine');
    expect(await copy.codes()).toEqual({ 'a.txt': 'M' });
    await copy.commit(['a.txt']);
    expect(await documentsOf(here, shelf)).toMatchObject([{ name: 'a.txt', current_version: 3 }]);
    expect(await copy.read('a.txt')).toBe('mine\n');
  });

  it('keeps theirs once the copy is in the trash, and not sooner', async () => {
    const { copy, checkout } = await conflicted();
    expect(await codeOf(checkout.resolve('a.txt', 'keep-theirs'))).toBe('conflict');
    expect(await copy.read('a.txt')).toBe('mine\n');
    expect(await checkout.copies(['a.txt'])).toEqual([copy.path('a.txt')]);
    await rm(copy.path('a.txt'));
    await checkout.resolve('a.txt', 'keep-theirs');
    expect(await copy.codes()).toEqual({});
    expect(await copy.read('a.txt')).toBe('theirs\n');
  });

  it('keeps both: the copy gets a name that says who and when', async () => {
    const { here, copy, checkout } = await conflicted();
    await checkout.resolve('a.txt', 'keep-both');
    const [[name, code] = ['', '']] = Object.entries(await copy.codes());
    expect(name).toContain(`a (${here.client.account.username} `);
    expect(code).toBe('A');
    expect(await copy.read(name)).toBe('mine\n');
    expect(await copy.read('a.txt')).toBe('theirs\n');
  });

  it('is one too between a deletion and an edit, and what was deleted there can be put back', async () => {
    const { here, shelf, copy } = await kept({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    await rm(copy.path('a.txt'));
    await commitThere(here, shelf, { 'a.txt': 'a, edited there\n' });
    await copy.write('b.txt', 'b, edited here\n');
    await deleteThere(here, shelf, 'b.txt');
    expect(await copy.codes()).toEqual({ 'a.txt': 'C', 'b.txt': 'A' });
    expect(copy.document('b.txt')).toMatchObject({ deleted_there: true });
    await copy.commit(['b.txt']);
    expect(await copy.codes()).toEqual({ 'a.txt': 'C' });
    await here.workspace.at(copy.folder).resolve('a.txt', 'keep-mine');
    expect(await copy.codes()).toEqual({ 'a.txt': 'D' });
  });

  it('stops a commit as a whole: nothing of it is on the shelf', async () => {
    const { here, shelf, copy } = await kept({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    await copy.write('a.txt', 'mine\n');
    await copy.write('b.txt', 'mine too\n');
    await copy.codes();
    await commitThere(here, shelf, { 'a.txt': 'theirs\n' });
    expect(await codeOf(copy.commit(['a.txt', 'b.txt']))).toBe('conflict');
    expect(await copy.codes()).toEqual({ 'a.txt': 'C', 'b.txt': 'M' });
    expect((await documentsOf(here, shelf)).find(({ name }) => name === 'b.txt')?.current_version).toBe(1);
  });
});

describe('changes that are taken back', () => {
  it('come as the versions of the shelf once the copies are in the trash', async () => {
    const { here, copy } = await kept({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    await copy.write('a.txt', 'edited\n');
    await rm(copy.path('b.txt'));
    await copy.write('c.txt', 'new\n');
    await copy.codes();
    const checkout = here.workspace.at(copy.folder);
    const names = ['a.txt', 'b.txt', 'c.txt'];
    for (const path of await checkout.copies(names)) await rm(path);
    await checkout.restore(names);
    expect(await copy.codes()).toEqual({});
    expect(await copy.contents()).toEqual({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
  });
});

describe('without the server', () => {
  it('work goes on, and is caught up with later, also after a restart', async () => {
    const { here, shelf, copy } = await kept({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    await here.link(null);
    await copy.write('a.txt', 'edited\n');
    expect(await copy.codes()).toEqual({ 'a.txt': 'M' });
    expect(copy.state()).toMatchObject({ state: 'offline' });
    expect(await codeOf(copy.commit(['a.txt']))).toBe('unauthenticated');
    await commitThere(here, shelf, { 'b.txt': 'theirs\n' });

    await here.workspace.close();
    const again = await computer({ client: here.client, home: here.home });
    const back = await again.keep(shelf);
    expect(await back.codes()).toEqual({ 'a.txt': 'M' });
    expect(await back.contents()).toEqual({ 'a.txt': 'edited\n', 'b.txt': 'theirs\n' });
  });

  it('a checkout of another server is left alone', async () => {
    const { here, shelf, copy } = await kept({ 'a.txt': 'a\n' });
    await commitThere(here, shelf, { 'a.txt': 'later\n' });
    await here.link(server.url, 'another');
    expect(await copy.codes()).toEqual({});
    expect(copy.state()).toMatchObject({ state: 'elsewhere' });
    expect(await copy.read('a.txt')).toBe('a\n');
  });

  it('a shelf that is gone leaves its copies', async () => {
    const { here, shelf, copy } = await kept({ 'a.txt': 'a\n' });
    await copy.write('b.txt', 'new\n');
    await here.client.call(api.shelves.remove, { params: { lib: shelf.library, id: shelf.id } });
    expect(await copy.codes()).toEqual({ 'b.txt': 'A' });
    expect(copy.state()).toMatchObject({ state: 'gone' });
    expect(await copy.contents()).toEqual({ 'a.txt': 'a\n', 'b.txt': 'new\n' });
  });
});

describe('the rights of others', () => {
  it('a viewer gets what is there and commits nothing', async () => {
    const owner = await computer();
    const shelf = await makeShelf(owner);
    await commitThere(owner, shelf, { 'a.txt': 'a\n' });
    const viewer = await computer({ client: bo });
    addMember(server, shelf.id, viewer.client.account.username, 'viewer');
    const copy = await viewer.keep(shelf);
    await copy.write('a.txt', 'edited\n');
    expect(await copy.codes()).toEqual({ 'a.txt': 'M' });
    expect(copy.state()).toMatchObject({ is_writable: false });
    expect(await codeOf(copy.commit(['a.txt']))).toBe('archived');
  });

  it('says who has a document locked, and the server refuses its commit', async () => {
    const owner = await computer();
    const shelf = await makeShelf(owner);
    await commitThere(owner, shelf, { 'a.txt': 'a\n' });
    const editor = await computer({ client: bo });
    addMember(server, shelf.id, editor.client.account.username, 'editor');
    const copy = await editor.keep(shelf);
    const [document] = await documentsOf(owner, shelf);
    await owner.client.call(api.documents.lock, { params: { id: document?.id ?? '' }, body: {} });
    await copy.write('a.txt', 'edited\n');
    expect(await copy.codes()).toEqual({ 'a.txt': 'M' });
    expect(copy.document('a.txt')?.locked_by).toBe(owner.client.account.username);
    expect(await codeOf(copy.commit(['a.txt']))).toBe('locked');
    expect(await copy.read('a.txt')).toBe('edited\n');
  });
});

describe('what is no document', () => {
  it('is listed with its reason, and is never committed', async () => {
    const { here, copy } = await kept({ 'a.txt': 'a\n' });
    await copy.write('what?.txt', 'a name that not every system takes\n');
    await copy.write('A.TXT', 'a twin\n');
    await symlink('/etc/passwd', copy.path('link.txt'));
    await copy.write('.armariumignore', 'scratch/\n');
    await copy.write('scratch/notes.txt', 'left out\n');
    await copy.write('draft.tmp', 'left out\n');
    expect(await copy.codes()).toEqual({ 'what?.txt': 'U', 'A.TXT': 'U', 'link.txt': 'U' });
    expect(copy.document('what?.txt')?.reason).toBe('name');
    expect(copy.document('A.TXT')?.reason).toBe('twin');
    expect(copy.document('link.txt')?.reason).toBe('not-a-file');
    expect(await codeOf(copy.commit(['link.txt']))).toBe('conflict');
    expect(await here.workspace.at(copy.folder).copies(['A.TXT', 'link.txt'])).toEqual([]);
  });

  it('a document whose name a rule leaves out is kept in step all the same', async () => {
    const { here, shelf, copy } = await kept({ 'dump.tmp': 'one\n' });
    expect(await copy.contents()).toEqual({ 'dump.tmp': 'one\n' });
    expect(await copy.codes()).toEqual({});
    await commitThere(here, shelf, { 'dump.tmp': 'two\n' });
    expect(await copy.codes()).toEqual({});
    expect(await copy.read('dump.tmp')).toBe('two\n');
  });
});

describe('what cannot be put in its place', () => {
  it('is told of, and the others come', async () => {
    const long = `${'é'.repeat(200)}.txt`;
    const { here, shelf, copy } = await kept({ 'a.txt': 'a\n', [long]: 'longer than this system takes\n' });
    expect(await copy.codes()).toEqual({ [long]: 'T' });
    expect(copy.document(long)?.reason).toBe('unwritable');
    await copy.write('folder', 'a file where a folder is to be\n');
    await commitThere(here, shelf, { 'folder/b.txt': 'b\n', 'c.txt': 'c\n' });
    expect(await copy.codes()).toEqual({ [long]: 'T', folder: 'A', 'folder/b.txt': 'T' });
    expect(await copy.read('c.txt')).toBe('c\n');
    await rm(copy.path('folder'));
    expect(await copy.codes()).toEqual({ [long]: 'T' });
    expect(await copy.read('folder/b.txt')).toBe('b\n');
  });
});

describe('nothing is lost', () => {
  it('a version does not follow a symbolic link out of the checkout', async () => {
    const { here, shelf, copy } = await kept({ 'a.txt': 'a\n' });
    const outside = join(here.home, 'outside');
    await mkdir(outside);
    await symlink(outside, copy.path('folder'));
    await commitThere(here, shelf, { 'folder/b.txt': 'b\n' });
    expect(await copy.codes()).toMatchObject({ 'folder/b.txt': 'T' });
    expect(copy.document('folder/b.txt')?.reason).toBe('unwritable');
    expect(await readdir(outside)).toEqual([]);
  });

  it('a checkout whose knowledge was damaged compares contents instead', async () => {
    const { here, shelf, copy } = await kept({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    await copy.write('b.txt', 'edited\n');
    await here.workspace.close();
    const known = join(copy.folder, '.armarium', 'documents.json');
    await writeFile(known, (await readFile(known, 'utf8')).slice(0, 100));
    const again = await computer({ client: here.client, home: here.home });
    const back = await again.keep(shelf);
    expect(await back.codes()).toEqual({ 'b.txt': 'C' });
    expect(await back.contents()).toEqual({ 'a.txt': 'a\n', 'b.txt': 'edited\n' });
  });

  it('a copy that was taken aside when the power went is back after the start', async () => {
    const { here, shelf, copy } = await kept({ 'deep/a.txt': 'a\n', 'b.txt': 'b\n' });
    await here.workspace.close();
    const aside = join(copy.folder, '.armarium', 'taken', 'one');
    await mkdir(join(aside, 'deep'), { recursive: true });
    await rename(copy.path('deep/a.txt'), join(aside, 'deep', 'a.txt'));
    // This one had its successor already; the version that it was is no loss.
    await writeFile(join(aside, 'b.txt'), 'b\n');
    await writeFile(join(aside, 'c.txt'), 'somebody wrote this\n');
    await writeFile(copy.path('c.txt'), 'and this\n');
    const again = await computer({ client: here.client, home: here.home });
    const back = await again.keep(shelf);
    const contents = await back.contents();
    expect(contents['deep/a.txt']).toBe('a\n');
    expect(Object.keys(contents).filter((name) => name.startsWith('b'))).toEqual(['b.txt']);
    expect(Object.values(contents).sort()).toEqual(['a\n', 'and this\n', 'b\n', 'somebody wrote this\n']);
    expect(await readdir(join(copy.folder, '.armarium'))).not.toContain('taken');
  });

  it('a folder that may not be read makes nothing look deleted', async () => {
    const { here, copy } = await kept({ 'closed/a.txt': 'a\n', 'b.txt': 'b\n' });
    await here.link(null);
    await chmod(copy.path('closed'), 0o000);
    await asNobody(here.home, async () => {
      expect(await copy.codes()).toEqual({ 'closed/a.txt': 'U', closed: 'U' });
      expect(copy.document('closed/a.txt')?.reason).toBe('unreadable');
    });
    await chmod(copy.path('closed'), 0o755);
    expect(await copy.codes()).toEqual({});
  });

  it('a folder that went away with its drive is not a shelf without documents', async () => {
    const { here, shelf, copy } = await kept({ 'a.txt': 'a\n' });
    await rename(copy.folder, `${here.home}-away`);
    await mkdir(copy.folder);
    await here.workspace.sync();
    expect(here.workspace.checkouts()).toEqual([]);
    await rm(copy.folder, { recursive: true });
    await rename(`${here.home}-away`, copy.folder);
    expect(await (await here.keep(shelf)).codes()).toEqual({});
  });
});
