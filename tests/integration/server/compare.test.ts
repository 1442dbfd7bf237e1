import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createComparer } from '../../../src/server/compare/comparer.ts';
import { api } from '../../../src/shared/api/index.ts';
import type { Shelf } from '../../../src/shared/model/library.ts';
import { workerEntry } from '../../../src/worker/entries.ts';
import { createAccount, startTestServer, type TestServer, uploadFiles } from '../../helpers/server.ts';

const fixture = (name: string) => readFile(join(import.meta.dirname, '..', '..', 'fixtures', 'documents', name));

let server: TestServer;
let ana: Awaited<ReturnType<typeof createAccount>>;
let shelf: Shelf;
beforeAll(async () => {
  server = await startTestServer();
  ana = await createAccount(server.url);
  shelf = await ana.call(api.shelves.create, { params: { lib: ana.account.library }, body: { name: 'Shelf' } });
});
afterAll(() => server.close());

async function add(name: string, content: string | Uint8Array): Promise<string> {
  const commit = await uploadFiles(ana, shelf, [{ name, content }]);
  return commit?.changes[0]?.version_id ?? '';
}
const compare = (id: string, other: string, who: typeof ana = ana) =>
  who.call(api.compare.versions, { params: { id, other }, query: { context: 1 } });

describe('comparing two versions', () => {
  it('gives lines with the words that changed, in either direction', async () => {
    const old = await add('lease.txt', 'one\ntwo\nthe tenant pays monthly\nfour\nfive\n');
    const recent = await add('lease.txt', 'one\ntwo\nthe tenant pays yearly\nfour\nfive\n');
    const { changes, ...rest } = await compare(old, recent);
    expect(rest).toMatchObject({ added: 1, removed: 1, identical: false, unavailable: null, coarse: false });
    expect(rest.base).toMatchObject({ document_name: 'lease.txt', number: 1, shelf: 'Shelf' });
    expect(rest.other).toMatchObject({ number: 2 });
    expect(changes[0]?.lines.map(({ kind, text, changed }) => [kind, text, changed])).toEqual([
      ['equal', 'two', null],
      ['removed', 'the tenant pays monthly', [[16, 23]]],
      ['added', 'the tenant pays yearly', [[16, 22]]],
      ['equal', 'four', null],
    ]);
    const back = await compare(recent, old);
    expect(back.changes[0]?.lines[2]).toMatchObject({ kind: 'added', text: 'the tenant pays monthly' });
    expect(await compare(old, old)).toMatchObject({ identical: true, changes: [] });
  });
  it('compares the texts of documents, also of two kinds', async () => {
    const [docx, pdf] = [
      await add('a.docx', await fixture('lease.docx')),
      await add('a.pdf', await fixture('lease.pdf')),
    ];
    const compared = await compare(docx, pdf);
    expect(compared.unavailable).toBeNull();
    expect(compared.other_pages[0]).toBe('Page 1');
  });
  it('compares tables cell by cell, and says why there is none', async () => {
    const tables = (id: string, other: string, who: typeof ana = ana) =>
      who.call(api.compare.tables, { params: { id, other }, query: {} });
    const old = await add('rent.csv', 'Flat,Rent\nA,1200\nB,900\n');
    const recent = await add('rent.csv', 'Flat,Rent,Since\nA,1350,2024\nB,900,2020\nC,700,2023\n');
    expect(await tables(old, recent)).toMatchObject({
      unavailable: null,
      tables: [{ kind: 'changed', rows_added: 1, rows_removed: 0, cells_changed: 1 }],
    });
    expect(await tables(old, old)).toMatchObject({ tables: [], unavailable: null });
    const text = await add('words.txt', 'words');
    expect((await tables(old, text)).unavailable).toMatchObject({ version: 'other', code: 'unsupported' });
    const eve = await createAccount(server.url);
    await expect(tables(old, recent, eve)).rejects.toMatchObject({ code: 'not-found' });
  });
  it('says why there is nothing to compare', async () => {
    const [text, binary] = [await add('t.txt', 'text'), await add('b.bin', new Uint8Array([0, 1, 2, 0, 255]))];
    expect((await compare(text, binary)).unavailable).toMatchObject({ version: 'other', code: 'binary' });
  });
  it('is for those who may read both', async () => {
    const mine = await add('mine.txt', 'mine');
    const eve = await createAccount(server.url);
    await expect(compare(mine, mine, eve)).rejects.toMatchObject({ code: 'not-found' });
    await expect(compare(mine, '00000000-0000-4000-8000-000000000000')).rejects.toMatchObject({ code: 'not-found' });
  });
});

describe('what costs more than its limit', () => {
  const content = (text: string) => {
    const bytes = new TextEncoder().encode(text);
    return { name: 'a.txt', size: bytes.length, read: async () => new Uint8Array(bytes) };
  };
  const never = new AbortController().signal;
  const pair = (base: string, other: string, signal = never) => ({
    base: content(base),
    other: content(other),
    context: 3,
    signal,
  });

  it('ends by itself, and the next comparison is done', async () => {
    const comparer = createComparer({ threadEntry: workerEntry('compareThread'), timeLimitMs: 1 });
    const slow = await comparer.compare('texts', pair('a\n'.repeat(1e6), 'b\n'.repeat(1e6)));
    expect(slow).toMatchObject({ unavailable: { code: 'limit-reached', version: 'both' } });
    await comparer.close();
    const patient = createComparer({ threadEntry: workerEntry('compareThread') });
    expect(await patient.compare('texts', pair('a', 'b'))).toHaveProperty('comparison.added', 1);
    await patient.close();
  });
  it('ends the work when nobody waits for it any more, and the next comparison is done', async () => {
    const comparer = createComparer({ threadEntry: workerEntry('compareThread') });
    const client = new AbortController();
    const lines = (of: number) => Array.from({ length: 500_000 }, (_, index) => (index * index) % of).join('\n');
    // The second content is read last: what follows is the work of the thread.
    const { base, other, context } = pair(lines(53), lines(59));
    const read = () => other.read().finally(() => setImmediate(() => client.abort()));
    const asked = comparer.compare('texts', { base, other: { ...other, read }, context, signal: client.signal });
    await expect(asked).rejects.toMatchObject({ code: 'cancelled' });
    expect(await comparer.compare('texts', pair('a', 'b'))).toHaveProperty('comparison.added', 1);
    await comparer.close();
  });
  it('refuses more than can wait, and drops those that nobody waits for', async () => {
    const comparer = createComparer({ threadEntry: workerEntry('compareThread') });
    const gone = AbortSignal.abort();
    const asked = Array.from({ length: 20 }, () => comparer.compare('texts', pair('a', 'b', gone)));
    await expect(comparer.compare('texts', pair('a', 'b'))).rejects.toMatchObject({ code: 'throttled' });
    const outcomes = await Promise.allSettled(asked);
    expect(outcomes.map((each) => each.status === 'rejected' && each.reason.code)).toEqual(
      asked.map(() => 'cancelled'),
    );
    await comparer.close();
  });
});
