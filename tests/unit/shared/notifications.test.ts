import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NOTIFICATION_TYPES, type NotificationMetadata } from '../../../src/shared/model/notification.ts';
import { notificationText } from '../../../src/shared/rules/notifications.ts';

const ID = '00000000-0000-4000-8000-000000000001';
const metadata: NotificationMetadata = {
  actor_username: 'ana',
  actor_image: null,
  library_name: 'Papers',
  shelf_name: 'Contracts',
  shelf_id: ID,
  document_name: 'folder/lease.txt',
  document_id: ID,
  old_name: 'Old',
  new_name: 'New',
};

describe('what a notification says (web-and-phone.md §8, §9)', () => {
  it.each(NOTIFICATION_TYPES)('%s has words, a place and words for when that is gone', (type) => {
    const text = notificationText(type, metadata);
    expect(text.message).toMatch(/^ana \w/u);
    expect(text.message).not.toContain('undefined');
    expect(text.deletedMessage).toMatch(/has been deleted|no longer/u);
    expect(text.link).toMatch(/^\//u);
  });
  it.each([
    ['DOC_VERSION', `/Papers/${ID}?document=${ID}`],
    ['SHELF_COMMENT_ADD', `/Papers/${ID}?tab=comments&document=${ID}`],
    ['LIBRARY_RENAME', '/Papers'],
    ['LIBRARY_DELETE', '/'],
    ['SHARE_LINK_CREATE', `/Papers/${ID}/share`],
    ['SHELF_INVITE', '/settings?tab=invitations'],
  ])('%s leads to %s', (type, link) => {
    expect(notificationText(type, metadata).link).toBe(link);
  });
  it('cuts names in the middle, and names documents without their folders', () => {
    const { message } = notificationText('DOC_UPLOAD', {
      ...metadata,
      document_name: `a/${'long name '.repeat(5)}.txt`,
    });
    expect(message).toBe('ana added long name …name .txt to Contracts');
  });
  it('gives other languages what they need to say the same', () => {
    expect(notificationText('SHELF_RENAME', metadata)).toMatchObject({
      key: 'SHELF_RENAME',
      words: { actor: 'ana', old: 'Old', new: 'New' },
    });
    expect(notificationText('NEWER_TYPE', metadata).key).toBe('unknown');
  });
  it('leads to the invitations also where the library has no name any more', () => {
    const { link } = notificationText('SHELF_INVITE', { actor_username: 'ana', actor_image: null });
    expect(link).toBe('/settings?tab=invitations');
  });
  it('says so of a type that it does not know', () => {
    expect(notificationText('NEWER_TYPE', metadata)).toMatchObject({ message: 'Unknown notification type', link: '/' });
  });
  it('leads nowhere outside, whatever the names are', () => {
    const name = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 30 }),
      fc.constantFrom(
        '//evil.example',
        '\\\\evil',
        '..',
        'javascript:alert(1)',
        '%2f%2fevil',
        '?x',
        '#',
        '\ud800',
        '\u202e',
      ),
    );
    fc.assert(
      fc.property(fc.constantFrom(...NOTIFICATION_TYPES), name, name, name, (type, library, shelf, document) => {
        const { link } = notificationText(type, {
          ...metadata,
          library_name: library,
          shelf_id: shelf,
          document_id: document,
        });
        const url = new URL(link, 'https://papers.example');
        expect(url.origin).toBe('https://papers.example');
        expect(link.startsWith('//')).toBe(false);
        if (library !== '' && url.pathname !== '/' && !url.pathname.startsWith('/settings')) {
          expect(decodeURIComponent(url.pathname.split('/')[1] ?? '')).toBe(library.toWellFormed());
        }
      }),
    );
  });
});
