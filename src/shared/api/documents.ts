import { z } from 'zod';
import { Id } from '../model/common.ts';
import { TextPart, TextPlace } from '../model/documentText.ts';
import { Commit, CommitHead, DocumentLock, DocumentState, Shelf, ShelfDocument, Version } from '../model/library.ts';
import { LIMITS } from '../rules/limits.ts';
import { call } from './call.ts';

/** A shelf by the parts of its address. */
export const shelfParams = z.object({ lib: z.string(), id: Id });
const page = {
  page: z.coerce.number().int().min(1).default(1),
  page_size: z.coerce.number().int().min(1).max(500).default(50),
};

const byId = z.object({ id: Id });
const Message = z.string().max(LIMITS.commitMessageMaxLength).default('');
/** Number of the version that the caller saw; left out to change whatever is current. */
const BaseVersion = z.int32().positive().optional();

/** Reading and changing a shelf: its documents, their versions and its history. */
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
    summary: 'The shelf and its documents with their current versions, by name; of very many a part.',
    access: 'user',
    params: shelfParams,
    query: z.object({
      /** No more documents than this; all, when it is left out. */
      limit: z.coerce.number().int().min(1).max(10_000).optional(),
      /** Only documents that come after the one of this name. */
      after: z.string().max(LIMITS.documentNameMaxLength).optional(),
    }),
    response: z.object({ shelf: Shelf, last_commit: CommitHead.nullable(), documents: z.array(ShelfDocument) }),
    errors: ['not-found'],
  }),
  changes: call({
    method: 'GET',
    path: '/api/v1/library/{lib}/shelf/{id}/changes/{since}/',
    summary: 'What brings a list of the documents of a shelf up to date that is known as one of its commits left it.',
    access: 'user',
    params: shelfParams.extend({
      /** The commit: `last_commit` of when the list was read or last brought up to date. */
      since: z.string(),
    }),
    response: z.object({
      shelf: Shelf,
      last_commit: CommitHead,
      /** Those that commits since then changed and that are on the shelf, by name. */
      documents: z.array(ShelfDocument),
      /** Those that are on the shelf no more. */
      removed: z.array(Id),
      /** All that are checked out now, which is no matter of commits. */
      locks: z.array(DocumentLock.extend({ document_id: Id })),
    }),
    // Gone: the shelf does not know the commit, or so much changed since that the list is to be read anew.
    errors: ['not-found', 'gone'],
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
    params: byId,
    response: z.object({ versions: z.array(Version) }),
    errors: ['not-found'],
  }),
  version: call({
    method: 'GET',
    path: '/api/v1/version/{id}/',
    summary: 'One version, with where it stands.',
    access: 'user',
    params: byId,
    response: Version.extend({ library: z.string(), shelf: z.string(), shelf_id: Id }),
    errors: ['not-found'],
  }),
  text: call({
    method: 'GET',
    path: '/api/v1/version/{id}/text/',
    summary: 'The text of a version from a place on: the same that is searched.',
    access: 'user',
    params: byId,
    query: TextPlace,
    response: TextPart,
    errors: ['not-found'],
    timeoutMs: LIMITS.longRequestTimeoutMs,
  }),
  versionInfo: call({
    method: 'GET',
    path: '/api/v1/library/{lib}/shelf/{id}/document-version-info/',
    summary:
      'What a copy of the shelf is compared with: each document, its current version and who has it checked out.',
    access: 'user',
    params: shelfParams,
    response: z.object({ documents: z.array(DocumentState) }),
    errors: ['not-found'],
  }),
  latest: call({
    method: 'GET',
    path: '/api/v1/library/{lib}/shelf/{id}/latest-documents-version-and-commit/',
    summary: 'The same with the newest commit, of one moment.',
    access: 'user',
    params: shelfParams,
    response: z.object({ commit: Commit.nullable(), documents: z.array(DocumentState) }),
    errors: ['not-found'],
  }),
  remove: call({
    method: 'POST',
    path: '/api/v1/documents/{id}/delete/',
    once: true,
    summary: 'Deletes a document by a commit. The trash keeps it, with all its versions.',
    access: 'user',
    params: byId,
    body: z.object({ message: Message, base_version: BaseVersion }),
    response: z.object({ commit: Commit }),
    errors: ['not-found', 'archived', 'conflict', 'locked'],
  }),
  rename: call({
    method: 'POST',
    path: '/api/v1/documents/{id}/rename/',
    once: true,
    summary: 'Gives a document another name, also in another folder of its shelf, by a commit.',
    access: 'user',
    params: byId,
    body: z.object({ name: z.string(), message: Message, base_version: BaseVersion }),
    response: z.object({ commit: Commit }),
    errors: ['not-found', 'archived', 'conflict', 'locked', 'name-invalid', 'name-taken'],
  }),
  restoreVersion: call({
    method: 'POST',
    path: '/api/v1/version/{id}/restore/',
    once: true,
    summary: 'Makes the content of an older version the newest one, by a commit.',
    access: 'user',
    params: byId,
    body: z.object({ message: Message }),
    response: z.object({ commit: Commit }),
    errors: ['not-found', 'archived', 'conflict', 'locked'],
  }),
  label: call({
    method: 'PUT',
    path: '/api/v1/version/{id}/label/',
    summary: 'Names a version. Labelled versions are kept for ever.',
    access: 'user',
    params: byId,
    body: z.object({ label: z.string().trim().min(1).max(100).nullable() }),
    response: Version,
    errors: ['not-found', 'archived'],
  }),
  lock: call({
    method: 'POST',
    path: '/api/v1/documents/{id}/lock/',
    summary: "Checks a document out: others' changes are refused until it is given back or the time is over.",
    access: 'user',
    params: byId,
    body: z.object({ hours: z.number().int().min(1).max(168).default(24) }),
    response: DocumentLock,
    errors: ['not-found', 'archived', 'locked'],
  }),
  unlock: call({
    method: 'DELETE',
    path: '/api/v1/documents/{id}/lock/',
    summary: 'Gives a document back. The owner of the shelf and administrators may break the lock of another.',
    access: 'user',
    params: byId,
    response: z.object({ unlocked: z.literal(true) }),
    errors: ['not-found', 'locked'],
  }),
  contentUrl: call({
    method: 'GET',
    path: '/api/v1/version/{id}/content/presigned-url/',
    summary: 'An address that gives the content of a version for two minutes without a sign-in.',
    access: 'user',
    params: byId,
    query: z.object({ download: z.enum(['0', '1']).default('0') }),
    /** Relative to the server's origin. */
    response: z.object({ url: z.string(), expires_in: z.number() }),
    errors: ['not-found'],
  }),
};

/**
 * Calls whose bodies are streams, so that they are routes of their own beside the validated calls: large contents never
 * become one message.
 */
export const STREAM_ROUTES = {
  /** The content of a version, inline where the type is safe to show, by range when asked. */
  versionContent: '/api/v1/version/{id}/content/',
  /** The content of a version by a signed address. */
  signedContent: '/storage/versions/{id}/content',
  /** The same as an attachment. */
  signedDownload: '/storage/versions/{id}/download',
  /** The current version of a document, as an attachment. */
  documentDownload: '/api/v1/documents/{id}/download',
  /** One version, as an attachment. */
  versionDownload: '/api/v1/versioned-document/{id}/download',
  /** The signed URLs of the embedded object store (PUT). */
  storageObject: '/storage/{key}',
} as const;
