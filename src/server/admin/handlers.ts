import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import brand from '../../../resources/brand.json' with { type: 'json' };
import {
  AUDIT_CSV,
  type admin as adminCalls,
  type DocumentColumn,
  type insight as insightCalls,
  LIBRARY_AUDIT_CSV,
  type ShelfColumn,
} from '../../shared/api/admin.ts';
import { AppError } from '../../shared/errors.ts';
import type { InsightServices } from '../../shared/model/insight.ts';
import type { Access } from '../access/access.ts';
import type { Audit } from '../audit/audit.ts';
import type { AuditLog } from '../audit/reading.ts';
import type { Accounts } from '../auth/accounts.ts';
import type { TokenService } from '../auth/tokens.ts';
import type { Database } from '../database/connection.ts';
import { inTransaction } from '../database/transactions.ts';
import { type Actor, actorOf, callerOf } from '../http/context.ts';
import { type ApiHandlers, routePath } from '../http/mount.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { listMails, type Mailer } from '../mail/mailer.ts';
import type { ServerSettings } from '../settings/settings.ts';
import type { Usage } from '../usage/usage.ts';
import { type Administration, searchedName } from './administration.ts';

export interface AdminOptions {
  readonly database: Database;
  readonly access: Access;
  readonly accounts: Accounts;
  readonly administration: Administration;
  readonly audit: Audit;
  readonly auditLog: AuditLog;
  readonly jobs: Jobs;
  readonly mailer: Mailer;
  readonly settings: ServerSettings;
  readonly tokens: TokenService;
  readonly usage: Usage;
  readonly services: InsightServices;
}

/** What the columns are sorted by: names as they are compared everywhere. */
const SHELF_ORDER = {
  updated_at: sql`shelves.updated_at`,
  name: sql`shelves.name_key`,
  library: sql`libraries.name_key`,
  member_count: sql`(SELECT COUNT(*) FROM shelf_members WHERE shelf_members.shelf_id = shelves.id)`,
  document_count: sql`shelves.document_count`,
} as const satisfies Record<ShelfColumn, unknown>;
const DOCUMENT_ORDER = {
  name: sql`documents.name_key`,
  shelf: sql`shelves.name_key`,
  current_version: sql`documents.current_version`,
  size: sql`versions.size`,
} as const satisfies Record<DocumentColumn, unknown>;

