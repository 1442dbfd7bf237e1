import { z } from 'zod';
import { Id, Timestamp } from '../model/common.ts';
import { TextPart, TextPlace } from '../model/documentText.ts';
import { SHARE_AUDIENCES, SharedDocument, ShareKind, ShareLink, ShareStatistics } from '../model/shareLink.ts';
import { isEmail } from '../rules/email.ts';
import { LIMITS } from '../rules/limits.ts';
import { call } from './call.ts';
import { shelfParams } from './documents.ts';

const linkParams = shelfParams.extend({ linkId: Id });
const sharedParams = z.object({ link: z.string().max(200) });
const sharedDocumentParams = sharedParams.extend({ id: Id });

const pageOf = (most: number) => ({
  page: z.coerce.number().int().min(1).default(1),
  page_size: z.coerce.number().int().min(1).max(most).default(50),
});

const AllowedEmail = z
  .string()
  .trim()
  .toLowerCase()
  .refine((text) => isEmail(text.startsWith('@') ? `somebody${text}` : text), 'an email address, or @ and a domain');

/** What may be set, and changed later; all else follows from who makes the link and where. */
const settings = {
  label: z.string().trim().max(100),
  password: z.string().min(LIMITS.passwordMinLength).max(LIMITS.passwordMaxLength).nullable(),
  expires_at: Timestamp.nullable(),
  max_views: z.number().int().min(1).max(1_000_000).nullable(),
  allow_download: z.boolean(),
  allowed_emails: z.array(AllowedEmail).min(1).max(200).nullable(),
  notify_on_open: z.boolean(),
  webhook_url: z.string().max(2000).nullable(),
};

const Day = z.iso.date();
const AUDIENCES = z.string().regex(/^(?:visitor|team|bot)(?:,(?:visitor|team|bot)){0,2}$/u);
/** Days are in UTC, both included. `include` names audiences, separated by commas. */
export const shareFilter = {
  from: Day.optional(),
  to: Day.optional(),
  include: AUDIENCES.default('visitor').transform((text) => SHARE_AUDIENCES.filter((each) => text.includes(each))),
};
const statistics = z.object({ ...shareFilter, ...pageOf(200) });

