import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { VersionRecord } from '../../../src/core/search/types.ts';
import { openIndex } from '../../../src/worker/openIndex.ts';

const main = new URL('../../../src/cli/main.ts', import.meta.url).pathname;
let base: string;
let folder: string;

function armarium(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', main, ...args],
    {
      encoding: 'utf8',
      env: { ...process.env, XDG_CACHE_HOME: join(base, 'cache') },
    },
  );
  return { status, stdout, stderr };
}

const hashOf = (content: string) => createHash('sha256').update(content).digest('hex');

const record = (number: number, content: string): VersionRecord => ({
  versionId: `version ${number}`,
  documentId: 'document',
  shelfId: 'shelf',
  libraryName: 'Library',
  shelfName: 'Shelf',
  documentName: 'a.txt',
  number,
  isCurrent: number === 2,
  sha256: hashOf(content),
  size: Buffer.byteLength(content),
  commitHash: hashOf(`commit ${number}`),
  commitMessage: `change ${number}`,
  author: 'ana',
  committedAt: new Date(number).toISOString(),
});

beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'armarium-cli-'));
  folder = join(base, 'files');
  mkdirSync(join(folder, 'sub'), { recursive: true });
  writeFileSync(join(folder, 'a.txt'), 'one Word\nand a word');
  writeFileSync(join(folder, 'sub', 'b.md'), 'words');
  writeFileSync(join(folder, 'c.bin'), Buffer.alloc(100));
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

describe('armarium index and find', () => {
  it('indexes a folder into a file and finds in it', () => {
    const file = join(base, 'own.db');
    const { status, stdout, stderr } = armarium('index', folder, '--db', file, '--json');
    expect([status, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toEqual({
      files: 3,
      indexed: 2,
      skipped: [{ path: join(folder, 'c.bin'), reason: expect.any(String) }],
      bytes: 24,
      seconds: expect.any(Number),
      indexBytes: expect.any(Number),
      peakRssBytes: expect.any(Number),
    });
    const found = JSON.parse(armarium('find', 'WORD', '--db', file, '--json').stdout);
    expect(found).toMatchObject({ query: 'WORD', total: 3, files: 2 });
    expect(found.results.find(({ path }: { path: string }) => path === join(folder, 'a.txt'))).toEqual({
      path: join(folder, 'a.txt'),
      matches: 2,
      size: 19,
      lastModified: expect.any(String),
      items: [
        { type: 'Content', line: 1, text: 'one Word', ranges: [[4, 8]] },
        { type: 'Content', line: 2, text: 'and a word', ranges: [[6, 10]] },
      ],
    });
  });
  it('finds in a folder that was never indexed, and sees what changed since', () => {
    const find = (...more: string[]) => JSON.parse(armarium('find', 'word', '--in', folder, '--json', ...more).stdout);
    expect(find()).toMatchObject({ total: 3, files: 2 });
    writeFileSync(join(folder, 'new.txt'), 'wordy');
    expect(find()).toMatchObject({ total: 4, files: 3 });
    rmSync(join(folder, 'new.txt'));
    expect(find()).toMatchObject({ total: 3, files: 2 });
    expect(find('--case', '--word')).toMatchObject({ total: 1, files: 1 });
    expect(find('--glob', '*.md')).toMatchObject({ total: 1, files: 1 });
    expect(find('--limit', '1')).toMatchObject({ total: 3, files: 2, results: [expect.anything()] });
  });
  it('prints lines for people', () => {
    const { stdout } = armarium('find', 'and a', '--in', folder);
    expect(stdout).toContain(join(folder, 'a.txt'));
    expect(stdout).toContain('2: and a word');
    expect(stdout).toMatch(/1 match(es)? in 1 file/u);
  });
  it('tells what an index holds', () => {
    const file = join(base, 'own.db');
    expect(JSON.parse(armarium('status', '--db', file, '--json').stdout)).toMatchObject({
      files: 3,
      indexed: 2,
      versions: 0,
      bytes: 24,
      skipped: [{ path: join(folder, 'c.bin') }],
    });
    expect(armarium('status', '--db', file).stdout).toMatch(/3 files, 2 searched by content .*\n {2}.*c\.bin: /u);
  });
  it('finds in the versions that an index holds', async () => {
    const file = join(base, 'history.db');
    const index = await openIndex({ file });
    await index.putVersions([record(1, 'the old word'), record(2, 'the new one')], async (sha256) =>
      Buffer.from(sha256 === hashOf('the old word') ? 'the old word' : 'the new one'),
    );
    await index.close();
    const { results, ...rest } = JSON.parse(armarium('find', 'WORD', '--db', file, '--history', '--json').stdout);
    expect(rest).toMatchObject({ total: 1, files: 1 });
    expect(results).toMatchObject([
      { path: 'a.txt', version: 1, library: 'Library', shelf: 'Shelf', message: 'change 1' },
    ]);
    const { stdout } = armarium('find', 'old', '--db', file, '--history');
    expect(stdout).toContain('Library/Shelf/a.txt v1');
    expect(stdout).toContain('removed in v2 change 2');
  });
  it('follows a folder until it is ended', async () => {
    const followed = join(base, 'followed');
    mkdirSync(followed);
    const child = spawn(process.execPath, [main, 'watch', followed, '--db', join(base, 'w.db'), '--json']);
    const states = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const until = async (files: number) => {
      for (;;) {
        const { value } = await states.next();
        const status = JSON.parse(String(value));
        if (status.state === 'ready' && status.indexed === files) return;
      }
    };
    await until(0);
    writeFileSync(join(followed, 'a.txt'), 'a file that came later');
    await until(1);
    child.kill('SIGINT');
    expect((await once(child, 'exit'))[0]).toBe(0);
  });
  it.each([
    [['find', 'xx', '--in', '.', '--history'], 2, /--db/u],
    [['status'], 2, /folder/u],
    [['status', '--db', '/nowhere/at/all.db'], 1, /no index/u],
    [['watch', '/nowhere/at/all'], 1, /no folder/u],
    [['find', 'x', '--in', '.'], 2, /2 to 50 characters/u],
    [['find', 'xx'], 2, /--in|--db/u],
    [['find', '(a', '--regex', '--in', '.'], 2, /expression|regular/iu],
    [['find', 'xx', '--db', '/nowhere/at/all.db'], 1, /no index/u],
    [['index', '/nowhere/at/all'], 1, /no folder/u],
    [['index', '.', '--wrong'], 2, /--wrong/u],
    [['dance'], 2, /dance/u],
  ])('says clearly what is wrong with %j', (args, code, message) => {
    const { status, stderr } = armarium(...args.map((arg) => (arg === '.' ? folder : arg)));
    expect(stderr).toMatch(message);
    expect(status).toBe(code);
  });
  it('tells how it is used', () => {
    expect(armarium('--help').stdout).toContain('find');
    for (const command of ['index', 'find', 'watch', 'status'])
      expect(armarium(command, '--help')).toMatchObject({ status: 0 });
  });
});
