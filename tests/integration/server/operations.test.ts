import { spawn } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../../src/shared/api/index.ts';
import type { Shelf } from '../../../src/shared/model/library.ts';
import { armarium, COMMAND_LINE } from '../../helpers/commandLine.ts';
import {
  type Account,
  createAccount,
  signIn,
  startTestServer,
  TestClient,
  type TestServer,
  uploadFiles,
} from '../../helpers/server.ts';
import { hasPostgres, startPostgres, startS3, WITHOUT_POSTGRES } from '../../helpers/services.ts';

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

describe('restore', () => {
  const restore = (from: string, dataDir: string, ...options: string[]) =>
    armarium(['restore', '--from', from, '--data', dataDir, ...options]);
  const blobsIn = async (dir: string) =>
    (await readdir(join(dir, 'blobs'), { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));

  it('keeps what was there when it is told to go on, but not below a server that runs', async () => {
    const backup = join(folder, 'backup');
    const dataDir = join(folder, 'replaced');
    const running = await startTestServer({ dataDir });
    expect(await restore(backup, dataDir, '--force')).toMatchObject({
      code: 1,
      output: expect.stringContaining('stop it first'),
    });
    await running.close();
    const { code, output } = await restore(backup, dataDir, '--force');
    expect(code).toBe(0);
    const aside = /kept in (.+)\n/u.exec(output)?.[1] ?? '';
    expect(await readdir(aside)).toContain('armarium.db');
    expect((await armarium(['check', '--data', dataDir])).code).toBe(0);
  });

  it.each<[string, RegExp, (backup: string) => Promise<unknown>]>([
    ['a changed content', /content \w{64} is damaged/u, async (dir) => writeFile((await blobsIn(dir))[0] ?? '', 'x')],
    ['a missing content', /lacks the content \w{64}/u, async (dir) => rm((await blobsIn(dir))[0] ?? '')],
    ['a changed key', /server's key is damaged/u, (dir) => writeFile(join(dir, 'server.key'), 'x'.repeat(32))],
    [
      'another database',
      /database is damaged/u,
      async (dir) => {
        const database = new SqliteDatabase(join(dir, 'armarium.db'));
        database.exec('UPDATE users SET name = email');
        database.close();
      },
    ],
    [
      'a newer schema',
      /newer version of the server/u,
      async (dir) => {
        const database = new SqliteDatabase(join(dir, 'armarium.db'));
        database.prepare('INSERT INTO migrations (version, applied_at) VALUES (9999, ?)').run('2030-01-01');
        database.close();
      },
    ],
    ['no manifest', /no finished backup/u, (dir) => rm(join(dir, 'manifest.json'))],
  ])('takes no backup with %s for whole, and leaves no server behind', async (what, message, damage) => {
    const [backup, dataDir] = [join(folder, `with ${what}`), join(folder, `from ${what}`)];
    await cp(join(folder, 'backup'), backup, { recursive: true });
    await damage(backup);
    expect(await restore(backup, dataDir)).toEqual({ code: 1, output: expect.stringMatching(message) });
    expect((await armarium(['check', '--data', dataDir])).output).toContain("holds no server's data");
  });
});

describe('check', () => {
  it('changes nothing, and knows data of its own version alone', async () => {
    const dataDir = join(folder, 'looked at');
    await armarium(['restore', '--from', join(folder, 'backup'), '--data', dataDir]);
    await rm(join(dataDir, 'server.key'));
    const before = await readFile(join(dataDir, 'armarium.db'));
    expect((await armarium(['check', '--data', dataDir])).code).toBe(0);
    expect(before.equals(await readFile(join(dataDir, 'armarium.db')))).toBe(true);
    expect(await readdir(dataDir)).not.toContain('server.key');
    const database = new SqliteDatabase(join(dataDir, 'armarium.db'));
    database.prepare('DELETE FROM migrations WHERE version > 1').run();
    database.close();
    expect(await armarium(['check', '--data', dataDir])).toMatchObject({
      code: 1,
      output: expect.stringContaining('of schema 1'),
    });
  });
  it('counts what nothing refers to, and finds a healthy server healthy while it is written to', async () => {
    let isWriting = true;
    const writing = (async () => {
      for (let turn = 0; isWriting; turn += 1) {
        await uploadFiles(ana, shelf, [{ name: 'busy.txt', content: `turn ${turn} of the check` }]);
      }
    })();
    const checks = [
      await armarium(['check', '--data', server.dataDir]),
      await armarium(['check', '--data', server.dataDir]),
    ];
    isWriting = false;
    await writing;
    for (const check of checks)
      expect(check).toMatchObject({ code: 0, output: expect.stringContaining('all is well') });
  });
  it('finds broken histories and heads, and repairs counts when it is told to', async () => {
    const dataDir = join(folder, 'broken');
    await armarium(['restore', '--from', join(folder, 'backup'), '--data', dataDir]);
    const orphan = 'ab'.repeat(32);
    await cp(join(dataDir, 'server.key'), join(dataDir, 'blobs', 'ab', 'ab', orphan), { recursive: true });
    const database = new SqliteDatabase(join(dataDir, 'armarium.db'));
    database.exec(`
      UPDATE documents SET current_version = 7 WHERE name = 'b.txt';
      UPDATE shelves SET document_count = document_count + 1, head_commit = NULL;
      UPDATE commits SET sequence = 999 WHERE message = 'why'`);
    database.close();
    const { code, output } = await armarium(['check', '--repair-counts', '--data', dataDir]);
    expect(code).toBe(1);
    expect(output).toMatch(/document: b\.txt .* has 7 as its current version, and 1 as its last/u);
    expect(output).toMatch(/commit: \w{10} does not follow the one before it/u);
    expect(output).toMatch(/shelf: .* does not end at its last commit/u);
    expect(output).toContain('shelf: Shelf was counted anew');
    expect(output).not.toMatch(/counts \d+ documents/u);
    expect(output).toContain('1 orphans');
  });
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
    await user('admin', email, 'on');
    await user('admin', email, 'off');
    await user('disable', email);
    expect((await ben.call(api.auth.status, {})).isAuthenticated).toBe(false);
    await user('enable', email);
    const link = (await user('reset-password', email)).output.trim();
    expect(new URL(link).pathname).toBe('/reset-password');
    const page = await fetch(server.url + new URL(link).pathname + new URL(link).search);
    expect(await page.text()).toContain('Choose a new password');
    const database = new SqliteDatabase(join(server.dataDir, 'armarium.db'), { readonly: true });
    const entries = database.prepare('SELECT action FROM audit_log WHERE target_name = ? ORDER BY at, rowid').pluck();
    const update = 'user.update';
    expect(entries.all(email)).toEqual(['user.create', update, update, update, update, update, 'user.reset-link']);
    database.close();
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

describe.skipIf(!hasPostgres)(`a server on PostgreSQL and an object store${WITHOUT_POSTGRES}`, () => {
  it('is checked as well, and says how it is backed up', async () => {
    const [postgres, s3] = await Promise.all([startPostgres(), startS3()]);
    try {
      const [databaseUrl, dataDir, secret] = [await postgres.createDatabase(), join(folder, 'shared'), 's'.repeat(40)];
      const bucket = { ...s3.options, prefix: '' };
      const shared = await startTestServer({ dataDir, databaseUrl, secret, s3: bucket });
      const ben = await createAccount(shared.url);
      const body = { name: 'Bucket' };
      const there = await ben.call(api.shelves.create, { params: { lib: ben.account.library }, body });
      await uploadFiles(ben, there, [{ name: 'a.txt', content: 'in the bucket' }]);
      const env = {
        ARMARIUM_DATABASE_URL: databaseUrl,
        ARMARIUM_SECRET: secret,
        ARMARIUM_S3_ENDPOINT: bucket.endpoint,
        ARMARIUM_S3_REGION: bucket.region,
        ARMARIUM_S3_BUCKET: bucket.bucket,
        ARMARIUM_S3_ACCESS_KEY_ID: bucket.accessKeyId,
        ARMARIUM_S3_SECRET_ACCESS_KEY: bucket.secretAccessKey,
      };
      const check = await armarium(['check', '--data', dataDir], '', env);
      expect(check).toMatchObject({ code: 0, output: expect.stringContaining('1 commits, 1 versions, 1 contents') });
      expect(await armarium(['backup', '--to', join(folder, 'x')], '', env)).toMatchObject({
        code: 1,
        output: expect.stringContaining('pg_dump'),
      });
      await postgres.query(databaseUrl, `UPDATE commits SET message = 'another'`);
      expect((await armarium(['check', '--data', dataDir], '', env)).output).toContain('is not what its name says');
      await shared.close();
    } finally {
      await Promise.all([postgres.close(), s3.close()]);
    }
  });
});

describe('serve', () => {
  it('ends with readable lines when the configuration is wrong', async () => {
    const child = spawn(process.execPath, [COMMAND_LINE, 'serve', '--data', join(folder, 'serve')], {
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
