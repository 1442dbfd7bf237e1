import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../shared/errors.ts';
import type { Database } from '../database/connection.ts';
import { isUniqueViolation } from '../database/faults.ts';
import type { Actor } from './context.ts';

/** Requests that say who they are by an `idempotency-key` header, so that one that repeats after a lost answer is not done twice. */
export interface Idempotency {
  /** Does the work, or answers what the first request with this key was answered. */
  once<T>(actor: Actor | null, request: FastifyRequest, work: () => Promise<T>): Promise<T>;
  /** Forgets keys of requests that nobody repeats any more. */
  forgetOld(): Promise<void>;
}

const KEY = /^[\w-]{8,100}$/u;
const LIFETIME_MS = 24 * 3600_000;
/** A request that was not answered within this time never will be: its server is gone. */
const LOST_MS = 60_000;

/** Makes the service. */
export function createIdempotency(database: Database, now: () => number): Idempotency {
  /** The answer that is kept for a key; null when the work is this request's to do. */
  async function claim(userId: string, key: string, requestHash: string): Promise<string | null> {
    const row = { user_id: userId, key, request_hash: requestHash, response: null, created_ms: now() };
    try {
      await database.insertInto('idempotency_keys').values(row).execute();
      return null;
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
    }
    const kept = await database
      .selectFrom('idempotency_keys')
      .selectAll()
      .where('user_id', '=', userId)
      .where('key', '=', key)
      .executeTakeFirst();
    if (kept !== undefined && kept.request_hash !== requestHash) {
      throw new AppError('bad-request', 'the idempotency key belongs to another request');
    }
    if (kept?.response != null) return kept.response;
    const taken = await database
      .updateTable('idempotency_keys')
      .set({ created_ms: now() })
      .where('user_id', '=', userId)
      .where('key', '=', key)
      .where('response', 'is', null)
      .where('created_ms', '<=', now() - LOST_MS)
      .executeTakeFirst();
    if (taken.numUpdatedRows === 1n) return null;
    throw new AppError('conflict', 'the same request is being done already');
  }

  return {
    async once(actor, request, work) {
      const key = request.headers['idempotency-key'];
      if (actor === null || key === undefined) return work();
      if (typeof key !== 'string' || !KEY.test(key)) {
        throw new AppError('bad-request', 'an idempotency key is 8 to 100 letters, digits, dashes or underscores');
      }
      const requestHash = createHash('sha256')
        .update(JSON.stringify([request.method, request.url, request.body ?? null]))
        .digest('hex');
      const kept = await claim(actor.id, key, requestHash);
      if (kept !== null) return JSON.parse(kept);
      try {
        const answer = await work();
        await database
          .updateTable('idempotency_keys')
          .set({ response: JSON.stringify(answer ?? null) })
          .where('user_id', '=', actor.id)
          .where('key', '=', key)
          .execute();
        return answer;
      } catch (error) {
        // Nothing was done: the same request may be tried again.
        await database.deleteFrom('idempotency_keys').where('user_id', '=', actor.id).where('key', '=', key).execute();
        throw error;
      }
    },
    async forgetOld() {
      await database
        .deleteFrom('idempotency_keys')
        .where('created_ms', '<', now() - LIFETIME_MS)
        .execute();
    },
  };
}
