import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BlobStore, PendingObject } from '../../../src/server/storage/blobStore.ts';
import { createFolderBlobStore } from '../../../src/server/storage/folderBlobStore.ts';
import { createS3BlobStore } from '../../../src/server/storage/s3BlobStore.ts';
import { createSignedUrls } from '../../../src/server/storage/signedUrls.ts';
import { isAppError } from '../../../src/shared/errors.ts';
import { LIMITS } from '../../../src/shared/rules/limits.ts';
import { freePort, startS3 } from '../../helpers/services.ts';

/** A store, and another one over the same data, as a second server or the same after a restart would have it. */
interface Bench {
  readonly store: BlobStore;
  readonly other: BlobStore;
  /** Turns the store's relative addresses into ones that a client can use. */
  readonly origin: string;
  close(): Promise<void>;
}

/** The folder, with the least server that its addresses need. */
async function folderBench(): Promise<Bench> {
  const folder = await mkdtemp(join(tmpdir(), 'armarium-storage-'));
  const signedUrls = createSignedUrls(randomBytes(32), Date.now);
  const [store, other] = [createFolderBlobStore(folder, signedUrls), createFolderBlobStore(folder, signedUrls)];
  const server = createServer(async (request, response) => {
    try {
      const url = new URL(request.url ?? '', 'http://localhost');
      const key = url.pathname.split('/').at(-1) ?? '';
      await store.receive(signedUrls.check(key, Object.fromEntries(url.searchParams)), request);
      response.end();
    } catch (error) {
      request.resume();
      response.writeHead(isAppError(error, 'forbidden') ? 403 : 422).end();
    }
  });
  const port = await freePort();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    store,
    other,
    origin: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function s3Bench(): Promise<Bench> {
  const s3 = await startS3();
  const options = { ...s3.options, prefix: 'armarium/test' };
  const [store, other] = [createS3BlobStore(options), createS3BlobStore(options)];
  await store.check();
  return { store, other, origin: s3.options.endpoint, close: () => s3.close() };
}

const content0 = new Uint8Array();
const PART = LIMITS.uploadPartBytes;
const sha256 = (content: Uint8Array) => createHash('sha256').update(content).digest('hex');

function pendingOf(content: Uint8Array, parts = 0): PendingObject {
  return { key: randomUUID(), sha256: sha256(content), size: content.length, parts };
}

describe.each([
  ['a folder', folderBench],
  ['S3', s3Bench],
])('contents in %s', (_name, start) => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await start();
  });
  afterAll(() => bench.close());

  async function send(pending: PendingObject, content: Uint8Array, part: number | null = null): Promise<number> {
    const { url, expiresIn } = await bench.store.uploadUrl(pending, part);
    expect(expiresIn).toBe(LIMITS.storageUrlLifetimeMs / 1000);
    const response = await fetch(new URL(url, bench.origin), { method: 'PUT', body: new Uint8Array(content) });
    await response.arrayBuffer();
    return response.status;
  }

  const partOf = (content: Uint8Array, part: number) => content.subarray((part - 1) * PART, part * PART);
  const read = (hash: string, range?: { start: number; end: number }) => buffer(bench.store.read(hash, range));
  const contentOf = (size: number) => randomBytes(size);

  it('takes a content in one PUT, and has it only once it is finished', async () => {
    const content = contentOf(5000);
    const pending = pendingOf(content);
    expect(await send(pending, content)).toBe(200);
    expect(await bench.store.size(pending.sha256)).toBeNull();
    await bench.store.finish([pending]);
    expect(await bench.store.size(pending.sha256)).toBe(5000);
    expect(await read(pending.sha256)).toEqual(content);
    expect(await read(pending.sha256, { start: 10, end: 19 })).toEqual(content.subarray(10, 20));
    expect(await read(pending.sha256, { start: 4990, end: 4999 })).toEqual(content.subarray(4990));
  });

  it('takes an empty content', async () => {
    const pending = pendingOf(new Uint8Array());
    await send(pending, new Uint8Array());
    await bench.store.finish([pending]);
    expect(await bench.store.size(pending.sha256)).toBe(0);
    expect(await read(pending.sha256)).toHaveLength(0);
  });

  it('takes parts in any order, of whichever server, and goes on where it stopped', async () => {
    const content = contentOf(2 * PART + 1234);
    const pending = pendingOf(content, 3);
    expect(await bench.store.receivedParts(pending)).toEqual([]);
    expect(await send(pending, partOf(content, 3), 3)).toBe(200);
    expect(await send(pending, partOf(content, 1), 1)).toBe(200);
    expect(await bench.other.receivedParts(pending)).toEqual([1, 3]);
    await expect(bench.other.finish([pending])).rejects.toMatchObject({ code: 'upload-incomplete' });
    const { url } = await bench.other.uploadUrl(pending, 2);
    await fetch(new URL(url, bench.origin), { method: 'PUT', body: new Uint8Array(partOf(content, 2)) });
    expect(await bench.store.receivedParts(pending)).toEqual([1, 2, 3]);
    await bench.other.finish([pending]);
    expect(await bench.store.size(pending.sha256)).toBe(content.length);
    expect((await read(pending.sha256)).equals(content)).toBe(true);
    const over = { start: PART - 2, end: PART + 1 };
    expect(await read(pending.sha256, over)).toEqual(content.subarray(over.start, over.end + 1));
    expect(await bench.store.receivedParts(pending)).toEqual([]);
  });

  it('gives addresses for all parts of one content at once', async () => {
    const content = contentOf(2 * PART + 1);
    const pending = pendingOf(content, 3);
    const statuses = await Promise.all([1, 2, 3].map((part) => send(pending, partOf(content, part), part)));
    expect(statuses).toEqual([200, 200, 200]);
    expect(await bench.store.receivedParts(pending)).toEqual([1, 2, 3]);
    await bench.store.finish([pending]);
    expect(await bench.store.size(pending.sha256)).toBe(content.length);
  });

  it('takes a part that is sent again', async () => {
    const content = contentOf(PART + 10);
    const pending = pendingOf(content, 2);
    await send(pending, contentOf(PART), 1);
    await send(pending, partOf(content, 2), 2);
    await send(pending, partOf(content, 1), 1);
    await bench.store.finish([pending]);
    expect(await bench.store.size(pending.sha256)).toBe(PART + 10);
  });

  it.each([
    ['another content', (content: Uint8Array) => contentOf(content.length)],
    ['a shorter one', (content: Uint8Array) => content.subarray(1)],
    ['a longer one', (content: Uint8Array) => Buffer.concat([content, Buffer.from('x')])],
  ])('refuses %s than was announced, and takes the right one after it', async (_what, wrong) => {
    for (const parts of [0, 2]) {
      const content = contentOf(parts === 0 ? 3000 : PART + 3000);
      const pending = pendingOf(content, parts);
      const last = parts === 0 ? null : parts;
      const tail = parts === 0 ? content : partOf(content, parts);
      if (parts > 0) await send(pending, partOf(content, 1), 1);
      const status = await send(pending, wrong(tail), last);
      // Refused as it comes in or, where the store looks at lengths alone, when it is looked at.
      const code = status === 200 ? 'content-mismatch' : 'upload-incomplete';
      await expect(bench.store.finish([pending])).rejects.toMatchObject({ code });
      expect(await bench.store.size(pending.sha256)).toBeNull();
      if (parts > 0) await send(pending, partOf(content, 1), 1);
      expect(await send(pending, tail, last)).toBe(200);
      await bench.store.finish([pending]);
      expect(await bench.store.size(pending.sha256)).toBe(content.length);
    }
  });

  it('refuses an address that was changed', async () => {
    const content = contentOf(100);
    const pending = pendingOf(content);
    const { url } = await bench.store.uploadUrl(pending, null);
    const changed = new URL(url, bench.origin);
    changed.pathname = changed.pathname.replace(pending.key, randomUUID());
    expect((await fetch(changed, { method: 'PUT', body: content })).status).toBe(403);
  });

  it('finishes again what was finished, on another server as well', async () => {
    const [small, large] = [contentOf(100), contentOf(PART + 1)];
    const both = [pendingOf(small), pendingOf(large, 2)];
    const [first, second] = both;
    if (first === undefined || second === undefined) throw new Error('two contents');
    await send(first, small);
    for (const part of [1, 2]) await send(second, partOf(large, part), part);
    await bench.store.finish(both);
    await bench.store.finish(both);
    await bench.other.finish(both);
    expect(await bench.store.size(second.sha256)).toBe(PART + 1);
  });

  it('finishes once what two servers finish at the same time', async () => {
    const content = contentOf(PART + 7);
    const pending = pendingOf(content, 2);
    for (const part of [1, 2]) await send(pending, partOf(content, part), part);
    const outcomes = await Promise.allSettled([bench.store.finish([pending]), bench.other.finish([pending])]);
    expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true);
    await bench.store.finish([pending]);
    expect((await read(pending.sha256)).equals(content)).toBe(true);
  });

  it('keeps those that were right when another one is missing, and does not ask for them again', async () => {
    const contents = [contentOf(10), contentOf(20), contentOf(30)];
    const pending = contents.map((content) => pendingOf(content));
    const [first, second, third] = pending;
    if (first === undefined || second === undefined || third === undefined) throw new Error('three contents');
    await send(first, contents[0] ?? content0);
    await send(third, contents[2] ?? content0);
    await expect(bench.store.finish(pending)).rejects.toMatchObject({
      code: 'upload-incomplete',
      details: { key: second.key },
    });
    await bench.store.finish([first, third]);
    expect(await bench.store.size(third.sha256)).toBe(30);
  });

  it('takes nobody’s word for a content that is there: each has to send it', async () => {
    const content = contentOf(400);
    await bench.store.put(() => Readable.from([content]), { sha256: sha256(content), size: 400 });
    const pending = pendingOf(content);
    await expect(bench.store.finish([pending])).rejects.toMatchObject({ code: 'upload-incomplete' });
    await send(pending, content);
    await bench.store.finish([pending]);
  });

  it('forgets what is abandoned', async () => {
    const [small, large] = [contentOf(100), contentOf(PART + 1)];
    const [whole, parted] = [pendingOf(small), pendingOf(large, 2)];
    await send(whole, small);
    await send(parted, partOf(large, 1), 1);
    await bench.store.abandon(whole.key);
    await bench.store.abandon(parted.key);
    await bench.store.abandon(randomUUID());
    expect(await bench.store.receivedParts(parted)).toEqual([]);
    for (const pending of [whole, parted]) {
      await expect(bench.store.finish([pending])).rejects.toMatchObject({ code: 'upload-incomplete' });
    }
  });

  it.each([0, 1, 1000, PART, PART + 1, 2 * PART])('stores %i bytes that the server has', async (size) => {
    const content = contentOf(size);
    const expected = { sha256: sha256(content), size };
    const halves = [content.subarray(0, size >> 1), content.subarray(size >> 1)].filter(({ length }) => length > 0);
    await bench.store.put(() => Readable.from(halves), expected);
    expect(await bench.store.size(expected.sha256)).toBe(size);
    expect((await read(expected.sha256)).equals(content)).toBe(true);
    await bench.store.remove(expected.sha256);
    expect(await bench.store.size(expected.sha256)).toBeNull();
    await bench.store.remove(expected.sha256);
  });

  it.each([1000, PART + 1000])('refuses %i bytes that are not as expected', async (size) => {
    const content = contentOf(size);
    const expected = { sha256: sha256(content), size };
    for (const wrong of [contentOf(size), content.subarray(1), Buffer.concat([content, contentOf(PART)])]) {
      await expect(bench.store.put(() => Readable.from([wrong]), expected)).rejects.toMatchObject({
        code: 'content-mismatch',
      });
    }
    expect(await bench.store.size(expected.sha256)).toBeNull();
  });

  it('fails as the body that it stores fails', async () => {
    const content = contentOf(PART + 1000);
    const failing = Readable.from(
      (async function* () {
        yield content.subarray(0, PART);
        throw new Error('the disk broke');
      })(),
    );
    await expect(bench.store.put(() => failing, { sha256: sha256(content), size: content.length })).rejects.toThrow(
      'broke',
    );
  });

  it.each([1000, PART + 1000])('fails as a file of %i bytes that has gone', async (size) => {
    const gone = () => createReadStream(join(tmpdir(), 'armarium-no-such-file'));
    await expect(bench.store.put(gone, { sha256: sha256(contentOf(size)), size })).rejects.toMatchObject({
      code: 'ENOENT',
    });
  });

  it('fails to read what is not there', async () => {
    await expect(read(sha256(contentOf(9)))).rejects.toThrow();
  });

  it('lets go of a reading that is broken off', async () => {
    const content = contentOf(4 * PART);
    const expected = { sha256: sha256(content), size: content.length };
    await bench.store.put(() => Readable.from([content]), expected);
    for (let time = 0; time < 20; time += 1) {
      const body = bench.store.read(expected.sha256);
      await once(body, 'readable');
      body.destroy();
      await once(body, 'close');
    }
    expect((await read(expected.sha256)).equals(content)).toBe(true);
  });

  it('lists what there is', async () => {
    for await (const { sha256: hash } of bench.store.list()) await bench.store.remove(hash);
    const contents = Array.from({ length: 12 }, (_, index) => contentOf(index));
    const pending = contents.map((content) => pendingOf(content));
    for (const [index, each] of pending.entries()) await send(each, contents[index] ?? content0);
    await bench.store.finish(pending);
    const listed: { sha256: string; size: number }[] = [];
    for await (const blob of bench.store.list()) listed.push(blob);
    const sorted = (items: readonly { sha256: string; size: number }[]) => items.toSorted((a, b) => a.size - b.size);
    expect(sorted(listed)).toEqual(sorted(pending.map(({ sha256: hash, size }) => ({ sha256: hash, size }))));
  });

  it('sweeps away what nobody finished, when it is old', async () => {
    const [small, large, finished] = [contentOf(100), contentOf(PART + 1), contentOf(50)];
    const [whole, parted, done] = [pendingOf(small), pendingOf(large, 2), pendingOf(finished)];
    await send(whole, small);
    await send(parted, partOf(large, 1), 1);
    await send(done, finished);
    await bench.store.finish([done]);
    await bench.store.sweep(3600_000);
    expect(await bench.store.receivedParts(parted)).toEqual([1]);
    // Everything is older than a minute from now.
    await bench.store.sweep(-60_000);
    expect(await bench.store.receivedParts(parted)).toEqual([]);
    for (const pending of [whole, parted, done]) {
      await expect(bench.store.finish([pending])).rejects.toMatchObject({ code: 'upload-incomplete' });
    }
    expect(await bench.store.size(done.sha256)).toBe(50);
  });
});
