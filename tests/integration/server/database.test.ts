import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { Kysely, SqliteDialect, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../../src/server/database/connection.ts';
import { databaseFault, isImpossibleValue, isUniqueViolation } from '../../../src/server/database/faults.ts';
import { migrate, SCHEMA_VERSION } from '../../../src/server/database/migrations.ts';
import { isSqliteSafe } from '../../../src/server/database/sqlite.ts';
import type { Tables } from '../../../src/server/database/tables.ts';
import { dialectOf, inTransaction } from '../../../src/server/database/transactions.ts';
import { isAppError } from '../../../src/shared/errors.ts';
import { hasPostgres, startPostgres, type TestPostgres, WITHOUT_POSTGRES } from '../../helpers/services.ts';

/** The last step before documents had a place in lists. */
const BEFORE_ORDER = 4;

/** What a program relies on of either database. */
interface Bench {
  readonly database: Database;
  /** Another connection to the same data, as another server has it; null where there is one writer alone. */
  readonly other: Database | null;
  close(): Promise<void>;
}

async function sqliteBench(): Promise<Bench> {
  const dataDir = await mkdtemp(join(tmpdir(), 'armarium-database-'));
  const database = await openDatabase({ dataDir });
  return {
    database,
    other: null,
    async close() {
      await database.destroy();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function postgresBench(): Promise<Bench> {
  const postgres = await startPostgres();
  const databaseUrl = await postgres.createDatabase();
  // Two servers that start at the same moment on an empty database.
  const [database, other] = await Promise.all([
    openDatabase({ dataDir: '', databaseUrl }),
    openDatabase({ dataDir: '', databaseUrl }),
  ]);
  return {
    database,
    other,
    async close() {
      await database.destroy();
      await other.destroy();
      await postgres.close();
    },
  };
}

function describeBoth(title: string, body: (start: () => Promise<Bench>, name: 'sqlite' | 'postgres') => void): void {
  describe(`${title} on SQLite`, () => body(sqliteBench, 'sqlite'));
  describe.skipIf(!hasPostgres)(`${title} on PostgreSQL${WITHOUT_POSTGRES}`, () => body(postgresBench, 'postgres'));
}

describe('data of an older server', () => {
  it('is told where its documents stand in lists', async () => {
    const database = new Kysely<Tables>({ dialect: new SqliteDialect({ database: new SqliteDatabase(':memory:') }) });
    await migrate(database, { upTo: BEFORE_ORDER });
    const names = Array.from({ length: 1001 }, (_, index) => `page ${index}`);
    const user = {
      id: 'ana',
      email: 'ana',
      email_key: 'ana',
      name: 'ana',
      password_hash: '',
      plan_type: 0,
      user_type: 1,
    };
    const made = { created_at: '', updated_at: '' };
    await database
      .insertInto('users')
      .values({ ...user, created_at: '' })
      .execute();
    const library = { id: 'library', name: 'library', name_key: 'library', owner_id: 'ana', created_at: '' };
    await database.insertInto('libraries').values(library).execute();
    const shelf = { id: 'shelf', library_id: 'library', name: 'shelf', name_key: 'shelf', head_commit: null };
    await database
      .insertInto('shelves')
      .values({ ...shelf, ...made })
      .execute();
    for (const name of names) {
      await sql`INSERT INTO documents (id, shelf_id, name, name_key, original_filename, mime, current_version)
        VALUES (${name}, 'shelf', ${name}, ${name}, ${name}, '', 1)`.execute(database);
    }
    await migrate(database);
    const rows = await database.selectFrom('documents').select('name').orderBy('name_order').execute();
    expect(rows.map(({ name }) => name)).toEqual(names);
    await database.destroy();
  });
});

describeBoth('the database', (start, name) => {
  let bench: Bench;
  let database: Database;
  beforeAll(async () => {
    bench = await start();
    database = bench.database;
  });
  afterAll(() => bench.close());

  async function insertUser(id: string, on: Database = database): Promise<void> {
    const user = { id, email: id, email_key: id, name: id, password_hash: '', plan_type: 0, user_type: 1 };
    await on
      .insertInto('users')
      .values({ ...user, created_at: '2026-03-01T09:00:00.000Z' })
      .execute();
  }

  it('says which it is, also inside a transaction', async () => {
    expect(dialectOf(database)).toBe(name);
    expect(await inTransaction(database, async (transaction) => dialectOf(transaction))).toBe(name);
  });

  it('has every step of the migrations once', async () => {
    const rows = await database.selectFrom('migrations').select('version').orderBy('version').execute();
    expect(rows.map(({ version }) => version)).toEqual(Array.from({ length: SCHEMA_VERSION }, (_, index) => index + 1));
  });

  it('gives large numbers, counts and sums as numbers', async () => {
    const size = 2 ** 52;
    await database
      .insertInto('blobs')
      .values([
        { sha256: 'a', size, created_at: '' },
        { sha256: 'b', size: 1, created_at: '' },
      ])
      .execute();
    const row = await database
      .selectFrom('blobs')
      .select(({ fn }) => [
        fn.max('size').as('largest'),
        fn.sum<number>('size').as('sum'),
        fn.countAll<number>().as('count'),
      ])
      .executeTakeFirstOrThrow();
    expect(row).toEqual({ largest: size, sum: size + 1, count: 2 });
  });

  it('orders names by their bytes, whatever language it was made for', async () => {
    const keys = ['b', 'a_b', 'Z', 'ä', 'a b', 'a-c', 'é', 'a', '日', 'z'];
    await database
      .insertInto('names')
      .values(keys.map((key) => ({ key, kind: 'user' as const, owner_id: '' })))
      .execute();
    const rows = await database.selectFrom('names').select('key').orderBy('key').execute();
    expect(rows.map(({ key }) => key)).toEqual(keys.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
  });

  it('finds nothing in an empty list', async () => {
    expect(await database.selectFrom('names').selectAll().where('key', 'in', []).execute()).toEqual([]);
    const all = await database.selectFrom('names').selectAll().where('key', 'not in', []).execute();
    expect(all.length).toBeGreaterThan(0);
  });

  it('tells a key that is there already, and leaves nothing of the transaction', async () => {
    await insertUser('twin');
    const twice = inTransaction(database, async (transaction) => {
      await insertUser('other', transaction);
      await insertUser('twin', transaction);
    });
    expect(isUniqueViolation(await twice.catch((error: unknown) => error))).toBe(true);
    expect(await database.selectFrom('users').select('id').where('id', '=', 'other').execute()).toEqual([]);
  });

  it('runs transactions as if one followed the other', async () => {
    await database.insertInto('settings').values({ key: 'count', value: '0', updated_at: '' }).execute();
    await database.deleteFrom('attempts').execute();
    let begun = 0;
    const work = async (transaction: Database) => {
      begun += 1;
      const { value } = await transaction
        .selectFrom('settings')
        .select('value')
        .where('key', '=', 'count')
        .executeTakeFirstOrThrow();
      await transaction
        .updateTable('settings')
        .set({ value: String(Number(value) + 1) })
        .where('key', '=', 'count')
        .execute();
    };
    // Two that each look whether there is room, and take it: what they write does not meet, but what they read does.
    const takeLastPlace = async (transaction: Database) => {
      const taken = await transaction.selectFrom('attempts').select('key').where('key', '=', 'place').execute();
      if (taken.length > 0) return false;
      await transaction.insertInto('attempts').values({ key: 'place', at_ms: 1 }).execute();
      return true;
    };
    const servers = [database, bench.other ?? database];
    const counting = Array.from({ length: 20 }, (_, index) => inTransaction(servers[index % 2] ?? database, work));
    const places = Array.from({ length: 8 }, (_, index) =>
      inTransaction(servers[index % 2] ?? database, takeLastPlace),
    );
    await Promise.all(counting);
    expect((await Promise.all(places)).filter(Boolean)).toHaveLength(1);
    const { value } = await database
      .selectFrom('settings')
      .select('value')
      .where('key', '=', 'count')
      .executeTakeFirstOrThrow();
    expect(value).toBe('20');
    expect(begun).toBeGreaterThanOrEqual(20);
  });

  it('gives up, in words, on work that never can follow', async () => {
    const refused = Object.assign(new Error('could not serialize access'), { code: '40001' });
    let tries = 0;
    const failing = inTransaction(database, async () => {
      tries += 1;
      throw refused;
    });
    await expect(failing).rejects.toMatchObject({ code: 'storage-unavailable', cause: refused });
    expect(tries).toBeGreaterThan(3);
  });

  it('does not repeat what failed for a reason of its own', async () => {
    let tries = 0;
    const failing = inTransaction(database, async () => {
      tries += 1;
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(tries).toBe(1);
  });
});

describe.skipIf(!hasPostgres)(`PostgreSQL${WITHOUT_POSTGRES}`, () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres.close());

  const failure = async (databaseUrl: string) => {
    try {
      await openDatabase({ dataDir: '', databaseUrl });
    } catch (error) {
      return error;
    }
    throw new Error('it was opened');
  };

  it.each([
    ['a wrong password', (url: URL) => Object.assign(url, { password: 'secret-of-the-test' }), 'storage-unavailable'],
    ['a database that is not there', (url: URL) => Object.assign(url, { pathname: '/nowhere' }), 'storage-unavailable'],
    ['a port that nobody listens on', (url: URL) => Object.assign(url, { port: '9' }), 'storage-unavailable'],
    ['another kind of address', (url: URL) => `mysql${url.href.slice('postgres'.length)}`, 'unsupported'],
    ['what is no address', (url: URL) => `postgres://${url.password}@@:x`, 'unsupported'],
  ] as const)('says what is wrong with %s, and never the password', async (_what, change, code) => {
    const url = new URL(await postgres.createDatabase());
    const { password } = url;
    const changed = change(url);
    const error = await failure(typeof changed === 'string' ? changed : changed.href);
    expect(isAppError(error, code)).toBe(true);
    const told = [error, (error as Error).cause].map(
      (each) => `${String(each)} ${(each as Error | undefined)?.stack} ${JSON.stringify(each)}`,
    );
    expect(told.join(' ')).not.toContain(password);
    expect(told.join(' ')).not.toContain('secret-of-the-test');
  });

  it('refuses a database that keeps its texts in another encoding, and leaves it empty', async () => {
    const url = await postgres.createDatabase();
    await postgres.query(
      url,
      `CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' LOCALE_PROVIDER libc TEMPLATE template0`,
    );
    const error = await failure(url.replace(/[^/]+$/u, 'latin'));
    expect(error).toMatchObject({ code: 'unsupported' });
    expect(String(error)).toContain('LATIN1');
  });

  it('leaves a database of a newer server as it is', async () => {
    const databaseUrl = await postgres.createDatabase();
    await (await openDatabase({ dataDir: '', databaseUrl })).destroy();
    await postgres.query(databaseUrl, `INSERT INTO migrations VALUES (${SCHEMA_VERSION + 1}, '')`);
    expect(await failure(databaseUrl)).toMatchObject({ code: 'unsupported' });
    const [row] = await postgres.query(
      databaseUrl,
      'SELECT count(*)::int AS locks FROM pg_locks WHERE locktype = $$advisory$$',
    );
    expect(row).toEqual({ locks: 0 });
  });

  it('is opened again with its data', async () => {
    const databaseUrl = await postgres.createDatabase();
    const first = await openDatabase({ dataDir: '', databaseUrl });
    await first.insertInto('settings').values({ key: 'kept', value: 'yes', updated_at: '' }).execute();
    await first.destroy();
    const second = await openDatabase({ dataDir: '', databaseUrl });
    expect(await second.selectFrom('settings').select('value').execute()).toEqual([{ value: 'yes' }]);
    await second.destroy();
  });

  it('tells the faults of the server and of values apart', async () => {
    const databaseUrl = await postgres.createDatabase();
    const database = await openDatabase({ dataDir: '', databaseUrl });
    const caught = (text: string) =>
      sql
        .raw(text)
        .execute(database)
        .catch((error: unknown) => error);
    expect(isImpossibleValue(await caught(`SELECT 3000000000::int`))).toBe(true);
    const zero = database.insertInto('settings').values({ key: 'a\u0000b', value: '', updated_at: '' }).execute();
    expect(isImpossibleValue(await zero.catch((error: unknown) => error))).toBe(true);
    expect(databaseFault(await caught('SELECT * FROM nowhere'))).toBeNull();
    const interrupted = caught('SELECT pg_sleep(30)');
    const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%'`;
    for (let ended = 0; ended === 0; ) ended = (await postgres.query(databaseUrl, end)).length;
    expect(databaseFault(await interrupted)).toBe('unavailable');
    // The broken connection is gone from the pool, and others do the work.
    await expect
      .poll(() => database.selectFrom('settings').selectAll().execute().catch(databaseFault), { timeout: 10_000 })
      .toEqual([]);
    await database.destroy();
  });
});

describe('a fault of a database', () => {
  it.each([
    ['SQLITE_FULL', 'full'],
    ['53100', 'full'],
    ['SQLITE_IOERR_WRITE', 'unavailable'],
    ['SQLITE_BUSY', 'unavailable'],
    ['57P01', 'unavailable'],
    ['53300', 'unavailable'],
    ['08006', 'unavailable'],
    ['57014', 'unavailable'],
    ['23505', null],
    ['42P01', null],
  ] as const)('%s means %s', (code, fault) => {
    expect(databaseFault(Object.assign(new Error('x'), { code }))).toBe(fault);
  });

  it('is seen in a connection that ended, which has no code', () => {
    expect(databaseFault(new Error('Connection terminated unexpectedly'))).toBe('unavailable');
    expect(databaseFault(new Error('anything'))).toBeNull();
    expect(databaseFault(null)).toBeNull();
  });
});

describe('the version of SQLite', () => {
  it.each([
    ['3.51.3', true],
    ['3.52.0', true],
    ['4.0.0', true],
    ['3.51.2', false],
    ['3.9.9', false],
  ])('%s is trusted: %s', (version, safe) => {
    expect(isSqliteSafe(version)).toBe(safe);
  });
});
