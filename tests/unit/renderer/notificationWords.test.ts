import i18next from 'i18next';
import { beforeAll, describe, expect, it } from 'vitest';
import { de } from '../../../src/renderer/i18n/de.ts';
import { en } from '../../../src/renderer/i18n/en.ts';
import { NOTIFICATION_TYPES, type NotificationMetadata } from '../../../src/shared/model/notification.ts';
import { notificationText } from '../../../src/shared/rules/notifications.ts';

const metadata: NotificationMetadata = {
  actor_username: 'ana',
  actor_image: null,
  library_name: 'Papers',
  shelf_name: 'Contracts',
  document_name: 'folder/lease.txt',
  old_name: 'Old',
  new_name: 'New',
};

beforeAll(() =>
  i18next.init({
    resources: { en: { translation: en }, de: { translation: de } },
    interpolation: { escapeValue: false },
  }),
);

describe('notifications in the languages of the interface (web-and-phone.md §8)', () => {
  it.each([...NOTIFICATION_TYPES, 'NEWER_TYPE'])(
    '%s says in English what the server says, and in German all of it',
    (type) => {
      const { message, key, words, deletedKey, deletedMessage } = notificationText(type, metadata);
      const filled = { ...words, place: words.document };
      expect(i18next.t(`talk.types.${key}`, { ...filled, lng: 'en' })).toBe(message);
      expect(i18next.t(`talk.targetGone.${deletedKey}`, { lng: 'en' })).toBe(deletedMessage);
      const german = i18next.t(`talk.types.${key}`, { ...filled, lng: 'de' });
      for (const word of Object.values(words)) expect(german.includes(word)).toBe(message.includes(word));
    },
  );
});
