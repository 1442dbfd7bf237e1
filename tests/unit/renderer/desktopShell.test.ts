import i18next from 'i18next';
import { beforeAll, describe, expect, it } from 'vitest';
import { linkedPath } from '../../../src/renderer/features/desktop/linkedPath.ts';
import { nativeNotification } from '../../../src/renderer/features/live/nativeNotification.ts';
import { en } from '../../../src/renderer/i18n/en.ts';
import { splash } from '../../../src/renderer/i18n/splash.ts';
import { showsSearchBox } from '../../../src/renderer/layouts/desktop/showsSearchBox.ts';
import type { Notification } from '../../../src/shared/model/notification.ts';
import { LIMITS } from '../../../src/shared/rules/limits.ts';

const ID = '018f0000-0000-7000-8000-000000000001';

describe('links into the application', () => {
  it.each([`/Papers/${ID}?document=${ID}`, '/Papers', '/desktop/settings', '/search?q=lease', '/shared/abc'])(
    '%s is followed',
    (path) => expect(linkedPath(path)).toBe(path),
  );
  it.each([
    '/callback?code=1&state=2',
    '/redirect?to=x',
    '/accounts/google/callback?code=1',
    '/',
    '/desktop/home',
    '/api/v1/x',
  ])('%s is not: it would finish what somebody else has begun, or is no screen', (path) =>
    expect(linkedPath(path)).toBeNull(),
  );
});

it('the constants stand, seven messages for the splash in each language among them (desktop-shell.md §9)', () => {
  for (const { messages } of Object.values(splash)) expect(new Set(messages).size).toBe(LIMITS.splashMessages);
  expect(LIMITS).toMatchObject({
    splashMessages: 7,
    splashMs: 1000,
    focusSearchDelayMs: 100,
    defaultAppVersion: '1.0.0',
  });
});

describe('the search box of the title bar (desktop-shell.md §2, §5)', () => {
  const over = {
    isSignedIn: true,
    isMac: false,
    isSettings: false,
    hasModal: false,
    hasOverlay: false,
    isSearchOpen: false,
  };
  it('is there for who is signed in, over a page that nothing covers', () => {
    expect(showsSearchBox(over)).toBe(true);
    for (const change of [
      { isSignedIn: false },
      { isSettings: true },
      { hasModal: true },
      { hasOverlay: true },
      { isSearchOpen: true },
    ]) {
      expect(showsSearchBox({ ...over, ...change }), JSON.stringify(change)).toBe(false);
    }
  });
  it('is not hidden by modals on macOS', () => {
    expect(showsSearchBox({ ...over, isMac: true, hasModal: true })).toBe(true);
    expect(showsSearchBox({ ...over, isMac: true, isSettings: true })).toBe(false);
  });
});

describe('what calls for somebody', () => {
  beforeAll(() =>
    i18next.init({ lng: 'en', resources: { en: { translation: en } }, interpolation: { escapeValue: false } }),
  );
  const told = (notification_type: string, is_read = false): Notification => ({
    id: ID,
    notification_type,
    is_read,
    is_target_deleted: false,
    message: '',
    link: '',
    created_at: '2026-05-01T12:00:00Z',
    metadata: {
      actor_username: 'ana',
      actor_image: null,
      library_name: 'Papers',
      shelf_name: 'Leases',
      shelf_id: ID,
      document_name: 'lease.txt',
    },
  });
  it('is a comment or an invitation, in words, with where it leads', () => {
    expect(nativeNotification(told('SHELF_COMMENT_ADD'), i18next.t)).toEqual({
      title: 'ana commented on lease.txt',
      body: 'Papers / Leases',
      path: expect.stringContaining(`/Papers/${ID}`),
    });
    expect(nativeNotification(told('SHELF_INVITE'), i18next.t)?.path).toBe('/settings?tab=invitations');
  });
  it('is nothing else, and nothing that was read', () => {
    expect(nativeNotification(told('DOC_VERSION'), i18next.t)).toBeNull();
    expect(nativeNotification(told('SHELF_COMMENT_ADD', true), i18next.t)).toBeNull();
  });
});
