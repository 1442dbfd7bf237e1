import { z } from 'zod';

const Limit = z.number().int().min(0).max(1_000_000_000).nullable();
const Limits = z.object({ max_libraries: Limit, max_shelves: Limit, max_documents: Limit });

const Smtp = z.object({
  host: z.string().trim().min(1).max(255),
  port: z.number().int().min(1).max(65_535),
  secure: z.boolean(),
  username: z.string().max(255),
  from: z.string().trim().min(3).max(255),
});
const Provider = z.object({
  id: z.enum(['google', 'microsoft', 'apple', 'oidc']),
  label: z.string().trim().min(1).max(60),
  issuer: z.url({ protocol: /^https?$/u }).max(500),
  client_id: z.string().min(1).max(500),
});

const common = {
  /** By plan type; null is unlimited (decisions.md §5). */
  plan_limits: z.object({ 0: Limits, 1: Limits, 2: Limits, 99: Limits }),
  sign_up: z.enum(['open', 'invited', 'closed']),
  /** Days until the trash lets a document go. */
  trash_days: z.number().int().min(1).max(3650),
  /** Days until a version that is not the newest may go; null keeps all. */
  version_days: z.number().int().min(1).max(36_500).nullable(),
};

/** What the administrator may change. Secrets are written and never read: left out, they stay as they are. */
export const SettingsChange = z
  .object({
    ...common,
    smtp: Smtp.extend({ password: z.string().max(1000).optional() }).nullable(),
    providers: z.array(Provider.extend({ client_secret: z.string().min(1).max(5000).optional() })).max(4),
  })
  .partial();
export type SettingsChange = z.infer<typeof SettingsChange>;

/** The settings as they are read. */
export const Settings = z.object({
  ...common,
  smtp: Smtp.extend({ has_password: z.boolean() }).nullable(),
  providers: z.array(Provider.extend({ has_secret: z.boolean() })),
});
export type Settings = z.infer<typeof Settings>;
