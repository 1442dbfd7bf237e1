import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { strToU8, zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../../src/shared/api/index.ts';
import { TRANSFER_ROUTES } from '../../../src/shared/api/transfer.ts';
import type { Shelf } from '../../../src/shared/model/library.ts';
import { armarium } from '../../helpers/commandLine.ts';
import { addMember } from '../../helpers/members.ts';
import { createAccount, startTestServer, type TestServer, uploadFiles } from '../../helpers/server.ts';

type Person = Awaited<ReturnType<typeof createAccount>>;

let folder = '';
let server: TestServer;
let ana: Person;
let ben: Person;
let shelf: Shelf;
let library = '';

const idOf = async (on: Shelf, name: string, who = ana) => {
  const { documents } = await who.call(api.documents.shelfDetail, { params: { lib: on.library, id: on.id } });
  return documents.find((each) => each.name === name)?.id ?? '';
};
const command = (...args: string[]) => armarium([...args, '--data', server.dataDir]);

/** The lines of a report. */
const linesOf = (output: string) =>
  output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'armarium-transfer-'));
  server = await startTestServer();
  ana = await createAccount(server.url);
  ben = await createAccount(server.url);
  library = ana.account.library;
  shelf = await ana.call(api.shelves.create, { params: { lib: library }, body: { name: 'Contracts' } });
  await ana.call(api.shelves.create, { params: { lib: library }, body: { name: 'Nothing' } });
  addMember(server, shelf.id, ben.account.username, 'editor');
  await uploadFiles(
    ana,
    shelf,
    [
      { name: 'lease.txt', content: 'first' },
      { name: '2024/rent.txt', content: 'rent' },
      { name: 'gone.txt', content: 'gone' },
    ],
    'begin',
  );
  await uploadFiles(ben, shelf, [{ name: 'lease.txt', content: 'second' }], 'ben was here');
  const lease = await idOf(shelf, 'lease.txt');
  const { versions } = await ana.call(api.documents.history, { params: { id: lease } });
  const first = versions.find(({ number }) => number === 1)?.id ?? '';
  await ana.call(api.documents.label, { params: { id: first }, body: { label: 'Signed' } });
  await ana.call(api.documents.rename, { params: { id: lease }, body: { name: 'contract.txt' } });
  await ana.call(api.documents.remove, { params: { id: await idOf(shelf, 'gone.txt') } });
  const params = { lib: library, id: shelf.id };
  const body = { document_id: lease, version_id: first, comment: 'why monthly?' };
  const { id } = await ben.call(api.comments.create, { params, body });
  await ana.call(api.comments.create, { params, body: { document_id: lease, comment: 'so', parent_id: id } });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

/** What people see of a shelf, without what is new in a copy: ids and the names of commits. */
async function contentOf(on: Shelf, who = ana) {
  const params = { lib: on.library, id: on.id };
  const { commits } = await who.call(api.documents.commits, { params });
  const { documents } = await who.call(api.documents.shelfDetail, { params });
  const { comments } = await who.call(api.comments.list, { params });
  const histories = await Promise.all(
    documents.map(async ({ id, name }) => {
      const { versions } = await who.call(api.documents.history, { params: { id } });
      return [
        name,
        versions.map(({ number, label, sha256, created_at, author }) => [number, label, sha256, created_at, author]),
      ];
    }),
  );
  return {
    commits: commits.map(({ message, author, created_at, changes }) => [
      message,
      author,
      created_at,
      changes.map(({ code, name }) => `${code} ${name}`),
    ]),
    histories: histories.sort(),
    comments: comments.map(({ comment, author, created_at }) => [comment, author?.username, created_at]),
  };
}

