import { createHash } from 'node:crypto';
import { AppError } from '../../shared/errors.ts';
import { CLIENT_IDS } from '../../shared/rules/clientIds.ts';
import { LIMITS } from '../../shared/rules/limits.ts';
import type { Database } from '../database/connection.ts';
import { isUniqueViolation } from '../database/faults.ts';
import { inTransaction } from '../database/transactions.ts';
import { newSecret, secretHash, secretsEqual } from './secrets.ts';
import type { IssuedTokens, TokenService } from './tokens.ts';

/** A sign-in page that stays open longer than this has to be opened anew. */
const SIGN_IN_LIFETIME_MS = 60 * 60_000;

export interface SignInRequest {
  readonly uuid: string;
  readonly client_id: string;
  readonly redirect_uri: string;
  readonly code_challenge: string;
}

/** A sign-in under way, between the client's start and its exchange of the code. */
export interface PendingSignIn {
  readonly id: string;
  readonly clientId: string;
  readonly redirectUri: string;
}

/** Sign-ins by authorisation code with PKCE (RFC 7636, decisions.md §4). */
export interface SignIns {
  /** @throws AppError `bad-request` for a redirect that is not the client's. */
  initiate(request: SignInRequest, source: 'web' | 'electron', ownOrigin: string): Promise<{ readonly id: string }>;
  /**
   * The sign-in whose page a browser asks for at `ownOrigin`, or null. A web sign-in is shown only where its code goes
   * back to: else whoever starts one under a name of their own would get the code of the person who finishes it here.
   */
  find(id: string, ownOrigin: string): Promise<PendingSignIn | null>;
  /** The person is who they say: where the browser goes with the code. */
  complete(id: string, userId: string): Promise<string>;
  verify(code: string, state: string, uuid: string): Promise<boolean>;
  /** @throws AppError `sign-in-failed` */
  exchange(input: {
    readonly code: string;
    readonly redirect_uri: string;
    readonly client_id: string;
    readonly code_verifier: string;
    readonly uuid: string;
    readonly source: 'web' | 'electron';
  }): Promise<IssuedTokens>;
}

/** Web clients come back to our own callback; desktop clients to any port of this machine (RFC 8252 §7.3). */
function isRedirectAllowed(clientId: string, redirectUri: string, ownOrigin: string): boolean {
  if (!URL.canParse(redirectUri)) return false;
  const url = new URL(redirectUri);
  if (url.username !== '' || url.password !== '' || url.hash !== '' || url.search !== '') return false;
  if (clientId === CLIENT_IDS.web) return redirectUri === `${ownOrigin}/callback`;
  return url.protocol === 'http:' && (url.hostname === '127.0.0.1' || url.hostname === '[::1]') && url.port !== '';
}

