import { createHmac, randomUUID } from 'node:crypto';
import { AppError } from '../../shared/errors.ts';
import { LIMITS } from '../../shared/rules/limits.ts';
import type { Database } from '../database/connection.ts';
import { inTransaction } from '../database/transactions.ts';
import type { Actor } from '../http/context.ts';
import { newSecret, secretHash } from './secrets.ts';

/**
 * The refresh token before the newest may come back within this time: the answer to its first use may have been lost. It
 * gets that very answer again, so a line of tokens never forks. Any other used one that comes back was stolen, and so is
 * all that came after it (decisions.md §4; RFC 9700 §4.14).
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
  /** Begins a family, a sign-in on one device, inside the caller's transaction. */
  start(transaction: Database, userId: string, clientId: string): Promise<IssuedTokens & { readonly familyId: string }>;
  /** @throws AppError `session-expired` */
  refresh(refreshToken: string, clientId: string): Promise<IssuedTokens>;
  /** Inside the caller's transaction, when one is given. */
  revokeFamily(familyId: string, transaction?: Database): Promise<void>;
  /** Ends all sign-ins of a user, but for one family when it is given. */
  revokeUser(userId: string, exceptFamily: string | null, transaction?: Database): Promise<void>;
  /** Revokes the family of a token of either kind; an unknown token is nothing to revoke. */
  revokeToken(token: string): Promise<void>;
  /** Whose access token this is, or null. */
  actor(accessToken: string): Promise<Actor | null>;
}

/**
 * Makes the token service. A successor is computed from its predecessor and the server's key: a lost answer can be given
 * again although the database holds hashes alone, and nobody without the key can compute what comes after a token.
 */
export function createTokenService(database: Database, key: Buffer, now: () => number): TokenService {
  const follow = (kind: 'access' | 'refresh', refreshToken: string) =>
    createHmac('sha256', key).update(`${kind} after ${refreshToken}`).digest('base64url');

  async function store(
    on: Database,
    familyId: string,
    generation: number,
    { access, refresh }: { readonly access: string; readonly refresh: string },
  ): Promise<IssuedTokens> {
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

  /** Tokens past their time, and families that have none left, are of no use to anybody. */
  async function forgetExpired(on: Database): Promise<void> {
    await on.deleteFrom('tokens').where('expires_ms', '<=', now()).execute();
    await on
      .deleteFrom('token_families')
      .where('created_ms', '<=', now() - LIMITS.refreshTokenLifetimeMs)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('tokens').select('hash').whereRef('tokens.family_id', '=', 'token_families.id'))),
      )
      .execute();
  }

  /** As exact as access tokens live, and no request pays for it. */
  async function markSeen(on: Database, userId: string): Promise<void> {
    const last_seen_at = new Date(now()).toISOString();
    await on.updateTable('users').set({ last_seen_at }).where('id', '=', userId).execute();
  }

  const ended = () => new AppError('session-expired', 'the session has ended; sign in again');

  function readRefreshToken(on: Database, refreshToken: string) {
    return on
      .selectFrom('tokens')
      .innerJoin('token_families', 'token_families.id', 'tokens.family_id')
      .innerJoin('users', 'users.id', 'token_families.user_id')
      .select([
        'tokens.generation',
        'tokens.expires_ms',
        'tokens.used_ms',
        'tokens.family_id',
        'token_families.revoked',
        'token_families.client_id',
        'token_families.user_id',
        'users.disabled',
      ])
      .where('tokens.hash', '=', secretHash(refreshToken))
      .where('tokens.kind', '=', 'refresh')
      .executeTakeFirst();
  }

  /** The answer that the first use got, if its successor has not been used; null for a token that comes back too late. */
  async function answerAgain(on: Database, familyId: string, refreshToken: string): Promise<IssuedTokens | null> {
    const [access, refresh] = [follow('access', refreshToken), follow('refresh', refreshToken)];
    const rows = await on
      .selectFrom('tokens')
      .select(['hash', 'expires_ms', 'used_ms'])
      .where('family_id', '=', familyId)
      .where('hash', 'in', [secretHash(access), secretHash(refresh)])
      .execute();
    const expires = rows.find((row) => row.hash === secretHash(access))?.expires_ms;
    if (expires === undefined || rows.length !== 2 || rows.some((row) => row.used_ms !== null)) return null;
    return { access, refresh, expiresIn: Math.max(0, Math.floor((expires - now()) / 1000)) };
  }

  return {
    async start(transaction, userId, clientId) {
      await forgetExpired(transaction);
      await markSeen(transaction, userId);
      const familyId = randomUUID();
      await transaction
        .insertInto('token_families')
        .values({ id: familyId, user_id: userId, client_id: clientId, revoked: 0, created_ms: now() })
        .execute();
      return { familyId, ...(await store(transaction, familyId, 1, { access: newSecret(), refresh: newSecret() })) };
    },
    async refresh(refreshToken, clientId) {
      const outcome = await inTransaction(database, async (transaction): Promise<IssuedTokens | null> => {
        const token = await readRefreshToken(transaction, refreshToken);
        if (token === undefined || token.revoked === 1 || token.disabled === 1) return null;
        if (token.client_id !== clientId || token.expires_ms <= now()) return null;
        const { family_id: familyId, generation } = token;
        // Of two uses at once the database lets one alone be the first.
        const claimed = await transaction
          .updateTable('tokens')
          .set({ used_ms: now() })
          .where('hash', '=', secretHash(refreshToken))
          .where('used_ms', 'is', null)
          .executeTakeFirst();
        if (claimed.numUpdatedRows === 1n) {
          await markSeen(transaction, token.user_id);
          await transaction
            .deleteFrom('tokens')
            .where('family_id', '=', familyId)
            .where('kind', '=', 'access')
            .where('generation', '<', generation)
            .execute();
          return store(transaction, familyId, generation + 1, {
            access: follow('access', refreshToken),
            refresh: follow('refresh', refreshToken),
          });
        }
        const inTime = now() - (token.used_ms ?? now()) <= GRACE_MS;
        const again = inTime ? await answerAgain(transaction, familyId, refreshToken) : null;
        if (again === null) await revokeFamily(transaction, familyId);
        return again;
      });
      if (outcome === null) throw ended();
      return outcome;
    },
    revokeFamily: (familyId, transaction = database) => revokeFamily(transaction, familyId),
    async revokeUser(userId, exceptFamily, transaction = database) {
      const families = await transaction
        .selectFrom('token_families')
        .select('id')
        .where('user_id', '=', userId)
        .where('revoked', '=', 0)
        .execute();
      for (const { id } of families) if (id !== exceptFamily) await revokeFamily(transaction, id);
      // Sign-ins that are nearly done are ended as well: their passwords were right before.
      await transaction.deleteFrom('codes').where('user_id', '=', userId).where('family_id', 'is', null).execute();
      await transaction.deleteFrom('second_factors').where('user_id', '=', userId).execute();
    },
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
          'users.disabled',
          'tokens.expires_ms',
          'token_families.id as family_id',
          'token_families.revoked',
        ])
        .where('tokens.hash', '=', secretHash(accessToken))
        .where('tokens.kind', '=', 'access')
        .executeTakeFirst();
      if (row === undefined || row.revoked === 1 || row.disabled === 1 || row.expires_ms <= now()) return null;
      return { id: row.id, isAdmin: row.user_type === 0, familyId: row.family_id };
    },
  };
}
