import { z } from 'zod';
import { Id, Timestamp } from '../model/common.ts';
import { ManagedNotice, NoticeDraft, ServiceNotice } from '../model/notice.ts';
import { call } from './call.ts';

const flag = z
  .enum(['true', 'false', '1', '0'])
  .default('false')
  .transform((value) => value === 'true' || value === '1');
const byId = z.object({ id: Id });

/** Service notices (web-and-phone.md §7). Whoever is no administrator only reads them. */
export const notices = {
  showing: call({
    method: 'GET',
    path: '/api/v1/notifications/service-notices-list/',
    summary: 'Notices to show now: active and within their dates; those already confirmed only when forced.',
    access: 'user',
    query: z.object({ since: Timestamp.optional(), force: flag }),
    response: z.object({ status: z.literal('success'), notices: z.array(ServiceNotice) }),
    errors: [],
  }),
  markRead: call({
    method: 'POST',
    path: '/api/v1/notifications/service-notices/{id}/read/',
    summary: 'The caller has confirmed a notice.',
    access: 'user',
    params: byId,
    response: z.object({ read: z.literal(true) }),
    errors: ['not-found'],
  }),
  list: call({
    method: 'GET',
    path: '/api/v1/notifications/service-notices/',
    summary: 'All notices, newest first, with how many have confirmed them.',
    access: 'admin',
    query: z.object({
      page: z.coerce.number().int().min(1).default(1),
      page_size: z.coerce.number().int().min(1).max(100).default(20),
    }),
    response: z.object({ notices: z.array(ManagedNotice), count: z.number().int(), has_more: z.boolean() }),
    errors: [],
  }),
  create: call({
    method: 'POST',
    path: '/api/v1/notifications/service-notices/',
    summary: 'Writes a notice.',
    access: 'admin',
    once: true,
    body: NoticeDraft,
    response: ManagedNotice,
    errors: [],
  }),
  update: call({
    method: 'PUT',
    path: '/api/v1/notifications/service-notices/{id}/',
    summary: 'Changes a notice.',
    access: 'admin',
    params: byId,
    body: NoticeDraft,
    response: ManagedNotice,
    errors: ['not-found'],
  }),
  remove: call({
    method: 'DELETE',
    path: '/api/v1/notifications/service-notices/{id}/',
    summary: 'Deletes a notice.',
    access: 'admin',
    params: byId,
    response: z.object({ deleted: z.literal(true) }),
    errors: ['not-found'],
  }),
};
