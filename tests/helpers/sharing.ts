import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import cookie from '@fastify/cookie';
import fastify from 'fastify';
import { pino } from 'pino';
import { createExtractor } from '../../src/core/extract/extractor.ts';
import { createAccess } from '../../src/server/access/access.ts';
import { createAudit } from '../../src/server/audit/audit.ts';
import { createPasswordHasher } from '../../src/server/auth/passwords.ts';
import { createThrottle } from '../../src/server/auth/throttle.ts';
import { openDatabase } from '../../src/server/database/connection.ts';
import type { Tables } from '../../src/server/database/tables.ts';
import { createTexts } from '../../src/server/documents/texts.ts';
import { createEventStreams } from '../../src/server/events/eventStream.ts';
import { sendError } from '../../src/server/http/errors.ts';
import { createIdempotency } from '../../src/server/http/idempotency.ts';
import { mountApi } from '../../src/server/http/mount.ts';
import { createJobs } from '../../src/server/jobs/jobs.ts';
import { createMailer } from '../../src/server/mail/mailer.ts';
import { createEventHub } from '../../src/server/notifications/eventHub.ts';
import { createNotifications } from '../../src/server/notifications/notifications.ts';
import { createSealer } from '../../src/server/sealer.ts';
import { sharingHandlers, sharingRoutes } from '../../src/server/sharing/handlers.ts';
import { createSharing } from '../../src/server/sharing/sharing.ts';
import { statisticsStream } from '../../src/server/sharing/statisticsStream.ts';
import { createFolderBlobStore } from '../../src/server/storage/folderBlobStore.ts';
import { createSignedUrls } from '../../src/server/storage/signedUrls.ts';
import { sharing } from '../../src/shared/api/sharing.ts';
import type { ErrorCode } from '../../src/shared/errors.ts';
import type { ShareLink, ShareStatistics } from '../../src/shared/model/shareLink.ts';
import { workerEntry } from '../../src/worker/entries.ts';

export const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36';
export const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1 Version/18.0 Mobile Safari/604.1';

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, unknown>>;
  /** The answer as JSON. */
  readonly body: unknown;
  /** The code of a refusal; null for a success. */
  readonly code: ErrorCode | null;
}

