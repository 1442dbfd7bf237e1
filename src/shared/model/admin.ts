import { z } from 'zod';
import { Id, PlanType, Timestamp } from './common.ts';

const Count = z.number().int();

export const AdminOverview = z.object({
  counts: z.object({ users: Count, libraries: Count, shelves: Count, documents: Count, versions: Count, blobs: Count }),
  /** Bytes of contents, each counted once. */
  bytes: Count,
  /** The last 30 days. */
  growth: z.array(z.object({ day: z.string(), users: Count, versions: Count })),
  health: z.object({
    database: z.enum(['sqlite', 'postgres']),
    index_waiting: Count,
    jobs_waiting: Count,
    jobs_failing: Count,
    mails_failed: Count,
    uptime_seconds: Count,
  }),
  /** When the counts were made: they are kept for a minute. */
  computed_at: Timestamp,
});
export type AdminOverview = z.infer<typeof AdminOverview>;

export const AdminUser = z.object({
  id: Id,
  email: z.string(),
  email_verified: z.boolean(),
  username: z.string(),
  name: z.string(),
  plan_type: PlanType,
  user_type: z.number().int(),
  disabled: z.boolean(),
  library_count: Count,
  document_count: Count,
  created_at: Timestamp,
  last_seen_at: Timestamp.nullable(),
});
export type AdminUser = z.infer<typeof AdminUser>;

export const AdminLibrary = z.object({
  id: Id,
  name: z.string(),
  owner: z.string(),
  archived: z.boolean(),
  shelf_count: Count,
  document_count: Count,
  created_at: Timestamp,
});
export type AdminLibrary = z.infer<typeof AdminLibrary>;

export const AdminShelf = z.object({
  id: Id,
  name: z.string(),
  library: z.string(),
  owner: z.string(),
  archived: z.boolean(),
  deleted: z.boolean(),
  member_count: Count,
  document_count: Count,
  updated_at: Timestamp,
});
export type AdminShelf = z.infer<typeof AdminShelf>;

/** Names and sizes: an administrator reads no contents. */
export const AdminDocument = z.object({
  id: Id,
  name: z.string(),
  library: z.string(),
  shelf: z.string(),
  shelf_id: Id,
  current_version: Count,
  size: Count,
  deleted: z.boolean(),
});
export type AdminDocument = z.infer<typeof AdminDocument>;

/** Bytes by what holds them; the three sum to the total (field.md row 64). */
export const StorageUse = z.object({
  library: z.string(),
  owner: z.string(),
  current: Count,
  older: Count,
  trash: Count,
  total: Count,
});
export type StorageUse = z.infer<typeof StorageUse>;

export const AuditRecord = z.object({
  id: Id,
  at: Timestamp,
  actor: z.string(),
  action: z.string(),
  target_kind: z.string(),
  target_name: z.string(),
  address: z.string(),
  details: z.record(z.string(), z.unknown()),
});
export type AuditRecord = z.infer<typeof AuditRecord>;
