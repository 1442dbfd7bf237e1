import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../../src/shared/api/index.ts';
import type { Shelf } from '../../../src/shared/model/library.ts';
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
const textOf = (id: string, from = 0) => ana.call(api.documents.text, { params: { id }, query: { from } });

describe('the text of a version', () => {
  it.each([
    ['lease.pdf', 'Page 1'],
    ['deck.pptx', 'Slide 1'],
    ['sheet.xlsx', 'Sheet '],
    ['lease.docx', 'Content'],
  ])('has the parts of %s as search results name them', async (name, label) => {
    const { sections, problem, next, length } = await textOf(await add(name, await fixture(name)));
    expect(sections[0]?.label.startsWith(label)).toBe(true);
    expect(sections.reduce((sum, { text }) => sum + text.length, 0)).toBe(length);
    expect({ problem, next }).toEqual({ problem: null, next: null });
  });

  it.each([
    ['encrypted.pdf', 'password-protected'],
    ['truncated.pdf', 'damaged'],
    ['scanned.pdf', 'no-text'],
  ] as const)('says of %s why there is none: %s', async (name, problem) => {
    expect(await textOf(await add(name, await fixture(name)))).toEqual({
      sections: [],
      next: null,
      length: 0,
      problem,
    });
  });

  it('has as many matches as the search counts', async () => {
    const id = await add('terms.txt', 'Term, TERM, te\nrm, term');
    await server.server.indexed();
    const { results } = await ana.call(api.search.run, { query: { q: 'term' } });
    const { sections } = await textOf(id);
    expect(sections[0]?.text.match(/term/giu)).toHaveLength(
      results.find(({ path }) => path === 'terms.txt')?.matches ?? 0,
    );
  });

  it('comes in parts that join to the whole, cut anywhere', async () => {
    const text = `${'line of a long text\n'.repeat(120_000)}end`;
    const id = await add('long.txt', text);
    let joined = '';
    for (let from: number | null = 0; from !== null; ) {
      const part: Awaited<ReturnType<typeof textOf>> = await textOf(id, from);
      joined += part.sections.map((section) => section.text).join('');
      from = part.next;
    }
    expect(joined).toBe(text);
    expect(await textOf(id, text.length)).toMatchObject({ sections: [], next: null, length: text.length });
  });
});
