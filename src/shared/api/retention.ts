import { z } from 'zod';
import { Id, Timestamp } from '../model/common.ts';
import { call } from './call.ts';
import { shelfParams } from './documents.ts';

/** A version that is going to be let go. */
export const DueVersion = z.object({
  id: Id,
  document_id: Id,
  name: z.string(),
  number: z.number().int(),
  size: z.number().int(),
  created_at: Timestamp,
  expires_at: Timestamp,
});
export type DueVersion = z.infer<typeof DueVersion>;

/** How long old versions are kept (field.md row 22). */
export const retention = {
  due: call({
    method: 'GET',
    path: '/api/v1/library/{lib}/shelf/{id}/retention/',
    summary:
      'For how many days old versions are kept, and which go within the days ahead. Labelled ones are always kept.',
    access: 'user',
    params: shelfParams,
    query: z.object({ ahead_days: z.coerce.number().int().min(0).max(3650).default(30) }),
    response: z.object({
      /** Null keeps all. */
      days: z.number().int().nullable(),
      versions: z.array(DueVersion),
      has_more: z.boolean(),
    }),
    errors: ['not-found'],
  }),
};