/** Share links with their statistics, and what is behind them (decisions.md §10). */
export const sharing = {
  list: call({
    method: 'GET',
    path: '/api/v1/library/{lib}/shelf/{id}/share-links/',
    summary: 'The share links of a shelf, newest first. Editors and the owner may.',
    access: 'user',
    params: shelfParams,
    query: z.object(pageOf(100)),
    response: z.object({ links: z.array(ShareLink), count: z.number().int(), has_more: z.boolean() }),
    errors: ['not-found'],
  }),
  create: call({
    method: 'POST',
    path: '/api/v1/library/{lib}/shelf/{id}/share-links/',
    once: true,
    summary: 'Makes a link to the shelf, to a document of it as it changes, or to one version.',
    access: 'user',
    params: shelfParams,
    body: z.object({
      kind: ShareKind,
      document_id: Id.optional(),
      version_id: Id.optional(),
      label: settings.label.default(''),
      password: settings.password.default(null),
      expires_at: settings.expires_at.default(null),
      max_views: settings.max_views.default(null),
      allow_download: settings.allow_download.default(true),
      allowed_emails: settings.allowed_emails.default(null),
      notify_on_open: settings.notify_on_open.default(false),
      webhook_url: settings.webhook_url.default(null),
    }),
    response: ShareLink,
    errors: ['not-found', 'archived'],
  }),
  update: call({
    method: 'PATCH',
    path: '/api/v1/library/{lib}/shelf/{id}/share-links/{linkId}/',
    summary: 'Changes a link. Address and statistics stay, also when it comes back after it expired or was revoked.',
    access: 'user',
    params: linkParams,
    body: z.object({ ...settings, revoked: z.boolean() }).partial(),
    response: ShareLink,
    errors: ['not-found', 'archived'],
  }),
  revoke: call({
    method: 'DELETE',
    path: '/api/v1/library/{lib}/shelf/{id}/share-links/{linkId}/',
    summary: 'Revokes a link: it opens for nobody any more. Its statistics stay.',
    access: 'user',
    params: linkParams,
    response: ShareLink,
    errors: ['not-found'],
  }),
  mine: call({
    method: 'GET',
    path: '/api/v1/share-links/',
    summary: 'All links that the caller made, newest first.',
    access: 'user',
    query: z.object(pageOf(100)),
    response: z.object({ links: z.array(ShareLink), count: z.number().int(), has_more: z.boolean() }),
    errors: [],
  }),
  statistics: call({
    method: 'GET',
    path: '/api/v1/library/{lib}/shelf/{id}/share-links/stat/',
    summary: "Statistics of the shelf's links: of all to its owner, of their own to editors.",
    access: 'user',
    params: shelfParams,
    query: statistics,
    response: ShareStatistics,
    errors: ['not-found'],
  }),
  linkStatistics: call({
    method: 'GET',
    path: '/api/v1/library/{lib}/shelf/{id}/share-links/{linkId}/stat/',
    summary: 'Statistics of one link.',
    access: 'user',
    params: linkParams,
    query: statistics,
    response: ShareStatistics,
    errors: ['not-found'],
  }),
  open: call({
    method: 'GET',
    path: '/api/v1/shared/{link}/',
    summary: 'What is behind a link.',
    access: 'public',
    params: sharedParams,
    query: z.object({
      ...pageOf(500),
      /** Host of the page that led to the link: only the page itself knows it. */
      referrer: z.string().max(253).optional(),
    }),
    response: z.object({
      state: z.literal('open'),
      kind: ShareKind,
      label: z.string(),
      /** For a shelf alone: who gets one document need not know where it stands. */
      library: z.string().nullable(),
      shelf: z.string(),
      allow_download: z.boolean(),
      expires_at: Timestamp.nullable(),
      documents: z.array(SharedDocument),
      count: z.number().int(),
      has_more: z.boolean(),
    }),
    errors: ['not-found', 'gone', 'password-required', 'email-required'],
  }),
  unlock: call({
    method: 'POST',
    path: '/api/v1/shared/{link}/unlock/',
    summary:
      'Proves the password, or an email address: that alone sends it a code, and with the code it is proven. Answers what is still asked for.',
    access: 'public',
    params: sharedParams,
    body: z.object({
      password: z.string().max(LIMITS.passwordMaxLength).optional(),
      email: z.string().trim().max(254).optional(),
      code: z
        .string()
        .trim()
        .regex(/^\d{6}$/u)
        .optional(),
    }),
    response: z.object({ state: z.enum(['open', 'password-required', 'email-required', 'code-required']) }),
    errors: ['not-found', 'gone', 'credentials-invalid', 'password-required'],
  }),
  text: call({
    method: 'GET',
    path: '/api/v1/shared/{link}/documents/{id}/text',
    summary: 'The text of a shared document from a place on, also where its content is not given away.',
    access: 'public',
    params: sharedDocumentParams,
    query: TextPlace,
    response: TextPart.extend({ version_number: z.number().int() }),
    errors: ['not-found', 'gone', 'password-required', 'email-required'],
    timeoutMs: LIMITS.longRequestTimeoutMs,
  }),
};

/** Routes of the area whose answers are streams. */
export const SHARING_STREAMS = {
  /** The content of a shared document, in place where its type is safe to show; with `?download=1` as an attachment. */
  content: '/api/v1/shared/{link}/documents/{id}/content',
  /** The events that the statistics are made of, as CSV. */
  csv: '/api/v1/library/{lib}/shelf/{id}/share-links/{linkId}/stat.csv',
  /** Server-sent events `share-event`: an opening or a download happened, and the figures are to be asked for again. */
  live: '/api/v1/library/{lib}/shelf/{id}/share-links/{linkId}/stat/stream/',
} as const;

/** Where openings and downloads of a link are published. */
export const shareTopic = (linkId: string) => `share-link:${linkId}`;
