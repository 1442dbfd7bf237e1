import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Database } from '../database/connection.ts';
import type { BlobStore, ExpectedBlob } from '../storage/blobStore.ts';

/** Hash and length of what a stream gives. */
export async function measure(body: Readable): Promise<ExpectedBlob> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of body) {
    hash.update(chunk as Buffer);
    size += (chunk as Buffer).length;
  }
  return { sha256: hash.digest('hex'), size };
}

/**
 * Makes a content a blob, unless it is one. It is claimed first, so that the collector does not take away what is there while
 * the commit that needs it is being made.
 * @throws AppError `content-mismatch` when it is not what was expected
 */
export async function storeContent(
  database: Database,
  blobs: BlobStore,
  expected: ExpectedBlob,
  open: () => Readable,
  at: number,
): Promise<void> {
  await database
    .insertInto('blobs')
    .values({ ...expected, created_at: new Date(at).toISOString(), condemned_ms: null })
    .onConflict((conflict) => conflict.column('sha256').doUpdateSet({ condemned_ms: null }))
    .execute();
  if ((await blobs.size(expected.sha256)) === expected.size) return;
  await blobs.put(open, expected);
}
