import { z } from 'zod';
import { Id, Timestamp } from './common.ts';

/** A shelf with all its documents, a document in its newest version, or one version for ever. */
export const ShareKind = z.enum(['shelf', 'document', 'version']);
export type ShareKind = z.infer<typeof ShareKind>;

/** Whether a link opens, and why not. It is revoked too once its creator may no longer share the shelf. */
export const ShareLinkState = z.enum(['active', 'expired', 'used-up', 'revoked']);
export type ShareLinkState = z.infer<typeof ShareLinkState>;

/** Why a link opens for nobody any more: the `reason` in the details of a share call's `gone`. */
export const ShareEnd = z.enum(['expired', 'used-up', 'revoked', 'document-deleted']);
export type ShareEnd = z.infer<typeof ShareEnd>;

/** A share link as those see it who may share (decisions.md §10, field.md rows 38 to 49). */
export const ShareLink = z.object({
  id: Id,
  kind: ShareKind,
  library: z.string(),
  shelf: z.string(),
  shelf_id: Id,
  document_id: Id.nullable(),
  document_name: z.string().nullable(),
  version_id: Id.nullable(),
  version_number: z.number().int().nullable(),
  label: z.string(),
  url: z.string(),
  state: ShareLinkState,
  has_password: z.boolean(),
  expires_at: Timestamp.nullable(),
  max_views: z.number().int().nullable(),
  allow_download: z.boolean(),
  /** Addresses, or whole domains as `@example.org`; null lets everybody in who passes the rest. */
  allowed_emails: z.array(z.string()).nullable(),
  created_by: z.string(),
  created_at: Timestamp,
  updated_at: Timestamp,
  revoked_at: Timestamp.nullable(),
  /** Whether the caller may change it and see its statistics: its creator, and the owner of the shelf. */
  may_manage: z.boolean(),
  /** What only they see; null for other editors. */
  managed: z
    .object({
      /** Openings by visitors, which is what the limit counts. */
      view_count: z.number().int(),
      last_access_at: Timestamp.nullable(),
      notify_on_open: z.boolean(),
      webhook_url: z.string().nullable(),
      /** With this the webhook's receiver checks who sent a body. */
      webhook_secret: z.string(),
    })
    .nullable(),
});
export type ShareLink = z.infer<typeof ShareLink>;

/** A document behind a link. */
export const SharedDocument = z.object({
  id: Id,
  name: z.string(),
  size: z.number().int(),
  mime: z.string(),
  version_number: z.number().int(),
  updated_at: Timestamp,
});
export type SharedDocument = z.infer<typeof SharedDocument>;

/** Who opened a link: one filter over it serves all figures (field.md row 45). */
export const SHARE_AUDIENCES = ['visitor', 'team', 'bot'] as const;
export const ShareAudience = z.enum(SHARE_AUDIENCES);
export type ShareAudience = z.infer<typeof ShareAudience>;

export const SHARE_DEVICES = ['desktop', 'phone', 'tablet', 'bot', 'unknown'] as const;
export type ShareDevice = (typeof SHARE_DEVICES)[number];

/** One opening or download. */
export const ShareEvent = z.object({
  id: Id,
  link_id: Id,
  link_label: z.string(),
  kind: z.enum(['view', 'download']),
  at: Timestamp,
  audience: ShareAudience,
  device: z.string(),
  /** Host of the page that led there; empty when there is none. */
  referrer: z.string(),
  /** The same for one visitor on one day, and for nobody else. */
  visitor: z.string(),
  /** The address that was verified, where the link asks for one. */
  email: z.string().nullable(),
  /** Null for the list of a shelf. */
  document_id: Id.nullable(),
  document_name: z.string().nullable(),
  version_id: Id.nullable(),
  /** What they saw, and how many versions came after it. */
  version_number: z.number().int().nullable(),
  newer_versions: z.number().int().nullable(),
  /** The newest: comparing with it tells which pages changed since (field.md row 47). */
  current_version_id: Id.nullable(),
});
export type ShareEvent = z.infer<typeof ShareEvent>;

const Count = z.number().int();

/** A row of a breakdown. `key` is null for all beyond the first hundred together, so that a column's sum is the total. */
const row = { name: z.string().nullable(), views: Count, downloads: Count, last_access: Timestamp.nullable() };
const Breakdown = z.array(z.object({ key: z.string().nullable(), ...row }));

/** Figures of one link or of all links of a shelf, all of the same rows (field.md row 43). */
export const ShareStatistics = z.object({
  totals: z.object({
    views: Count,
    downloads: Count,
    /** Visitors of a day are told apart on that day alone, so this is the sum over the days. */
    unique_visitors: Count,
    last_access: Timestamp.nullable(),
  }),
  per_day: z.array(z.object({ day: z.iso.date(), views: Count, downloads: Count, unique_visitors: Count })),
  /** The empty key is the list of a shelf. */
  per_document: Breakdown,
  per_device: Breakdown,
  /** The empty key is: none. */
  per_referrer: Breakdown,
  per_link: Breakdown,
  /** Newest first. */
  events: z.array(ShareEvent),
  event_count: Count,
  has_more: z.boolean(),
});
export type ShareStatistics = z.infer<typeof ShareStatistics>;