async function importedShelf(lib: string, name: string, who: Person): Promise<Shelf> {
  const { shelves } = await who.call(api.shelves.list, { params: { lib } });
  const found = shelves.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no shelf ${name}`);
  return found;
}

describe('a library that is exported', () => {
  it('is plain files: what is there now under its name, every content, and the history as JSON', async () => {
    const to = join(folder, 'export');
    const { code, output } = await command('export', '--library', library, '--to', to);
    expect([code, output]).toEqual([0, expect.stringContaining('2 shelves with 4 contents')]);
    const current = join(to, 'shelves', 'Contracts', 'current');
    expect(await readFile(join(current, 'contract.txt'), 'utf8')).toBe('second');
    expect(await readFile(join(current, '2024', 'rent.txt'), 'utf8')).toBe('rent');
    await expect(readFile(join(current, 'gone.txt'))).rejects.toThrow('ENOENT');
    const history = JSON.parse(await readFile(join(to, 'shelves', 'Contracts', 'history.json'), 'utf8'));
    expect(history.commits).toHaveLength(4);
    expect((await command('export', '--library', library, '--to', to)).output).toContain(', 2 files new');
  });
  it('is refused without a library of that name, and into a folder with something else', async () => {
    expect(await command('export', '--library', 'No such', '--to', join(folder, 'x'))).toMatchObject({
      code: 1,
      output: expect.stringContaining('no library No such'),
    });
    const mine = join(folder, 'mine');
    await mkdir(mine);
    await writeFile(join(mine, 'letter.txt'), 'mine');
    expect((await command('export', '--library', library, '--to', mine)).output).toContain('not empty');
    expect(await readFile(join(mine, 'letter.txt'), 'utf8')).toBe('mine');
  });
  it('comes back whole as another library, with versions, messages, comments, labels, people and times', async () => {
    const { code, output } = await command(
      'import',
      '--from',
      join(folder, 'export'),
      '--as',
      'Again',
      '--owner',
      ana.account.email,
    );
    expect([code, output]).toEqual([0, expect.stringContaining('2 shelves, 3 documents, 5 versions, 4 commits')]);
    const again = await importedShelf('Again', 'Contracts', ana);
    expect(await contentOf(again)).toEqual(await contentOf(shelf));
    const trash = await ana.call(api.trash.list, { query: { library: 'Again' } });
    expect(trash.documents.map(({ name }) => name)).toEqual(['gone.txt']);
    await expect(ben.call(api.documents.shelfInfo, { params: { lib: 'Again', id: again.id } })).rejects.toMatchObject({
      code: 'not-found',
    });
    const hashes = linesOf(output).filter(({ kind }) => kind === 'commit');
    expect(hashes).toHaveLength(4);
    expect(hashes.every(({ original, hash }) => original !== hash)).toBe(true);
    expect((await command('check')).output).toContain('all is well');
  });
  it('is not imported under a name that is taken, by nobody, or changed on its way', async () => {
    const from = join(folder, 'export');
    expect((await command('import', '--from', from, '--as', 'Again', '--owner', ana.account.email)).code).toBe(1);
    expect((await command('import', '--from', from, '--as', 'New', '--owner', 'nobody')).output).toContain(
      'no account nobody',
    );
    const path = join(from, 'shelves', 'Contracts', 'history.json');
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replace('ben was here', 'ana was here'));
    const changed = await command('import', '--from', from, '--as', 'New', '--owner', ana.account.email);
    expect([changed.code, changed.output]).toEqual([1, expect.stringContaining('was changed at commit')]);
    await writeFile(path, text);
    const { libraries } = await ana.call(api.libraries.list, {});
    expect(libraries.map(({ name }) => name)).not.toContain('New');
  });
  it('is a ZIP for its owner, and comes back from it', async () => {
    const path = TRANSFER_ROUTES.libraryExport.replace('{name}', encodeURIComponent(library));
    expect((await ben.fetch(path)).status).toBe(403);
    expect((await fetch(server.url + path)).status).toBe(401);
    const response = await ana.fetch(path);
    expect(response.headers.get('content-disposition')).toContain('.zip');
    const zip = join(folder, 'library.zip');
    await pipeline(Readable.fromWeb(response.body as never), createWriteStream(zip));
    const { code } = await command('import', '--from', zip, '--as', 'From ZIP', '--owner', ana.account.username);
    expect(code).toBe(0);
    expect(await contentOf(await importedShelf('From ZIP', 'Contracts', ana))).toEqual(await contentOf(shelf));
  });
});

describe('files that are brought onto a shelf', () => {
  const onto = (from: string, name = 'Imported') =>
    command('import', '--from', from, '--library', library, '--shelf', name, '--owner', ana.account.email);

  it('are one commit, dated by their files; what cannot be is told of and stops nothing', async () => {
    const from = join(folder, 'files');
    await mkdir(join(from, 'sub'), { recursive: true });
    await writeFile(join(from, 'a.txt'), 'a');
    await utimes(join(from, 'a.txt'), new Date('2020-01-02T03:04:05Z'), new Date('2020-01-02T03:04:05Z'));
    await writeFile(join(from, 'sub', 'b.txt'), 'b');
    await writeFile(join(from, 'CON'), 'a name that some systems cannot have');
    await symlink('/etc/passwd', join(from, 'link'));
    const { code, output } = await onto(from);
    expect(code).toBe(1);
    expect(output).toContain('2 added, 0 new versions, 0 unchanged, 2 refused, 0 failed; commit');
    expect(linesOf(output)).toContainEqual(expect.objectContaining({ name: 'link', reason: 'a link' }));
    const made = await importedShelf(library, 'Imported', ana);
    const { documents } = await ana.call(api.documents.shelfDetail, { params: { lib: library, id: made.id } });
    expect(documents.map(({ name }) => name).sort()).toEqual(['a.txt', 'sub/b.txt']);
    const { versions } = await ana.call(api.documents.history, { params: { id: await idOf(made, 'a.txt') } });
    expect(versions[0]?.created_at).toBe('2020-01-02T03:04:05.000Z');
    await writeFile(join(from, 'a.txt'), 'changed');
    expect((await onto(from)).output).toContain('0 added, 1 new versions, 1 unchanged, 2 refused');
    expect((await onto(from)).output).toContain('nothing to commit');
  });
  it('may come in a ZIP, of which a damaged file is left out', async () => {
    const bytes = zipSync({
      'good.txt': strToU8('good'),
      'bad.txt': [strToU8('this content is damaged on the way'), { level: 0 }],
    });
    const at = Buffer.from(bytes).indexOf('damaged on the way');
    bytes[at] = 0x44;
    const zip = join(folder, 'files.zip');
    await writeFile(zip, bytes);
    const { code, output } = await onto(zip, 'Zipped');
    expect([code, output]).toEqual([
      1,
      expect.stringContaining('1 added, 0 new versions, 0 unchanged, 0 refused, 1 failed'),
    ]);
    expect(linesOf(output)).toContainEqual(
      expect.objectContaining({ name: 'bad.txt', outcome: 'failed', reason: 'it is damaged in the archive' }),
    );
  });
  it('are not taken from a ZIP that is no whole one, or a bomb', async () => {
    const whole = zipSync({ 'a.txt': strToU8('a') });
    const cut = join(folder, 'cut.zip');
    await writeFile(cut, whole);
    await truncate(cut, whole.length - 5);
    expect((await onto(cut, 'Cut')).output).toContain('no ZIP that can be read');
    const bomb = join(folder, 'bomb.zip');
    await writeFile(bomb, zipSync({ 'zeros.bin': new Uint8Array(300 * 1024 * 1024) }));
    expect((await onto(bomb, 'Bomb')).output).toContain('times its size');
    expect((await onto(join(folder, 'no such'))).output).toContain('there is no');
  });
});
