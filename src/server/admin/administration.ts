import { sql } from 'kysely';
import type { UserColumn } from '../../shared/api/admin.ts';
import { AppError } from '../../shared/errors.ts';
import type { AdminOverview, AdminUser, StorageUse } from '../../shared/model/admin.ts';
import type { PlanType } from '../../shared/model/common.ts';
import { nameKey } from '../../shared/rules/names.ts';
import type { Audit } from '../audit/audit.ts';
import type { TokenService } from '../auth/tokens.ts';
import type { Database } from '../database/connection.ts';
import { dialectOf, inTransaction } from '../database/transactions.ts';
import type { Caller } from '../http/context.ts';

interface Page<T> {
  readonly items: T[];
  readonly count: number;
  readonly has_more: boolean;
}

interface Paging {
  readonly page: number;
  readonly page_size: number;
  readonly search?: string | undefined;
}

/** What the administrator sees of the whole server, and changes of accounts. */
export interface Administration {
  overview(): Promise<AdminOverview>;
  users(
    query: Paging & {
      readonly sort: UserColumn;
      readonly order: 'asc' | 'desc';
      readonly plan_type?: number | undefined;
    },
  ): Promise<Page<AdminUser>>;
  updateUser(
    caller: Caller,
    id: string,
    change: {
      readonly plan_type?: PlanType | undefined;
      readonly user_type?: 0 | 1 | undefined;
      readonly disabled?: boolean | undefined;
    },
  ): Promise<AdminUser>;
  /** Bytes by library: of all, or of one owner. */
  storageUse(ownerId: string | null): Promise<StorageUse[]>;
  storage(): Promise<{
    libraries: StorageUse[];
    total: number;
    stored: number;
    saved: number;
    condemned: { count: number; bytes: number };
    computed_at: string;
  }>;
}

/** Figures over everything are not made anew for every look. */
const KEPT_MS = 60_000;
const DAY_MS = 24 * 3600_000;
const GROWTH_DAYS = 30;

/** What a column of users is sorted by. Names in any case; where the databases differ about what is missing, it is least. */
const USER_ORDER = {
  created_at: sql`users.created_at`,
  username: sql`LOWER(COALESCE(users.username, ''))`,
  plan_type: sql`users.plan_type`,
  library_count: sql`(SELECT COUNT(*) FROM libraries WHERE libraries.owner_id = users.id)`,
  document_count: sql`(SELECT COALESCE(SUM(shelves.document_count), 0) FROM shelves
    INNER JOIN libraries ON libraries.id = shelves.library_id WHERE libraries.owner_id = users.id)`,
  last_seen_at: sql`COALESCE(users.last_seen_at, '')`,
} as const satisfies Record<UserColumn, unknown>;

/** A pattern for part of a text, with what LIKE would take for more than a character. */
export function likePattern(text: string): string {
  return `%${text.toLowerCase().replace(/[\\%_]/gu, '\\$&')}%`;
}

