import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { renameSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { WatchFolder } from '../../../src/core/watch/folderWatcher.ts';
import { createIndexFixture, type IndexFixture } from '../search/indexFixture.ts';

const MINUTE_MS = 60_000;

let fixture: IndexFixture;
afterEach(async () => {
  vi.useRealTimers();
  await fixture.dispose();
});

async function followed(files: Readonly<Record<string, string>>, watchFolder?: WatchFolder): Promise<void> {
  fixture = await createIndexFixture(files, watchFolder === undefined ? {} : { watchFolder });
  await fixture.index.setRoots([fixture.folder]);
  await fixture.index.watch();
  await fixture.index.waitForIdle(60_000);
}
const total = async (text: string) => (await fixture.find({ text, limit: 1 })).total;

/** A system that has no watches left. */
const noWatches: WatchFolder = () => Promise.reject(Object.assign(new Error('no space left'), { code: 'ENOSPC' }));
/** A system that never tells of anything. */
const deaf: WatchFolder = async () => ({ close: async () => undefined });

describe('a file whose author hides that it changed', () => {
  it('is found out by a look at everything, though its size and time are the same', async () => {
    fixture = await createIndexFixture({ 'a.txt': 'first words', 'b.txt': 'other words' });
    const path = join(fixture.folder, 'a.txt');
    const long = new Date(Date.now() - 3_600_000);
    utimesSync(path, long, long);
    await fixture.index.setRoots([fixture.folder]);
    await fixture.index.waitForIdle(60_000);
    const { size, mtimeMs } = statSync(path);
    writeFileSync(path, 'fresh words');
    utimesSync(path, long, long);
    expect(statSync(path)).toMatchObject({ size, mtimeMs });
    await fixture.index.reconcile();
    expect([await total('first'), await total('fresh')]).toEqual([0, 1]);
  });
  it('is found out when it was replaced by another file of the same size and time', async () => {
    await followed({ 'a.txt': 'first words', 'b.txt': 'fresh words' }, deaf);
    const { atime, mtime } = statSync(join(fixture.folder, 'a.txt'));
    utimesSync(join(fixture.folder, 'b.txt'), atime, mtime);
    renameSync(join(fixture.folder, 'b.txt'), join(fixture.folder, 'a.txt'));
    await fixture.index.reconcile();
    expect([await total('first'), await total('fresh'), fixture.index.status().files]).toEqual([0, 1, 1]);
  });
});

describe('a folder whose changes the system does not tell', () => {
  // Only the clock of the index is held: threads and the disk take the time that they take.
  const holdClock = () => vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance', 'Date'] });

  it('is looked through within a minute when there are no watches left, and says so', async () => {
    holdClock();
    await followed({ 'a.txt': 'first words' }, noWatches);
    expect(fixture.index.folders()).toMatchObject([{ isAway: false, isPolled: true }]);
    expect(fixture.index.status().message).toMatch(/every 30 seconds, because .*ENOSPC/u);
    fixture.write('later.txt', 'later words');
    await vi.advanceTimersByTimeAsync(MINUTE_MS);
    await fixture.until(async () => (await total('words')) === 2);
  });
  it('is watched again when watches are to be had', async () => {
    holdClock();
    let isLimited = true;
    await followed({ 'a.txt': 'first words' }, (options) => (isLimited ? noWatches(options) : deaf(options)));
    isLimited = false;
    for (let minutes = 0; minutes < 20 && fixture.index.status().message !== null; minutes += 1) {
      await vi.advanceTimersByTimeAsync(MINUTE_MS);
      await fixture.index.waitForIdle(60_000);
    }
    expect(fixture.index.folders()).toMatchObject([{ isPolled: false, note: null }]);
  });
  it('is looked through after the machine slept', async () => {
    holdClock();
    await followed({ 'a.txt': 'first words' }, deaf);
    fixture.write('meanwhile.txt', 'words of the night');
    vi.setSystemTime(Date.now() + 8 * 60 * MINUTE_MS);
    await vi.advanceTimersByTimeAsync(2000);
    await fixture.until(async () => (await total('words')) === 2);
  });
});

const main = new URL('../../../src/cli/main.ts', import.meta.url).pathname;
const LIMIT = '/proc/sys/user/max_inotify_watches';
const canLimit = spawnSync('unshare', ['-r', 'sh', '-c', `echo 3 > ${LIMIT}`]).status === 0;

describe.runIf(canLimit)('a system that lets an account watch three folders', () => {
  it('has its limit noted in the status', async () => {
    fixture = await createIndexFixture(
      Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`${at}/deep/a.txt`, 'some words'])),
    );
    const command = `echo 3 > ${LIMIT}; exec "$@"`;
    const watch = [process.execPath, main, 'watch', fixture.folder, '--db', `${fixture.file}-own`, '--json'];
    const child = spawn('unshare', ['-r', 'sh', '-c', command, 'sh', ...watch], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    for await (const line of createInterface({ input: child.stdout })) {
      const { indexed, state, message } = JSON.parse(line);
      if (indexed === 10 && state === 'ready' && /every 30 seconds/u.test(message ?? '')) break;
    }
    child.kill('SIGTERM');
    await once(child, 'exit');
  });
});

describe('a process that takes its own file descriptors', () => {
  it.each([
    ['none', 0, /^waiting/u],
    ['too few to start the thread that reads documents', 4, /^waiting, 0 given up$/u],
  ])('and leaves %s loses nothing once they are back', async (_, left, waiting) => {
    fixture = await createIndexFixture({ 'a.txt': 'first words', 'sub/b.txt': 'first words' });
    const starved = new URL('../../fixtures/starvedIndex.ts', import.meta.url).pathname;
    const child = spawn(
      'sh',
      ['-c', 'ulimit -n 64; exec "$@"', 'sh', process.execPath, starved, fixture.folder, `${left}`],
      {
        stdio: ['pipe', 'pipe', 'inherit'],
      },
    );
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const says = async () => String((await lines.next()).value);
    expect(await says()).toBe('starving');
    fixture.write('a.txt', 'second words');
    fixture.write('page.html', '<p>second words</p>');
    for (let at = 0; at < 50; at += 1) fixture.write(`new/${at}.txt`, 'second words');
    expect(await says()).toMatch(waiting);
    child.stdin.write('eat\n');
    expect(await says()).toBe('second 52, first 1');
    child.stdin.end();
    expect((await once(child, 'exit'))[0]).toBe(0);
  });
});
