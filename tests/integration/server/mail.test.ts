import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../../src/server/database/connection.ts';
import { createJobs, type Jobs } from '../../../src/server/jobs/jobs.ts';
import { createMailer, htmlOf, listMails, type Mailer, type SmtpOptions } from '../../../src/server/mail/mailer.ts';

interface Received {
  readonly from: string;
  readonly to: readonly string[];
  readonly mail: Email;
}

let folder: string;
let database: Database;
let jobs: Jobs;
let mailer: Mailer;
let smtp: SmtpOptions | null;
let clock: number;
const closing: (() => Promise<void>)[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'armarium-mail-'));
  database = await openDatabase({ dataDir: folder });
  clock = Date.parse('2026-03-01T09:00:00Z');
  const now = () => clock;
  smtp = null;
  jobs = createJobs({ database, log: pino({ level: 'silent' }), now });
  mailer = createMailer({
    jobs,
    database,
    folder: join(folder, 'mail'),
    smtp: async () => smtp,
    defaultFrom: 'Armarium <hello@armarium.example>',
    now,
  });
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  await jobs.stop();
  await database.destroy();
  await rm(folder, { recursive: true, force: true });
});

const MAIL = { to: 'ana@example.org', subject: 'Grüße & more', text: 'Hello <Ana>,\nsee\nhttps://x.example/?a=1&b=2' };
const rows = () => database.selectFrom('mails').selectAll().execute();
const written = async (file: string | null | undefined) =>
  new PostalMime().parse(await readFile(join(folder, 'mail', file ?? '')));

/** A real mail server on this machine. */
async function listen(refuses = false): Promise<{ readonly received: Received[]; readonly url: string }> {
  const received: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: (_address, _session, done) => done(refuses ? new Error('no such mailbox') : null),
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', async () => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        const to = envelope.rcptTo.map(({ address }) => address);
        received.push({ from, to, mail: await new PostalMime().parse(Buffer.concat(chunks)) });
        done();
      });
    },
  });
  const port = await new Promise<number>((ready) => {
    const listening = server.listen(0, '127.0.0.1', () => {
      const address = listening.address();
      ready(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
  closing.push(() => new Promise((done) => server.close(() => done())));
  return { received, url: `smtp://127.0.0.1:${port}` };
}

/** A port on which nobody listens. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  return typeof address === 'object' && address !== null ? address.port : 1;
}

describe('mail', () => {
  it('becomes a file that any mail program opens where no server is set up', async () => {
    await mailer.send(database, MAIL);
    expect(await rows()).toMatchObject([{ state: 'queued', recipient: MAIL.to, subject: MAIL.subject, file: null }]);
    await jobs.idle();
    const [row] = await rows();
    expect(row).toMatchObject({ state: 'written', error: null, sent_at: new Date(clock).toISOString() });
    const mail = await written(row?.file);
    expect(mail).toMatchObject({ subject: MAIL.subject, from: { address: 'hello@armarium.example' } });
    expect(mail.to).toMatchObject([{ address: MAIL.to }]);
    expect(mail.text?.trimEnd()).toBe(MAIL.text);
    expect(mail.html).toContain('Hello &lt;Ana&gt;');
    expect(mail.html).toContain('href="https://x.example/?a=1&amp;b=2"');
  });
  it('goes out by the server that is set up, with the sender that goes with it', async () => {
    const { received, url } = await listen();
    smtp = { url, from: 'Library <library@example.org>' };
    await mailer.send(database, MAIL);
    await jobs.idle();
    expect(received).toMatchObject([
      { from: 'library@example.org', to: [MAIL.to], mail: { subject: MAIL.subject, from: { name: 'Library' } } },
    ]);
    expect(await rows()).toMatchObject([{ state: 'sent', file: null }]);
  });
  it('is sent if, and only if, what it tells of happened', async () => {
    const failing = database.transaction().execute(async (transaction) => {
      await mailer.send(transaction, MAIL);
      throw new Error('it did not happen');
    });
    await expect(failing).rejects.toThrow('it did not happen');
    await jobs.idle();
    expect(await rows()).toEqual([]);
  });
  it('waits for a server that is away, and says why it has not gone out', async () => {
    smtp = { url: `smtp://127.0.0.1:${await freePort()}`, from: 'library@example.org' };
    await mailer.send(database, MAIL);
    await jobs.idle();
    expect(await rows()).toMatchObject([{ state: 'failed', error: expect.stringContaining('ECONNREFUSED') }]);
    const { received, url } = await listen();
    smtp = { url, from: 'library@example.org' };
    clock += 60_000;
    await jobs.idle();
    expect(received).toHaveLength(1);
    expect(await rows()).toMatchObject([{ state: 'sent', error: null }]);
  });
  it('keeps what the mail server refused it for', async () => {
    const { url } = await listen(true);
    smtp = { url, from: 'library@example.org' };
    await mailer.send(database, MAIL);
    await jobs.idle();
    expect(await rows()).toMatchObject([{ state: 'failed', error: expect.stringContaining('no such mailbox') }]);
  });
  it.each([
    ['subject', { ...MAIL, subject: 'Shelf\r\nBcc: eve@example.org\r\n\r\n<script>' }],
    ['address', { ...MAIL, to: 'ana@example.org\r\nBcc: eve@example.org' }],
    ['list of addresses', { ...MAIL, to: 'ana@example.org, eve@example.org' }],
  ])('takes no header from the %s', async (_what, mail) => {
    const { received, url } = await listen();
    smtp = { url, from: 'library@example.org' };
    await mailer.send(database, mail);
    await jobs.idle();
    for (const each of received) {
      expect(each.to).not.toContain('eve@example.org');
      expect(each.mail.bcc ?? []).toEqual([]);
      expect(each.mail.headers.map(({ key }) => key)).not.toContain('bcc');
    }
  });
  it('is listed by pages, newest first', async () => {
    for (const subject of ['first', 'second', 'third']) {
      await mailer.send(database, { ...MAIL, subject });
      clock += 1000;
    }
    const subjects = async (page: number) => {
      const { mails, has_more } = await listMails(database, { page, page_size: 2 });
      return [mails.map(({ subject }) => subject), has_more];
    };
    expect(await subjects(1)).toEqual([['third', 'second'], true]);
    expect(await subjects(2)).toEqual([['first'], false]);
  });
  it('shows as text what is text', () => {
    expect(htmlOf('"><img src=x onerror=alert(1)>')).not.toContain('<img');
    expect(htmlOf('https://x.example/"onclick="alert(1)')).not.toMatch(/"onclick/u);
  });
});