/** Handlers of the administrator's calls; the dispatcher lets nobody else in. */
export function adminHandlers(options: AdminOptions): ApiHandlers<{ admin: typeof adminCalls }>['admin'] {
  const { database, accounts, administration, audit, auditLog, jobs, mailer, settings, tokens, usage } = options;
  const success = { success: true } as const;

  async function userOf(id: string) {
    const user = await database.selectFrom('users').select(['id', 'email']).where('id', '=', id).executeTakeFirst();
    if (user === undefined) throw new AppError('not-found', 'there is no such user');
    return user;
  }

  /** A page of rows with the count of all. */
  function pageOf<T>(items: T[], count: number, page: number, pageSize: number) {
    return { items, count, has_more: page * pageSize < count };
  }

  return {
    overview: () => administration.overview(),
    users: ({ query }) => administration.users(query),
    updateUser: ({ params, body }, context) => administration.updateUser(callerOf(context), params.id, body),
    async signOutUser({ params }, context) {
      const { actor, address } = callerOf(context);
      const user = await userOf(params.id);
      await inTransaction(database, async (transaction) => {
        await tokens.revokeUser(user.id, null, transaction);
        const target = { kind: 'user', id: user.id, name: user.email };
        await audit.record(transaction, actor, address, { action: 'user.sign-out', target, libraryId: null });
      });
      return success;
    },
    async resetPassword({ params }) {
      await accounts.requestReset((await userOf(params.id)).email);
      return success;
    },
    async removeUser({ params }, context) {
      await accounts.remove(callerOf(context), params.id);
      return success;
    },
    async libraries({ query: { page, page_size, search, owner } }) {
      const name = searchedName(search);
      const matching = database
        .selectFrom('libraries')
        .innerJoin('users', 'users.id', 'libraries.owner_id')
        .$if(name !== null, (query) => query.where(sql<boolean>`libraries.name_key LIKE ${name} ESCAPE '\\'`))
        .$if(owner !== undefined, (query) => query.where('users.username', '=', owner ?? ''));
      const { count } = await matching.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
      const rows = await matching
        .select((eb) => [
          'libraries.id',
          'libraries.name',
          'libraries.archived',
          'libraries.created_at',
          'users.username as owner',
          eb
            .selectFrom('shelves')
            .select(({ fn }) => fn.countAll<number>().as('count'))
            .whereRef('shelves.library_id', '=', 'libraries.id')
            .as('shelf_count'),
          eb
            .selectFrom('shelves')
            .select(({ fn }) => fn.sum<number | null>('document_count').as('count'))
            .whereRef('shelves.library_id', '=', 'libraries.id')
            .as('document_count'),
        ])
        .orderBy('libraries.name_key')
        .limit(page_size)
        .offset((page - 1) * page_size)
        .execute();
      const items = rows.map((row) => ({
        ...row,
        owner: row.owner ?? '',
        archived: row.archived === 1,
        shelf_count: Number(row.shelf_count ?? 0),
        document_count: Number(row.document_count ?? 0),
      }));
      return pageOf(items, Number(count), page, page_size);
    },
    async shelves({ query: { page, page_size, search, library, sort, order } }) {
      const name = searchedName(search);
      const matching = database
        .selectFrom('shelves')
        .innerJoin('libraries', 'libraries.id', 'shelves.library_id')
        .$if(name !== null, (query) => query.where(sql<boolean>`shelves.name_key LIKE ${name} ESCAPE '\\'`))
        .$if(library !== undefined, (query) => query.where('libraries.name', '=', library ?? ''));
      const { count } = await matching.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
      const rows = await matching
        .innerJoin('users', 'users.id', 'libraries.owner_id')
        .leftJoin('deleted_shelves', 'deleted_shelves.shelf_id', 'shelves.id')
        .select((eb) => [
          'shelves.id',
          'shelves.name',
          'shelves.archived',
          'shelves.document_count',
          'shelves.updated_at',
          'libraries.name as library',
          'users.username as owner',
          'deleted_shelves.deleted_at',
          eb
            .selectFrom('shelf_members')
            .select(({ fn }) => fn.countAll<number>().as('count'))
            .whereRef('shelf_members.shelf_id', '=', 'shelves.id')
            .as('member_count'),
        ])
        .orderBy(SHELF_ORDER[sort], order)
        .orderBy('shelves.id')
        .limit(page_size)
        .offset((page - 1) * page_size)
        .execute();
      const items = rows.map(({ deleted_at, ...row }) => ({
        ...row,
        owner: row.owner ?? '',
        archived: row.archived === 1,
        deleted: deleted_at !== null,
        member_count: Number(row.member_count ?? 0),
      }));
      return pageOf(items, Number(count), page, page_size);
    },
    async documents({ query: { page, page_size, search, shelf_id, owner, sort, order } }) {
      const name = searchedName(search);
      const matching = database
        .selectFrom('documents')
        .innerJoin('shelves', 'shelves.id', 'documents.shelf_id')
        .innerJoin('libraries', 'libraries.id', 'shelves.library_id')
        .innerJoin('users', 'users.id', 'libraries.owner_id')
        .$if(name !== null, (query) => query.where(sql<boolean>`documents.name_key LIKE ${name} ESCAPE '\\'`))
        .$if(shelf_id !== undefined, (query) => query.where('documents.shelf_id', '=', shelf_id ?? ''))
        .$if(owner !== undefined, (query) => query.where('users.username', '=', owner ?? ''));
      const { count } = await matching.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
      const rows = await matching
        .innerJoin('versions', (join) =>
          join
            .onRef('versions.document_id', '=', 'documents.id')
            .onRef('versions.number', '=', 'documents.current_version'),
        )
        .select(['documents.id', 'documents.name', 'documents.current_version', 'documents.deleted', 'versions.size'])
        .select(['libraries.name as library', 'shelves.name as shelf', 'shelves.id as shelf_id'])
        .orderBy(DOCUMENT_ORDER[sort], order)
        .orderBy('documents.id')
        .limit(page_size)
        .offset((page - 1) * page_size)
        .execute();
      const items = rows.map((row) => ({ ...row, size: Number(row.size), deleted: row.deleted === 1 }));
      return pageOf(items, Number(count), page, page_size);
    },
    storage: () => administration.storage(),
    async collect() {
      await jobs.add(database, 'collect', {}, { dedupeKey: 'collect now' });
      return success;
    },
    async analytics({ query: { from, to } }) {
      await usage.flush();
      const counts = await database
        .selectFrom('usage_counts')
        .selectAll()
        .$if(from !== undefined, (query) => query.where('day', '>=', from ?? ''))
        .$if(to !== undefined, (query) => query.where('day', '<=', to ?? ''))
        .orderBy('day')
        .orderBy('kind')
        .orderBy('name')
        .limit(20_000)
        .execute();
      return { counts: counts.map((row) => ({ ...row, count: Number(row.count) })) };
    },
    mails: ({ query }) => listMails(database, query).then(({ mails, has_more }) => ({ mails: [...mails], has_more })),
    async jobs() {
      const rows = await database
        .selectFrom('jobs')
        .select(['id', 'kind', 'attempts', 'run_at_ms', 'last_error'])
        .orderBy('run_at_ms')
        .limit(200)
        .execute();
      return {
        jobs: rows.map(({ run_at_ms, ...row }) => ({ ...row, run_at: new Date(Number(run_at_ms)).toISOString() })),
      };
    },
    settings: () => settings.read(),
    async changeSettings({ body }, context) {
      const { actor, address } = callerOf(context);
      await inTransaction(database, async (transaction) => {
        await settings.change(transaction, body);
        await audit.record(transaction, actor, address, {
          action: 'settings.update',
          target: { kind: 'settings', id: 'server', name: Object.keys(body).sort().join(', ') },
          libraryId: null,
        });
      });
      return settings.read();
    },
    async testMail(_input, context) {
      const { email } = await userOf(actorOf(context).id);
      const text = `This mail of ${brand.name} shows that mail goes out.`;
      await mailer.send(database, { to: email, subject: `Mail of ${brand.name} works`, text });
      return success;
    },
    audit: ({ query: { page, page_size, ...filter } }) => auditLog.page(null, filter, page, page_size),
  };
}

