import { AppError } from '../../shared/errors.ts';
import type { Database } from '../database/connection.ts';
import { inTransaction } from '../database/transactions.ts';

/** How many guesses under one key are looked at in a time. */
export interface GuessLimit {
  readonly key: string;
  readonly limit: number;
  readonly windowMs: number;
}

/** Counts guesses at passwords, codes and links, so that none can be tried out. The counts outlive a restart. */
export interface Throttle {
  /**
   * Asks for one guess under all of the limits.
   * @returns 0 when it may be looked at, which counts it; else the milliseconds until it may.
   */
  attempt(limits: readonly GuessLimit[]): Promise<number>;
  /** A right guess clears its key. */
  clear(key: string): Promise<void>;
  /** Takes back the newest attempt under each of the limits: it was no guess. */
  refund(limits: readonly GuessLimit[]): Promise<void>;
  forgetOld(): Promise<void>;
}

const LONGEST_WINDOW_MS = 24 * 3600_000;

/** Guesses that are looked at in a quarter of an hour: for one account, and from one address over all accounts. */
export const GUESS_WINDOW_MS = 15 * 60_000;
export const GUESSES_PER_ACCOUNT = 10;
export const GUESSES_PER_ADDRESS = 100;

/** Counts one more attempt at what a signed-in user may not try without end. @throws AppError `throttled` */
export async function attemptOrThrow(throttle: Throttle, key: string, limit = GUESSES_PER_ACCOUNT): Promise<void> {
  const wait = await throttle.attempt([{ key, limit, windowMs: GUESS_WINDOW_MS }]);
  if (wait > 0) {
    throw new AppError('throttled', `too many attempts; try again in ${Math.ceil(wait / 60_000)} minutes`, {
      details: { retry_after_ms: wait },
    });
  }
}

/** Makes the throttle. */
export function createThrottle(database: Database, now: () => number): Throttle {
  return {
    attempt: (limits) =>
      inTransaction(database, async (transaction) => {
        let wait = 0;
        for (const { key, limit, windowMs } of limits) {
          const recent = await transaction
            .selectFrom('attempts')
            .select('at_ms')
            .where('key', '=', key)
            .where('at_ms', '>', now() - windowMs)
            .orderBy('at_ms', 'desc')
            .limit(limit)
            .execute();
          const oldest = recent.length < limit ? undefined : recent.at(-1);
          if (oldest !== undefined) wait = Math.max(wait, Number(oldest.at_ms) + windowMs - now());
        }
        if (wait > 0) return wait;
        const guesses = limits.map(({ key }) => ({ key, at_ms: now() }));
        await transaction.insertInto('attempts').values(guesses).execute();
        return 0;
      }),
    async clear(key) {
      await database.deleteFrom('attempts').where('key', '=', key).execute();
    },
    refund: (limits) =>
      inTransaction(database, async (transaction) => {
        for (const { key } of limits) {
          await transaction
            .deleteFrom('attempts')
            .where('key', '=', key)
            .where('at_ms', '=', ({ selectFrom }) =>
              selectFrom('attempts')
                .select(({ fn }) => fn.max('at_ms').as('at_ms'))
                .where('key', '=', key),
            )
            .execute();
        }
      }),
    async forgetOld() {
      await database
        .deleteFrom('attempts')
        .where('at_ms', '<', now() - LONGEST_WINDOW_MS)
        .execute();
    },
  };
}
