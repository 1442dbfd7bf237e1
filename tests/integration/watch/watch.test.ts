import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { basename, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createIndexFixture, type IndexFixture } from '../search/indexFixture.ts';

const isCaseSensitive = process.platform === 'linux';
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
  it('loses nothing of a burst, nor of a large folder that is renamed at the top', async () => {
    for (let at = 0; at < 5000; at += 1) fixture.write(`burst/${at % 5}/${at % 40}/${at}.txt`, `bursting ${at}`);
    const count = async (include: string[]) => (await fixture.find({ text: 'bursting', limit: 1, include })).total;
    await fixture.until(async () => (await count([])) === 5000);
    renameSync(join(fixture.folder, 'burst/3'), join(fixture.folder, 'renamed'));
    await fixture.until(async () => (await count(['renamed/'])) === 1000 && (await count(['burst/'])) === 4000);
    rmSync(join(fixture.folder, 'burst'), { recursive: true });
    rmSync(join(fixture.folder, 'renamed'), { recursive: true });
    await fixture.until(async () => (await count([])) === 0 && fixture.index.status().files === 2);
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
    expect(fixture.warnings).toEqual([]);
  });
  it('keeps what it knows of a folder that is away, or that is empty in its place, until it is back', async () => {
    const away = `${fixture.folder}-away`;
    const note = (text: string) => fixture.until(async () => fixture.index.status().message?.includes(text) === true);
    renameSync(fixture.folder, away);
    await note('Not there at present');
    expect(fixture.index.folders()).toMatchObject([{ folder: fixture.folder, isAway: true }]);
    mkdirSync(fixture.folder);
    await note('perhaps not mounted');
    expect(fixture.index.status().files).toBe(2);
    rmSync(fixture.folder, { recursive: true });
    renameSync(away, fixture.folder);
    await becomes('words', ['a.txt', 'dir/b.txt']);
    expect(fixture.index.folders()).toMatchObject([{ isAway: false, note: null }]);
  });
  it('reads a file that grows to its end', async () => {
    const file = openSync(join(fixture.folder, 'growing.log'), 'w');
    for (let at = 0; at < 400; at += 1) {
      writeSync(file, `${'growing '.repeat(2000)}\n`);
      await setImmediate();
    }
    closeSync(file);
    await fixture.until(async () => (await fixture.find({ text: 'growing', itemsPerResult: 0 })).total === 800_000);
    await fixture.index.waitForIdle(60_000);
    expect(await found('growing')).toEqual(['growing.log']);
  });
  it('finds names that differ only in case each by itself, and a file whose name changed its case', async () => {
    fixture.write('Case.txt', 'upper case');
    fixture.write('other/case.txt', 'lower case');
    await becomes('case', ['Case.txt', 'other/case.txt']);
    renameSync(join(fixture.folder, 'Case.txt'), join(fixture.folder, 'CASE.txt'));
    await becomes('upper case', ['CASE.txt']);
    fixture.write('CASE.TXT', 'both are there');
    await becomes(
      'case',
      isCaseSensitive ? ['CASE.txt', 'CASE.TXT', 'other/case.txt'] : ['CASE.txt', 'other/case.txt'],
    );
  });
  it('is not disturbed by what is no file', async () => {
    symlinkSync('..', join(fixture.folder, 'dir', 'loop'));
    symlinkSync('self', join(fixture.folder, 'self'));
    execFileSync('mkfifo', [join(fixture.folder, 'pipe')]);
    const server = createServer().listen(join(fixture.folder, 'socket'));
    truncateSync(fixture.write('sparse.bin', ''), 50 * 1024 ** 2);
    fixture.write('dir/last.txt', 'the last words');
    await becomes('words', ['a.txt', 'dir/b.txt', 'dir/last.txt']);
    await fixture.until(async () => fixture.index.status().files === 8);
    await fixture.index.waitForIdle(60_000);
    const reasons = new Map((await fixture.index.skipped()).map(({ path, reason }) => [basename(path), reason]));
    expect([...reasons.keys()].sort()).toEqual(['loop', 'pipe', 'self', 'socket', 'sparse.bin']);
    expect(reasons.get('socket')).toBe('A socket.');
    server.close();
  });
  it('writes nothing into a folder, and follows one that may only be read', async () => {
    const folder = join(fixture.folder, 'dir');
    chmodSync(join(folder, 'b.txt'), 0o444);
    chmodSync(folder, 0o555);
    const before = statSync(folder).mtimeMs;
    await fixture.index.reconcile();
    chmodSync(join(folder, 'b.txt'), 0o644);
    writeFileSync(join(folder, 'b.txt'), 'words that were changed');
    await becomes('that were changed', ['dir/b.txt']);
    expect(statSync(folder).mtimeMs).toBe(before);
    chmodSync(folder, 0o755);
  });
});
