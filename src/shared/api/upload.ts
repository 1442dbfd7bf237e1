import { z } from 'zod';
import { Id, Sha256 } from '../model/common.ts';
import { ChangeCode, Commit } from '../model/library.ts';
import { LIMITS } from '../rules/limits.ts';
import { call } from './call.ts';
import { shelfParams } from './documents.ts';

/** What the caller wants committed: the file's name on the shelf and what it is to hold. */
export const UploadFile = z.object({
  name: z.string(),
  size: z.number().int().nonnegative(),
  sha256: Sha256,
  mime: z.string().max(200).default('application/octet-stream'),
  /** Number of the version that the caller's copy came from; 0 for a file that it believes new. */
  base_version: z.int32().nonnegative().default(0),
  delete: z.boolean().default(false),
  /** The document of this name gets this one, with the content and the history that it has; `base_version` is that of it. */
  renamed_from: z.string().max(2000).optional(),
});

/** What becomes of an announced file. */
export const ReadyFile = z.object({
  name: z.string(),
  code: ChangeCode,
  /** Set where the change will make a version. */
  version_id: Id.nullable(),
  /** `none` when the content is already at hand and must not be sent again. */
  transfer: z.enum(['none', 'single', 'parts']),
  /** Parts that the content is sent in, each but the last of `part_size` bytes; 0 for one PUT. */
  parts: z.number().int(),
});

const pendingVersion = z.object({ version_id: Id });
const announced = z.object({ upload_id: Id, files: z.array(ReadyFile) });
/** The announcement of ten thousand files. */
export const UPLOAD_FILES_MAX = 10_000;

/** Upload by decisions.md §7. */
export const upload = {
  info: call({
    method: 'GET',
    path: '/api/v1/library/{lib}/shelf/{id}/upload/info/',
    summary: 'What an uploader has to know of the shelf before it sends anything.',
    access: 'user',
    params: shelfParams,
    response: z.object({
      head_commit: Sha256.nullable(),
      /** Bytes. */
      part_size: z.number().int(),
      /** Documents that the plan still has room for; null is unlimited. */
      document_room: z.number().int().nullable(),
      documents: z.array(
        z.object({
          id: Id,
          name: z.string(),
          current_version: z.number().int(),
          sha256: Sha256,
          size: z.number().int(),
        }),
      ),
    }),
    errors: ['not-found'],
  }),
  ready: call({
    method: 'POST',
    path: '/api/v1/library/{lib}/shelf/{id}/upload/ready/',
    summary: 'Announces a commit: answers a code for each file and, where content is needed, a pending version.',
    access: 'user',
    params: shelfParams,
    body: z.object({
      message: z.string().max(LIMITS.commitMessageMaxLength).default(''),
      base_commit: Sha256.nullable().default(null),
      files: z.array(UploadFile).min(1).max(UPLOAD_FILES_MAX),
    }),
    response: announced,
    errors: ['not-found', 'archived', 'name-invalid', 'conflict', 'locked', 'plan-limit-reached'],
    bodyLimit: 16 * 1024 * 1024,
    timeoutMs: LIMITS.longRequestTimeoutMs,
  }),
  status: call({
    method: 'GET',
    path: '/api/v1/library/{lib}/shelf/{id}/upload/{upload}/',
    summary: 'How an upload stands: an interrupted one goes on with the contents and parts that have not arrived.',
    access: 'user',
    params: shelfParams.extend({ upload: Id }),
    response: z.object({
      files: z.array(ReadyFile.extend({ arrived: z.boolean(), received_parts: z.array(z.number().int()) })),
      /** Set once it is committed. */
      commit: Commit.nullable(),
    }),
    errors: ['not-found'],
  }),
  conflict: call({
    method: 'POST',
    path: '/api/v1/library/{lib}/shelf/{id}/upload/conflict/',
    summary:
      'Settles files of code C: a version on top of theirs, theirs alone, or a copy whose name says who and when. Answers like the announcement.',
    access: 'user',
    params: shelfParams,
    body: z.object({
      upload_id: Id,
      resolutions: z
        .array(z.object({ name: z.string().max(2000), action: z.enum(['keep-mine', 'keep-theirs', 'keep-both']) }))
        .min(1)
        .max(UPLOAD_FILES_MAX),
    }),
    response: announced,
    errors: ['not-found', 'archived', 'conflict'],
  }),
  presignedUrl: call({
    method: 'POST',
    path: '/api/v1/library/{lib}/shelf/{id}/presigned-url/',
    summary: 'A signed, expiring URL that takes the content of one pending version, or one part of it, by PUT.',
    access: 'user',
    params: shelfParams,
    body: z.object({ version_id: Id, part: z.number().int().min(1).optional() }),
    /** The URL is relative to the server's origin when the server stores content itself. */
    response: z.object({ url: z.string(), method: z.literal('PUT'), expires_in: z.number() }),
    errors: ['not-found', 'archived', 'conflict'],
  }),
  completeMultipart: call({
    method: 'POST',
    path: '/api/v1/library/{lib}/shelf/{id}/complete-multipart-upload/',
    summary: 'Puts the parts of a pending version together and verifies size and SHA-256.',
    access: 'user',
    params: shelfParams,
    body: pendingVersion,
    response: z.object({ version_id: Id }),
    errors: ['not-found', 'archived', 'conflict', 'upload-incomplete', 'content-mismatch'],
    timeoutMs: LIMITS.transferTimeoutMs,
  }),
  failed: call({
    method: 'POST',
    path: '/api/v1/library/{lib}/shelf/{id}/failed-document-version/',
    summary: 'The content of a pending version cannot be sent: it leaves its upload, the others stay.',
    access: 'user',
    params: shelfParams,
    body: pendingVersion.extend({ reason: z.string().max(500).optional() }),
    response: z.object({ version_id: Id }),
    errors: ['not-found', 'archived', 'conflict'],
  }),
  abandon: call({
    method: 'POST',
    path: '/api/v1/library/{lib}/shelf/{id}/delete-document-version/',
    summary: 'The sender no longer wants a pending version: it leaves its upload, and what arrived of it is dropped.',
    access: 'user',
    params: shelfParams,
    body: pendingVersion,
    response: z.object({ version_id: Id }),
    errors: ['not-found', 'archived', 'conflict'],
  }),
  report: call({
    method: 'POST',
    path: '/api/v1/library/{lib}/shelf/{id}/report/version/',
    summary:
      'Verifies size and SHA-256 of all that arrived and makes the commit, all of it or none. Repeating it answers the same commit.',
    access: 'user',
    params: shelfParams,
    body: z.object({ upload_id: Id }),
    response: z.object({ commit: Commit.nullable() }),
    errors: [
      'not-found',
      'archived',
      'upload-incomplete',
      'content-mismatch',
      'conflict',
      'locked',
      'plan-limit-reached',
    ],
    timeoutMs: LIMITS.transferTimeoutMs,
  }),
};
