import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { SearchIndex } from '../../../src/core/search/types.ts';
import { SearchQuery } from '../../../src/shared/model/search.ts';
import { openIndex } from '../../../src/worker/openIndex.ts';
import { COMMAND_LINE } from '../../helpers/commandLine.ts';

const FILES = 1500;
const KILLS = 8;

let base = '';
let folder = '';
let file = '';
beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'armarium-kill-'));
  folder = join(base, 'files');
  file = join(base, 'index', 'search.db');
  mkdirSync(folder);
  for (let number = 0; number < FILES; number += 1) write(number, 0);
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

/** A file whose words say which one it is, and in which state. */
function write(number: number, state: number): void {
  const lines = Array.from(
    { length: 80 },
    (_, line) => `line ${line} of file${number}x, ${(number * 7919 + line).toString(36)}`,
  );
  writeFileSync(join(folder, `${number}.txt`), `${lines.join('\n')}\nstate${state}x of ${number}\n`);
}

async function total(index: SearchIndex, text: string): Promise<number> {
  const query = SearchQuery.parse({ text, scope: 'current', limit: 5 });
  return (await index.search(query, { corpus: 'files' })).files;
}

/** What an index that is opened and brought right says, beside what it ought to. */
async function expectWhole(at: string, changed: number): Promise<void> {
  const index = await openIndex({ file: at });
  try {
    await index.setRoots([folder]);
    await index.waitForIdle(60_000);
    expect(index.status()).toMatchObject({ state: 'ready', files: FILES, indexed: FILES, pending: 0 });
    expect(await total(index, 'state1x')).toBe(changed);
    expect(await total(index, 'state0x')).toBe(FILES - changed);
    for (const number of [0, 7, 700, FILES - 1]) expect(await total(index, `file${number}x`)).toBe(1);
  } finally {
    await index.close();
  }
}

/** When anything of the index was last written, in milliseconds. */
function lastWritten(): number {
  const names = readdirSync(join(base, 'index'));
  return Math.max(
    0,
    ...names.map((name) => statSync(join(base, 'index', name), { throwIfNoEntry: false })?.mtimeMs ?? 0),
  );
}

/** Follows the folder in a process of its own. */
function follow() {
  const child = spawn(process.execPath, [COMMAND_LINE, 'watch', folder, '--db', file, '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() };
}

describe('an index', () => {
  it('that is killed at any moment is whole at the next start', { timeout: 120_000 }, async () => {
    let changed = 0;
    for (let kill = 0; kill < KILLS; kill += 1) {
      const { child, lines } = follow();
      // A status tells that something is under way: the kill comes in the midst of it.
      await lines.next();
      for (const end = changed + 20; changed < end; changed += 1) write(changed, 1);
      if (kill % 2 === 1) await lines.next();
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    await expectWhole(file, changed);
    for (const name of readdirSync(join(base, 'index')).filter((each) => /\.db(\.\d)?$/u.test(each))) {
      const database = new Database(join(base, 'index', name), { readonly: true });
      expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
      database.close();
    }
  });
  it('whose files were copied while they were written is whole after its start', { timeout: 120_000 }, async () => {
    const { child, lines } = follow();
    await lines.next();
    const changed = KILLS * 20;
    const copies: string[] = [];
    for (let copy = 0; copy < 3; copy += 1) {
      const target = join(base, `copy ${copy}`);
      mkdirSync(target);
      const before = lastWritten();
      for (let number = 0; number < changed; number += 1) write(number, 1);
      await expect.poll(lastWritten, { timeout: 30_000, interval: 1 }).toBeGreaterThan(before);
      for (const name of readdirSync(join(base, 'index'))) copyFileSync(join(base, 'index', name), join(target, name));
      copies.push(join(target, 'search.db'));
    }
    child.kill('SIGKILL');
    await once(child, 'exit');
    for (const copy of copies) await expectWhole(copy, changed);
  });
  it('on a disk that is full says so, loses nothing, and goes on when there is room', {
    timeout: 60_000,
  }, async (context) => {
    const disk = join(base, 'disk');
    mkdirSync(disk);
    const mount = spawn('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', disk], { stdio: 'ignore' });
    const [code] = await once(mount, 'exit').catch(() => [1]);
    if (code !== 0) return context.skip('a small disk can be mounted by the administrator alone');
    const run = async (program: string, ...args: string[]) => once(spawn(program, args, { stdio: 'ignore' }), 'exit');
    try {
      const warnings: string[] = [];
      const index = await openIndex({ file: join(disk, 'search.db'), onWarning: (message) => warnings.push(message) });
      try {
        await index.setRoots([folder]);
        await index.waitForIdle(60_000);
        expect(warnings.join('\n')).toMatch(/full/u);
        await run('mount', '-o', 'remount,size=100m', disk);
        await index.reconcile();
        expect(await total(index, 'file700x')).toBe(1);
        expect(index.status()).toMatchObject({ files: FILES, indexed: FILES });
      } finally {
        await index.close();
      }
    } finally {
      await run('umount', disk);
    }
  });
  it('changes nothing that it indexes', () => {
    expect(readdirSync(folder)).toHaveLength(FILES);
    expect(existsSync(join(folder, '.armarium'))).toBe(false);
    expect(statSync(join(folder, '0.txt')).size).toBeGreaterThan(1000);
  });
});
