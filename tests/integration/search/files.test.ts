import { execFileSync } from 'node:child_process';
import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import Database from 'better-sqlite3';
import { strToU8, zipSync } from 'fflate';
import { afterEach, describe, expect, it } from 'vitest';
import type { SearchResult } from '../../../src/shared/model/search.ts';
import { createIndexFixture, type IndexFixture, queryOf } from './indexFixture.ts';

let fixture: IndexFixture;
afterEach(() => fixture.dispose());

async function indexed(files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  fixture = await createIndexFixture(files);
  await fixture.index.setRoots([fixture.folder]);
  expect(await fixture.index.waitForIdle(60_000)).toBe(true);
}
const names = (results: readonly SearchResult[]) => results.map(({ filename }) => filename);

describe('what a result says', () => {
  it('lists name hits first, and counts content only', async () => {
    await indexed({ 'plan.md': 'nothing', 'old.txt': 'a plan, a Plan', 'new.txt': 'a plan, a trip' });
    utimesSync(join(fixture.folder, 'old.txt'), 1_600_000_000, 1_600_000_000);
    utimesSync(join(fixture.folder, 'new.txt'), 1_400_000_000, 1_400_000_000);
    await fixture.index.reconcile();
    const { results, total, files } = await fixture.find('plan');
    expect(names(results)).toEqual(['plan.md', 'old.txt', 'new.txt']);
    expect([total, files]).toEqual([3, 3]);
    expect(results[0]).toMatchObject({
      matches: 0,
      filenameRanges: [[0, 4]],
      items: [{ type: 'Filename', line: null, text: 'plan.md', ranges: [[0, 4]] }],
    });
    expect(results[1]?.items).toEqual([
      {
        type: 'Content',
        number: 1,
        line: 1,
        text: 'a plan, a Plan',
        ranges: [
          [2, 6],
          [10, 14],
        ],
      },
    ]);
  });
  it('keeps counts exact beyond the limit, and says that more match', async () => {
    await indexed(Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`${index}.txt`, 'many many'])));
    const { results, total, files, limitHit } = await fixture.find({ text: 'many', limit: 10 });
    expect([results.length, total, files, limitHit]).toEqual([10, 60, 30, true]);
  });
  it('lists by place, density and recency, however late the best are found', async () => {
    const filler = 'other words '.repeat(2000);
    const files = {
      'rent.txt': '',
      'heading.md': `# The rent\n${filler}`,
      'page.html': `<h2>On rent</h2><p>${filler}</p>`,
      'dense.txt': 'rent rent rent rent rent',
      'new.txt': `rent ${filler}`,
      'old.txt': `rent ${filler}`,
    };
    const others = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`${index}.log`, `rent ${filler}`]));
    await indexed({ ...others, ...files });
    const day = 24 * 3600;
    const now = Date.now() / 1000;
    const ages = {
      'rent.txt': 3000,
      'heading.md': 1000,
      'page.html': 1500,
      'dense.txt': 900,
      'new.txt': 10,
      'old.txt': 5000,
    };
    for (const name of Object.keys(others)) utimesSync(join(fixture.folder, name), now, now - 100 * day);
    for (const [name, age] of Object.entries(ages)) utimesSync(join(fixture.folder, name), now, now - age * day);
    await fixture.index.reconcile();
    const ranked = names((await fixture.find({ text: 'rent', limit: 66 })).results);
    expect(ranked.slice(0, 5)).toEqual(['rent.txt', 'heading.md', 'page.html', 'dense.txt', 'new.txt']);
    expect(ranked.at(-1)).toBe('old.txt');
    const few = await fixture.find({ text: 'rent', limit: 5 });
    expect(names(few.results)).toEqual(ranked.slice(0, 5));
    expect(few.results.map(({ items }) => items.length)).toEqual([1, 1, 1, 1, 1]);
    expect([few.files, few.total]).toEqual([66, 69]);
  });
  it('gives the library and shelf of a workspace file, and narrows by them', async () => {
    await indexed({ 'Law/Contracts/2024/a.txt': 'clause', 'Law/b.txt': 'clause', 'Art/Prints/c.txt': 'clause' });
    const { results } = await fixture.find('clause');
    expect(results.find(({ filename }) => filename === 'a.txt')).toMatchObject({
      libraryName: 'Law',
      shelfName: 'Contracts',
    });
    expect(results.find(({ filename }) => filename === 'b.txt')).toMatchObject({ libraryName: null, shelfName: null });
    expect(names((await fixture.find({ text: 'clause', library: 'law' })).results)).toEqual(['a.txt']);
    expect(names((await fixture.find({ text: 'clause', library: 'Art', shelf: 'Prints' })).results)).toEqual(['c.txt']);
  });
  it('narrows by globs: names anywhere, paths from the root, folders with all that is in them', async () => {
    await indexed({ 'src/a.ts': 'word', 'src/deep/b.ts': 'word', 'doc/c.md': 'word', '.hidden/d.ts': 'word' });
    const by = async (include: string[], exclude: string[] = []) =>
      names((await fixture.find({ text: 'word', include, exclude })).results).sort();
    expect(await by(['*.ts'])).toEqual(['a.ts', 'b.ts', 'd.ts']);
    expect(await by(['src/*.ts'])).toEqual(['a.ts']);
    expect(await by(['src/'])).toEqual(['a.ts', 'b.ts']);
    expect(await by([], ['deep', '*.md'])).toEqual(['a.ts', 'd.ts']);
    expect(await by(['*.TS'])).toEqual([]);
  });
  it('respects case, whole words and expressions', async () => {
    await indexed({ 'a.txt': 'Tree treehouse tree\nanother TREE' });
    const count = async (query: object) => (await fixture.find({ text: 'tree', ...query })).total;
    expect(await count({})).toBe(4);
    expect(await count({ matchCase: true })).toBe(2);
    expect(await count({ wholeWord: true })).toBe(3);
    expect(await count({ text: '^\\w+ tree$', regex: true })).toBe(1);
    expect(await count({ text: 'tree(house)?\\b', regex: true, matchCase: true })).toBe(2);
  });
  it('stops an expression that backtracks without end, and goes on working', async () => {
    await indexed({ 'a.txt': `${'a'.repeat(60)}!` });
    await expect(fixture.find({ text: '(a+)+$', regex: true })).rejects.toMatchObject({ code: 'query-too-slow' });
    await expect(fixture.find({ text: '(a+', regex: true })).rejects.toMatchObject({ code: 'query-invalid' });
    expect((await fixture.find('aa!')).total).toBe(1);
  });
  it('refuses a query of one character', async () => {
    await indexed({ 'a.txt': 'a' });
    await expect(fixture.index.search({ ...queryOf('ab'), text: 'a' }, { corpus: 'files' })).rejects.toMatchObject({
      code: 'query-invalid',
    });
  });
  it('streams what it finds, and ends when it is cancelled', async () => {
    await indexed(Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`${index}.txt`, `word ${index}`])));
    const streamed = new Set<string>();
    const { results } = await fixture.index.search(queryOf({ text: 'word', limit: 500 }), {
      corpus: 'files',
      onResults: (found) => {
        for (const { id } of found) streamed.add(id);
      },
    });
    expect(streamed).toEqual(new Set(results.map(({ id }) => id)));
    const controller = new AbortController();
    const run = fixture.index.search(queryOf('word'), { corpus: 'files', signal: controller.signal });
    controller.abort();
    await expect(run).rejects.toMatchObject({ code: 'cancelled' });
  });
  it('finds text in documents with the sheet or page, and the same bytes under another name as what they are', async () => {
    const html = '<p>Hello <b>wor</b>ld</p>';
    await indexed({
      'a.html': html,
      'a.txt': html,
      'book.odt': zipSync({
        mimetype: strToU8('application/vnd.oasis.opendocument.text'),
        'content.xml': strToU8(
          '<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:text><text:p>Hello world</text:p></office:text></office:body></office:document-content>',
        ),
      }),
    });
    expect(names((await fixture.find('hello world')).results).sort()).toEqual(['a.html', 'book.odt']);
    expect(names((await fixture.find('<b>wor')).results)).toEqual(['a.txt']);
  });
  it('shows a long line by pieces around its matches', async () => {
    await indexed({ 'long.txt': `${'x '.repeat(5000)}needle${' y'.repeat(5000)}needle` });
    const [result] = (await fixture.find('needle')).results;
    expect(result?.matches).toBe(2);
    expect(result?.items.map(({ number, line }) => [number, line])).toEqual([
      [1, 1],
      [2, 1],
    ]);
    for (const { text, ranges } of result?.items ?? []) {
      expect(text.length).toBeLessThanOrEqual(400);
      for (const [from, to] of ranges) expect(text.slice(from, to)).toBe('needle');
    }
  });
});