export interface RequestOptions {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE';
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A browser that keeps cookies, or a member that is signed in, at an address of its own. */
export interface Person {
  readonly userId: string;
  address: string;
  send(path: string, options?: RequestOptions): Promise<Answer>;
}

/** The share links' calls over a database of their own, where people sign in by naming themselves. */
export async function startSharing() {
  const dataDir = await mkdtemp(join(tmpdir(), 'armarium-sharing-'));
  const clock = { ms: Date.parse('2026-03-01T09:00:00Z') };
  const now = () => clock.ms;
  const log = pino({ level: 'silent' });
  const key = randomBytes(32);
  const database = await openDatabase({ dataDir });
  const blobs = createFolderBlobStore(dataDir, createSignedUrls(randomBytes(32), now));
  const extractor = createExtractor({ threadEntry: workerEntry('extractThread') });
  const jobs = createJobs({ database, log, now });
  const access = createAccess(database);
  const notifications = createNotifications({ database, access, log, now });
  const hub = createEventHub();
  const streams = createEventStreams();
  const app = fastify({ routerOptions: { ignoreTrailingSlash: true } });
  app.setErrorHandler(sendError);
  await app.register(cookie);
  const authenticate = async ({ headers }: { headers: Record<string, unknown> }) =>
    typeof headers['x-user'] === 'string' ? { id: headers['x-user'], isAdmin: false, familyId: '' } : null;
  const services = createSharing({
    database,
    access,
    audit: createAudit(now),
    notifier: notifications,
    mailer: createMailer({
      jobs,
      database,
      folder: join(dataDir, 'mail'),
      smtp: async () => null,
      defaultFrom: 'Armarium <a@example.org>',
      now,
    }),
    jobs,
    sealer: createSealer(randomBytes(32)),
    hasher: createPasswordHasher(),
    throttle: createThrottle(database, now),
    texts: createTexts(blobs, extractor),
    authenticate,
    key,
    publicUrl: () => 'https://armarium.example',
    publish: (topic, data) => hub.publish({ topic, data }),
    now,
  });
  mountApi(app, { sharing }, { sharing: sharingHandlers(services) }, authenticate, createIdempotency(database, now));
  sharingRoutes(app, { ...services, blobs, authenticate });
  statisticsStream(app, { links: services.links, streams, authenticate, subscribe: hub.subscribe });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });

  let people = 0;
  function person(userId = '', userAgent = CHROME): Person {
    const cookies = new Map<string, string>();
    people += 1;
    return {
      userId,
      address: `203.${people >> 8}.${people & 255}.7`,
      async send(path, { method = 'GET', body, headers = {} } = {}) {
        const answer = await app.inject({
          method,
          url: path,
          remoteAddress: this.address,
          headers: { 'user-agent': userAgent, ...(userId === '' ? {} : { 'x-user': userId }), ...headers },
          cookies: Object.fromEntries(cookies),
          ...(body === undefined ? {} : { payload: body as object }),
        });
        for (const { name, value } of answer.cookies) cookies.set(name, value);
        const isJson = String(answer.headers['content-type']).includes('json') && answer.body !== '';
        const json = isJson ? (answer.json() as { error?: { code: ErrorCode } }) : {};
        return {
          status: answer.statusCode,
          text: answer.body,
          headers: answer.headers,
          body: json,
          code: json.error?.code ?? null,
        };
      },
    };
  }

  async function addUser(username: string): Promise<Person> {
    const id = randomUUID();
    await database
      .insertInto('users')
      .values({
        id,
        email: `${username}@example.org`,
        email_key: `${username}@example.org`,
        username,
        name: username,
        user_image: null,
        plan_type: 0,
        user_type: 1,
        password_hash: '',
        default_library_id: null,
        created_at: new Date(now()).toISOString(),
      })
      .execute();
    return person(id);
  }

  const at = () => new Date(now()).toISOString();
  const [ana, ben, cid, eve] = [await addUser('ana'), await addUser('ben'), await addUser('cid'), await addUser('eve')];
  const libraryId = randomUUID();
  await database
    .insertInto('libraries')
    .values({ id: libraryId, name: 'Atlas', name_key: 'atlas', owner_id: ana.userId, created_at: at() })
    .execute();

  async function setRole(shelfId: string, who: Person, role: Tables['shelf_members']['role'] | null): Promise<void> {
    await database
      .deleteFrom('shelf_members')
      .where('shelf_id', '=', shelfId)
      .where('user_id', '=', who.userId)
      .execute();
    if (role === null) return;
    await database.insertInto('shelf_members').values({ shelf_id: shelfId, user_id: who.userId, role }).execute();
  }

  /** A shelf with ana as owner, ben as editor and cid as viewer. */
  async function addShelf(): Promise<string> {
    const id = randomUUID();
    await database
      .insertInto('shelves')
      .values({
        id,
        library_id: libraryId,
        name: 'Leases',
        name_key: id,
        head_commit: null,
        created_at: at(),
        updated_at: at(),
      })
      .execute();
    await setRole(id, ana, 'owner');
    await setRole(id, ben, 'editor');
    await setRole(id, cid, 'viewer');
    return id;
  }

  async function addVersion(document: { id: string; name: string; number: number; mime: string }, content: Buffer) {
    const sha256 = createHash('sha256').update(content).digest('hex');
    const { shelf_id } = await database
      .selectFrom('documents')
      .select('shelf_id')
      .where('id', '=', document.id)
      .executeTakeFirstOrThrow();
    await blobs.put(() => Readable.from([content]), { sha256, size: content.length });
    const commit = createHash('sha256').update(randomUUID()).digest('hex');
    const { last } = await database
      .selectFrom('commits')
      .select(({ fn }) => fn.countAll<number>().as('last'))
      .where('shelf_id', '=', shelf_id)
      .executeTakeFirstOrThrow();
    await database
      .insertInto('commits')
      .values({
        hash: commit,
        shelf_id,
        sequence: Number(last) + 1,
        parent: null,
        message: '',
        author_id: ana.userId,
        created_at: at(),
      })
      .execute();
    const id = randomUUID();
    const { number, name, mime } = document;
    const row = { id, document_id: document.id, number, name, sha256, size: content.length, mime };
    await database
      .insertInto('versions')
      .values({ ...row, author_id: ana.userId, commit_hash: commit, created_at: at() })
      .execute();
    await database.updateTable('documents').set({ current_version: number }).where('id', '=', document.id).execute();
    return id;
  }

  /** A document with one version for each content. */
  async function addDocument(
    shelfId: string,
    name: string,
    contents: readonly (string | Buffer)[],
    mime = 'text/plain',
  ) {
    const id = randomUUID();
    await database
      .insertInto('documents')
      .values({
        id,
        shelf_id: shelfId,
        name,
        name_key: name,
        name_order: name,
        original_filename: name,
        mime,
        current_version: 1,
      })
      .execute();
    const versions: string[] = [];
    for (const [index, content] of contents.entries()) {
      versions.push(await addVersion({ id, name, mime, number: index + 1 }, Buffer.from(content)));
    }
    return { id, versions };
  }

  const linksPath = (shelfId: string) => `/api/v1/library/Atlas/shelf/${shelfId}/share-links/`;

  /** Makes a link and answers it with the path of its public calls. */
  async function share(by: Person, shelfId: string, body: Record<string, unknown>) {
    const answer = await by.send(linksPath(shelfId), { method: 'POST', body });
    if (answer.status !== 200) throw new Error(answer.text);
    const link = answer.body as ShareLink;
    return { ...link, path: `/api/v1/shared/${link.url.split('/').at(-1)}/` };
  }

  async function statistics(by: Person, shelfId: string, linkId: string | null, query = ''): Promise<ShareStatistics> {
    const answer = await by.send(`${linksPath(shelfId)}${linkId === null ? '' : `${linkId}/`}stat/${query}`);
    if (answer.status !== 200) throw new Error(answer.text);
    return sharing.statistics.response.parse(answer.body);
  }

  /** The texts of mails that wait to be sent. */
  async function mails(to: string): Promise<string[]> {
    const rows = await database.selectFrom('jobs').select('payload').where('kind', '=', 'mail').execute();
    return rows
      .map(({ payload }) => JSON.parse(payload) as { to: string; text: string })
      .filter((mail) => mail.to === to)
      .map(({ text }) => text);
  }

  return {
    clock,
    key,
    database,
    url,
    ana,
    ben,
    cid,
    eve,
    person,
    setRole,
    addShelf,
    addDocument,
    addVersion,
    linksPath,
    share,
    statistics,
    mails,
    async close() {
      streams.closeAll();
      await app.close();
      await extractor.close();
      await notifications.close();
      await database.destroy();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
export type Sharing = Awaited<ReturnType<typeof startSharing>>;
