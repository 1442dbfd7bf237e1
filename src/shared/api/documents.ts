import { z } from 'zod';
import { Id } from '../model/common.ts';
import { Commit, Shelf, ShelfDocument, Version } from '../model/library.ts';
import { call } from './call.ts';

/** A shelf by the parts of its address. */
export const shelfParams = z.object({ lib: z.string(), id: Id });
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