/** Makes the service. */
export function createAdministration(options: {
  readonly database: Database;
  readonly audit: Audit;
  readonly tokens: TokenService;
  /** Changes that the index does not have yet. */
  readonly indexWaiting: () => number;
  readonly now: () => number;
}): Administration {
  const { database, audit, tokens, indexWaiting, now } = options;
  const startedMs = now();
  const kept = new Map<string, { readonly at: number; readonly value: Promise<unknown> }>();

  function remember<T>(name: string, make: () => Promise<T>): Promise<T> {
    const known = kept.get(name);
    if (known !== undefined && now() - known.at < KEPT_MS) return known.value as Promise<T>;
    const value = make();
    kept.set(name, { at: now(), value });
    value.catch(() => kept.delete(name));
    return value;
  }

  async function countOf(
    table: 'users' | 'libraries' | 'shelves' | 'documents' | 'versions' | 'blobs',
  ): Promise<number> {
    const row = await database
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return Number(row.count);
  }

  async function perDay(table: 'users' | 'versions', since: string): Promise<Map<string, number>> {
    const day = sql<string>`SUBSTR(created_at, 1, 10)`;
    const rows = await database
      .selectFrom(table)
      .select(({ fn }) => [day.as('day'), fn.countAll<number>().as('count')])
      .where('created_at', '>=', since)
      .groupBy(day)
      .execute();
    return new Map(rows.map((row) => [row.day, Number(row.count)]));
  }

  const users = (on: Database) =>
    on.selectFrom('users').select((eb) => [
      'users.id',
      'users.email',
      'users.email_verified',
      'users.username',
      'users.name',
      'users.plan_type',
      'users.user_type',
      'users.disabled',
      'users.created_at',
      'users.last_seen_at',
      eb
        .selectFrom('libraries')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('libraries.owner_id', '=', 'users.id')
        .as('library_count'),
      eb
        .selectFrom('libraries')
        .innerJoin('shelves', 'shelves.library_id', 'libraries.id')
        .select(({ fn }) => fn.sum<number | null>('shelves.document_count').as('count'))
        .whereRef('libraries.owner_id', '=', 'users.id')
        .as('document_count'),
    ]);

  const userOf = (row: Awaited<ReturnType<ReturnType<typeof users>['executeTakeFirstOrThrow']>>): AdminUser => ({
    ...row,
    email_verified: row.email_verified === 1,
    username: row.username ?? '',
    plan_type: row.plan_type as PlanType,
    disabled: row.disabled === 1,
    library_count: Number(row.library_count ?? 0),
    document_count: Number(row.document_count ?? 0),
  });

  async function storageUse(ownerId: string | null): Promise<StorageUse[]> {
    const rows = await database
      .selectFrom('versions')
      .innerJoin('documents', 'documents.id', 'versions.document_id')
      .innerJoin('shelves', 'shelves.id', 'documents.shelf_id')
      .innerJoin('libraries', 'libraries.id', 'shelves.library_id')
      .innerJoin('users', 'users.id', 'libraries.owner_id')
      .select(['libraries.name as library', 'users.username as owner'])
      .select([
        sql<number>`SUM(CASE WHEN documents.deleted = 1 THEN versions.size ELSE 0 END)`.as('trash'),
        sql<number>`SUM(CASE WHEN documents.deleted = 0 AND versions.number = documents.current_version
          THEN versions.size ELSE 0 END)`.as('current'),
        sql<number>`SUM(CASE WHEN documents.deleted = 0 AND versions.number <> documents.current_version
          THEN versions.size ELSE 0 END)`.as('older'),
      ])
      .$if(ownerId !== null, (query) => query.where('libraries.owner_id', '=', ownerId ?? ''))
      .groupBy(['libraries.id', 'libraries.name', 'users.username'])
      .execute();
    return rows
      .map(({ library, owner, ...bytes }) => {
        const [trash, current, older] = [Number(bytes.trash), Number(bytes.current), Number(bytes.older)];
        return { library, owner: owner ?? '', trash, current, older, total: trash + current + older };
      })
      .sort((a, b) => b.total - a.total);
  }

  /** The server needs somebody who can administrate it. */
  async function refuseLastAdmin(on: Database, id: string): Promise<void> {
    const other = await on
      .selectFrom('users')
      .select('id')
      .where('user_type', '=', 0)
      .where('disabled', '=', 0)
      .where('id', '!=', id)
      .limit(1)
      .executeTakeFirst();
    if (other === undefined)
      throw new AppError('conflict', 'this is the only administrator; make somebody else one first');
  }

  return {
    overview: () =>
      remember('overview', async () => {
        const since = new Date(now() - (GROWTH_DAYS - 1) * DAY_MS).toISOString().slice(0, 10);
        const [newUsers, newVersions] = [await perDay('users', since), await perDay('versions', since)];
        const days = Array.from({ length: GROWTH_DAYS }, (_, index) =>
          new Date(Date.parse(since) + index * DAY_MS).toISOString().slice(0, 10),
        );
        const { bytes } = await database
          .selectFrom('blobs')
          .select(({ fn }) => fn.sum<number | null>('size').as('bytes'))
          .executeTakeFirstOrThrow();
        const jobs = await database
          .selectFrom('jobs')
          .select(({ fn }) => [fn.countAll<number>().as('all'), fn.count<number>('last_error').as('failing')])
          .executeTakeFirstOrThrow();
        const mails = await database
          .selectFrom('mails')
          .select(({ fn }) => fn.countAll<number>().as('failed'))
          .where('state', '=', 'failed')
          .executeTakeFirstOrThrow();
        return {
          counts: {
            users: await countOf('users'),
            libraries: await countOf('libraries'),
            shelves: await countOf('shelves'),
            documents: await countOf('documents'),
            versions: await countOf('versions'),
            blobs: await countOf('blobs'),
          },
          bytes: Number(bytes ?? 0),
          growth: days.map((day) => ({ day, users: newUsers.get(day) ?? 0, versions: newVersions.get(day) ?? 0 })),
          health: {
            database: dialectOf(database),
            index_waiting: indexWaiting(),
            jobs_waiting: Number(jobs.all),
            jobs_failing: Number(jobs.failing),
            mails_failed: Number(mails.failed),
            uptime_seconds: Math.floor((now() - startedMs) / 1000),
          },
          computed_at: new Date(now()).toISOString(),
        };
      }),
    async users({ page, page_size, search, plan_type, sort, order }) {
      const wanted = search === undefined || search === '' ? null : likePattern(search);
      const narrow = sql<boolean>`(LOWER(users.email) LIKE ${wanted} ESCAPE '\\' OR LOWER(users.username) LIKE ${wanted} ESCAPE '\\'
        OR LOWER(users.name) LIKE ${wanted} ESCAPE '\\')`;
      const { count } = await database
        .selectFrom('users')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .$if(wanted !== null, (query) => query.where(narrow))
        .$if(plan_type !== undefined, (query) => query.where('plan_type', '=', plan_type ?? 0))
        .executeTakeFirstOrThrow();
      const rows = await users(database)
        .$if(wanted !== null, (query) => query.where(narrow))
        .$if(plan_type !== undefined, (query) => query.where('users.plan_type', '=', plan_type ?? 0))
        .orderBy(USER_ORDER[sort], order)
        .orderBy('users.id')
        .limit(page_size)
        .offset((page - 1) * page_size)
        .execute();
      return { items: rows.map(userOf), count: Number(count), has_more: page * page_size < Number(count) };
    },
    updateUser: (caller, id, { plan_type, user_type, disabled }) =>
      inTransaction(database, async (transaction) => {
        const before = await users(transaction).where('users.id', '=', id).executeTakeFirst();
        if (before === undefined) throw new AppError('not-found', 'there is no such user');
        if (before.user_type === 0 && (user_type === 1 || disabled === true)) await refuseLastAdmin(transaction, id);
        const change = {
          ...(plan_type === undefined ? {} : { plan_type }),
          ...(user_type === undefined ? {} : { user_type }),
          ...(disabled === undefined ? {} : { disabled: disabled ? 1 : 0 }),
        };
        if (Object.keys(change).length > 0) {
          await transaction.updateTable('users').set(change).where('id', '=', id).execute();
          if (disabled === true) await tokens.revokeUser(id, null, transaction);
          await audit.record(transaction, caller.actor, caller.address, {
            action: 'user.update',
            target: { kind: 'user', id, name: before.email },
            libraryId: null,
            details: change,
          });
        }
        return userOf(await users(transaction).where('users.id', '=', id).executeTakeFirstOrThrow());
      }),
    storageUse,
    storage: () =>
      remember('storage', async () => {
        const libraries = await storageUse(null);
        const total = libraries.reduce((sum, library) => sum + library.total, 0);
        const blobs = await database
          .selectFrom('blobs')
          .select(({ fn }) => fn.sum<number | null>('size').as('stored'))
          .executeTakeFirstOrThrow();
        const condemned = await database
          .selectFrom('blobs')
          .select(({ fn }) => [fn.countAll<number>().as('count'), fn.sum<number | null>('size').as('bytes')])
          .where('condemned_ms', 'is not', null)
          .executeTakeFirstOrThrow();
        const [stored, waiting] = [Number(blobs.stored ?? 0), Number(condemned.bytes ?? 0)];
        return {
          libraries,
          total,
          stored,
          saved: Math.max(0, total - (stored - waiting)),
          condemned: { count: Number(condemned.count), bytes: waiting },
          computed_at: new Date(now()).toISOString(),
        };
      }),
  };
}

/** The pattern and key that a search of names goes by. */
export const searchedName = (search: string | undefined) =>
  search === undefined || search === '' ? null : `%${nameKey(search).replace(/[\\%_]/gu, '\\$&')}%`;
