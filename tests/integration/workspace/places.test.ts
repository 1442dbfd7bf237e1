import { createReadStream } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { contentHash } from '../../../src/core/search/prepare.ts';
import { receive } from '../../../src/core/workspace/places.ts';

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
});

it('a copy that has gone meanwhile fails the taking alone, not the process', async () => {
  const gone = join(folder, 'gone.txt');
  await expect(receive(folder, version, () => createReadStream(gone))).rejects.toMatchObject({ code: 'ENOENT' });
  expect(await readdir(folder)).not.toContain('gone.txt');
});
