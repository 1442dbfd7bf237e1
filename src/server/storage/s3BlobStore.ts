import { createHash } from 'node:crypto';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  type MultipartUpload,
  type Part,
  PutObjectCommand,
  paginateListObjectsV2,
  paginateListParts,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { AppError } from '../../shared/errors.ts';
import { LIMITS } from '../../shared/rules/limits.ts';
import type { BlobStore, ExpectedBlob, PendingObject } from './blobStore.ts';
import { copyObject } from './s3Copy.ts';
import { isMissing, s3Fault } from './s3Faults.ts';
import type { S3Options } from './s3Options.ts';

export interface S3BlobStore extends BlobStore {
  /** @throws AppError `storage-unavailable` when the bucket is not there or refuses, so that a wrong setting shows at the start. */
  check(): Promise<void>;
}

/** Objects that are verified, moved or removed at once; each may hold a whole small content in memory. */
const OBJECTS_AT_ONCE = 8;
const SOCKETS = 256;
/** S3 takes this many parts of one object. */
const MAX_PARTS = 10_000;
const CONNECT_MS = 5_000;
/** A connection on which nothing moves for so long is given up; people who read slowly still move something. */
const SILENCE_MS = 120_000;

const mismatch = (key?: string) =>
  new AppError(
    'content-mismatch',
    'the content is not what was announced',
    key === undefined ? {} : { details: { key } },
  );

const partBytes = (size: number, part: number) =>
  Math.min(LIMITS.uploadPartBytes, size - (part - 1) * LIMITS.uploadPartBytes);

function createClient(options: S3Options, endpoint: string): S3Client {
  return new S3Client({
    region: options.region,
    credentials: { accessKeyId: options.accessKeyId, secretAccessKey: options.secretAccessKey },
    endpoint,
    // Stores other than Amazon's seldom have a host name for each bucket, and Amazon's takes both.
    forcePathStyle: true,
    // Not every store knows the checksums that the SDK adds by itself; ours are stronger, and always looked at.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
      httpAgent: new HttpAgent({ keepAlive: true, maxSockets: SOCKETS }),
      httpsAgent: new HttpsAgent({ keepAlive: true, maxSockets: SOCKETS }),
    },
  });
}

/** Does all of them, some at a time, and throws what went wrong first when the others are done. */
async function each<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  let failure: unknown = null;
  for (let from = 0; from < items.length; from += OBJECTS_AT_ONCE) {
    const outcomes = await Promise.allSettled(items.slice(from, from + OBJECTS_AT_ONCE).map(work));
    for (const outcome of outcomes) if (outcome.status === 'rejected') failure ??= outcome.reason;
  }
  if (failure !== null) throw failure;
}

/** Cuts a stream into buffers of just `bytes`, the last one of what is left; an empty stream is one empty buffer. */
async function* inPieces(body: Readable, bytes: number): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    let rest = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk);
    while (length + rest.length >= bytes) {
      const cut = bytes - length;
      yield Buffer.concat([...chunks, rest.subarray(0, cut)]);
      rest = rest.subarray(cut);
      [chunks, length] = [[], 0];
    }
    if (rest.length > 0) chunks.push(rest);
    length += rest.length;
  }
  yield Buffer.concat(chunks);
}

/** A content that fits into memory, or null when it is not the expected one. */
async function readWhole(body: Readable, { sha256, size }: ExpectedBlob): Promise<Buffer | null> {
  // One byte more than there should be, so that the first piece is all of it or too long.
  for await (const piece of inPieces(body, size + 1)) {
    const isRight = piece.length === size && createHash('sha256').update(piece).digest('hex') === sha256;
    return isRight ? piece : null;
  }
  return null;
}

/**
 * A bucket of any S3-compatible store. Blobs are at `blobs/ab/cd/abcd…`. What clients send goes straight to the store, by
 * signed addresses, to `incoming/KEY`: a single PUT, or the parts of a multipart upload that is found again by listing the
 * uploads of that key, so that any server can go on with it. An empty object `finished/KEY`, which no client has an address
 * for, tells that a key's content was verified: finishing it again after a crash is harmless.
 *
 * Browsers send to another origin by this, which the bucket has to allow (CORS): `AllowedMethods: ["PUT"]`,
 * `AllowedOrigins: [the server's public address]`, `AllowedHeaders: ["*"]`. The credentials need to get, put, delete and list
 * objects and multipart uploads of the bucket.
 */
