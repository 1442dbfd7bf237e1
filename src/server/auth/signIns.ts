import { createHash, randomUUID } from 'node:crypto';
import { CLIENT_IDS } from '../../shared/api/auth.ts';
import { AppError } from '../../shared/errors.ts';
import { LIMITS } from '../../shared/rules/limits.ts';
import type { Database } from '../database/connection.ts';
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
  readonly redirectUri: string;
}

/** Sign-ins by authorisation code with PKCE (RFC 7636, decisions.md §4). */
export interface SignIns {
  /** @throws AppError `bad-request` for a redirect that is not the client's. */
  initiate(request: SignInRequest, source: 'web' | 'electron', ownOrigin: string): Promise<{ readonly id: string }>;
  find(id: string): Promise<PendingSignIn | null>;
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
        if ((error as { code?: string }).code === 'SQLITE_CONSTRAINT_UNIQUE') {
          throw new AppError('bad-request', 'the uuid was used already', { cause: error });
        }
        throw error;
      }
      return { id };
    },
    async find(id) {
      const row = await database
        .selectFrom('sign_ins')
        .select(['id', 'redirect_uri'])
        .where('id', '=', id)
        .where('expires_ms', '>', now())
        .executeTakeFirst();
      return row === undefined ? null : { id: row.id, redirectUri: row.redirect_uri };
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
      const row = await database
        .selectFrom('codes')
        .innerJoin('sign_ins', 'sign_ins.id', 'codes.sign_in_id')
        .selectAll(['sign_ins'])
        .select(['codes.user_id', 'codes.expires_ms as code_expires_ms', 'codes.family_id'])
        .where('codes.hash', '=', secretHash(input.code))
        .executeTakeFirst();
      if (row === undefined) throw failed('the code is not known');
      if (row.family_id !== null) {
        // Somebody else has used the code: neither of the two is trusted (RFC 6749 §4.1.2).
        if (row.family_id !== CLAIMED) await tokens.revokeFamily(row.family_id);
        throw failed('the code was used already');
      }
      const challenge = createHash('sha256').update(input.code_verifier).digest('base64url');
      const belongs =
        row.code_expires_ms > now() &&
        row.client_id === input.client_id &&
        row.source === input.source &&
        row.redirect_uri === input.redirect_uri &&
        secretsEqual(row.uuid, input.uuid) &&
        secretsEqual(row.challenge, challenge);
      if (!belongs) throw failed('the code belongs to another sign-in or has expired');
      const claimed = await database
        .updateTable('codes')
        .set({ family_id: CLAIMED })
        .where('hash', '=', secretHash(input.code))
        .where('family_id', 'is', null)
        .executeTakeFirst();
      if (claimed.numUpdatedRows !== 1n) throw failed('the code was used already');
      const { familyId, ...issued } = await tokens.start(row.user_id, row.client_id);
      await database
        .updateTable('codes')
        .set({ family_id: familyId })
        .where('hash', '=', secretHash(input.code))
        .execute();
      return issued;
    },
  };
}

/** Stands in a code's row between its claim and its family, so that of two exchanges at once one alone succeeds. */
const CLAIMED = `claimed ${randomUUID()}`;
