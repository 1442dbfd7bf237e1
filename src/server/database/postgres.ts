import {
  type Dialect,
  HandleEmptyInListsPlugin,
  Kysely,
  PostgresDialect,
  replaceWithNoncontingentExpression,
  sql,
} from 'kysely';
import pg from 'pg';
import { AppError } from '../../shared/errors.ts';
import { migrate } from './migrations.ts';
import type { Tables } from './tables.ts';

/** Connections of one server. */
const POOL_SIZE = 10;
/** Waiting longer for a connection, or for one statement, means that the database is out of order or overrun. */
const CONNECT_MS = 10_000;
const STATEMENT_MS = 30_000;
/** A transaction that nobody goes on with (its server was suspended, say) must not keep its locks. */
const IDLE_TRANSACTION_MS = 60_000;

/** PostgreSQL's numbers of the types BIGINT and NUMERIC (what sums of BIGINT are). */
const NUMBERS: readonly number[] = [20, 1700];

/** What the driver sends as text because it may be larger than a number holds: ours are counts, bytes and milliseconds. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (type, format) =>
    NUMBERS.includes(type) && format !== 'binary' ? Number : pg.types.getTypeParser(type, format),
};

/** The address without what must not be told: where the database is, for messages. */
function placeOf(databaseUrl: string): string {
  if (!URL.canParse(databaseUrl) || !/^postgres(ql)?:/u.test(databaseUrl)) {
    throw new AppError(
      'unsupported',
      'the address of the database is not of the form postgres://user:password@host:port/name',
    );
  }
  const { hostname, port, pathname } = new URL(databaseUrl);
  return `${hostname}:${port || '5432'}${pathname}`;
}

/** Why there is no connection, in words; the driver's own error stays as the cause and has no password in it. */
function unreachable(place: string, error: unknown): AppError {
  const { code, message } = (error ?? {}) as { readonly code?: string; readonly message?: string };
  const reason = message || code || 'no reason was given';
  return new AppError('storage-unavailable', `no connection to the PostgreSQL database at ${place}: ${reason}`, {
    cause: error,
  });
}

/**
 * Transactions run as if one followed the other (SERIALIZABLE), as they do on the embedded database, which has one writer.
 * What cannot run so is refused by the database and begun anew by `inTransaction`.
 */
function serializable(dialect: PostgresDialect): Dialect {
  return {
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (database) => dialect.createIntrospector(database),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createDriver() {
      const driver = dialect.createDriver();
      const begin = driver.beginTransaction.bind(driver);
      driver.beginTransaction = (connection, settings) =>
        begin(connection, { ...settings, isolationLevel: settings.isolationLevel ?? 'serializable' });
      return driver;
    },
  };
}

/**
 * Opens a PostgreSQL database, which any number of servers may share. Nothing is copied before it is migrated: backups of
 * PostgreSQL are its administrator's, by its own means (`pg_dump`), and belong before an update of the server.
 */
export async function openPostgres(databaseUrl: string): Promise<Kysely<Tables>> {
  const place = placeOf(databaseUrl);
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    types,
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: STATEMENT_MS,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_MS,
    application_name: 'armarium',
  });
  // A connection that breaks leaves the pool by itself, and whoever uses it hears of it by their statement's failure. Both
  // events would end the process if nobody listened.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  const connect = async () => {
    try {
      return await pool.connect();
    } catch (error) {
      throw unreachable(place, error);
    }
  };
  const dialect = new PostgresDialect({ pool: { options: pool.options, connect, end: () => pool.end() } });
  const database = new Kysely<Tables>({
    dialect: serializable(dialect),
    plugins: [new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression })],
  });
  try {
    const { rows } = await sql<{ encoding: string }>`SELECT current_setting('server_encoding') AS encoding`.execute(
      database,
    );
    const encoding = rows[0]?.encoding;
    if (encoding !== 'UTF8') {
      throw new AppError('unsupported', `the database at ${place} has the encoding ${encoding}; it has to be UTF8`);
    }
    await migrate(database, { dialect: 'postgres' });
  } catch (error) {
    await database.destroy();
    throw error;
  }
  return database;
}
