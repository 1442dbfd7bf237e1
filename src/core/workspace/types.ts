import type { ApiCaller } from '../../shared/api/call.ts';

/** What tells whether a file is still as it was looked at. */
export interface FileStamp {
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly inode: number;
}

/** The version of a document that the copy on this computer came from. */
export interface BaseDocument {
  readonly documentId: string;
  /** Name within the shelf, folders with `/`. */
  readonly name: string;
  readonly version: number;
  readonly versionId: string;
  readonly sha256: string;
  /** The copy when it was last seen to hold just that; null when it was never seen so. */
  readonly stamp: FileStamp | null;
}

/** The newest version of a document, as far as the shelf was asked. */
export interface RemoteDocument {
  readonly documentId: string;
  readonly name: string;
  readonly version: number;
  readonly versionId: string;
  readonly sha256: string;
  readonly size: number;
  /** ISO 8601, UTC. */
  readonly updatedAt: string;
  /** Username of who has it locked. */
  readonly lockedBy: string | null;
}

/** Something in the folder that a commit cannot take. */
export type LocalProblem = 'name' | 'twin' | 'not-a-file' | 'unreadable';

/** What is at the place of a document on this computer. */
export interface LocalFile {
  /** As it is called on the disk, folders with `/`, in normal form. */
  readonly name: string;
  readonly path: string;
  readonly stamp: FileStamp;
  /** Null where it has a problem, and was not read. */
  readonly sha256: string | null;
  readonly problem: LocalProblem | null;
}

/** What a workspace needs of the server; ends with `cancelled` when the workspace is closed. */
export interface WorkspaceServer extends ApiCaller {
  versionContent<T>(versionId: string, read: (content: AsyncIterable<Uint8Array>) => Promise<T>): Promise<T>;
  put(url: string, body: Blob): Promise<void>;
}
