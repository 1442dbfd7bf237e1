import { z } from 'zod';
import { Id, Sha256, Timestamp } from './common.ts';

export const ShelfMember = z.object({
  member_id: Id,
  username: z.string(),
  name: z.string(),
  role: z.enum(['owner', 'editor', 'viewer']),
});
export type ShelfMember = z.infer<typeof ShelfMember>;

/** A shelf as lists show it. */
export const Shelf = z.object({
  id: Id,
  name: z.string(),
  library: z.string(),
  archived: z.boolean(),
  members: z.array(ShelfMember),
  document_count: z.number().int(),
  updated_at: Timestamp,
});
export type Shelf = z.infer<typeof Shelf>;

export const Library = z.object({
  id: Id,
  name: z.string(),
  archived: z.boolean(),
  created_at: Timestamp,
  shelf_count: z.number().int(),
  shelves: z.array(Shelf).optional(),
});
export type Library = z.infer<typeof Library>;

/** Document change status codes (web-and-phone.md §3). */
export const ChangeCode = z.enum(['A', 'M', 'D', 'UC', 'C', 'U', 'T']);
export type ChangeCode = z.infer<typeof ChangeCode>;

/** Who has a document checked out. */
export const DocumentLock = z.object({ by: z.string(), user_id: Id, since: Timestamp, expires_at: Timestamp });
export type DocumentLock = z.infer<typeof DocumentLock>;

/** A document with its current version, as the shelf shows it. */
export const ShelfDocument = z.object({
  id: Id,
  name: z.string(),
  original_filename: z.string(),
  mime: z.string(),
  current_version: z.number().int(),
  current_version_id: Id,
  size: z.number().int(),
  sha256: Sha256,
  author: z.string(),
  updated_at: Timestamp,
  commit_hash: Sha256,
  commit_message: z.string(),
  lock: DocumentLock.nullable(),
});
export type ShelfDocument = z.infer<typeof ShelfDocument>;

/** A document as a copy of the shelf compares itself with it (web-and-phone.md §4). */
export const DocumentState = z.object({
  id: Id,
  name: z.string(),
  original_filename: z.string(),
  current_version: z.number().int(),
  current_version_id: Id,
  sha256: Sha256,
  size: z.number().int(),
  commit_hash: Sha256,
  updated_at: Timestamp,
  lock: DocumentLock.nullable(),
});
export type DocumentState = z.infer<typeof DocumentState>;

/** One version of a document. */
export const Version = z.object({
  id: Id,
  document_id: Id,
  document_name: z.string(),
  number: z.number().int(),
  size: z.number().int(),
  sha256: Sha256,
  mime: z.string(),
  author: z.string(),
  created_at: Timestamp,
  commit_hash: Sha256,
  commit_message: z.string(),
  is_current: z.boolean(),
  /** Its name, when somebody gave it one. */
  label: z.string().nullable(),
});
export type Version = z.infer<typeof Version>;

export const CommitChange = z.object({
  code: z.enum(['A', 'M', 'D']),
  document_id: Id,
  name: z.string(),
  /** Null for a deletion. */
  version_id: Id.nullable(),
  version_number: z.number().int().nullable(),
  size: z.number().int().nullable(),
  sha256: Sha256.nullable(),
  /** The version that it replaced, while that is kept: what it is compared with. */
  previous_version_id: Id.nullable(),
  previous_size: z.number().int().nullable(),
});
export type CommitChange = z.infer<typeof CommitChange>;

/** A commit without what it changed. */
export const CommitHead = z.object({
  hash: Sha256,
  parent: Sha256.nullable(),
  message: z.string(),
  author: z.string(),
  created_at: Timestamp,
});
export type CommitHead = z.infer<typeof CommitHead>;

/** One atomic set of changes on a shelf (decisions.md §2). */
export const Commit = CommitHead.extend({ changes: z.array(CommitChange) });
export type Commit = z.infer<typeof Commit>;
