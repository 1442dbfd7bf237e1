import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SendMailOptions } from 'nodemailer';
import { AppError } from '../../shared/errors.ts';
import type { Database } from '../database/connection.ts';
import { escapeHtml } from '../http/escapeHtml.ts';
import type { Jobs } from '../jobs/jobs.ts';

/** A mail as plain text; what it looks like in colour is made from that. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Where mail goes out. */
export interface SmtpOptions {
  /** Such as `smtps://user:password@mail.example:465`. */
  readonly url: string;
  /** The sender's address. */
  readonly from: string;
}

/** Sends mail, once what it tells of is committed; a mail that cannot be sent is tried again for hours. */
export interface Mailer {
  send(on: Database, mail: Mail): Promise<void>;
}

/** A mail as the administrator sees it: what became of it, never what it says, since its links open accounts. */
export interface MailRecord {
  readonly id: string;
  readonly recipient: string;
  readonly subject: string;
  readonly state: 'queued' | 'sent' | 'written' | 'failed';
  /** Name of the .eml file, where no SMTP server is configured. */
  readonly file: string | null;
  readonly error: string | null;
  readonly created_at: string;
  readonly sent_at: string | null;
}

/** A page of the mails, newest first. */
export async function listMails(
  database: Database,
  { page, page_size }: { readonly page: number; readonly page_size: number },
): Promise<{ readonly mails: MailRecord[]; readonly has_more: boolean }> {
  const rows = await database
    .selectFrom('mails')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(page_size + 1)
    .offset((page - 1) * page_size)
    .execute();
  return { mails: rows.slice(0, page_size), has_more: rows.length > page_size };
}

/** Mail as HTML: the paragraphs of the text, its addresses as links. */
export function htmlOf(text: string): string {
  const paragraphs = text.split('\n\n').map((paragraph) =>
    escapeHtml(paragraph)
      .replace(/https?:\/\/[^\s<]+/gu, (address) => `<a href="${address}" style="color:#1f6f54">${address}</a>`)
      .replaceAll('\n', '<br>'),
  );
  const body = paragraphs.map((paragraph) => `<p style="margin:0 0 16px">${paragraph}</p>`).join('\n');
  return `<!doctype html><html><body style="margin:0;padding:32px;background:#fbfaf7;color:#1f2328;font:16px/1.5 sans-serif">
<div style="max-width:560px">${body}</div></body></html>`;
}

/** The library is large, and loaded with the first mail. */
const library = async () => (await import('nodemailer')).default;

/** A subject and an address are one line each, so that no name in them can add a header. */
const oneLine = (text: string) => text.replace(/\s+/gu, ' ').trim();

/**
 * Makes the mailer and names itself as who does the jobs of kind `mail`. Where no SMTP server is configured each mail becomes
 * an .eml file in `folder`, so that a fresh server works from end to end (decisions.md §4).
 */
export function createMailer(options: {
  readonly jobs: Jobs;
  readonly database: Database;
  readonly folder: string;
  readonly smtp: () => Promise<SmtpOptions | null>;
  readonly defaultFrom: string;
  readonly now: () => number;
}): Mailer {
  const { jobs, database, folder, smtp, defaultFrom, now } = options;
  const at = () => new Date(now()).toISOString();

  async function deliver(server: SmtpOptions, message: SendMailOptions): Promise<void> {
    const transport = (await library()).createTransport(server.url);
    try {
      await transport.sendMail(message);
    } finally {
      transport.close();
    }
  }

  async function write(message: SendMailOptions, name: string): Promise<void> {
    const composed = await (await library())
      .createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
      .sendMail(message);
    if (!Buffer.isBuffer(composed.message)) throw new AppError('internal', 'the mail could not be composed');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, name), composed.message, { mode: 0o600 });
  }

  jobs.handle('mail', async ({ id, to, subject, text }) => {
    const server = await smtp();
    // As one address and not as a list to be taken apart, so that it reaches nobody else.
    const recipient = { name: '', address: to };
    const message = { from: server?.from ?? defaultFrom, to: recipient, subject, text, html: htmlOf(text) };
    const update = database.updateTable('mails').where('id', '=', id);
    try {
      if (server === null) {
        const file = `${id}.eml`;
        await write(message, file);
        await update.set({ state: 'written', file, error: null, sent_at: at() }).execute();
      } else {
        await deliver(server, message);
        await update.set({ state: 'sent', error: null, sent_at: at() }).execute();
      }
    } catch (error) {
      await update.set({ state: 'failed', error: error instanceof Error ? error.message : String(error) }).execute();
      throw error;
    }
  });

  return {
    async send(on, mail) {
      const id = randomUUID();
      const [to, subject] = [oneLine(mail.to), oneLine(mail.subject)];
      await on
        .insertInto('mails')
        .values({
          id,
          recipient: to,
          subject,
          state: 'queued',
          file: null,
          error: null,
          created_at: at(),
          sent_at: null,
        })
        .execute();
      await jobs.add(on, 'mail', { id, to, subject, text: mail.text });
    },
  };
}
