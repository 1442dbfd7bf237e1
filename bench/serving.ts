import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { api } from '../src/shared/api/index.ts';
import type { Shelf } from '../src/shared/model/library.ts';
import { inParallel } from '../src/shared/rules/inParallel.ts';
import { LIMITS } from '../src/shared/rules/limits.ts';
import { createAccount, type TestClient } from '../tests/helpers/server.ts';
import { workFolder } from './corpus.ts';
import { type BenchReport, describeMachine, goal, percentile } from './report.ts';
import { startServer, stopServer } from './runServer.ts';
import { type Amount, seed } from './serverData.ts';

export const description = 'the server on SQLite and a folder: lists under load, what others cost, uploads, commits';

/** 1,000 libraries, 10,000 shelves, 1,000,000 versions; the measured user owns a hundredth of it. */
const OWN: Amount = { libraries: 10, shelvesEach: 10, documentsEach: 20, versionsEach: 5 };
const OTHERS: Amount = { ...OWN, libraries: 990 };
const DOUBLED: Amount = { ...OWN, libraries: 1000 };
const LARGE_SHELF = 100_000;
const SMALL_FILES = 10_000;
const LARGE_FILE = 512 * 1024 * 1024;
const RATE = 100;
const SECONDS = 15;
const ROUNDS = 3;

/** A client of the same person on another server's address. */
function moved(client: TestClient, url: string): TestClient {
  return Object.assign(Object.create(Object.getPrototypeOf(client)), client, { url });
}

/** The list calls that are measured, on things of the user's own. */
async function listCalls(client: TestClient): Promise<Readonly<Record<string, string>>> {
  const { libraries } = await client.call(api.libraries.listWithShelves, {});
  const library = libraries.find(({ shelves }) => shelves.length >= OWN.shelvesEach);
  const shelf = library?.shelves[0];
  if (library === undefined || shelf === undefined) throw new Error('the data to measure is not there');
  const params = { lib: library.name, id: shelf.id };
  const { documents } = await client.call(api.documents.shelfDetail, { params });
  const lib = encodeURIComponent(library.name);
  return {
    libraries: '/api/v1/libraries/',
    'libraries and shelves': '/api/v1/libraries/library-and-shelf-info/',
    'a library': `/api/v1/libraries/${lib}`,
    shelves: `/api/v1/library/${lib}/list/`,
    documents: `/api/v1/library/${lib}/shelf/${shelf.id}/detail/`,
    commits: `/api/v1/library/${lib}/shelf/${shelf.id}/commits/`,
    history: `/api/v1/documents/${documents[0]?.id}/history/`,
    trash: '/api/v1/deleted-documents/',
    'user info': '/auth/v1/userinfo/',
  };
}

