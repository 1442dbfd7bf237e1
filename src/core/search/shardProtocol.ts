import { crc32 } from 'node:zlib';
import type { SearchQuery, SearchResult } from '../../shared/model/search.ts';
import type { SkipCode } from '../extract/types.ts';
import type { Corpus, VersionRecord } from './types.ts';

/** Results that people see at once. */
export const FIRST_RESULTS = 50;

/** A file as the scan saw it. */
export interface SeenFile {
  readonly path: string;
  readonly root: string;
  readonly size: number;
  readonly mtimeMs: number;
  /** When anything about the file changed last, its times included. */
  readonly ctimeMs: number;
  readonly inode: number;
  /** Set when the scan knows already that there is nothing to read; `mayPass`: what is known of the file holds until it does. */
  readonly skip?: { readonly code: SkipCode; readonly reason: string; readonly mayPass?: boolean };
}

/** Files as a shard knows them, packed: tens of thousands of them go from thread to thread at every start. */
export interface KnownFiles {
  /** Separated by `\0`, which no path can hold. */
  readonly paths: string;
  /** Of each file in order: size, mtimeMs, ctimeMs, inode, and when it was read. */
  readonly numbers: Float64Array;
}

/** Numbers of one shard, summed for the status. */
export interface ShardCounts {
  readonly files: number;
  readonly indexed: number;
  readonly skipped: number;
  readonly versions: number;
  readonly bytes: number;
}

export interface ShardQuery {
  readonly query: SearchQuery;
  readonly corpus: Corpus;
  readonly shelfIds: readonly string[] | null;
  readonly documentIds: readonly string[] | null;
  /** Roots whose folder is not there: their files are left out. */
  readonly missingRoots: readonly string[];
  /** Whether hits are wanted as they are verified, besides the answer. */
  readonly stream: boolean;
}

/** A result with what orders it (rank.ts): the higher the earlier, and of equals the latest. */
export interface ShardHit {
  readonly rank: number;
  readonly result: SearchResult;
}

export interface ShardAnswer {
  readonly total: number;
  readonly files: number;
  readonly notSearched: number;
  /** The foremost, in no order, at most as many as the query's limit. */
  readonly hits: readonly ShardHit[];
}

/** What a shard answers. It does one thing at a time, except that a search gives way between files. */
export type ShardMethods = {
  /** Reads files and keeps those whose content it owns; the others are named with their owner. */
  readonly ingest: (
    input: { readonly files: readonly SeenFile[] },
    signal: AbortSignal,
  ) => Promise<{
    readonly foreign: readonly { readonly file: SeenFile; readonly owner: number }[];
    readonly gone: readonly string[];
    /** To come again: the call was cancelled before, or the system was short of what reading takes. The others are kept. */
    readonly left: readonly SeenFile[];
  }>;
  readonly removeFiles: (input: { readonly paths: readonly string[] }, signal: AbortSignal) => Promise<void>;
  /** These files, and all that are below paths that were folders. */
  readonly removeBelow: (input: { readonly paths: readonly string[] }, signal: AbortSignal) => Promise<void>;
  readonly removeRootsExcept: (input: { readonly roots: readonly string[] }, signal: AbortSignal) => Promise<void>;
  readonly listFiles: (input: { readonly root: string }, signal: AbortSignal) => Promise<KnownFiles>;
  readonly hasFile: (input: { readonly path: string }, signal: AbortSignal) => Promise<boolean>;
  /** Which of these contents of versions have no text here yet. */
  readonly missingTexts: (
    input: { readonly contents: readonly { readonly sha256: string; readonly name: string }[] },
    signal: AbortSignal,
  ) => Promise<readonly boolean[]>;
  /** Takes the text out of a blob and keeps it until a version that carries it is put. */
  readonly putBlob: (
    input: { readonly sha256: string; readonly name: string; readonly bytes: Uint8Array },
    signal: AbortSignal,
  ) => Promise<void>;
  readonly putVersions: (input: { readonly records: readonly VersionRecord[] }, signal: AbortSignal) => Promise<void>;
  readonly versionIds: (input: null, signal: AbortSignal) => Promise<readonly string[]>;
  readonly removeVersions: (input: { readonly versionIds: readonly string[] }, signal: AbortSignal) => Promise<void>;
  readonly renameShelf: (
    input: { readonly shelfId: string; readonly libraryName: string; readonly shelfName: string },
    signal: AbortSignal,
  ) => Promise<void>;
  readonly search: (input: ShardQuery & { readonly runId: number }, signal: AbortSignal) => Promise<ShardAnswer>;
  readonly skipped: (
    input: null,
    signal: AbortSignal,
  ) => Promise<readonly { readonly path: string; readonly reason: string }[]>;
  /** Forgets what stands against files without text, so that the next scan reads them again. */
  readonly forgetSkipped: (input: null, signal: AbortSignal) => Promise<void>;
  readonly counts: (input: null, signal: AbortSignal) => Promise<ShardCounts>;
  readonly indexedBytes: (input: null, signal: AbortSignal) => Promise<number>;
  /** Merges the trigram index into fewer segments and empties the write-ahead log; gives way between its steps. */
  readonly optimize: (input: null, signal: AbortSignal) => Promise<void>;
  /** Reads the whole database; damage found by it is handled like damage met by any other call. */
  readonly check: (input: null, signal: AbortSignal) => Promise<void>;
  readonly clear: (input: null, signal: AbortSignal) => Promise<void>;
  readonly close: (input: null, signal: AbortSignal) => Promise<void>;
};

export type ShardEvents = {
  readonly hits: { readonly runId: number; readonly hits: readonly ShardHit[] };
  /** Files that are not any more what the index says. */
  readonly stale: { readonly paths: readonly string[] };
  /** The database was damaged, was set aside, and is empty now: everything in it has to come again. */
  readonly damaged: { readonly message: string };
  /** Something that nobody expected; the call that met it has failed. */
  readonly failed: { readonly message: string };
};

/** What a shard's thread is started with. */
export interface ShardSettings {
  readonly file: string;
  readonly shard: number;
  readonly shards: number;
  readonly extractEntry: string;
}

/** The shard that owns the content of files: by its size, which is known before it is read, and equal for equal contents. */
export function ownerOf(size: number, shards: number): number {
  return (Math.imul(size, 0x9e3779b1) >>> 16) % shards;
}

/** The shard that owns the versions of a document: one for all of them, since their texts are packed together. */
export function ownerOfDocument(documentId: string, shards: number): number {
  return crc32(documentId) % shards;
}