/** Handlers of what everybody may ask: the log of own libraries, the use of own storage. */
export function insightHandlers(options: AdminOptions): ApiHandlers<{ insight: typeof insightCalls }>['insight'] {
  const { access, administration, auditLog, usage, services } = options;
  return {
    async libraryAudit({ params, query: { page, page_size, ...filter } }, context) {
      const library = await access.library(actorOf(context), params.name);
      if (!library.isOwner) throw new AppError('forbidden', 'only the owner of the library may');
      return auditLog.page(library.id, filter, page, page_size);
    },
    storage: async (_input, context) => ({ libraries: await administration.storageUse(actorOf(context).id) }),
    services: async () => services,
    async pageView({ body }) {
      usage.count('page-view', body.screen);
      return { success: true };
    },
  };
}

/** The audit logs as CSV, for spreadsheets. */
export function auditRoutes(
  app: FastifyInstance,
  options: AdminOptions & { readonly authenticate: (request: FastifyRequest) => Promise<Actor | null> },
): void {
  const { access, auditLog, authenticate } = options;

  function send(reply: FastifyReply, libraryId: string | null): FastifyReply {
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="audit.csv"')
      .header('cache-control', 'no-store')
      .send(Readable.from(auditLog.csv(libraryId)));
  }

  async function signedIn(request: FastifyRequest): Promise<Actor> {
    const actor = await authenticate(request);
    if (actor === null) throw new AppError('unauthenticated', 'signing in is needed');
    return actor;
  }

  app.get(AUDIT_CSV, async (request, reply) => {
    if (!(await signedIn(request)).isAdmin) throw new AppError('forbidden', 'only an administrator may');
    return send(reply, null);
  });
  app.get(routePath(LIBRARY_AUDIT_CSV), async (request, reply) => {
    const { name } = request.params as { name: string };
    const library = await access.library(await signedIn(request), name);
    if (!library.isOwner) throw new AppError('forbidden', 'only the owner of the library may');
    return send(reply, library.id);
  });
}
