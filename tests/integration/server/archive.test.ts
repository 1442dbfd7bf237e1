import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../../src/shared/api/index.ts';
import { TRANSFER_ROUTES } from '../../../src/shared/api/transfer.ts';
import type { Shelf } from '../../../src/shared/model/library.ts';
import { addMember } from '../../helpers/members.ts';
import { createAccount, startTestServer, type TestClient, type TestServer, uploadFiles } from '../../helpers/server.ts';

let server: TestServer;
let ana: Awaited<ReturnType<typeof createAccount>>;
let eve: Awaited<ReturnType<typeof createAccount>>;
let shelf: Shelf;
let other: Shelf;
const ids = new Map<string, string>();

const makeShelf = (name: string) =>
  ana.call(api.shelves.create, { params: { lib: ana.account.library }, body: { name } });

async function add(on: Shelf, files: Readonly<Record<string, string>>) {
  const commit = await uploadFiles(
    ana,
    on,
    Object.entries(files).map(([name, content]) => ({ name, content })),
  );
  for (const { name, document_id } of commit?.changes ?? []) ids.set(`${on.name}/${name}`, document_id);
}

beforeAll(async () => {
  server = await startTestServer();
  ana = await createAccount(server.url);
  eve = await createAccount(server.url);
  shelf = await makeShelf('Contracts');
  other = await makeShelf('Letters');
  const big = 'the tenant shall pay\n'.repeat(20_000);
  await add(shelf, {
    'lease.txt': 'old',
    '2024/rent.txt': big,
    '2024/old/first.txt': 'first',
    '20241.txt': 'no folder',
  });
  await add(shelf, { 'lease.txt': 'new', 'Grüße €.txt': 'umlauts' });
  await add(other, { 'lease.txt': 'a letter', 'gone.txt': 'gone' });
  await ana.call(api.documents.remove, { params: { id: ids.get('Letters/gone.txt') ?? '' } });
});
afterAll(() => server.close());

const shelfPath = (on: Shelf, folder = '') =>
  TRANSFER_ROUTES.shelfDownload.replace('{lib}', encodeURIComponent(on.library)).replace('{id}', on.id) +
  (folder === '' ? '' : `?folder=${encodeURIComponent(folder)}`);

async function filesOf(response: Response): Promise<Record<string, string>> {
  expect(response.status).toBe(200);
  const unpacked = unzipSync(new Uint8Array(await response.arrayBuffer()));
  return Object.fromEntries(Object.entries(unpacked).map(([name, bytes]) => [name, strFromU8(bytes)]));
}

async function codeOf(response: Response): Promise<string> {
  return ((await response.json()) as { error: { code: string } }).error.code;
}

const selected = (documents: readonly (string | undefined)[], who: TestClient = ana) =>
  who.fetch(TRANSFER_ROUTES.documentsDownload, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ids: documents }),
  });

describe('a shelf as a ZIP', () => {
  it('has the documents as they are now, in their folders', async () => {
    const response = await ana.fetch(shelfPath(shelf));
    expect(response.headers.get('content-disposition')).toContain('Contracts.zip');
    const files = await filesOf(response);
    expect(Object.keys(files).sort()).toEqual([
      '2024/old/first.txt',
      '2024/rent.txt',
      '20241.txt',
      'Grüße €.txt',
      'lease.txt',
    ]);
    expect(files['lease.txt']).toBe('new');
    expect(files['2024/rent.txt']).toHaveLength(420_000);
    expect(Object.keys(await filesOf(await ana.fetch(shelfPath(other))))).toEqual(['lease.txt']);
  });
  it('is one folder of it when that is asked for', async () => {
    const files = await filesOf(await ana.fetch(shelfPath(shelf, '2024')));
    expect(Object.keys(files).sort()).toEqual(['2024/old/first.txt', '2024/rent.txt']);
    expect(Object.keys(await filesOf(await ana.fetch(shelfPath(shelf, '2024/old'))))).toEqual(['old/first.txt']);
    expect(await codeOf(await ana.fetch(shelfPath(shelf, '2023')))).toBe('not-found');
  });
  it('is for its members alone', async () => {
    expect(await codeOf(await fetch(server.url + shelfPath(shelf)))).toBe('unauthenticated');
    expect(await codeOf(await eve.fetch(shelfPath(shelf)))).toBe('not-found');
    addMember(server, shelf.id, eve.account.username, 'viewer');
    expect(Object.keys(await filesOf(await eve.fetch(shelfPath(shelf))))).toHaveLength(5);
  });
});

describe('chosen documents as a ZIP', () => {
  it('are those of one shelf under their names, and of several in folders', async () => {
    const one = await filesOf(await selected([ids.get('Contracts/lease.txt'), ids.get('Contracts/20241.txt')]));
    expect(Object.keys(one).sort()).toEqual(['20241.txt', 'lease.txt']);
    const two = await filesOf(await selected([ids.get('Contracts/lease.txt'), ids.get('Letters/lease.txt')]));
    expect(two).toEqual({ 'Contracts/lease.txt': 'new', 'Letters/lease.txt': 'a letter' });
  });
  it('are refused when one is not there, not readable, or none is named', async () => {
    expect(await codeOf(await selected([ids.get('Letters/gone.txt')]))).toBe('not-found');
    expect(await codeOf(await selected([ids.get('Letters/lease.txt')], eve))).toBe('not-found');
    expect(await codeOf(await selected([]))).toBe('bad-request');
    expect(await codeOf(await selected(['nonsense']))).toBe('bad-request');
  });
});

describe('a content that cannot be read', () => {
  it('breaks the download off, so that nobody takes what is there for the whole', async () => {
    const broken = await makeShelf('Broken');
    await add(broken, { 'a.txt': 'a content of its own' });
    const { documents } = await ana.call(api.documents.shelfDetail, {
      params: { lib: broken.library, id: broken.id },
    });
    const sha256 = documents[0]?.sha256 ?? '';
    await rm(join(server.dataDir, 'blobs', sha256.slice(0, 2), sha256.slice(2, 4), sha256));
    await expect(ana.fetch(shelfPath(broken)).then((response) => response.arrayBuffer())).rejects.toThrow();
  });
});
