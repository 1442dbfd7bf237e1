import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createS3BlobStore, type S3BlobStore } from '../../../src/server/storage/s3BlobStore.ts';
import { copyObject } from '../../../src/server/storage/s3Copy.ts';
import { isMissing, s3Fault } from '../../../src/server/storage/s3Faults.ts';
import type { S3Options } from '../../../src/server/storage/s3Options.ts';
import { isAppError } from '../../../src/shared/errors.ts';
import { LIMITS } from '../../../src/shared/rules/limits.ts';
import { freePort, startS3, type TestS3 } from '../../helpers/services.ts';

let s3: TestS3;
let store: S3BlobStore;
beforeAll(async () => {
  s3 = await startS3();
  store = createS3BlobStore(s3.options);
});
afterAll(() => s3.close());

const hashOf = (content: Uint8Array) => createHash('sha256').update(content).digest('hex');
const pendingOf = (content: Uint8Array, parts = 0) => ({
  key: randomUUID(),
  sha256: hashOf(content),
  size: content.length,
  parts,
});
const put = async (url: string, body: Uint8Array) =>
  (await fetch(url, { method: 'PUT', body: new Uint8Array(body) })).status;

describe('an object store', () => {
  it.each<[string, () => Promise<Partial<S3Options>>, RegExp]>([
    ['whose bucket is not there', async () => ({ bucket: 'nowhere' }), /nowhere/u],
    [
      'that refuses',
      async () => ({ accessKeyId: 'stranger', secretAccessKey: 'a-secret' }),
      /refuses the bucket documents/u,
    ],
    ['that does not answer', async () => ({ endpoint: `http://127.0.0.1:${await freePort()}` }), /does not answer/u],
  ])('%s is told at the start and by every call, without its secret', async (_what, change, words) => {
    const broken = createS3BlobStore({ ...s3.options, ...(await change()) });
    const content = Buffer.from('x');
    const calls = [
      () => broken.check(),
      () => broken.finish([pendingOf(content)]),
      () => broken.uploadUrl(pendingOf(content, 2), 1),
      () => broken.read(hashOf(content)).toArray(),
      () => broken.list()[Symbol.asyncIterator]().next(),
      () => broken.sweep(0),
    ];
    for (const call of calls) {
      const error = await call().then(
        () => null,
        (failure: unknown) => failure,
      );
      expect(isAppError(error, 'storage-unavailable')).toBe(true);
      expect(String(error)).not.toContain('a-secret');
    }
    await expect(broken.finish([pendingOf(content)])).rejects.toThrow(words);
  });

  it.each([
    ['QuotaExceeded', 403, 'storage-full'],
    ['XMinioStorageFull', 507, 'storage-full'],
    ['NoSuchBucket', 404, 'storage-unavailable'],
    ['SlowDown', 503, 'storage-unavailable'],
    ['AccessDenied', 403, 'storage-unavailable'],
  ])('that answers %s (%i) has the fault %s', (name, httpStatusCode, code) => {
    const error = Object.assign(new Error(name), { name, $metadata: { httpStatusCode } });
    expect(s3Fault(error, 'b', 'https://s3.example.org')).toMatchObject({ code });
    expect(isMissing(error)).toBe(false);
  });

  it('that answers something else has none that we know', () => {
    const error = Object.assign(new Error('x'), { name: 'InvalidRange', $metadata: { httpStatusCode: 416 } });
    expect(s3Fault(error, 'b', '')).toBe(error);
  });
});

describe('an address to send to', () => {
  it('takes just as many bytes as were announced', async () => {
    const content = randomBytes(1000);
    const { url } = await store.uploadUrl(pendingOf(content), null);
    expect(await put(url, content.subarray(1))).toBe(403);
    expect(await put(url, Buffer.concat([content, content]))).toBe(403);
    expect(await put(url, content)).toBe(200);
  });

  it('of a part takes that part alone', async () => {
    const content = randomBytes(LIMITS.uploadPartBytes + 5);
    const { url } = await store.uploadUrl(pendingOf(content, 2), 2);
    const other = new URL(url);
    other.searchParams.set('partNumber', '1');
    expect(await put(other.href, content.subarray(-5))).toBe(403);
    expect(await put(url, content.subarray(-6))).toBe(403);
    expect(await put(url, content.subarray(-5))).toBe(200);
  });

  it('is where clients reach the store, which may be elsewhere than for the server', async () => {
    const publicEndpoint = 'https://files.example.org';
    const { url } = await createS3BlobStore({ ...s3.options, publicEndpoint }).uploadUrl(
      pendingOf(Buffer.from('x')),
      null,
    );
    expect(new URL(url).origin).toBe(publicEndpoint);
  });

  it('works from another origin, as browsers ask first', async () => {
    const { url } = await store.uploadUrl(pendingOf(Buffer.from('x')), null);
    const headers = {
      origin: 'https://library.example.org',
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'content-type',
    };
    const asked = await fetch(url, { method: 'OPTIONS', headers });
    expect(asked.status).toBe(200);
    expect(asked.headers.get('access-control-allow-methods')).toContain('PUT');
  });

  it('of parts that two servers begin at the same moment leads to one and the same upload', async () => {
    const other = createS3BlobStore(s3.options);
    const content = randomBytes(LIMITS.uploadPartBytes + 1);
    const pending = pendingOf(content, 2);
    const parts = [content.subarray(0, LIMITS.uploadPartBytes), content.subarray(LIMITS.uploadPartBytes)];
    await Promise.all([store, other].map((each, index) => each.uploadUrl(pending, index + 1)));
    // Whatever was lost between the two is asked for again, and from then on both agree.
    for (const [index, part] of parts.entries()) {
      const { url } = await (index === 0 ? store : other).uploadUrl(pending, index + 1);
      expect(await put(url, part)).toBe(200);
    }
    expect(await store.receivedParts(pending)).toEqual([1, 2]);
    await other.finish([pending]);
    expect(await store.size(pending.sha256)).toBe(content.length);
  });
});

it('copies objects that are larger than one copy may be in parts', async () => {
  const { endpoint, region, bucket, accessKeyId, secretAccessKey } = s3.options;
  const client = new S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
  });
  const content = randomBytes(2500);
  const sha256 = hashOf(content);
  const from = 'incoming/a name with spaces & signs';
  await client.send(new PutObjectCommand({ Bucket: bucket, Key: from, Body: content }));
  const to = `blobs/${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`;
  const copy = { bucket, from, to, size: content.length, etag: undefined };
  await copyObject(client, copy, { wholeBytes: 1000, partBytes: 1000 });
  expect(Buffer.concat(await store.read(sha256).toArray())).toEqual(content);
});

it('keeps to its prefix in a bucket that serves others as well', async () => {
  const [mine, theirs] = ['mine', '/theirs/'].map((prefix) => createS3BlobStore({ ...s3.options, prefix }));
  if (mine === undefined || theirs === undefined) throw new Error('two stores');
  const content = randomBytes(LIMITS.uploadPartBytes + 1);
  const pending = pendingOf(content, 2);
  const { url } = await theirs.uploadUrl(pending, 2);
  expect(await put(url, content.subarray(-1))).toBe(200);
  await mine.sweep(-60_000);
  expect(await theirs.receivedParts(pending)).toEqual([2]);
  expect(await mine.receivedParts(pending)).toEqual([]);
});
