import type { Readable } from 'node:stream';

/** What the content of an object has to be. */
export interface ExpectedBlob {
  readonly sha256: string;
  readonly size: number;
}

/** Content that a client was asked to send, until it is a blob. */
export interface PendingObject extends ExpectedBlob {
  /** Id of the pending version: nobody else has an address for it. */
  readonly key: string;
  /** Parts that it comes in, numbered from 1, all but the last of `LIMITS.uploadPartBytes`; 0 for one PUT of the whole. */
  readonly parts: number;
}

/** An address that takes one PUT of one object, or of one of its parts, for a time. */
export interface UploadUrl {
  /** Relative to the server's origin when the server stores contents itself. */
  readonly url: string;
  /** Seconds. */
  readonly expiresIn: number;
}

/**
 * Contents by their SHA-256. A blob is whole and right, or it is not there. What clients send waits aside under a key of its
 * own until it has been verified: that somebody else's content has the same hash says nothing about who may read it.
 */
export interface BlobStore {
  /** Where to send a pending object, or its part `part`. */
  uploadUrl(pending: PendingObject, part: number | null): Promise<UploadUrl>;
  /** Parts of a pending object that have arrived, so that the others alone are sent again. */
  receivedParts(pending: PendingObject): Promise<number[]>;
  /**
   * Makes pending objects blobs. Resolves when they would survive a power failure. Those that were right stay blobs when
   * another one fails; one that is wrong is dropped, and can be sent again.
   * @throws AppError `upload-incomplete` for what has not arrived whole, `content-mismatch` for what is not as announced.
   */
  finish(pending: readonly PendingObject[]): Promise<void>;
  /** Drops what arrived of a pending object. */
  abandon(key: string): Promise<void>;
  /**
   * Stores content that the server itself has, such as an installer or an import.
   * @param openBody makes what gives it, when it is listened to: a stream that fails before that ends the process
   * @throws AppError `content-mismatch` when it is not as expected.
   */
  put(openBody: () => Readable, expected: ExpectedBlob): Promise<void>;
  /** Bytes of a blob, or null where there is none. */
  size(sha256: string): Promise<number | null>;
  /** Streams a blob, or bytes `start` to `end` of it, both included. */
  read(sha256: string, range?: { readonly start: number; readonly end: number }): Readable;
  remove(sha256: string): Promise<void>;
  /** Every blob there is, in no particular order. */
  list(): AsyncIterable<{ readonly sha256: string; readonly size: number }>;
  /** Removes what abandoned transfers left behind longer ago than `olderThanMs`. */
  sweep(olderThanMs: number): Promise<void>;
}
