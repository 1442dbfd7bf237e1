import { z } from 'zod';
import { Id } from '../model/common.ts';
import type { StreamDefinition } from './streams.ts';

/** Routes that answer with a ZIP, made while it is sent. */
export const TRANSFER_ROUTES = {
  shelfDownload: '/api/v1/library/{lib}/shelf/{id}/download',
  documentsDownload: '/api/v1/documents/download',
  libraryExport: '/api/v1/libraries/{name}/export',
} as const;

/** One folder of a shelf, with the folders in it; all of it by default. */
export const FolderQuery = z.object({ folder: z.string().max(1024).default('') });

/** Documents of any shelves. */
export const DownloadSelection = z.object({ ids: z.array(Id).min(1).max(1000) });

/** Downloads of many files at once. */
export const transferStreams = {
  shelfDownload: {
    method: 'GET',
    path: TRANSFER_ROUTES.shelfDownload,
    summary: 'The current documents of a shelf, or of one `folder` of it, as a ZIP.',
    access: 'user',
    params: z.object({ lib: z.string(), id: Id }),
    query: FolderQuery,
    answer: 'application/zip',
  },
  documentsDownload: {
    method: 'POST',
    path: TRANSFER_ROUTES.documentsDownload,
    summary: 'The documents of the JSON body `{ids}` as a ZIP; those of several shelves in folders called after these.',
    access: 'user',
    answer: 'application/zip',
  },
  libraryExport: {
    method: 'GET',
    path: TRANSFER_ROUTES.libraryExport,
    summary:
      'A whole library with every version, its history and its comments, as a ZIP of plain files; for its owner. `armarium import` takes it.',
    access: 'user',
    params: z.object({ name: z.string() }),
    answer: 'application/zip',
  },
} as const satisfies Readonly<Record<string, StreamDefinition>>;
