import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../../src/shared/api/index.ts';
import { createAccount, startTestServer, type TestServer, uploadFiles } from '../../helpers/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

describe('from an account to a phrase in the history', () => {
  it('makes a library and a shelf, commits two versions, and finds a phrase in both', async () => {
    const ana = await createAccount(server.url);
    const lib = ana.account.library;
    const shelf = await ana.call(api.shelves.create, { params: { lib }, body: { name: 'Contracts' } });
    const first = await uploadFiles(ana, shelf, [
      { name: 'lease.txt', content: 'The tenant pays on the first day.\nClause four stands.\n' },
      { name: 'notes/契約.md', content: '契約書 v2\n' },
    ]);
    const second = await uploadFiles(
      ana,
      shelf,
      [{ name: 'lease.txt', content: 'The tenant pays on the third day.\n' }],
      'cut clause four',
    );
    expect(first?.changes.map((change) => change.code)).toEqual(['A', 'A']);
    expect(second?.changes.map((change) => change.code)).toEqual(['M']);
    expect(second?.parent).toBe(first?.hash);
    await server.server.indexed();

    const current = await ana.call(api.search.run, { query: { q: 'clause four' } });
    expect(current.results.map((result) => result.filename)).toEqual([]);
    const history = await ana.call(api.search.run, { query: { q: 'CLAUSE FOUR', scope: 'history' } });
    expect(
      history.results.map(({ versionNumber, matches, commitMessage }) => [versionNumber, matches, commitMessage]),
    ).toEqual([
      [2, 0, 'cut clause four'],
      [1, 1, ''],
    ]);
    const chinese = await ana.call(api.search.run, { query: { q: '契約' } });
    expect(chinese.results[0]).toMatchObject({
      filename: 'notes/契約.md',
      libraryName: lib,
      shelfName: 'Contracts',
      matches: 1,
    });
  });
});