/** Sends requests at a fixed rate, whatever the answers take; milliseconds from when each was due. */
async function underLoad(client: TestClient, paths: Readonly<Record<string, string>>): Promise<Map<string, number[]>> {
  const times = new Map<string, number[]>(Object.keys(paths).map((name) => [name, []]));
  const names = Object.keys(paths);
  const pending: Promise<void>[] = [];
  const began = performance.now();
  for (let sent = 0; sent < RATE * SECONDS; sent += 1) {
    const due = began + (sent * 1000) / RATE;
    const wait = due - performance.now();
    if (wait > 1) await new Promise((done) => setTimeout(done, wait));
    const name = names[sent % names.length] ?? '';
    pending.push(
      (async () => {
        const response = await client.fetch(paths[name] ?? '');
        await response.arrayBuffer();
        if (!response.ok) throw new Error(`${paths[name]} answered ${response.status}`);
        times.get(name)?.push(performance.now() - due);
      })(),
    );
  }
  await Promise.all(pending);
  return times;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** Announces files, sends what is wanted and commits; the hashes are known before. */
async function upload(
  client: TestClient,
  shelf: Shelf,
  files: readonly { readonly name: string; readonly bytes: Buffer; readonly sha256: string }[],
  lanes: number,
): Promise<void> {
  const params = { lib: shelf.library, id: shelf.id };
  const announced = files.map(({ name, bytes, sha256 }) => ({ name, size: bytes.length, sha256 }));
  const ready = await client.call(api.upload.ready, { params, body: { files: announced } });
  const sends = ready.files.flatMap(({ version_id, parts }, index) =>
    Array.from({ length: Math.max(1, parts) }, (_, part) => ({ version_id, index, part: parts === 0 ? null : part })),
  );
  await inParallel(sends, lanes, async ({ version_id, index, part }) => {
    const body = { version_id: version_id ?? '', ...(part === null ? {} : { part: part + 1 }) };
    const { url } = await client.call(api.upload.presignedUrl, { params, body });
    const size = LIMITS.uploadPartBytes;
    const bytes = files[index]?.bytes ?? Buffer.alloc(0);
    const content = part === null ? bytes : bytes.subarray(part * size, (part + 1) * size);
    const response = await fetch(client.url + url, { method: 'PUT', body: new Uint8Array(content) });
    if (!response.ok) throw new Error(`a PUT answered ${response.status}`);
    await response.arrayBuffer();
  });
  await client.call(api.upload.report, { params, body: { upload_id: ready.upload_id } });
}

/** What a bare handler does with the same bytes: it writes them to the same disk, and flushes them if asked to. */
async function bareUpload(folder: string, bytes: Buffer, flush: boolean): Promise<number> {
  const file = join(folder, 'bare');
  const server = createServer((request, response) => {
    void pipeline(request, createWriteStream(file, { flush })).then(() => response.end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const took = await timed(async () => {
    const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'PUT', body: new Uint8Array(bytes) });
    await response.arrayBuffer();
  });
  server.close();
  rmSync(file);
  return took;
}

const median = (values: readonly number[]) => percentile(values, 0.5);

/** Runs the benchmark. */
export async function run(): Promise<BenchReport> {
  const dataDir = workFolder('server');
  const first = await startServer(dataDir);
  const account = await createAccount(first.url);
  const { user_id } = await account.call(api.auth.userinfo, {});
  await stopServer(first);

  seed(dataDir, OWN, user_id);
  const others = seed(dataDir, OTHERS, null);
  seed(dataDir, { libraries: 1, shelvesEach: 1, documentsEach: LARGE_SHELF, versionsEach: 1 }, user_id);

  let server = await startServer(dataDir);
  let client = moved(account, server.url);
  const paths = await listCalls(client);
  await underLoad(client, paths);
  const before = await underLoad(client, paths);

  const { libraries } = await client.call(api.libraries.listWithShelves, {});
  const large = libraries.flatMap(({ shelves }) => shelves).find(({ document_count }) => document_count >= LARGE_SHELF);
  if (large === undefined) throw new Error('the large shelf is not there');
  const commitTimes: number[] = [];
  for (let turn = 0; turn < 30; turn += 1) {
    const bytes = Buffer.from(`commit ${turn}`);
    const files = [{ name: `new ${turn}.txt`, bytes, sha256: hashOf(bytes) }];
    commitTimes.push(await timed(() => upload(client, large, files, 1)));
  }

  const lib = account.account.library;
  const shelf = await client.call(api.shelves.create, { params: { lib }, body: { name: 'Uploads' } });
  const small = Array.from({ length: SMALL_FILES }, (_, index) => {
    const bytes = Buffer.from(`small file ${index}\n`.repeat(20));
    return { name: `folder ${index % 100}/file ${index}.txt`, bytes, sha256: hashOf(bytes) };
  });
  const smallMs = await timed(() => upload(client, shelf, small, 16));

  const [ours, bare, hasty]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    const bytes = Buffer.alloc(LARGE_FILE, randomBytes(1024 * 1024));
    const files = [{ name: `large ${round}.bin`, bytes, sha256: hashOf(bytes) }];
    hasty.push(await bareUpload(dataDir, bytes, false));
    bare.push(await bareUpload(dataDir, bytes, true));
    ours.push(await timed(() => upload(client, shelf, files, 3)));
  }
  await stopServer(server);

  seed(dataDir, DOUBLED, null);
  server = await startServer(dataDir);
  client = moved(account, server.url);
  await underLoad(client, paths);
  const after = await underLoad(client, paths);
  await stopServer(server);
  rmSync(dataDir, { recursive: true, force: true });

  const rows = Object.keys(paths).map((name) => {
    const [once_, twice] = [before.get(name) ?? [], after.get(name) ?? []];
    return {
      call: name,
      'p50 ms': median(once_),
      'p95 ms': percentile(once_, 0.95),
      'p50 ms, others doubled': median(twice),
      ratio: median(twice) / median(once_),
    };
  });
  const mbs = (ms: number) => Math.round(LARGE_FILE / 1024 / 1024 / (ms / 1000));
  return {
    name: 'server',
    machine: describeMachine(),
    goals: [
      goal(
        `list calls at ${RATE}/s, slowest p95`,
        Math.max(...rows.map((row) => row['p95 ms'])),
        'ms',
        { atMost: 25 },
        `${others.versions + OWN.libraries * OWN.shelvesEach * OWN.documentsEach * OWN.versionsEach} versions`,
      ),
      goal("others' data doubled, median of the calls' ratios", median(rows.map(({ ratio }) => ratio)), 'x', {
        atMost: 1.2,
      }),
      goal(
        'one large file, ours against a bare handler that flushes',
        median(bare) / median(ours),
        'x',
        { atLeast: 0.7 },
        `${mbs(median(ours))} against ${mbs(median(bare))} MB/s; ${mbs(median(hasty))} where nothing is flushed or checked`,
      ),
      goal(`${SMALL_FILES} small files as one commit`, smallMs / 1000, 's', { atMost: 60 }),
      goal(`a commit of one file beside ${LARGE_SHELF} documents, p50`, median(commitTimes), 'ms', { atMost: 50 }),
    ],
    rows,
  };
}
