import { createHmac } from 'node:crypto';
import brand from '../../../resources/brand.json' with { type: 'json' };
import type { Notification } from '../../shared/model/notification.ts';
import { secretsEqual } from '../auth/secrets.ts';
import type { Database } from '../database/connection.ts';
import { inTransaction } from '../database/transactions.ts';
import type { Mailer } from '../mail/mailer.ts';
import { notificationRows, showNotifications } from './reading.ts';

/** Where the link of each digest leads. */
export const UNSUBSCRIBE_PATH = '/api/v1/notifications/unsubscribe';

/** Mails of what is new, to those who want them (field.md row 58). */
export interface Digest {
  /** One mail to everybody with something that is unread and that no digest told of; meant for once a day. */
  send(): Promise<void>;
  /** Whether a token is one of ours. */
  knows(token: string): boolean;
  /** @returns false for a token that is none of ours. A second time is as good as the first. */
  unsubscribe(token: string): Promise<boolean>;
}

/** A mail is read at a glance; the application shows the others. */
const SHOWN = 20;
/** Recipients that are looked up at a time. */
const READERS = 100;

interface Reader {
  readonly id: string;
  readonly email: string;
}

/** Makes the service. `key` signs the links, which need no sign-in and work for as long as the mail lies around. */
export function createDigest(options: {
  readonly database: Database;
  readonly mailer: Mailer;
  readonly key: Buffer;
  readonly publicUrl: () => string;
  readonly now: () => number;
}): Digest {
  const { database, mailer, key, publicUrl, now } = options;

  const signature = (userId: string) => createHmac('sha256', key).update(`unsubscribe ${userId}`).digest('base64url');
  const tokenOf = (userId: string) => `${userId}.${signature(userId)}`;

  function readerOf(token: string): string | null {
    const [userId = '', given = ''] = token.split('.');
    return secretsEqual(given, signature(userId)) ? userId : null;
  }

  /** The next readers by id. An address that nobody has confirmed gets no mail. */
  function readersAfter(id: string): Promise<Reader[]> {
    return database
      .selectFrom('users')
      .select(['users.id', 'users.email'])
      .where('users.id', '>', id)
      .where('mail_digest', '=', 1)
      .where('disabled', '=', 0)
      .where('email_verified', '=', 1)
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('notifications')
            .select('notifications.id')
            .whereRef('notifications.user_id', '=', 'users.id')
            .where('is_read', '=', 0)
            .where('mailed', '=', 0),
        ),
      )
      .orderBy('users.id')
      .limit(READERS)
      .execute();
  }

  function textOf(reader: Reader, shown: readonly Notification[], count: number): string {
    const items = shown.map(({ message, link, is_target_deleted }) =>
      is_target_deleted ? message : `${message}\n${publicUrl()}${link}`,
    );
    const token = encodeURIComponent(tokenOf(reader.id));
    return [
      `This is new for you in ${brand.name}:`,
      ...items,
      ...(count > shown.length ? [`And ${count - shown.length} more: ${publicUrl()}/`] : []),
      `To get no more of these mails:\n${publicUrl()}${UNSUBSCRIBE_PATH}?token=${token}`,
    ].join('\n\n');
  }

  /** The mail and the mark that it was sent are stored together, so that nobody is told the same twice. */
  function sendTo(reader: Reader): Promise<void> {
    return inTransaction(database, async (transaction) => {
      const rows = await notificationRows(transaction)
        .where('user_id', '=', reader.id)
        .where('is_read', '=', 0)
        .where('mailed', '=', 0)
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .limit(SHOWN)
        .execute();
      if (rows.length === 0) return;
      const shown = await showNotifications(transaction, rows, now());
      const marked = await transaction
        .updateTable('notifications')
        .set({ mailed: 1 })
        .where('user_id', '=', reader.id)
        .where('is_read', '=', 0)
        .where('mailed', '=', 0)
        .executeTakeFirst();
      const count = Number(marked.numUpdatedRows);
      const subject = `${brand.name}: ${count} new notification${count === 1 ? '' : 's'}`;
      await mailer.send(transaction, { to: reader.email, subject, text: textOf(reader, shown, count) });
    });
  }

  return {
    async send() {
      let readers = await readersAfter('');
      while (readers.length > 0) {
        for (const reader of readers) await sendTo(reader);
        readers = await readersAfter(readers.at(-1)?.id ?? '');
      }
    },
    knows: (token) => readerOf(token) !== null,
    async unsubscribe(token) {
      const userId = readerOf(token);
      if (userId === null) return false;
      await database.updateTable('users').set({ mail_digest: 0 }).where('id', '=', userId).execute();
      return true;
    },
  };
}
