import { z } from 'zod';
import { Id, Timestamp } from './common.ts';

/** What an administrator writes (web-and-phone.md §3). */
export const NoticeDraft = z.object({
  title: z.string().trim().max(200).default(''),
  content: z.string().min(1).max(20_000),
  content_type: z.enum(['html', 'text']).default('text'),
  start_date: Timestamp,
  end_date: Timestamp,
  active: z.boolean().default(true),
});
export type NoticeDraft = z.infer<typeof NoticeDraft>;

/** A service notice as its readers get it. */
export const ServiceNotice = z.object({
  id: Id,
  title: z.string(),
  content: z.string(),
  content_type: z.enum(['html', 'text']),
  start_date: Timestamp,
  end_date: Timestamp,
  active: z.boolean(),
  /** The reader has confirmed it. */
  read: z.boolean(),
});
export type ServiceNotice = z.infer<typeof ServiceNotice>;

/** The same as the administrator sees it. */
export const ManagedNotice = ServiceNotice.omit({ read: true }).extend({
  state: z.enum(['scheduled', 'showing', 'ended', 'off']),
  /** Readers who have confirmed it. */
  read_count: z.number().int(),
  updated_at: Timestamp,
});
export type ManagedNotice = z.infer<typeof ManagedNotice>;