export function createS3BlobStore(options: S3Options): S3BlobStore {
  const { bucket, endpoint, publicEndpoint = null } = options;
  const prefix = options.prefix.replace(/^\/+|\/+$/gu, '').replace(/(.)$/u, '$1/');
  const client = createClient(options, endpoint);
  const signer = publicEndpoint === null ? client : createClient(options, publicEndpoint);
  const at = (Key: string) => ({ Bucket: bucket, Key });
  const incomingKey = (key: string) => `${prefix}incoming/${key}`;
  const finishedKey = (key: string) => `${prefix}finished/${key}`;
  const blobKey = (sha256: string) => `${prefix}blobs/${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`;
  /** Multipart uploads that are being begun, so that parts asked for at once get one and the same. */
  const beginning = new Map<string, Promise<string>>();

  async function guarded<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw s3Fault(error, bucket, endpoint);
    }
  }

  /** What `work` finds, or null where there is no such object or upload. */
  async function unlessMissing<T>(work: () => Promise<T>): Promise<T | null> {
    try {
      return await work();
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  const remove = (Key: string) => client.send(new DeleteObjectCommand(at(Key)));

  async function sizeOf(Key: string): Promise<number | null> {
    const head = await unlessMissing(() => client.send(new HeadObjectCommand(at(Key))));
    return head === null ? null : (head.ContentLength ?? 0);
  }

  async function open(
    Key: string,
    Range?: string,
  ): Promise<{ body: Readable; size: number; etag: string | undefined }> {
    const { Body, ContentLength, ETag } = await client.send(
      new GetObjectCommand({ ...at(Key), ...(Range === undefined ? {} : { Range }) }),
    );
    if (!(Body instanceof Readable)) throw new AppError('internal', 'the object store answered without a body');
    return { body: Body, size: ContentLength ?? 0, etag: ETag };
  }

  /** Multipart uploads whose keys begin so, the one that was begun first before the others. */
  async function uploadsOf(keyPrefix: string): Promise<MultipartUpload[]> {
    const found: MultipartUpload[] = [];
    let marker: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } = {};
    for (;;) {
      const page = await client.send(new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: keyPrefix, ...marker }));
      found.push(...(page.Uploads ?? []));
      if (page.IsTruncated !== true) break;
      marker = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker };
    }
    const begun = ({ Initiated }: MultipartUpload) => Initiated?.getTime() ?? 0;
    return found.sort((a, b) => begun(a) - begun(b) || ((a.UploadId ?? '') < (b.UploadId ?? '') ? -1 : 1));
  }

  /** The multipart upload that counts for a key, or null: of two that two servers began at once it is the earlier. */
  async function uploadOf(Key: string): Promise<string | null> {
    return (await uploadsOf(Key)).find((upload) => upload.Key === Key)?.UploadId ?? null;
  }

  async function beginUpload(Key: string): Promise<string> {
    const found = await uploadOf(Key);
    if (found !== null) return found;
    const { UploadId = '' } = await client.send(new CreateMultipartUploadCommand(at(Key)));
    return (await uploadOf(Key)) ?? UploadId;
  }

  function uploadFor(Key: string): Promise<string> {
    const known = beginning.get(Key);
    if (known !== undefined) return known;
    const begun = beginUpload(Key).finally(() => beginning.delete(Key));
    beginning.set(Key, begun);
    return begun;
  }

  const abort = ({ Key, UploadId }: MultipartUpload) =>
    unlessMissing(() => client.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId })));

  /** Parts that arrived whole; the addresses take no other lengths, but a store may not look. */
  async function partsOf({ key, size }: PendingObject, UploadId: string): Promise<Part[]> {
    const parts: Part[] = [];
    for await (const page of paginateListParts({ client }, { ...at(incomingKey(key)), UploadId })) {
      parts.push(...(page.Parts ?? []));
    }
    return parts.filter(({ PartNumber = 0, Size }) => Size === partBytes(size, PartNumber));
  }

  const missing = (key: string) =>
    new AppError('upload-incomplete', 'the content has not arrived', { details: { key } });

  /** Puts the parts together. They may be so already: by another server, or before a crash. */
  async function joinParts(pending: PendingObject): Promise<void> {
    const Key = incomingKey(pending.key);
    const UploadId = await uploadOf(Key);
    if (UploadId === null) return;
    const parts = await unlessMissing(() => partsOf(pending, UploadId));
    if (parts === null) return;
    if (parts.length !== pending.parts) throw missing(pending.key);
    const Parts = parts.map(({ PartNumber, ETag }) => ({ PartNumber, ETag }));
    await unlessMissing(() =>
      client.send(new CompleteMultipartUploadCommand({ ...at(Key), UploadId, MultipartUpload: { Parts } })),
    );
  }

  async function isBlob({ sha256, size }: ExpectedBlob): Promise<boolean> {
    return (await sizeOf(blobKey(sha256))) === size;
  }

  async function putContent(sha256: string, content: Buffer): Promise<void> {
    await client.send(new PutObjectCommand({ ...at(blobKey(sha256)), Body: content, ContentLength: content.length }));
  }

  /**
   * Brings a small content here and stores just those bytes: whoever has its address could send another content between
   * a look at it and a copy of it.
   */
  async function takeWhole(pending: PendingObject, body: Readable): Promise<boolean> {
    const content = await readWhole(body, pending);
    if (content === null) return false;
    if (!(await isBlob(pending))) await putContent(pending.sha256, content);
    return true;
  }

  /** Nobody can change what was put together of parts, so it is read once and copied inside the store. */
  async function takeJoined(pending: PendingObject, body: Readable, etag: string | undefined): Promise<boolean> {
    const hash = createHash('sha256');
    for await (const chunk of body) hash.update(chunk);
    if (hash.digest('hex') !== pending.sha256) return false;
    if (!(await isBlob(pending))) {
      const [from, to] = [incomingKey(pending.key), blobKey(pending.sha256)];
      await copyObject(client, { bucket, from, to, size: pending.size, etag });
    }
    return true;
  }

  async function finishOne(pending: PendingObject): Promise<void> {
    const { key, size, parts } = pending;
    if (parts > 0) await joinParts(pending);
    const arrived = await unlessMissing(() => open(incomingKey(key)));
    if (arrived === null) {
      const wasFinished = (await sizeOf(finishedKey(key))) !== null;
      if (wasFinished && (await isBlob(pending))) return;
      throw missing(key);
    }
    const { body, etag } = arrived;
    let isRight = arrived.size === size;
    if (!isRight) body.destroy();
    else isRight = parts === 0 ? await takeWhole(pending, body) : await takeJoined(pending, body, etag);
    if (isRight) await client.send(new PutObjectCommand({ ...at(finishedKey(key)), Body: '', ContentLength: 0 }));
    await remove(incomingKey(key));
    if (!isRight) throw mismatch(key);
  }

  /** Sends a content that is too large to be held, in parts: they become an object only once all were right. */
  async function putInParts(openBody: () => Readable, { sha256, size }: ExpectedBlob): Promise<void> {
    const target = at(blobKey(sha256));
    const pieceBytes = Math.max(LIMITS.uploadPartBytes, Math.ceil(size / MAX_PARTS));
    const { UploadId } = await client.send(new CreateMultipartUploadCommand(target));
    try {
      const hash = createHash('sha256');
      const parts: { PartNumber: number; ETag: string | undefined }[] = [];
      let length = 0;
      for await (const piece of inPieces(openBody(), pieceBytes)) {
        length += piece.length;
        if (length > size) throw mismatch();
        if (piece.length === 0) continue;
        hash.update(piece);
        const PartNumber = parts.length + 1;
        const { ETag } = await client.send(
          new UploadPartCommand({ ...target, UploadId, PartNumber, Body: piece, ContentLength: piece.length }),
        );
        parts.push({ PartNumber, ETag });
      }
      if (length !== size || hash.digest('hex') !== sha256) throw mismatch();
      await client.send(new CompleteMultipartUploadCommand({ ...target, UploadId, MultipartUpload: { Parts: parts } }));
    } catch (error) {
      await abort({ Key: target.Key, UploadId });
      throw error;
    }
  }

  async function putWhole(openBody: () => Readable, expected: ExpectedBlob): Promise<void> {
    const content = await readWhole(openBody(), expected);
    if (content === null) throw mismatch();
    await putContent(expected.sha256, content);
  }

  async function* objectsBelow(folder: string) {
    try {
      const pages = paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: `${prefix}${folder}/` });
      for await (const page of pages) yield* page.Contents ?? [];
    } catch (error) {
      throw s3Fault(error, bucket, endpoint);
    }
  }

  async function* stream(sha256: string, range?: { readonly start: number; readonly end: number }) {
    const bytes = range === undefined ? undefined : `bytes=${range.start}-${range.end}`;
    const { body } = await guarded(() => open(blobKey(sha256), bytes));
    yield* body;
  }

  return {
    check: () =>
      guarded(async () => {
        const found = await unlessMissing(() => client.send(new HeadBucketCommand({ Bucket: bucket })));
        if (found !== null) return;
        throw new AppError('storage-unavailable', `the bucket ${bucket} does not exist at ${endpoint}`);
      }),
    uploadUrl: ({ key, size }, part) =>
      guarded(async () => {
        const target = at(incomingKey(key));
        const expiresIn = LIMITS.storageUrlLifetimeMs / 1000;
        // The length is part of the signature: nobody can fill the bucket with more than was announced.
        if (part === null) {
          const whole = new PutObjectCommand({ ...target, ContentLength: size });
          return { url: await getSignedUrl(signer, whole, { expiresIn }), expiresIn };
        }
        const [UploadId, ContentLength] = [await uploadFor(target.Key), partBytes(size, part)];
        const command = new UploadPartCommand({ ...target, UploadId, PartNumber: part, ContentLength });
        return { url: await getSignedUrl(signer, command, { expiresIn }), expiresIn };
      }),
    receivedParts: (pending) =>
      guarded(async () => {
        const UploadId = await uploadOf(incomingKey(pending.key));
        const parts = UploadId === null ? null : await unlessMissing(() => partsOf(pending, UploadId));
        return (parts ?? []).map(({ PartNumber = 0 }) => PartNumber);
      }),
    finish: (pending) => each(pending, (one) => guarded(() => finishOne(one))),
    abandon: (key) =>
      guarded(async () => {
        await remove(incomingKey(key));
        await remove(finishedKey(key));
        await each(await uploadsOf(incomingKey(key)), async (upload) => void (await abort(upload)));
      }),
    put: (openBody, expected) =>
      guarded(() => (expected.size > LIMITS.uploadPartBytes ? putInParts : putWhole)(openBody, expected)),
    size: (sha256) => guarded(() => sizeOf(blobKey(sha256))),
    read: (sha256, range) => Readable.from(stream(sha256, range), { objectMode: false }),
    remove: (sha256) => guarded(async () => void (await remove(blobKey(sha256)))),
    async *list() {
      for await (const { Key = '', Size = 0 } of objectsBelow('blobs')) {
        const sha256 = Key.slice(Key.lastIndexOf('/') + 1);
        if (/^[0-9a-f]{64}$/u.test(sha256)) yield { sha256, size: Size };
      }
    },
    sweep: (olderThanMs) =>
      guarded(async () => {
        // By the store's clock, as far as the system's agrees with it.
        const isOld = (time: Date | undefined) => time !== undefined && Date.now() - time.getTime() > olderThanMs;
        for (const folder of ['incoming', 'blobs']) {
          const uploads = (await uploadsOf(`${prefix}${folder}/`)).filter(({ Initiated }) => isOld(Initiated));
          await each(uploads, async (upload) => void (await abort(upload)));
        }
        for (const folder of ['incoming', 'finished']) {
          const old: string[] = [];
          for await (const { Key, LastModified } of objectsBelow(folder)) {
            if (Key !== undefined && isOld(LastModified)) old.push(Key);
          }
          await each(old, async (Key) => void (await remove(Key)));
        }
      }),
  };
}
