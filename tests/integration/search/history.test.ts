import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { VersionRecord } from '../../../src/core/search/types.ts';
import { SearchQuery } from '../../../src/shared/model/search.ts';
import { createIndexFixture, type IndexFixture } from './indexFixture.ts';

let fixture: IndexFixture;
const blobs = new Map<string, string>();
let reads = 0;

function version(id: string, text: string, more: Partial<VersionRecord> = {}): VersionRecord {
  const sha256 = createHash('sha256').update(text).digest('hex');
  blobs.set(sha256, text);
  return {
    versionId: id,
    documentId: `document of ${id}`,
    shelfId: 'shelf-1',
    libraryName: 'Law',
    shelfName: 'Contracts',
    documentName: 'folder/lease.txt',
    number: 1,
    isCurrent: false,
    sha256,
    size: text.length,
    commitHash: 'c0ffee',
    commitMessage: 'First draft',
    author: 'ada',
    committedAt: '2024-05-01T10:00:00.000Z',
    ...more,
  };
}

const readBlob = async (sha256: string) => {
  reads += 1;
  const text = blobs.get(sha256);
  if (text === undefined) throw new Error(`no blob ${sha256}`);
  return Buffer.from(text);
};

beforeEach(async () => {
  reads = 0;
  fixture = await createIndexFixture({});
});
afterEach(() => fixture.dispose());

describe('history', () => {
  it('finds a phrase in every version that carries it, latest first, with its commit', async () => {
    await fixture.index.putVersions(
      [
        version('v1', 'the tenant pays', { number: 1 }),
        version('v2', 'the tenant pays twice, the TENANT', { number: 2, committedAt: '2024-06-01T10:00:00.000Z' }),
        version('v3', 'nobody pays', { number: 3, isCurrent: true, committedAt: '2024-07-01T10:00:00.000Z' }),
      ],
      readBlob,
    );
    const { results, total } = await fixture.find({ text: 'tenant', scope: 'history' }, 'all-versions');
    expect(results.map(({ versionId, matches }) => [versionId, matches])).toEqual([
      ['v2', 2],
      ['v1', 1],
    ]);
    expect(total).toBe(3);
    expect(results[0]).toMatchObject({
      filename: 'folder/lease.txt',
      path: 'folder/lease.txt',
      libraryName: 'Law',
      shelfName: 'Contracts',
      shelfId: 'shelf-1',
      versionNumber: 2,
      commitHash: 'c0ffee',
      commitMessage: 'First draft',
      author: 'ada',
      lastModified: '2024-06-01T10:00:00.000Z',
    });
    expect((await fixture.find('tenant', 'current-versions')).files).toBe(0);
    expect((await fixture.find('pays', 'current-versions')).results.map(({ versionId }) => versionId)).toEqual(['v3']);
  });
  it('reads and indexes a content once, however many versions carry it', async () => {
    const same = Array.from({ length: 10 }, (_, index) => version(`v${index}`, 'same words', { number: index + 1 }));
    await fixture.index.putVersions(same, readBlob);
    await fixture.index.putVersions([version('again', 'same words')], readBlob);
    expect(reads).toBe(1);
    const { files, total, results } = await fixture.find('same words', 'all-versions');
    expect([files, total]).toEqual([11, 11]);
    for (const { items } of results) expect(items[0]).toMatchObject({ text: 'same words', ranges: [[0, 10]] });
  });
  it('finds commit messages and document names, which are no content matches', async () => {
    await fixture.index.putVersions([version('v1', 'text', { commitMessage: 'Fix the Heading' })], readBlob);
    const byMessage = (await fixture.find('heading', 'all-versions')).results[0];
    expect(byMessage).toMatchObject({ matches: 0, items: [{ type: 'Message', line: null, ranges: [[8, 15]] }] });
    const byName = (await fixture.find('lease', 'all-versions')).results[0];
    expect(byName).toMatchObject({ matches: 0, filenameRanges: [[7, 12]], items: [{ type: 'Filename' }] });
  });
  it('looks only at the shelves that it may', async () => {
    await fixture.index.putVersions(
      [version('v1', 'secret word'), version('v2', 'open word', { shelfId: 'shelf-2' })],
      readBlob,
    );
    const { results } = await fixture.index.search(SearchQuery.parse({ text: 'word', scope: 'history' }), {
      corpus: 'all-versions',
      shelfIds: ['shelf-2'],
    });
    expect(results.map(({ versionId }) => versionId)).toEqual(['v2']);
  });
  it('takes versions out, keeps texts that others carry, and follows a renamed shelf', async () => {
    await fixture.index.putVersions([version('v1', 'shared text'), version('v2', 'shared text')], readBlob);
    await fixture.index.removeVersions(['v1']);
    expect(await fixture.index.versionIds()).toEqual(new Set(['v2']));
    expect((await fixture.find('shared', 'all-versions')).files).toBe(1);
    await fixture.index.renameShelf('shelf-1', 'Law', 'Leases');
    expect((await fixture.find({ text: 'shared', shelf: 'leases' }, 'all-versions')).files).toBe(1);
    await fixture.index.removeVersions(['v2']);
    expect((await fixture.find('shared', 'all-versions')).files).toBe(0);
  });
  it('replaces a version, whatever shard its content belongs to', async () => {
    for (let round = 0; round < 8; round += 1) {
      await fixture.index.putVersions([version('v1', `text of round ${round}`)], readBlob);
      const { files, results } = await fixture.find('text of round', 'all-versions');
      expect([files, results[0]?.items[0]?.text]).toEqual([1, `text of round ${round}`]);
    }
  });
  it('keeps what it could fetch when one content fails, and tells', async () => {
    const lost = version('v2', 'lost words');
    blobs.delete(lost.sha256);
    await expect(fixture.index.putVersions([version('v1', 'kept words'), lost], readBlob)).rejects.toThrow('no blob');
    expect(await fixture.index.versionIds()).toEqual(new Set(['v1']));
  });
  it('answers for a version and a file on disk that hold the same content, each for itself', async () => {
    fixture.write('a.txt', 'twofold');
    await fixture.index.setRoots([fixture.folder]);
    await fixture.index.waitForIdle(60_000);
    await fixture.index.putVersions([version('v1', 'twofold')], readBlob);
    expect((await fixture.find('twofold')).files).toBe(1);
    expect((await fixture.find('twofold', 'all-versions')).files).toBe(1);
    fixture.write('a.txt', 'changed');
    await fixture.index.reconcile();
    expect((await fixture.find('twofold')).files).toBe(0);
    expect((await fixture.find('twofold', 'all-versions')).files).toBe(1);
  });
});
