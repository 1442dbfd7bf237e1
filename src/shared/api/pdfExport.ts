import { z } from 'zod';
import { Id } from '../model/common.ts';
import { LIMITS } from '../rules/limits.ts';
import { call } from './call.ts';

/** What came of an export: where to get the PDF, or why there is none. */
export const ExportAnswer = z.object({
  status: z.enum(['ready', 'error']),
  /** Relative to the server's origin; good for two minutes. */
  presignedUrl: z.string().nullable(),
  error: z.string().nullable(),
});
export type ExportAnswer = z.infer<typeof ExportAnswer>;

/** Where the address of an export leads. */
export const EXPORTED_FILE = '/storage/exports/{sha256}/{id}';

const common = { method: 'GET', access: 'user', response: ExportAnswer, errors: ['not-found'] } as const;

/** Documents as PDF (decisions.md §11). */
export const pdfExport = {
  current: call({
    ...common,
    path: '/api/v1/documents/{id}/export',
    summary: 'The newest version of a document as PDF.',
    params: z.object({ id: Id }),
    timeoutMs: LIMITS.longRequestTimeoutMs,
  }),
  version: call({
    ...common,
    path: '/api/v1/documents/{id}/{x}/export',
    summary: 'One version of a document as PDF, by its number or id.',
    params: z.object({ id: Id, x: z.union([Id, z.string().regex(/^\d{1,9}$/u)]) }),
    timeoutMs: LIMITS.longRequestTimeoutMs,
  }),
};
