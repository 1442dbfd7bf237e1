import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/server/database/connection.ts';
import { createCollector } from '../../../src/server/storage/collector.ts';
import { createFolderBlobStore } from '../../../src/server/storage/folderBlobStore.ts';
import { createSignedUrls } from '../../../src/server/storage/signedUrls.ts';
import { api } from '../../../src/shared/api/index.ts';
import { createAccount, startTestServer, uploadFiles } from '../../helpers/server.ts';

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

describe('the collector', () => {
  let folder = '';
  let clock = Date.parse('2026-03-01T09:00:00Z');
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'armarium-collector-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('removes what belonged to nothing for an hour, and nothing that is needed', async () => {
    const server = await startTestServer({ dataDir: folder });
    const ana = await createAccount(server.url);
    const shelf = await ana.call(api.shelves.create, { params: { lib: ana.account.library }, body: { name: 'S' } });
    const [needed, dropped, rescued] = ['needed', 'dropped', 'rescued'];
    await uploadFiles(
      ana,
      shelf,
      [needed, dropped, rescued].map((text) => ({ name: text, content: text })),
    );
    const documents = (await ana.call(api.documents.shelfDetail, { params: { lib: shelf.library, id: shelf.id } }))
      .documents;
    for (const { id, name } of documents.filter(({ name }) => name !== needed)) {
      await ana.call(api.documents.remove, { params: { id }, body: { message: name } });
      await ana.call(api.trash.remove, { params: { id } });
    }
    await server.close();

    const database = await openDatabase({ dataDir: folder });
    const blobs = createFolderBlobStore(
      folder,
      createSignedUrls(Buffer.alloc(32), () => clock),
    );
    const collector = createCollector(database, blobs, () => clock);
    const there = async () =>
      Promise.all([needed, dropped, rescued].map(async (text) => (await blobs.size(hashOf(text))) !== null));
    expect(await collector.collect()).toEqual({ removed: 0, bytes: 0 });
    expect(await there()).toEqual([true, true, true]);
    // What an upload needs again meanwhile is spared.
    await database.updateTable('blobs').set({ condemned_ms: null }).where('sha256', '=', hashOf(rescued)).execute();
    clock += 3600_000;
    expect(await collector.collect()).toEqual({ removed: 1, bytes: dropped.length });
    expect(await there()).toEqual([true, false, true]);
    await blobs.put(() => Readable.from(['dropped']), { sha256: hashOf(dropped), size: dropped.length });
    expect(await blobs.size(hashOf(dropped))).toBe(dropped.length);
    await database.destroy();
  });
});
