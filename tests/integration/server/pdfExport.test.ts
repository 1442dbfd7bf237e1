import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../../src/shared/api/index.ts';
import type { Shelf } from '../../../src/shared/model/library.ts';
import { hasOffice } from '../../helpers/hasOffice.ts';
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

async function add(name: string, content: Uint8Array | string) {
  const commit = await uploadFiles(ana, shelf, [{ name, content }]);
  return commit?.changes[0]?.document_id ?? '';
}
const exported = (id: string) => ana.call(api.pdfExport.current, { params: { id } });

describe('export to PDF (web-and-phone.md §8)', () => {
  it('gives a PDF as it is, by an address that is good for it alone', async () => {
    const pdf = await fixture('lease.pdf');
    const id = await add('lease.pdf', pdf);
    const answer = await exported(id);
    expect(answer).toMatchObject({ status: 'ready', error: null });
    const response = await fetch(server.url + answer.presignedUrl);
    expect(response.headers.get('content-type')).toBe('application/pdf');
    expect(Buffer.from(await response.arrayBuffer()).equals(pdf)).toBe(true);
    // Another first character, whatever it was.
    const changed = (answer.presignedUrl ?? '').replace(
      /signature=(.)/u,
      (_, first) => `signature=${first === 'A' ? 'B' : 'A'}`,
    );
    expect((await fetch(server.url + changed)).status).toBe(403);
    const byNumber = await ana.call(api.pdfExport.version, { params: { id, x: '1' } });
    expect(byNumber.status).toBe('ready');
    await expect(ana.call(api.pdfExport.version, { params: { id, x: '2' } })).rejects.toMatchObject({
      code: 'not-found',
    });
    const eve = await createAccount(server.url);
    await expect(eve.call(api.pdfExport.current, { params: { id } })).rejects.toMatchObject({ code: 'not-found' });
  });
  it('says why there is none', async () => {
    const answer = await exported(await add('archive.zip', 'no document'));
    expect(answer).toEqual({ status: 'error', presignedUrl: null, error: expect.stringContaining('this kind') });
  });
  it('says that LibreOffice is missing where it is', async () => {
    const without = await startTestServer({ libreOffice: 'no-such-office' });
    try {
      const ben = await createAccount(without.url);
      const params = { lib: ben.account.library };
      const made = await ben.call(api.shelves.create, { params, body: { name: 'Shelf' } });
      const content = await fixture('lease.docx');
      const commit = await uploadFiles(ben, made, [{ name: 'lease.docx', content }]);
      const id = commit?.changes[0]?.document_id ?? '';
      const answer = await ben.call(api.pdfExport.current, { params: { id } });
      expect(answer).toMatchObject({ status: 'error', error: expect.stringContaining('LibreOffice') });
    } finally {
      await without.close();
    }
  });
  it.runIf(hasOffice())('makes one of a document (skipped without LibreOffice)', { timeout: 120_000 }, async () => {
    const docx = await fixture('lease.docx');
    const answer = await exported(await add('lease.docx', docx));
    expect(answer).toMatchObject({ status: 'ready' });
    const pdf = Buffer.from(await (await fetch(server.url + answer.presignedUrl)).arrayBuffer());
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
  });
});
