import { setTimeout as pause } from 'node:timers/promises';
import { PostgresAdapter } from 'kysely';
import { AppError } from '../../shared/errors.ts';
import type { Database } from './connection.ts';
import { isSerializationFailure } from './faults.ts';

/** Which of the two databases this is. */
export function dialectOf(database: Database): 'sqlite' | 'postgres' {
  return database.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite';
}

const ATTEMPTS = 12;
const LONGEST_PAUSE_MS = 500;

/**
 * Does `work` in a transaction that behaves as if no other ran beside it. PostgreSQL finds out while they run that two
 * cannot follow each other, and refuses one: it is done again from its beginning. So `work` is pure work in the database;
 * what shall happen once goes after it, or reads what it returns.
 */
export async function inTransaction<T>(database: Database, work: (transaction: Database) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await database.transaction().execute(work);
    } catch (error) {
      if (!isSerializationFailure(error)) throw error;
      if (attempt === ATTEMPTS) {
        throw new AppError('storage-unavailable', 'too many change the same at once', { cause: error });
      }
      // By chance, so that those that met do not meet again.
      await pause(Math.random() * Math.min(LONGEST_PAUSE_MS, 5 * 2 ** attempt));
    }
  }
}
