import { z } from 'zod';
import { Id, Sha256, Timestamp } from './common.ts';

export const Platform = z.enum(['win32', 'darwin', 'linux']);
export type Platform = z.infer<typeof Platform>;
/** `latest`, `beta`, …: what clients follow. */
export const Channel = z.string().regex(/^[a-z][a-z0-9-]{0,30}$/u);
export const ReleaseNoteType = z.enum(['text', 'markdown', 'html']);

const SEMVER = /^\d{1,5}\.\d{1,5}\.\d{1,5}(-[0-9A-Za-z.-]{1,40})?$/u;

/** What an administrator says of a version of the desktop application (decisions.md §11). */
export const AppVersionDraft = z.object({
  version: z.string().regex(SEMVER),
  platform: Platform,
  channel: Channel.default('latest'),
  release_notes: z.string().max(50_000).default(''),
  release_note_type: ReleaseNoteType.default('markdown'),
  mandatory: z.boolean().default(false),
  /** Published versions are what clients update to. */
  published: z.boolean().default(false),
});
export type AppVersionDraft = z.infer<typeof AppVersionDraft>;

export const AppVersionFile = z.object({
  name: z.string(),
  size: z.number().int(),
  sha256: Sha256,
  /** Base64, as update clients compare it. */
  sha512: z.string(),
  /** Relative to the server's origin. */
  url: z.string(),
});
export type AppVersionFile = z.infer<typeof AppVersionFile>;

export const AppVersion = z.object({
  id: Id,
  version: z.string(),
  platform: Platform,
  channel: z.string(),
  release_notes: z.string(),
  release_note_type: ReleaseNoteType,
  mandatory: z.boolean(),
  files: z.array(AppVersionFile),
  published_at: Timestamp.nullable(),
});
export type AppVersion = z.infer<typeof AppVersion>;
