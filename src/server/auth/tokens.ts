import { randomUUID } from 'node:crypto';
import { AppError } from '../../shared/errors.ts';
import { LIMITS } from '../../shared/rules/limits.ts';
import type { Database } from '../database/connection.ts';
import type { Actor } from '../http/context.ts';
import { newSecret, secretHash } from './secrets.ts';

/**
 * The last refresh token may be used once more within this time: the answer to its first use may have been lost. Any older
 * one that comes back was stolen, and so is all that came after it (decisions.md §4; RFC 9700 §4.14).
 */
const GRACE_MS = 10_000;

export interface IssuedTokens {
  readonly access: string;
  readonly refresh: string;
  /** Seconds until the access token ends. */
  readonly expiresIn: number;
}

/** Access and refresh tokens: opaque, kept as hashes, in families that are revoked together. */
export interface TokenService {
  /** Begins a family: a sign-in on one device. */
  start(userId: string, clientId: string): Promise<IssuedTokens & { readonly familyId: string }>;
  /** @throws AppError `session-expired` */
  refresh(refreshToken: string, clientId: string): Promise<IssuedTokens>;
  revokeFamily(familyId: string): Promise<void>;
  /** Revokes the family of a token of either kind; an unknown token is nothing to revoke. */
  revokeToken(token: string): Promise<void>;
  /** Whose access token this is, or null. */
  actor(accessToken: string): Promise<Actor | null>;
}

/** Makes the token service. */
export function createTokenService(database: Database, now: () => number): TokenService {
  async function issue(on: Database, familyId: string, generation: number): Promise<IssuedTokens> {
    const access = newSecret();
    const refresh = newSecret();
    const common = { family_id: familyId, generation, used_ms: null };
    await on
      .insertInto('tokens')
      .values([
        { ...common, hash: secretHash(access), kind: 'access', expires_ms: now() + LIMITS.accessTokenLifetimeMs },
        { ...common, hash: secretHash(refresh), kind: 'refresh', expires_ms: now() + LIMITS.refreshTokenLifetimeMs },
      ])
      .execute();
    return { access, refresh, expiresIn: LIMITS.accessTokenLifetimeMs / 1000 };
  }

  async function revokeFamily(on: Database, familyId: string): Promise<void> {
    await on.updateTable('token_families').set({ revoked: 1 }).where('id', '=', familyId).execute();
    await on.deleteFrom('tokens').where('family_id', '=', familyId).where('kind', '=', 'access').execute();
  }

  const ended = () => new AppError('session-expired', 'the session has ended; sign in again');

  return {
    start: (userId, clientId) =>
      database.transaction().execute(async (transaction) => {
        const familyId = randomUUID();
        await transaction
          .insertInto('token_families')
          .values({ id: familyId, user_id: userId, client_id: clientId, revoked: 0, created_ms: now() })
          .execute();
        return { familyId, ...(await issue(transaction, familyId, 1)) };
      }),
    async refresh(refreshToken, clientId) {
      const outcome = await database.transaction().execute(async (transaction): Promise<IssuedTokens | null> => {
        const token = await transaction
          .selectFrom('tokens')
          .innerJoin('token_families', 'token_families.id', 'tokens.family_id')
          .select([
            'tokens.generation',
            'tokens.expires_ms',
            'tokens.used_ms',
            'tokens.family_id',
            'token_families.revoked',
            'token_families.client_id',
          ])
          .where('tokens.hash', '=', secretHash(refreshToken))
          .where('tokens.kind', '=', 'refresh')
          .executeTakeFirst();
        if (token === undefined || token.revoked === 1 || token.client_id !== clientId || token.expires_ms <= now())
          return null;
        const newest = await transaction
          .selectFrom('tokens')
          .select(({ fn }) => fn.max('generation').as('generation'))
          .where('family_id', '=', token.family_id)
          .executeTakeFirstOrThrow();
        const isRetry =
          token.used_ms !== null && now() - token.used_ms <= GRACE_MS && token.generation === newest.generation - 1;
        if (token.used_ms !== null && !isRetry) {
          await revokeFamily(transaction, token.family_id);
          return null;
        }
        if (isRetry) {
          // The answer with the successor was lost: nobody holds it, so it is replaced by a fresh one.
          await transaction
            .deleteFrom('tokens')
            .where('family_id', '=', token.family_id)
            .where('generation', '=', newest.generation)
            .execute();
        } else {
          await transaction
            .updateTable('tokens')
            .set({ used_ms: now() })
            .where('hash', '=', secretHash(refreshToken))
            .execute();
          await transaction
            .deleteFrom('tokens')
            .where('family_id', '=', token.family_id)
            .where('kind', '=', 'access')
            .where('generation', '<', token.generation)
            .execute();
        }
        return issue(transaction, token.family_id, token.generation + 1);
      });
      if (outcome === null) throw ended();
      return outcome;
    },
    revokeFamily: (familyId) => revokeFamily(database, familyId),
    async revokeToken(token) {
      const row = await database
        .selectFrom('tokens')
        .select('family_id')
        .where('hash', '=', secretHash(token))
        .executeTakeFirst();
      if (row !== undefined) await revokeFamily(database, row.family_id);
    },
    async actor(accessToken) {
      const row = await database
        .selectFrom('tokens')
        .innerJoin('token_families', 'token_families.id', 'tokens.family_id')
        .innerJoin('users', 'users.id', 'token_families.user_id')
        .select([
          'users.id',
          'users.user_type',
          'tokens.expires_ms',
          'token_families.id as family_id',
          'token_families.revoked',
        ])
        .where('tokens.hash', '=', secretHash(accessToken))
        .where('tokens.kind', '=', 'access')
        .executeTakeFirst();
      if (row === undefined || row.revoked === 1 || row.expires_ms <= now()) return null;
      return { id: row.id, isAdmin: row.user_type === 0, familyId: row.family_id };
    },
  };
}