/** Makes the service. */
export function createSignIns(database: Database, tokens: TokenService, now: () => number): SignIns {
  const failed = (why: string) => new AppError('sign-in-failed', why);

  return {
    async initiate(request, source, ownOrigin) {
      const isWeb = request.client_id === CLIENT_IDS.web;
      if (isWeb !== (source === 'web')) throw new AppError('bad-request', 'client and source do not belong together');
      if (!isRedirectAllowed(request.client_id, request.redirect_uri, ownOrigin)) {
        throw new AppError('bad-request', 'the redirect address is not one of this client');
      }
      await database.deleteFrom('sign_ins').where('expires_ms', '<=', now()).execute();
      const id = newSecret();
      try {
        await database
          .insertInto('sign_ins')
          .values({
            id,
            uuid: request.uuid,
            client_id: request.client_id,
            source,
            redirect_uri: request.redirect_uri,
            challenge: request.code_challenge,
            state: newSecret(),
            expires_ms: now() + SIGN_IN_LIFETIME_MS,
          })
          .execute();
      } catch (error) {
        if (isUniqueViolation(error)) {
          throw new AppError('bad-request', 'the uuid was used already', { cause: error });
        }
        throw error;
      }
      return { id };
    },
    async find(id, ownOrigin) {
      const row = await database
        .selectFrom('sign_ins')
        .select(['id', 'client_id', 'redirect_uri'])
        .where('id', '=', id)
        .where('expires_ms', '>', now())
        .executeTakeFirst();
      if (row === undefined || !isRedirectAllowed(row.client_id, row.redirect_uri, ownOrigin)) return null;
      return { id: row.id, clientId: row.client_id, redirectUri: row.redirect_uri };
    },
    async complete(id, userId) {
      const signIn = await database.selectFrom('sign_ins').selectAll().where('id', '=', id).executeTakeFirst();
      if (signIn === undefined) throw failed('the sign-in is no longer under way');
      const code = newSecret();
      await database
        .insertInto('codes')
        .values({
          hash: secretHash(code),
          sign_in_id: id,
          user_id: userId,
          expires_ms: now() + LIMITS.codeLifetimeMs,
          family_id: null,
        })
        .execute();
      const redirect = new URL(signIn.redirect_uri);
      redirect.searchParams.set('code', code);
      redirect.searchParams.set('state', signIn.state);
      return redirect.href;
    },
    async verify(code, state, uuid) {
      const row = await database
        .selectFrom('codes')
        .innerJoin('sign_ins', 'sign_ins.id', 'codes.sign_in_id')
        .select(['sign_ins.state', 'sign_ins.uuid', 'codes.family_id', 'codes.expires_ms'])
        .where('codes.hash', '=', secretHash(code))
        .executeTakeFirst();
      if (row === undefined || row.family_id !== null || row.expires_ms <= now()) return false;
      return secretsEqual(row.state, state) && secretsEqual(row.uuid, uuid);
    },
    async exchange(input) {
      const hash = secretHash(input.code);
      const challenge = createHash('sha256').update(input.code_verifier).digest('base64url');
      // Nothing is thrown inside: what a second use revokes has to stay revoked.
      const outcome = await inTransaction(database, async (transaction): Promise<IssuedTokens | string> => {
        const row = await transaction
          .selectFrom('codes')
          .innerJoin('sign_ins', 'sign_ins.id', 'codes.sign_in_id')
          .selectAll(['sign_ins'])
          .select(['codes.user_id', 'codes.expires_ms as code_expires_ms', 'codes.family_id'])
          .where('codes.hash', '=', hash)
          .executeTakeFirst();
        if (row === undefined) return 'the code is not known';
        if (row.family_id !== null) {
          // Somebody else has used the code: neither of the two is trusted (RFC 6749 §4.1.2).
          await tokens.revokeFamily(row.family_id, transaction);
          return 'the code was used already';
        }
        const belongs =
          row.code_expires_ms > now() &&
          row.client_id === input.client_id &&
          row.source === input.source &&
          row.redirect_uri === input.redirect_uri &&
          secretsEqual(row.uuid, input.uuid) &&
          secretsEqual(row.challenge, challenge);
        if (!belongs) return 'the code belongs to another sign-in or has expired';
        const { familyId, ...issued } = await tokens.start(transaction, row.user_id, row.client_id);
        const claimed = await transaction
          .updateTable('codes')
          .set({ family_id: familyId })
          .where('hash', '=', hash)
          .where('family_id', 'is', null)
          .executeTakeFirst();
        if (claimed.numUpdatedRows === 1n) return issued;
        // Another exchange of the same code was faster, on a database that runs several at once.
        const winner = await transaction
          .selectFrom('codes')
          .select('family_id')
          .where('hash', '=', hash)
          .executeTakeFirst();
        for (const family of [familyId, winner?.family_id ?? familyId]) await tokens.revokeFamily(family, transaction);
        return 'the code was used already';
      });
      if (typeof outcome === 'string') throw failed(outcome);
      return outcome;
    },
  };
}