describe('files that are hard to read', () => {
  it('lists each with a reason, finds it by name, and indexes the rest', async () => {
    fixture = await createIndexFixture({
      'good.txt': 'word',
      'picture.png': new Uint8Array(2000).map((_, at) => at % 7),
    });
    const { folder } = fixture;
    const huge = openSync(join(folder, 'huge.log'), 'w');
    ftruncateSync(huge, 3 * 1024 ** 3);
    closeSync(huge);
    symlinkSync(folder, join(folder, 'loop'));
    symlinkSync('good.txt', join(folder, 'link.txt'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0x62, 0xff, 0x2e, 0x74])]), 'word');
    await fixture.index.setRoots([folder]);
    await fixture.index.waitForIdle(60_000);
    const skipped = new Map((await fixture.index.skipped()).map(({ path, reason }) => [basename(path), reason]));
    expect([...skipped.keys()].sort()).toEqual(['b\uFFFD.t', 'huge.log', 'link.txt', 'loop', 'picture.png', 'pipe']);
    expect(skipped.get('huge.log')).toMatch(/larger/iu);
    expect(skipped.get('b\uFFFD.t')).toMatch(/UTF-8/u);
    expect(skipped.get('pipe')).toMatch(/pipe/u);
    const { results, notSearched } = await fixture.find('word');
    expect(names(results)).toEqual(['good.txt']);
    expect(notSearched).toBe(6);
    expect((await fixture.find('huge')).results[0]).toMatchObject({ filename: 'huge.log', matches: 0 });
    expect(fixture.index.status()).toMatchObject({ state: 'ready', files: 7, indexed: 1, skipped: 6, pending: 0 });
  });
  it('counts what is on disk when a file shrank or grew since it was indexed, and brings the index up to date', async () => {
    await indexed({ 'a.txt': 'word word word' });
    fixture.write('a.txt', 'one word');
    expect((await fixture.find('word')).total).toBe(1);
    await fixture.until(async () => (await fixture.find('one word')).total === 1);
  });
  it('leaves out a file that is gone', async () => {
    await indexed({ 'a.txt': 'word', 'b.txt': 'word' });
    rmSync(join(fixture.folder, 'a.txt'));
    const { files, total } = await fixture.find('word');
    expect([files, total]).toEqual([1, 1]);
  });
});

