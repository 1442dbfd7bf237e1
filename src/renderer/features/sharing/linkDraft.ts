import type { CallInput } from '../../../shared/api/call.ts';
import type { api } from '../../../shared/api/index.ts';
import type { ShareLink } from '../../../shared/model/shareLink.ts';
import { isEmail } from '../../../shared/rules/email.ts';
import { LIMITS } from '../../../shared/rules/limits.ts';

/** Until when a link opens: for good, for one of the usual times from now, or until a moment of its own. */
export const EXPIRIES = ['never', 'day', 'week', 'month', 'date'] as const;
export type Expiry = (typeof EXPIRIES)[number];

/** A link's settings as its form holds them. */
export interface LinkDraft {
  readonly label: string;
  readonly expiry: Expiry;
  /** The moment for `date`, as its input has it: local and without a zone. */
  readonly date: string;
  readonly hasPassword: boolean;
  /** Empty keeps the password that the link has. */
  readonly password: string;
  readonly allowDownload: boolean;
  readonly isForSome: boolean;
  readonly emails: string;
  readonly maxViews: string;
  readonly notifies: boolean;
  readonly webhook: string;
}

/** What is wrong with a draft, by field; the values are messages of the catalogue's section. */
export interface DraftProblems {
  readonly date?: 'datePast' | undefined;
  readonly password?: 'passwordShort' | undefined;
  readonly emails?: 'emailsMissing' | 'emailsInvalid' | undefined;
  readonly maxViews?: 'viewsInvalid' | undefined;
  readonly webhook?: 'webhookInvalid' | undefined;
}

export type LinkSettings = NonNullable<CallInput<typeof api.sharing.update>['body']>;

const DAY_MS = 24 * 3600_000;
const DURATIONS = { day: DAY_MS, week: 7 * DAY_MS, month: 30 * DAY_MS } as const;
const MOST_EMAILS = 200;
const MOST_VIEWS = 1_000_000;

/** A moment as the value of a local date and time input. */
export function localMoment(moment: number): string {
  const date = new Date(moment);
  return new Date(moment - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** The settings of a link, or of a new one. */
export function draftOf(link: ShareLink | null): LinkDraft {
  return {
    label: link?.label ?? '',
    expiry: link?.expires_at == null ? 'never' : 'date',
    date: link?.expires_at == null ? '' : localMoment(Date.parse(link.expires_at)),
    hasPassword: link?.has_password ?? false,
    password: '',
    allowDownload: link?.allow_download ?? true,
    isForSome: link?.allowed_emails != null,
    emails: link?.allowed_emails?.join('\n') ?? '',
    maxViews: link?.max_views == null ? '' : String(link.max_views),
    notifies: link?.managed?.notify_on_open ?? false,
    webhook: link?.managed?.webhook_url ?? '',
  };
}

const listOf = (emails: string) => [
  ...new Set(
    emails
      .toLowerCase()
      .split(/[\s,;]+/u)
      .filter((each) => each !== ''),
  ),
];

const isAllowedForm = (email: string) => isEmail(email.startsWith('@') ? `somebody${email}` : email);

function isWebhook(url: string): boolean {
  return URL.canParse(url) && new URL(url).protocol === 'https:';
}

/** Whether the expiry was left as the link has it, which may be over. */
function keepsExpiry(draft: LinkDraft, link: ShareLink | null): boolean {
  const before = draftOf(link);
  return link !== null && draft.expiry === before.expiry && draft.date === before.date;
}

function emailsProblem({ isForSome, emails }: LinkDraft): DraftProblems['emails'] {
  if (!isForSome) return undefined;
  const list = listOf(emails);
  if (list.length === 0) return 'emailsMissing';
  return list.length > MOST_EMAILS || !list.every(isAllowedForm) ? 'emailsInvalid' : undefined;
}

function passwordProblem({ hasPassword, password }: LinkDraft, link: ShareLink | null): DraftProblems['password'] {
  if (!hasPassword || (password === '' && link?.has_password === true)) return undefined;
  return password.length < LIMITS.passwordMinLength ? 'passwordShort' : undefined;
}

/** What keeps a draft from being saved. */
export function problemsOf(draft: LinkDraft, link: ShareLink | null, now: number): DraftProblems {
  const isPast = draft.expiry === 'date' && !(Date.parse(draft.date) > now);
  const views = Number(draft.maxViews);
  const isCount = draft.maxViews === '' || (Number.isInteger(views) && views >= 1 && views <= MOST_VIEWS);
  return {
    date: isPast && !keepsExpiry(draft, link) ? 'datePast' : undefined,
    password: passwordProblem(draft, link),
    emails: emailsProblem(draft),
    maxViews: isCount ? undefined : 'viewsInvalid',
    webhook: draft.webhook === '' || isWebhook(draft.webhook) ? undefined : 'webhookInvalid',
  };
}

function expiresAt({ expiry, date }: LinkDraft, now: number): string | null {
  if (expiry === 'never') return null;
  return new Date(expiry === 'date' ? Date.parse(date) : now + DURATIONS[expiry]).toISOString();
}

/** What is sent of a draft without problems: for a link that exists, its expiry and password only where they changed. */
export function settingsOf(draft: LinkDraft, link: ShareLink | null, now: number): LinkSettings {
  const isSamePassword = draft.hasPassword ? draft.password === '' : link?.has_password !== true;
  return {
    label: draft.label.trim(),
    allow_download: draft.allowDownload,
    allowed_emails: draft.isForSome ? listOf(draft.emails) : null,
    max_views: draft.maxViews === '' ? null : Number(draft.maxViews),
    notify_on_open: draft.notifies,
    webhook_url: draft.webhook === '' ? null : draft.webhook,
    ...(keepsExpiry(draft, link) ? {} : { expires_at: expiresAt(draft, now) }),
    ...(isSamePassword ? {} : { password: draft.hasPassword ? draft.password : null }),
  };
}
