import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../../src/shared/api/index.ts';
import type { Shelf } from '../../../src/shared/model/library.ts';
import {
  type Account,
  createAccount,
  signIn,
  startTestServer,
  TestClient,
  type TestServer,
  uploadFiles,
} from '../../helpers/server.ts';

const ENTRY = join(import.meta.dirname, '..', '..', '..', 'src', 'cli', 'main.ts');

/** Runs the command line as a person would. */
function armarium(args: readonly string[], input = ''): Promise<{ code: number; output: string }> {
  return new Promise((done) => {
    const child = execFile(process.execPath, [ENTRY, ...args], (error, stdout, stderr) => {
      done({ code: error === null ? 0 : Number(error.code), output: stdout + stderr });
    });
    child.stdin?.end(input);
  });
}

let folder = '';
let server: TestServer;
let ana: Awaited<ReturnType<typeof createAccount>>;
let shelf: Shelf;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'armarium-operations-'));
  server = await startTestServer();
  ana = await createAccount(server.url);
  shelf = await ana.call(api.shelves.create, { params: { lib: ana.account.library }, body: { name: 'Shelf' } });
  await uploadFiles(ana, shelf, [
    { name: 'a.txt', content: 'first content' },
    { name: 'b.txt', content: 'another content' },
  ]);
  await uploadFiles(ana, shelf, [{ name: 'a.txt', content: 'second content' }], 'why');
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

async function signedIn(url: string, account: Account): Promise<TestClient> {
  const client = new TestClient(url);
  await signIn(client, account);
  return client;
}

describe('backup and restore', () => {
  it('copies a server that is being written to, adds what is new later, and gives all of it back', async () => {
    const to = join(folder, 'backup');
    let isWriting = true;
    const writing = (async () => {
      for (let turn = 0; isWriting; turn += 1) {
        await uploadFiles(ana, shelf, [{ name: `during ${turn}.txt`, content: `written during the backup ${turn}` }]);
      }
    })();
    const first = await armarium(['backup', '--to', to, '--data', server.dataDir]);
    isWriting = false;
    await writing;
    expect(first).toMatchObject({ code: 0, output: expect.stringContaining('contents') });
    await uploadFiles(ana, shelf, [{ name: 'later.txt', content: 'written after the first backup' }]);
    expect((await armarium(['backup', '--to', to, '--data', server.dataDir])).code).toBe(0);

    const dataDir = join(folder, 'restored');
    expect((await armarium(['restore', '--from', to, '--data', dataDir])).code).toBe(0);
    expect(await armarium(['check', '--data', dataDir])).toMatchObject({
      code: 0,
      output: expect.stringContaining('all is well'),
    });
    const again = await startTestServer({ dataDir });
    const client = await signedIn(again.url, ana.account);
    const params = { lib: shelf.library, id: shelf.id };
    const [there, here] = [
      await ana.call(api.documents.latest, { params }),
      await client.call(api.documents.latest, { params }),
    ];
    expect(here).toEqual(there);
    await again.server.indexed();
    const { results } = await client.call(api.search.run, { query: { q: 'first content', scope: 'history' } });
    expect(results).toHaveLength(1);
    await again.close();
  });
  it('overwrites nothing, and takes nothing for a backup that is none', async () => {
    const to = join(folder, 'backup');
    const full = await armarium(['restore', '--from', to, '--data', join(folder, 'restored')]);
    expect(full).toMatchObject({ code: 1, output: expect.stringContaining('not empty') });
    const none = await armarium(['restore', '--from', folder, '--data', join(folder, 'new')]);
    expect(none).toMatchObject({ code: 1, output: expect.stringContaining('no finished backup') });
    expect((await armarium(['backup', '--to', to, '--data', join(folder, 'nothing')])).code).toBe(1);
  });
});

describe('check', () => {
  it('names what is damaged, missing, or not what it says', async () => {
    const dataDir = join(folder, 'damaged');
    await armarium(['restore', '--from', join(folder, 'backup'), '--data', dataDir]);
    const database = new SqliteDatabase(join(dataDir, 'armarium.db'));
    const blobOf = (name: string) => {
      const sha256 = String(
        database.prepare('SELECT sha256 FROM versions WHERE name = ? AND number = 1').pluck().get(name),
      );
      return join(dataDir, 'blobs', sha256.slice(0, 2), sha256.slice(2, 4), sha256);
    };
    await writeFile(blobOf('a.txt'), 'FIRST content');
    await rm(blobOf('b.txt'));
    database.prepare(`UPDATE commits SET message = 'because' WHERE message = 'why'`).run();
    database.prepare('UPDATE shelves SET document_count = 99').run();
    database.close();
    const { code, output } = await armarium(['check', '--data', dataDir]);
    expect(code).toBe(1);
    expect(output).toMatch(/content: of a\.txt .* is damaged/u);
    expect(output).toMatch(/content: of b\.txt .* is missing/u);
    expect(output).toMatch(/commit: \w{10} is not what its name says/u);
    expect(output).toMatch(/shelf: Shelf counts 99 documents/u);
    const report = JSON.parse((await armarium(['check', '--json', '--data', dataDir])).output) as {
      problems: string[];
    };
    expect(report.problems).toHaveLength(4);
  });
});

describe('user', () => {
  const user = (...args: string[]) => armarium(['user', ...args, '--data', server.dataDir]);

  it('makes, lists and changes accounts beside the running server', async () => {
    const email = 'ben@example.org';
    const created = await armarium(['user', 'create', email, '--data', server.dataDir], 'four quiet reading rooms\n');
    expect(created).toEqual({ code: 0, output: `created ${email}\n` });
    await user('plan', email, 'pro');
    expect((await user('list')).output).toContain(`${email}\t-\tpro\n`);
    const account: Account = { email, password: 'four quiet reading rooms', username: '', library: '' };
    const ben = await signedIn(server.url, account);
    expect(await ben.call(api.auth.userinfo, {})).toMatchObject({ plan_type: 1, email_verified: true });
    await user('disable', email);
    expect((await ben.call(api.auth.status, {})).isAuthenticated).toBe(false);
    await user('enable', email);
    const link = (await user('reset-password', email)).output.trim();
    expect(new URL(link).pathname).toBe('/reset-password');
    const page = await fetch(server.url + new URL(link).pathname + new URL(link).search);
    expect(await page.text()).toContain('Choose a new password');
  });
  it('says what it does not understand or will not do', async () => {
    expect(await user('disable', ana.account.email)).toMatchObject({
      code: 1,
      output: expect.stringContaining('only administrator'),
    });
    expect((await user('plan', ana.account.email, 'gold')).code).toBe(2);
    expect((await user('enable', 'nobody@example.org')).code).toBe(1);
    expect((await user('frobnicate')).code).toBe(2);
    expect((await armarium(['user', 'create', 'x@example.org', '--data', server.dataDir], 'short')).code).toBe(1);
  });
});

describe('serve', () => {
  it('ends with readable lines when the configuration is wrong', async () => {
    const child = spawn(process.execPath, [ENTRY, 'serve', '--data', join(folder, 'serve')], {
      env: { ...process.env, ARMARIUM_HOST: '0.0.0.0', ARMARIUM_S3_BUCKET: 'x' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let output = '';
    for await (const chunk of child.stderr) output += String(chunk);
    expect(output).toMatch(/ARMARIUM_PUBLIC_URL: needed/u);
    expect(output).toMatch(/ARMARIUM_S3_ENDPOINT.*needed together/u);
    expect(await readdir(folder)).not.toContain('serve');
  });
});
