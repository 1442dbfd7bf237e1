import { z } from 'zod';
import { Id, Timestamp } from './common.ts';

/** Who wrote something, as far as it is shown; null stands for an account that is gone. */
export const Author = z.object({
  user_id: Id,
  username: z.string(),
  name: z.string(),
  user_image: z.string().nullable(),
});
export type Author = z.infer<typeof Author>;

/** A comment on a shelf, on a document of it, or on one version of that (web-and-phone.md §3). */
export const Comment = z.object({
  id: Id,
  comment: z.string(),
  author: Author.nullable(),
  document_id: Id.nullable(),
  document_name: z.string().nullable(),
  version_id: Id.nullable(),
  version_number: z.number().int().nullable(),
  /** Whether the version it was written on is still the newest; null where it is on no version. */
  written_on_current: z.boolean().nullable(),
  /** The comment that it answers. */
  parent_id: Id.nullable(),
  resolved_at: Timestamp.nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type Comment = z.infer<typeof Comment>;
