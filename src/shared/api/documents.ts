import { z } from 'zod';
import { Id, Sha256 } from '../model/common.ts';
import { ChangeCode, Commit, Shelf, ShelfDocument, Version } from '../model/library.ts';
import { LIMITS } from '../rules/limits.ts';
import { call } from './call.ts';

const shelfParams = z.object({ lib: z.string(), id: Id });
const page = {
  page: z.coerce.number().int().min(1).default(1),
  page_size: z.coerce.number().int().min(1).max(500).default(50),
};

/** Reading a shelf: its documents, their versions and its history. */
export const documents = {
  shelfInfo: call({
    method: 'GET',
    path: '/api/v1/library/{lib}/shelf/{id}/info/',
    summary: 'The shelf itself.',
    access: 'user',
    params: shelfParams,
    response: Shelf,
    errors: ['not-found'],
  }),
  shelfDetail: call({
    method: 'GET',
    path: '/api/v1/library/{lib}/shelf/{id}/detail/',
    summary: 'The shelf and its documents with their current versions, by name.',
    access: 'user',
    params: shelfParams,
    response: z.object({ shelf: Shelf, documents: z.array(ShelfDocument) }),
    errors: ['not-found'],
  }),
  commits: call({
    method: 'GET',
    path: '/api/v1/library/{lib}/shelf/{id}/commits/',
    summary: 'The history of the shelf, newest first.',
    access: 'user',
    params: shelfParams,
    query: z.object(page),
    response: z.object({ commits: z.array(Commit), count: z.number().int(), has_more: z.boolean() }),
    errors: ['not-found'],
  }),
  history: call({
    method: 'GET',
    path: '/api/v1/documents/{id}/history/',
    summary: 'The versions of a document, newest first.',
    access: 'user',
    params: z.object({ id: Id }),
    response: z.object({ versions: z.array(Version) }),
    errors: ['not-found'],
  }),
  version: call({
    method: 'GET',
    path: '/api/v1/version/{id}/',
    summary: 'One version, with where it stands.',
    access: 'user',
    params: z.object({ id: Id }),
    response: Version.extend({ library: z.string(), shelf: z.string(), shelf_id: Id }),
    errors: ['not-found'],
  }),
};

/** What the caller wants committed: the file's name on the shelf and what it is to hold. */
export const UploadFile = z.object({
  name: z.string(),
  size: z.number().int().nonnegative(),
  sha256: Sha256,
  mime: z.string().max(200).default('application/octet-stream'),
  /** Number of the version that the caller's copy came from; 0 for a file that it believes new. */
  base_version: z.number().int().nonnegative().default(0),
  delete: z.boolean().default(false),
});

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
      files: z.array(UploadFile).min(1).max(10_000),
    }),
    response: z.object({
      upload_id: Id,
      files: z.array(
        z.object({
          name: z.string(),
          code: ChangeCode,
          /** Set where the change will make a version. */
          version_id: Id.nullable(),
          /** `none` when the content is already at hand and must not be sent again. */
          transfer: z.enum(['none', 'single']),
        }),
      ),
    }),
    errors: ['not-found', 'forbidden', 'name-invalid', 'conflict', 'plan-limit-reached'],
  }),
  presignedUrl: call({
    method: 'POST',
    path: '/api/v1/library/{lib}/shelf/{id}/presigned-url/',
    summary: 'A signed, expiring URL that takes the content of one pending version by PUT, and nothing else.',
    access: 'user',
    params: shelfParams,
    body: z.object({ version_id: Id }),
    /** The URL is relative to the server's origin when the server stores content itself. */
    response: z.object({ url: z.string(), method: z.literal('PUT'), expires_in: z.number() }),
    errors: ['not-found', 'forbidden', 'conflict'],
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
    errors: ['not-found', 'forbidden', 'upload-incomplete', 'content-mismatch', 'conflict', 'plan-limit-reached'],
    timeoutMs: LIMITS.longRequestTimeoutMs,
  }),
};

/**
 * Calls whose bodies are streams, so that they are routes of their own beside the validated calls: large contents never
 * become one message.
 */
export const STREAM_ROUTES = {
  /** The content of a version, inline where the type is safe to show, by range when asked. */
  versionContent: '/api/v1/version/{id}/content/',
  /** The current version of a document, as an attachment. */
  documentDownload: '/api/v1/documents/{id}/download',
  /** One version, as an attachment. */
  versionDownload: '/api/v1/versioned-document/{id}/download',
  /** The signed URLs of the embedded object store (PUT). */
  storageObject: '/storage/{key}',
} as const;
