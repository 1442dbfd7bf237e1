import { z } from 'zod';
import {
  AdminDocument,
  AdminLibrary,
  AdminOverview,
  AdminShelf,
  AdminUser,
  AuditRecord,
  StorageUse,
} from '../model/admin.ts';
import { Id, PlanType, Timestamp } from '../model/common.ts';
import { InsightServices } from '../model/insight.ts';
import { Settings, SettingsChange } from '../model/settings.ts';
import { call } from './call.ts';

const paging = {
  page: z.coerce.number().int().min(1).default(1),
  page_size: z.coerce.number().int().min(1).max(200).default(50),
};
/** Part of a name or address, in any case. */
const search = z.string().trim().max(200).optional();
/** What the lists can be sorted by; the first is what they stand by. */
export const USER_COLUMNS = [
  'created_at',
  'username',
  'plan_type',
  'library_count',
  'document_count',
  'last_seen_at',
] as const;
export const SHELF_COLUMNS = ['updated_at', 'name', 'library', 'member_count', 'document_count'] as const;
export const DOCUMENT_COLUMNS = ['name', 'shelf', 'current_version', 'size'] as const;
export type UserColumn = (typeof USER_COLUMNS)[number];
export type ShelfColumn = (typeof SHELF_COLUMNS)[number];
export type DocumentColumn = (typeof DOCUMENT_COLUMNS)[number];

/** The query of a sorted list, with the order that it has by itself. */
const sorting = <const C extends readonly [string, ...string[]]>(columns: C, order: 'asc' | 'desc') => ({
  sort: z.enum(columns).default(columns[0]),
  order: z.enum(['asc', 'desc']).default(order),
});
/** Whose; everybody's where it is left out. */
const Username = z.string().max(200).optional();
const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item), count: z.number().int(), has_more: z.boolean() });
const byId = z.object({ id: Id });
const done = z.object({ success: z.literal(true) });
const Day = z.iso.date();

const auditQuery = z.object({
  ...paging,
  actor: search,
  action: z.string().max(60).optional(),
  from: Timestamp.optional(),
  to: Timestamp.optional(),
});

/** Audit logs as CSV. */
export const AUDIT_CSV = '/api/v1/admin/audit.csv';
export const LIBRARY_AUDIT_CSV = '/api/v1/libraries/{name}/audit.csv';

