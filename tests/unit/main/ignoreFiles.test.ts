import { access, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readIgnoreFiles, saveIgnoreFile } from '../../../src/main/ignoreFiles.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'armarium-ignore-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('writes the rules of a folder whole, reads them back, and leaves no empty file', async () => {
  await saveIgnoreFile(folder, 'drafts/\n*.bak');
  expect(await readIgnoreFiles([folder, join(folder, 'away')])).toEqual([
    { folder, text: 'drafts/\n*.bak\n' },
    { folder: join(folder, 'away'), text: '' },
  ]);
  expect(await readdir(folder)).toEqual(['.armariumignore']);
  await saveIgnoreFile(folder, ' \n');
  await expect(access(join(folder, '.armariumignore'))).rejects.toThrow();
});

it('says that a folder is not there', async () => {
  await expect(saveIgnoreFile(join(folder, 'away'), 'x')).rejects.toMatchObject({ code: 'folder-unavailable' });
});