describe('the index over time', () => {
  it('is at hand after a restart, and a reconciling look brings in what changed meanwhile', async () => {
    await indexed({ 'keep.txt': 'kept', 'edit.txt': 'before', 'gone.txt': 'gone', 'dir/x.txt': 'inside' });
    await fixture.reopen();
    expect((await fixture.find('before')).total).toBe(1);
    fixture.write('edit.txt', 'afterwards');
    fixture.write('new.txt', 'brandnew');
    rmSync(join(fixture.folder, 'gone.txt'));
    rmSync(join(fixture.folder, 'dir'), { recursive: true });
    await fixture.index.setRoots([fixture.folder]);
    await fixture.index.reconcile();
    for (const [text, files] of [
      ['kept', 1],
      ['before', 0],
      ['afterwards', 1],
      ['brandnew', 1],
      ['gone', 0],
      ['inside', 0],
    ] as const) {
      expect((await fixture.find(text)).files, text).toBe(files);
    }
    expect(await fixture.index.hasFile(join(fixture.folder, 'new.txt'))).toBe(true);
    expect(await fixture.index.hasFile(join(fixture.folder, 'gone.txt'))).toBe(false);
  });
  it('forgets the files of a folder that is no longer named', async () => {
    await indexed({ 'a/one.txt': 'word', 'b/two.txt': 'word' });
    await fixture.index.setRoots([join(fixture.folder, 'b')]);
    await fixture.index.waitForIdle(60_000);
    expect(names((await fixture.find('word')).results)).toEqual(['two.txt']);
  });
  it('leaves files of a folder that is not there out of the results, and says so, until it is back', async () => {
    await indexed({ 'a.txt': 'word' });
    const away = `${fixture.folder}-away`;
    renameSync(fixture.folder, away);
    await fixture.until(async () => fixture.index.status().message?.includes(fixture.folder) === true);
    expect((await fixture.find('word')).files).toBe(0);
    renameSync(away, fixture.folder);
    await fixture.until(async () => (await fixture.find('word')).files === 1);
  });
  it('honours ignore files in any folder, and the defaults', async () => {
    await indexed({
      '.armariumignore': '*.log\n',
      'a.log': 'word',
      'sub/.armariumignore': 'drafts/\n',
      'sub/drafts/b.txt': 'word',
      'sub/c.txt': 'word',
      'node_modules/d.txt': 'word',
      '.git/e.txt': 'word',
      '~$f.docx': 'word',
    });
    expect(names((await fixture.find('word')).results)).toEqual(['c.txt']);
  });
  it('reads again, when asked, what could not be read before', async () => {
    await indexed({ 'a.html': '<p>a lease</p>', 'b.html': '<p>a deed</p>' });
    await fixture.index.close();
    for (const file of [fixture.file, `${fixture.file}.1`]) {
      const database = new Database(file);
      database.exec("UPDATE texts SET body = NULL, skip_code = 'limit-reached', skip_reason = 'It took too long.'");
      database.close();
    }
    await fixture.reopen();
    await fixture.index.setRoots([fixture.folder]);
    await fixture.index.waitForIdle(60_000);
    expect((await fixture.index.skipped()).map(({ reason }) => reason)).toEqual([
      'It took too long.',
      'It took too long.',
    ]);
    await fixture.index.retrySkipped();
    expect(await fixture.index.skipped()).toEqual([]);
    expect((await fixture.find('lease')).total).toBe(1);
  });
  it.each([0, 1])('sets a damaged shard %i aside and builds it anew', async (shard) => {
    await indexed(Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`${index}.txt`, `word ${index}`])));
    await fixture.index.close();
    writeFileSync(shard === 0 ? fixture.file : `${fixture.file}.1`, 'this is no database'.repeat(500));
    fixture.index = (await reopened()).index;
    await fixture.index.setRoots([fixture.folder]);
    await fixture.index.waitForIdle(60_000);
    expect((await fixture.find('word')).files).toBe(40);
  });
  it('builds everything anew on request', async () => {
    await indexed({ 'a.txt': 'word' });
    await fixture.index.rebuild();
    await fixture.index.waitForIdle(60_000);
    expect((await fixture.find('word')).files).toBe(1);
  });
  it('closes twice without harm', async () => {
    await indexed({ 'a.txt': 'word' });
    await fixture.index.close();
    await fixture.index.close();
  });
  it('is empty over a folder that is not there', async () => {
    fixture = await createIndexFixture({});
    const missing = join(fixture.folder, 'nowhere');
    await fixture.index.setRoots([missing]);
    expect(await fixture.index.waitForIdle(60_000)).toBe(true);
    expect(fixture.index.status().message).toContain(missing);
    mkdirSync(missing);
  });
});

async function reopened(): Promise<IndexFixture> {
  await fixture.reopen();
  return fixture;
}
