import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createIndexFixture, type IndexFixture } from '../search/indexFixture.ts';

let fixture: IndexFixture;
const found = async (text: string) =>
  (await fixture.find(text)).results.map(({ path }) => path.slice(fixture.folder.length + 1));
const becomes = (text: string, paths: readonly string[]) =>
  fixture.until(async () => JSON.stringify((await found(text)).sort()) === JSON.stringify([...paths].sort()));

beforeEach(async () => {
  fixture = await createIndexFixture({ 'a.txt': 'first words', 'dir/b.txt': 'inner words' });
  await fixture.index.setRoots([fixture.folder]);
  await fixture.index.watch();
  await fixture.index.waitForIdle(60_000);
});
afterEach(() => fixture.dispose());

describe('following a folder', () => {
  it('finds an edited, a new and a removed file without being asked', async () => {
    fixture.write('a.txt', 'second words');
    await becomes('second', ['a.txt']);
    fixture.write('deep/er/c.txt', 'third words');
    await becomes('third', ['deep/er/c.txt']);
    rmSync(join(fixture.folder, 'a.txt'));
    await becomes('second', []);
    expect(await found('first')).toEqual([]);
  });
  it('follows an editor that saves by renaming, and folders that are renamed at the top', async () => {
    fixture.write('a.txt.new', 'renamed words');
    renameSync(join(fixture.folder, 'a.txt.new'), join(fixture.folder, 'a.txt'));
    await becomes('renamed', ['a.txt']);
    renameSync(join(fixture.folder, 'dir'), join(fixture.folder, 'moved'));
    await becomes('inner', ['moved/b.txt']);
  });
  it('loses nothing of a burst', async () => {
    mkdirSync(join(fixture.folder, 'burst'));
    for (let index = 0; index < 2000; index += 1)
      fixture.write(`burst/${index % 40}/${index}.txt`, `bursting ${index}`);
    await fixture.until(async () => (await fixture.find({ text: 'bursting', limit: 1 })).total === 2000);
    rmSync(join(fixture.folder, 'burst'), { recursive: true });
    await fixture.until(async () => (await fixture.find({ text: 'bursting', limit: 1 })).total === 0);
    await fixture.until(async () => fixture.index.status().files === 2);
  });
  it('takes up a changed ignore file', async () => {
    fixture.write('.armariumignore', 'dir/\n');
    await becomes('inner', []);
    fixture.write('.armariumignore', '# nothing\n');
    await becomes('inner', ['dir/b.txt']);
  });
  it('goes on after the folder itself was away', async () => {
    const away = `${fixture.folder}-away`;
    renameSync(fixture.folder, away);
    await becomes('words', []);
    renameSync(away, fixture.folder);
    await becomes('words', ['a.txt', 'dir/b.txt']);
    await fixture.index.waitForIdle(60_000);
    await fixture.index.watch();
    fixture.write('a.txt', 'words after the return');
    await becomes('the return', ['a.txt']);
  });
});
