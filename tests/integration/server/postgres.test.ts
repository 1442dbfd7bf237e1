import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/server/database/connection.ts';
import { createJobs } from '../../../src/server/jobs/jobs.ts';
import { api } from '../../../src/shared/api/index.ts';
import { isAppError } from '../../../src/shared/errors.ts';
import type { Shelf } from '../../../src/shared/model/library.ts';
import { CLIENT_IDS } from '../../../src/shared/rules/clientIds.ts';
import { LIMITS } from '../../../src/shared/rules/limits.ts';
import { createAccount, startTestServer, TestClient, type TestServer, uploadFiles } from '../../helpers/server.ts';
import {
  hasPostgres,
  startPostgres,
  startS3,
  type TestPostgres,
  type TestS3,
  WITHOUT_POSTGRES,
} from '../../helpers/services.ts';

describe.skipIf(!hasPostgres)(`two servers on one PostgreSQL and one object store${WITHOUT_POSTGRES}`, () => {
  let postgres: TestPostgres;
  let s3: TestS3;
  let databaseUrl = '';
  let servers: readonly [TestServer, TestServer];
  beforeAll(async () => {
    [postgres, s3] = await Promise.all([startPostgres(), startS3()]);
    databaseUrl = await postgres.createDatabase();
    const options = { databaseUrl, s3: s3.options, secret: randomUUID().repeat(2) };
    servers = await Promise.all([startTestServer(options), startTestServer(options)]);
  });
  afterAll(async () => {
    // Their database is gone by then.
    await Promise.allSettled(servers.map((server) => server.close()));
    await postgres.close();
    await s3.close();
  });

  /** The same person, who is answered by the other server. */
  function elsewhere(client: TestClient): TestClient {
    const other = new TestClient(servers[1].url);
    for (const [name, value] of client.cookies) other.cookies.set(name, value);
    other.token = client.token;
    return other;
  }

  async function newShelf(client: TestClient & { readonly account: { readonly library: string } }): Promise<Shelf> {
    return client.call(api.shelves.create, { params: { lib: client.account.library }, body: { name: randomUUID() } });
  }

  it('serve one person with the same data', async () => {
    const ana = await createAccount(servers[0].url);
    const shelf = await newShelf(ana);
    const commit = await uploadFiles(ana, shelf, [
      { name: 'Grüße.txt', content: 'hello' },
      { name: 'large.bin', content: Buffer.alloc(3000, 7) },
    ]);
    const other = elsewhere(ana);
    const found = await other.call(api.documents.shelfDetail, { params: { lib: shelf.library, id: shelf.id } });
    expect(found.documents.map(({ name }) => name).sort()).toEqual(['Grüße.txt', 'large.bin']);
    const { commits } = await other.call(api.documents.commits, {
      params: { lib: shelf.library, id: shelf.id },
      query: {},
    });
    expect(commits.map(({ hash }) => hash)).toEqual([commit?.hash]);
    await servers[0].server.indexed();
  });

  it('take an upload that is announced at one, sent to the store, and reported at the other', async () => {
    const ana = await createAccount(servers[0].url);
    const shelf = await newShelf(ana);
    const params = { lib: shelf.library, id: shelf.id };
    const content = Buffer.alloc(LIMITS.uploadPartBytes + 9, 'parts');
    const file = {
      name: 'parts.bin',
      size: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
      mime: 'application/octet-stream',
      base_version: 0,
    };
    const ready = await ana.call(api.upload.ready, { params, body: { message: '', files: [file] } });
    const version_id = ready.files[0]?.version_id ?? '';
    const other = elsewhere(ana);
    for (const [client, part] of [
      [ana, 1],
      [other, 2],
    ] as const) {
      const { url } = await client.call(api.upload.presignedUrl, { params, body: { version_id, part } });
      expect(new URL(url).origin).toBe(s3.options.endpoint);
      const body = content.subarray((part - 1) * LIMITS.uploadPartBytes, part * LIMITS.uploadPartBytes);
      expect((await fetch(url, { method: 'PUT', body })).status).toBe(200);
    }
    const reports = await Promise.allSettled(
      [ana, other].map((client) => client.call(api.upload.report, { params, body: { upload_id: ready.upload_id } })),
    );
    const answers = reports.flatMap((report) => (report.status === 'fulfilled' ? [report.value.commit?.hash] : []));
    expect(answers.length).toBeGreaterThan(0);
    const again = await other.call(api.upload.report, { params, body: { upload_id: ready.upload_id } });
    expect(new Set([...answers, again.commit?.hash]).size).toBe(1);
    const { documents } = await other.call(api.documents.shelfDetail, { params });
    expect(documents).toMatchObject([{ name: 'parts.bin', size: content.length }]);
  });

  it('make one history of commits that come to both at once', async () => {
    const ana = await createAccount(servers[0].url);
    const shelf = await newShelf(ana);
    const clients = [ana, elsewhere(ana)];
    const outcomes = await Promise.allSettled(
      Array.from({ length: 12 }, (_, index) =>
        uploadFiles(clients[index % 2] ?? ana, shelf, [{ name: `${index}.txt`, content: `${index}` }]),
      ),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 'fulfilled'));
    const params = { lib: shelf.library, id: shelf.id };
    const { commits } = await ana.call(api.documents.commits, { params, query: {} });
    expect(commits).toHaveLength(12);
    for (const [index, { parent }] of commits.entries()) expect(parent).toBe(commits[index + 1]?.hash ?? null);
    const found = await elsewhere(ana).call(api.documents.shelfDetail, { params });
    expect(found.documents).toHaveLength(12);
  });

  it('let one alone have a name that both are asked for', async () => {
    const ana = await createAccount(servers[0].url);
    const clients = [ana, elsewhere(ana)];
    const name = `shelf ${randomUUID()}`;
    const outcomes = await Promise.allSettled(
      Array.from({ length: 6 }, (_, index) =>
        (clients[index % 2] ?? ana).call(api.shelves.create, { params: { lib: ana.account.library }, body: { name } }),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(isAppError(outcome.reason, 'name-taken')).toBe(true);
    }
  });

  it('answer a refresh token that comes to both at once with the same tokens', async () => {
    const ana = await createAccount(servers[0].url, undefined, { source: 'electron' });
    const body = { refresh_token: ana.refreshToken ?? '', client_id: CLIENT_IDS.desktop };
    const answers = await Promise.all(
      servers.flatMap(({ url }) => [1, 2, 3].map(() => new TestClient(url).call(api.auth.refresh, { body }))),
    );
    expect(new Set(answers.map(({ refresh_token }) => refresh_token)).size).toBe(1);
    const again = elsewhere(ana);
    again.token = answers[0]?.access_token ?? null;
    expect(await again.call(api.auth.status, {})).toMatchObject({ isAuthenticated: true });
  });

  it('do each job once', async () => {
    const databases = await Promise.all([1, 2, 3].map(() => openDatabase({ dataDir: '', databaseUrl })));
    const done: string[] = [];
    const queues = databases.map((database) => {
      const jobs = createJobs({ database, log: pino({ level: 'silent' }), now: Date.now });
      jobs.handle('webhook', async ({ url }) => {
        await pause(1);
        done.push(url);
      });
      return { database, jobs };
    });
    const urls = Array.from({ length: 30 }, (_, index) => `https://example.org/${index}`);
    for (const [index, url] of urls.entries()) {
      const queue = queues[index % queues.length];
      await queue?.jobs.add(queue.database, 'webhook', { url, body: '' });
    }
    await Promise.all(queues.map(({ jobs }) => jobs.idle()));
    expect(done.toSorted()).toEqual(urls.toSorted());
    await Promise.all(queues.map(({ jobs }) => jobs.stop()));
    await Promise.all(databases.map((database) => database.destroy()));
  });

  it('go on when their connections are cut, and say that the storage is out of order when the database is gone', async () => {
    const ana = await createAccount(servers[0].url);
    await postgres.query(
      databaseUrl,
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()',
    );
    // Statements that were under way fail, and others get new connections.
    await expect
      .poll(() => ana.call(api.auth.status, {}).catch((error: unknown) => error), { timeout: 10_000 })
      .toMatchObject({ isAuthenticated: true });
    await postgres.kill();
    for (const { url } of servers) {
      const response = await fetch(`${url}/ready`);
      expect(response.status).toBe(503);
      expect(await response.text()).not.toContain(new URL(databaseUrl).password);
    }
  });
});
