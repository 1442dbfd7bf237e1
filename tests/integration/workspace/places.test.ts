import { createReadStream, existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { contentHash } from '../../../src/core/search/prepare.ts';
import { place, receive } from '../../../src/core/workspace/places.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'armarium-places-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const version = {
  versionId: '019f0000-0000-7000-8000-000000000001',
  sha256: Buffer.from(contentHash(Buffer.from('a lease\n'))).toString('hex'),
  updatedAt: '2026-01-02T03:04:05.000Z',
};

it('a version is taken from a copy that holds it, and refused from one that holds something else', async () => {
  const copy = join(folder, 'copy.txt');
  await writeFile(copy, 'a lease\n');
  const incoming = await receive(folder, version, () => createReadStream(copy));
  expect(await readFile(incoming, 'utf8')).toBe('a lease\n');
  await writeFile(copy, 'another\n');
  await expect(receive(folder, version, () => createReadStream(copy))).rejects.toMatchObject({
    code: 'content-mismatch',
  });
  expect(existsSync(incoming)).toBe(false);
});

it('a copy that has gone meanwhile fails the taking alone, not the process', async () => {
  const gone = join(folder, 'gone.txt');
  await expect(receive(folder, version, () => createReadStream(gone))).rejects.toMatchObject({ code: 'ENOENT' });
  expect(await readdir(join(folder, '.armarium', 'incoming'))).toEqual([]);
});

it('a version whose place was taken meanwhile changes nothing there, and does not lie about', async () => {
  await writeFile(join(folder, 'source.txt'), 'a lease\n');
  const incoming = await receive(folder, version, () => createReadStream(join(folder, 'source.txt')));
  await writeFile(join(folder, 'lease.txt'), 'written just now\n');
  expect(await place(folder, 'lease.txt', incoming, null)).toBe('edited');
  expect(await readFile(join(folder, 'lease.txt'), 'utf8')).toBe('written just now\n');
  expect(existsSync(incoming)).toBe(false);
});
