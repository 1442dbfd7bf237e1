import { z } from 'zod';
import { Id, Sha256, Timestamp } from '../model/common.ts';
import { Commit } from '../model/library.ts';
import { SearchQuery } from '../model/search.ts';
import { call } from './call.ts';

/** A document in the trash: where it was, and who put it there when (field.md row 52). */
export const DeletedDocument = z.object({
  id: Id,
  name: z.string(),
  library: z.string(),
  shelf: z.string(),
  shelf_id: Id,
  /** The shelf is in the trash too; restoring brings it back. */
  shelf_deleted: z.boolean(),
  deleted_at: Timestamp,
  deleted_by: z.string(),
  /** When the trash lets it go. */
  expires_at: Timestamp,
  size: z.number().int(),
  sha256: Sha256,
  mime: z.string(),
  version_count: z.number().int(),
  current_version_id: Id,
  can_restore: z.boolean(),
  /** For good, which only the owner may. */
  can_delete: z.boolean(),
});
export type DeletedDocument = z.infer<typeof DeletedDocument>;

const byId = z.object({ id: Id });
const Ids = z.array(Id).min(1).max(1000);

/** What became of one of several documents; `code` is null when it worked. */
const Outcome = z.object({ id: Id, code: z.string().nullable(), message: z.string().nullable() });

/** The trash (web-and-phone.md §7, decisions.md §7). */
export const trash = {
  list: call({
    method: 'GET',
    path: '/api/v1/deleted-documents/',
    summary: 'Deleted documents of the shelves that the caller can read.',
    access: 'user',
    query: z.object({
      page: z.coerce.number().int().min(1).default(1),
      page_size: z.coerce.number().int().min(1).max(100).default(10),
      /** Part of the name, in any case. */
      name: z.string().max(200).optional(),
      /** A phrase of the content of any of its versions (field.md row 53). */
      text: SearchQuery.shape.text.optional(),
      library: z.string().max(200).optional(),
      sort: z.enum(['deleted_at', 'name', 'path', 'deleted_by']).default('deleted_at'),
      order: z.enum(['asc', 'desc']).default('desc'),
    }),
    response: z.object({ documents: z.array(DeletedDocument), count: z.number().int(), has_more: z.boolean() }),
    errors: ['index-unavailable', 'cancelled'],
  }),
  restore: call({
    method: 'POST',
    path: '/api/v1/deleted-documents/{id}/restore/',
    once: true,
    summary: 'Brings a document back with its whole history, under its name or another one, by a commit.',
    access: 'user',
    params: byId,
    body: z.object({ name: z.string().optional() }),
    response: z.object({ commit: Commit }),
    errors: ['not-found', 'archived', 'name-invalid', 'name-taken', 'plan-limit-reached'],
  }),
  remove: call({
    method: 'DELETE',
    path: '/api/v1/deleted-documents/{id}/delete/',
    once: true,
    summary: 'Deletes a document with all its versions for good.',
    access: 'user',
    params: byId,
    response: z.object({ deleted: z.literal(true) }),
    errors: ['not-found', 'archived'],
  }),
  restoreMany: call({
    method: 'POST',
    path: '/api/v1/deleted-documents/restore/',
    summary: 'Restores several documents, each as far as it goes, and says of each what became of it.',
    access: 'user',
    body: z.object({ ids: Ids }),
    response: z.object({ outcomes: z.array(Outcome) }),
    errors: [],
  }),
  removeMany: call({
    method: 'POST',
    path: '/api/v1/deleted-documents/delete/',
    summary: 'Deletes several documents for good, and says of each what became of it.',
    access: 'user',
    body: z.object({ ids: Ids }),
    response: z.object({ outcomes: z.array(Outcome) }),
    errors: [],
  }),
};
