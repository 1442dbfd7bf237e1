import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import S3rver from 's3rver';
import type { S3Options } from '../../src/server/storage/s3Options.ts';
import { addToS3rver } from './s3Multipart.ts';

const run = promisify(execFile);

/** PostgreSQL's programs, by Debian's place for them or on the path; null where it is not installed. */
function postgresFolder(): string | null {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const places = [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
  ];
  return places.find((place) => existsSync(join(place, 'initdb')) && existsSync(join(place, 'postgres'))) ?? null;
}

/** For `describe.skipIf`: tests that need PostgreSQL are skipped without it, and say so by their name. */
export const hasPostgres = postgresFolder() !== null;
export const WITHOUT_POSTGRES = hasPostgres ? '' : ' (skipped: PostgreSQL is not installed)';

/** PostgreSQL refuses root: then it runs as its own user. */
async function postgresUser(): Promise<{ uid?: number; gid?: number }> {
  if (userInfo().uid !== 0) return {};
  const id = async (which: string) => Number((await run('id', [which, 'postgres'])).stdout);
  return { uid: await id('-u'), gid: await id('-g') };
}

export async function freePort(): Promise<number> {
  const probe = createTcpServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return address !== null && typeof address === 'object' ? address.port : 0;
}

export interface TestPostgres {
  /** Makes an empty database. @returns its address */
  createDatabase(): Promise<string>;
  /** Runs one statement as the administrator. */
  query(url: string, text: string): Promise<pg.QueryResult['rows']>;
  /** Ends the server as a crash would. */
  kill(): Promise<void>;
  close(): Promise<void>;
}

/** A PostgreSQL of the test's own in a temporary folder, reachable over loopback alone. */
export async function startPostgres(): Promise<TestPostgres> {
  const programs = postgresFolder();
  if (programs === null) throw new Error('PostgreSQL is not installed');
  const user = await postgresUser();
  const folder = await mkdtemp(join(tmpdir(), 'armarium-postgres-'));
  const data = join(folder, 'data');
  const password = randomUUID();
  await writeFile(join(folder, 'password'), password, { mode: 0o644 });
  if (user.uid !== undefined && user.gid !== undefined) await chown(folder, user.uid, user.gid);
  // An order of words, not of bytes: what the server sorts must not depend on it.
  const locale = ['-E', 'UTF8', '--locale=C.UTF-8', '--locale-provider=icu', '--icu-locale=en'];
  const access = ['-U', 'armarium', '--auth=scram-sha-256', `--pwfile=${join(folder, 'password')}`];
  const environment = { cwd: folder, ...user };
  await run(join(programs, 'initdb'), ['-D', data, ...locale, ...access, '--no-sync'], environment);
  const port = await freePort();
  const settings = [
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${folder}`,
    'fsync=off',
    'max_connections=300',
    'logging_collector=off',
  ];
  const server = spawn(
    join(programs, 'postgres'),
    ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
    { ...environment, stdio: 'ignore' },
  );
  const exited = once(server, 'exit');
  const address = (name: string) => `postgres://armarium:${password}@127.0.0.1:${port}/${name}`;

  async function query(url: string, text: string) {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  }

  async function stop(signal: NodeJS.Signals): Promise<void> {
    if (server.exitCode !== null || server.signalCode !== null) return;
    server.kill(signal);
    await exited;
  }

  for (let attempt = 1; ; attempt += 1) {
    try {
      await query(address('postgres'), 'SELECT 1');
      break;
    } catch (error) {
      if (server.exitCode !== null || attempt === 200) throw error;
      await pause(50);
    }
  }
  return {
    query,
    async createDatabase() {
      const name = `test_${randomUUID().replaceAll('-', '')}`;
      await query(address('postgres'), `CREATE DATABASE ${name}`);
      return address(name);
    },
    kill: () => stop('SIGQUIT'),
    async close() {
      // At once, and without waiting for who is connected.
      await stop('SIGINT');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export interface TestS3 {
  /** How to reach a bucket of this store that nobody else of the test uses. */
  readonly options: S3Options;
  close(): Promise<void>;
}

/** s3rver's only account. */
const S3_CREDENTIALS = 'S3RVER';

/** What a bucket has to allow for browsers to send to it. */
const CORS = `<CORSConfiguration><CORSRule><AllowedOrigin>*</AllowedOrigin><AllowedMethod>PUT</AllowedMethod>
  <AllowedHeader>*</AllowedHeader></CORSRule></CORSConfiguration>`;

/** An S3-compatible store in this process, with its content in a temporary folder. */
export async function startS3(): Promise<TestS3> {
  const directory = await mkdtemp(join(tmpdir(), 'armarium-s3-'));
  const bucket = 'documents';
  const s3rver = new S3rver({
    directory,
    silent: true,
    vhostBuckets: false,
    configureBuckets: [{ name: bucket, configs: [CORS] }],
  });
  await s3rver.configureBuckets();
  const rest = s3rver.callback();
  const additions = addToS3rver(s3rver, S3_CREDENTIALS);
  const server = createServer(async (request, response) => {
    if (!(await additions.handle(request, response))) rest(request, response);
  });
  const port = await freePort();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    options: {
      endpoint: `http://127.0.0.1:${port}`,
      region: 'us-east-1',
      bucket,
      prefix: '',
      accessKeyId: S3_CREDENTIALS,
      secretAccessKey: S3_CREDENTIALS,
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      await rm(directory, { recursive: true, force: true });
    },
  };
}
