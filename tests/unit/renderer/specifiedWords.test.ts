import { describe, expect, it } from 'vitest';
import { en } from '../../../src/renderer/i18n/en.ts';
import { PLAN_NAMES } from '../../../src/renderer/ui/planNames.ts';

const { common, footer, nav, phone, plans, session, shelf, sidebar, talk, time } = en;

describe('words that the specification quotes, as English shows them', () => {
  it.each([
    ['the button of guests', nav.signIn, 'Login / Signup'],
    ['reading all notifications', talk.markAllRead, 'Mark all as read'],
    ['no notifications', talk.noNotifications, 'No notifications'],
    ['a notice without a title', talk.serviceNotice, 'Service Notice'],
    ['the checkbox of a notice', talk.dontShowAgain, "Don't show this notice again"],
    ['its button, and that of the expired session', common.confirm, 'Confirm'],
    ['the expired session', session.expiredTitle, 'Session Expired'],
    ['its text', session.expiredText, 'Your session has expired. Please log in again.'],
    ['plan 0', plans[PLAN_NAMES[0]], 'Basic Plan'],
    ['plan 1', plans[PLAN_NAMES[1]], 'Pro Plan'],
    ['plan 2', plans[PLAN_NAMES[2]], 'Enterprise Plan'],
    ['plan 99', plans[PLAN_NAMES[99]], 'Unverified'],
    ['the avatar menu', [nav.plans, nav.settings], ['Plans', 'Settings']],
    [
      'the footer',
      Object.values(footer.names).toSorted(),
      ['Company', 'Contact', 'Cookie', 'Download', 'Open Source', 'Privacy', 'Refund', 'Security', 'Terms'],
    ],
    [
      'titles of the phone',
      [phone.library, phone.shelf, phone.document, nav.search, nav.favorites, nav.settings, nav.trash],
      ['Library', 'Shelf', 'Document', 'Search', 'Favorites', 'Settings', 'Trash'],
    ],
    [
      'tabs of a shelf on the phone',
      [sidebar.files, talk.comments, shelf.members, shelf.history],
      ['Files', 'Comments', 'Members', 'History'],
    ],
    ['the phone’s sidebar', [sidebar.noShelves, sidebar.quickAccess], ['No shelves', 'Quick Access']],
  ])('%s (web-and-phone.md §2)', (_where, shown, words) => expect(shown).toEqual(words));

  it.each([
    ['the toast of a target that is gone', [talk.deletedTitle, talk.deletedTitlePhone], ['Notice', 'Info']],
    [
      'what it says of a document and of a shared one',
      [talk.targetGone.document, talk.targetGone.shared],
      ['This document has been deleted', 'The shared document has been deleted'],
    ],
    ['a type that nobody knows', talk.types.unknown, 'Unknown notification type'],
  ])('%s (web-and-phone.md §8)', (_where, shown, words) => expect(shown).toEqual(words));

  it('relative times and a date that is none (web-and-phone.md §9)', () => {
    expect(time).toEqual({
      now: 'Just now',
      past: '%s ago',
      future: 'in %s',
      minute: 'm',
      hour: 'h',
      day: 'd',
      month: 'M',
      year: 'y',
    });
    expect(common.never).toBe('Never');
  });
});