/** The administrator's calls (decisions.md §11). */
export const admin = {
  overview: call({
    method: 'GET',
    path: '/api/v1/admin/overview/',
    summary: 'Counts, growth and health.',
    access: 'admin',
    response: AdminOverview,
    errors: [],
  }),
  users: call({
    method: 'GET',
    path: '/api/v1/admin/users/',
    summary: 'Accounts, newest first unless asked for otherwise.',
    access: 'admin',
    query: z.object({
      ...paging,
      ...sorting(USER_COLUMNS, 'desc'),
      search,
      plan_type: z.coerce.number().pipe(PlanType).optional(),
    }),
    response: pageOf(AdminUser),
    errors: [],
  }),
  updateUser: call({
    method: 'PATCH',
    path: '/api/v1/admin/users/{id}/',
    summary: 'Changes plan, type or whether an account may be used. The last administrator stays one.',
    access: 'admin',
    params: byId,
    body: z.object({
      plan_type: PlanType.optional(),
      user_type: z.union([z.literal(0), z.literal(1)]).optional(),
      disabled: z.boolean().optional(),
    }),
    response: AdminUser,
    errors: ['not-found', 'conflict'],
  }),
  signOutUser: call({
    method: 'POST',
    path: '/api/v1/admin/users/{id}/sign-out-everywhere/',
    summary: 'Signs somebody out on every device.',
    access: 'admin',
    params: byId,
    response: done,
    errors: ['not-found'],
  }),
  resetPassword: call({
    method: 'POST',
    path: '/api/v1/admin/users/{id}/reset-password/',
    summary: 'Mails somebody a link for a new password.',
    access: 'admin',
    params: byId,
    response: done,
    errors: ['not-found'],
  }),
  removeUser: call({
    method: 'DELETE',
    path: '/api/v1/admin/users/{id}/',
    summary: 'Deletes an account with everything that it owns.',
    access: 'admin',
    params: byId,
    response: done,
    errors: ['not-found', 'conflict'],
  }),
  libraries: call({
    method: 'GET',
    path: '/api/v1/admin/libraries/',
    summary: 'All libraries by name.',
    access: 'admin',
    query: z.object({ ...paging, search, owner: Username }),
    response: pageOf(AdminLibrary),
    errors: [],
  }),
  shelves: call({
    method: 'GET',
    path: '/api/v1/admin/shelves/',
    summary: 'All shelves, those changed last first unless asked for otherwise.',
    access: 'admin',
    query: z.object({
      ...paging,
      ...sorting(SHELF_COLUMNS, 'desc'),
      search,
      library: z.string().max(200).optional(),
    }),
    response: pageOf(AdminShelf),
    errors: [],
  }),
  documents: call({
    method: 'GET',
    path: '/api/v1/admin/documents/',
    summary: 'Documents without their contents, by name unless asked for otherwise.',
    access: 'admin',
    query: z.object({
      ...paging,
      ...sorting(DOCUMENT_COLUMNS, 'asc'),
      search,
      shelf_id: Id.optional(),
      owner: Username,
    }),
    response: pageOf(AdminDocument),
    errors: [],
  }),
  storage: call({
    method: 'GET',
    path: '/api/v1/admin/storage/',
    summary: 'Bytes by library, what storing each content once saves, and what waits to be collected.',
    access: 'admin',
    response: z.object({
      libraries: z.array(StorageUse),
      /** Of all versions, as if each had its own copy. */
      total: z.number().int(),
      stored: z.number().int(),
      saved: z.number().int(),
      condemned: z.object({ count: z.number().int(), bytes: z.number().int() }),
      computed_at: Timestamp,
    }),
    errors: [],
  }),
  collect: call({
    method: 'POST',
    path: '/api/v1/admin/storage/collect/',
    summary: 'Collects contents that nothing refers to, soon instead of at the next hour.',
    access: 'admin',
    response: done,
    errors: [],
  }),
  analytics: call({
    method: 'GET',
    path: '/api/v1/admin/analytics/',
    summary: 'Page views, searches and uploads by day and name.',
    access: 'admin',
    query: z.object({ from: Day.optional(), to: Day.optional() }),
    response: z.object({
      counts: z.array(z.object({ day: z.string(), kind: z.string(), name: z.string(), count: z.number().int() })),
    }),
    errors: [],
  }),
  mails: call({
    method: 'GET',
    path: '/api/v1/admin/mails/',
    summary: 'What became of mails, newest first.',
    access: 'admin',
    query: z.object(paging),
    response: z.object({
      mails: z.array(
        z.object({
          id: Id,
          recipient: z.string(),
          subject: z.string(),
          state: z.enum(['queued', 'sent', 'written', 'failed']),
          file: z.string().nullable(),
          error: z.string().nullable(),
          created_at: Timestamp,
          sent_at: Timestamp.nullable(),
        }),
      ),
      has_more: z.boolean(),
    }),
    errors: [],
  }),
  jobs: call({
    method: 'GET',
    path: '/api/v1/admin/jobs/',
    summary: 'Work that waits, and why it failed when it did.',
    access: 'admin',
    response: z.object({
      jobs: z.array(
        z.object({
          id: Id,
          kind: z.string(),
          attempts: z.number().int(),
          run_at: Timestamp,
          last_error: z.string().nullable(),
        }),
      ),
    }),
    errors: [],
  }),
  settings: call({
    method: 'GET',
    path: '/api/v1/admin/settings/',
    summary: 'The settings, without their secrets.',
    access: 'admin',
    response: Settings,
    errors: [],
  }),
  changeSettings: call({
    method: 'PUT',
    path: '/api/v1/admin/settings/',
    summary: 'Changes settings; what is left out stays.',
    access: 'admin',
    body: SettingsChange,
    response: Settings,
    errors: [],
  }),
  testMail: call({
    method: 'POST',
    path: '/api/v1/admin/settings/test-mail/',
    summary: 'Sends a mail to the caller, to try the mail server.',
    access: 'admin',
    response: done,
    errors: [],
  }),
  audit: call({
    method: 'GET',
    path: '/api/v1/admin/audit/',
    summary: 'Deletions, shares, roles, accounts and settings: who, when, from where.',
    access: 'admin',
    query: auditQuery,
    response: pageOf(AuditRecord),
    errors: [],
  }),
};

/** What everybody may ask of the same matters. */
export const insight = {
  libraryAudit: call({
    method: 'GET',
    path: '/api/v1/libraries/{name}/audit/',
    summary: 'The same of one library, for its owner.',
    access: 'user',
    params: z.object({ name: z.string() }),
    query: auditQuery,
    response: pageOf(AuditRecord),
    errors: ['not-found'],
  }),
  storage: call({
    method: 'GET',
    path: '/api/v1/storage/',
    summary: "Bytes of the caller's own libraries: current versions, older ones, trash.",
    access: 'user',
    response: z.object({ libraries: z.array(StorageUse) }),
    errors: [],
  }),
  services: call({
    method: 'GET',
    path: '/api/v1/usage/services/',
    summary: 'The services of others that the server has been given keys of; asked for with consent only.',
    access: 'public',
    response: InsightServices,
    errors: [],
  }),
  pageView: call({
    method: 'POST',
    path: '/api/v1/usage/page-view/',
    summary: 'Counts that a screen was opened, by nothing but its kind.',
    access: 'public',
    body: z.object({ screen: z.string().regex(/^[a-z][a-z-]{1,40}$/u) }),
    response: done,
    errors: [],
  }),
};
