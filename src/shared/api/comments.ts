import { z } from 'zod';
import { Comment } from '../model/comment.ts';
import { Id } from '../model/common.ts';
import { LIMITS } from '../rules/limits.ts';
import { call } from './call.ts';
import { shelfParams } from './documents.ts';

/** Kept as it is written, so what a database cannot keep (half characters, NUL) is refused. */
const Text = z
  .string()
  .trim()
  .min(1)
  .max(LIMITS.commentMaxLength)
  .refine((text) => text.isWellFormed() && !text.includes('\0'), 'holds what is no text');
const commentParams = shelfParams.extend({ cid: Id });
const versionParams = z.object({ id: Id });

const page = {
  page: z.coerce.number().int().min(1).default(1),
  page_size: z.coerce.number().int().min(1).max(200).default(50),
};
const CommentPage = z.object({
  comments: z.array(Comment),
  count: z.number().int(),
  has_more: z.boolean(),
  /** The newest comment of the shelf, which is what is marked as read. */
  last_comment_id: Id.nullable(),
});
const deleted = z.object({ deleted: z.literal(true) });

/** Comments (web-and-phone.md §7, field.md rows 31 to 33). */
export const comments = {
  list: call({
    method: 'GET',
    path: '/api/v1/library/{lib}/shelf/{id}/comments/',
    summary: 'The comments of a shelf, newest first, also of one document or version of it.',
    access: 'user',
    params: shelfParams,
    query: z.object({
      ...page,
      document_id: Id.optional(),
      version_id: Id.optional(),
      resolved: z.enum(['include', 'exclude', 'only']).default('include'),
    }),
    response: CommentPage,
    errors: ['not-found'],
  }),
  create: call({
    method: 'POST',
    path: '/api/v1/library/{lib}/shelf/{id}/comments/',
    summary: 'Writes a comment. Members named by @username hear of it.',
    access: 'user',
    once: true,
    params: shelfParams,
    body: z.object({
      comment: Text,
      document_id: Id.optional(),
      version_id: Id.optional(),
      parent_id: Id.optional(),
    }),
    response: Comment,
    errors: ['not-found', 'archived'],
  }),
  update: call({
    method: 'PUT',
    path: '/api/v1/library/{lib}/shelf/{id}/comments/{cid}/update/',
    summary: 'Changes the text of an own comment.',
    access: 'user',
    params: commentParams,
    body: z.object({ comment: Text }),
    response: Comment,
    errors: ['not-found', 'archived'],
  }),
  remove: call({
    method: 'DELETE',
    path: '/api/v1/library/{lib}/shelf/{id}/comments/{cid}/delete/',
    summary: 'Deletes a comment with its answers: an own one, or any as the owner of the shelf.',
    access: 'user',
    params: commentParams,
    response: deleted,
    errors: ['not-found', 'archived'],
  }),
  resolve: call({
    method: 'POST',
    path: '/api/v1/library/{lib}/shelf/{id}/comments/{cid}/resolve/',
    summary: 'Marks what a comment asks for as done, or as open again.',
    access: 'user',
    params: commentParams,
    body: z.object({ resolved: z.boolean() }),
    response: Comment,
    errors: ['not-found', 'archived'],
  }),
  markRead: call({
    method: 'POST',
    path: '/api/v1/library/{lib}/shelf/{id}/mark-read/',
    summary: 'The caller has read the comments up to this one. The mark only moves forward.',
    access: 'user',
    params: shelfParams,
    body: z.object({ last_comment_id: Id }),
    response: z.object({ has_unread: z.boolean(), unread_count: z.number().int() }),
    errors: ['not-found'],
  }),
  hasUnread: call({
    method: 'GET',
    path: '/api/v1/library/{lib}/shelf/{id}/has-unread-comments/',
    summary: 'Whether others wrote comments that the caller has not read.',
    access: 'user',
    params: shelfParams,
    response: z.object({ has_unread: z.boolean(), unread_count: z.number().int() }),
    errors: ['not-found'],
  }),
  ofVersion: call({
    method: 'GET',
    path: '/api/v1/version/{id}/comments/',
    summary: 'The comments on one version, newest first.',
    access: 'user',
    params: versionParams,
    query: z.object(page),
    response: CommentPage,
    errors: ['not-found'],
  }),
  createOnVersion: call({
    method: 'POST',
    path: '/api/v1/version/{id}/comments/',
    summary: 'Writes a comment on a version.',
    access: 'user',
    once: true,
    params: versionParams,
    body: z.object({ comment: Text, parent_id: Id.optional() }),
    response: Comment,
    errors: ['not-found', 'archived'],
  }),
  removeFromVersion: call({
    method: 'DELETE',
    path: '/api/v1/version/{id}/comments/{cid}/delete/',
    summary: 'Deletes a comment on a version: an own one, or any as the owner of the shelf.',
    access: 'user',
    params: versionParams.extend({ cid: Id }),
    response: deleted,
    errors: ['not-found', 'archived'],
  }),
};
