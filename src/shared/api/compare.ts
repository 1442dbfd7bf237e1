import { z } from 'zod';
import { Id } from '../model/common.ts';
import { ComparedTables, Comparison } from '../model/compare.ts';
import { LIMITS } from '../rules/limits.ts';
import { call } from './call.ts';

const pair = {
  params: z.object({ id: Id, other: Id }),
  /** How many unchanged lines or rows to show around each change. */
  query: z.object({ context: z.coerce.number().int().min(0).max(100_000).default(3) }),
};

/** Comparing versions (field.md row 20). */
export const compare = {
  versions: call({
    method: 'GET',
    path: '/api/v1/version/{id}/compare/{other}/',
    summary:
      'What changed in the text from one version to another, as lines with the words that changed. Any two versions that the caller may read.',
    access: 'user',
    ...pair,
    response: Comparison,
    errors: ['not-found', 'timed-out'],
    timeoutMs: LIMITS.longRequestTimeoutMs,
  }),
  tables: call({
    method: 'GET',
    path: '/api/v1/version/{id}/compare/{other}/tables/',
    summary:
      'What changed in the tables from one version to another, cell by cell. Any two versions that the caller may read.',
    access: 'user',
    ...pair,
    response: ComparedTables,
    errors: ['not-found', 'timed-out'],
    timeoutMs: LIMITS.longRequestTimeoutMs,
  }),
};
