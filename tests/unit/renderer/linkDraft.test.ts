import { describe, expect, it } from 'vitest';
import {
  draftOf,
  type LinkDraft,
  localMoment,
  problemsOf,
  settingsOf,
} from '../../../src/renderer/features/sharing/linkDraft.ts';
import type { ShareLink } from '../../../src/shared/model/shareLink.ts';

const NOW = Date.UTC(2026, 2, 1, 12);
const HOUR = 3600_000;
const ID = '00000000-0000-4000-8000-000000000001';

const link = (some: Partial<ShareLink> = {}): ShareLink => ({
  id: ID,
  kind: 'shelf',
  library: 'L',
  shelf: 'S',
  shelf_id: ID,
  document_id: null,
  document_name: null,
  version_id: null,
  version_number: null,
  label: 'press',
  url: 'https://example.org/shared/x',
  state: 'active',
  has_password: true,
  expires_at: new Date(NOW - HOUR).toISOString(),
  max_views: 3,
  allow_download: false,
  allowed_emails: ['ana@example.org'],
  created_by: 'ana',
  created_at: new Date(NOW).toISOString(),
  updated_at: new Date(NOW).toISOString(),
  revoked_at: null,
  may_manage: true,
  managed: null,
  ...some,
});

const draft = (some: Partial<LinkDraft>): LinkDraft => ({ ...draftOf(null), ...some });
const found = (some: Partial<LinkDraft>, of: ShareLink | null = null) =>
  Object.fromEntries(
    Object.entries(problemsOf({ ...draftOf(of), ...some }, of, NOW)).filter(([, problem]) => problem !== undefined),
  );

describe('the settings of a share link', () => {
  it.each<[string, Partial<LinkDraft>, object]>([
    ['nothing filled in', {}, {}],
    ['a moment that is over', { expiry: 'date', date: localMoment(NOW - HOUR) }, { date: 'datePast' }],
    ['no moment', { expiry: 'date' }, { date: 'datePast' }],
    ['a short password', { hasPassword: true, password: 'short' }, { password: 'passwordShort' }],
    ['nobody allowed', { isForSome: true, emails: ' \n' }, { emails: 'emailsMissing' }],
    ['no address', { isForSome: true, emails: 'ana@example.org, bert' }, { emails: 'emailsInvalid' }],
    ['a domain', { isForSome: true, emails: '@example.org' }, {}],
    ['half a view', { maxViews: '0.5' }, { maxViews: 'viewsInvalid' }],
    ['an open webhook', { webhook: 'http://example.org' }, { webhook: 'webhookInvalid' }],
  ])('%s', (_name, some, problems) => expect(found(some)).toEqual(problems));

  it('an expired link with a password can be changed without either', () => {
    const expired = link();
    expect(found({ label: 'radio' }, expired)).toEqual({});
    const settings = settingsOf({ ...draftOf(expired), label: 'radio' }, expired, NOW);
    expect(settings).not.toHaveProperty('expires_at');
    expect(settings).not.toHaveProperty('password');
    expect(settings).toMatchObject({ label: 'radio', max_views: 3, allowed_emails: ['ana@example.org'] });
  });

  it('counts days from the moment it is saved, and takes a password away', () => {
    const settings = settingsOf({ ...draftOf(link()), expiry: 'week', hasPassword: false }, link(), NOW);
    expect(settings).toMatchObject({ expires_at: new Date(NOW + 7 * 24 * HOUR).toISOString(), password: null });
  });

  it('sends each address once, in small letters', () => {
    const { allowed_emails } = settingsOf(draft({ isForSome: true, emails: 'Ana@x.org;ana@x.org\n@Y.org' }), null, NOW);
    expect(allowed_emails).toEqual(['ana@x.org', '@y.org']);
  });
});
