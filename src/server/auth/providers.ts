import * as oidc from 'openid-client';
import type { Logger } from 'pino';
import { AppError, isAppError } from '../../shared/errors.ts';
import { isEmail } from '../../shared/rules/email.ts';
import type { SignInRefusal } from '../../shared/rules/signInRefusals.ts';
import type { Database } from '../database/connection.ts';
import type { Accounts } from './accounts.ts';
import { secretHash, secretsEqual } from './secrets.ts';
import { emailKey } from './users.ts';

/** Keeps the state of a sign-in that is with a provider, in the browser that began it. */
export const SOCIAL_COOKIE = 'armarium_social';

/** Providers by their names in addresses; `oidc` is any other one. */
export const PROVIDER_IDS = ['google', 'microsoft', 'apple', 'oidc'] as const;
export type ProviderId = (typeof PROVIDER_IDS)[number];

/** Another provider that people may sign in with (OpenID Connect), by configuration. */
export interface ProviderOptions {
  readonly id: ProviderId;
  /** What the button says: the provider's name. */
  readonly label: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Sign-ins that go by way of another provider. */
export interface Providers {
  list(): Promise<readonly { readonly id: ProviderId; readonly label: string }[]>;
  /**
   * Where to send the browser, and what it has to keep until it comes back.
   * @throws AppError `not-found` for a provider that is not configured
   */
  start(provider: string, signInId: string): Promise<{ readonly url: string; readonly state: string }>;
  /**
   * What the provider sent back, as the parameters of its answer.
   * @returns the sign-in it belongs to, whose account it is, and under which key that counts guesses
   * @throws AppError `sign-in-failed` with a `reason` among its details, `not-found`
   */
  complete(
    provider: string,
    answer: { readonly state: string; readonly code: string },
    proof: Proof,
  ): Promise<{ readonly signInId: string; readonly userId: string; readonly account: string }>;
}

/**
 * That the answer comes from where the sign-in began: else an answer could be slipped to somebody, who would go on under
 * another's name (RFC 9700 §4.7). Either is enough.
 */
export interface Proof {
  /** What the browser kept. */
  readonly state: string | undefined;
  /** The client's own PKCE verifier. */
  readonly verifier: string | undefined;
}

/** Somebody as a provider knows them. */
interface Person {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
  readonly verified: boolean;
  readonly name: string;
}

const LIFETIME_MS = 10 * 60_000;
const isLoopback = (url: URL) => ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);

/** The secret in the body, which all of the named providers take, unless the provider says that it takes none there. */
function authenticationBy(secret: string): oidc.ClientAuth {
  const [inBody, inHeader] = [oidc.ClientSecretPost(secret), oidc.ClientSecretBasic(secret)];
  return (server, client, body, headers) => {
    const taken = server.token_endpoint_auth_methods_supported;
    const isRefused = taken !== undefined && !taken.includes('client_secret_post');
    return (isRefused ? inHeader : inBody)(server, client, body, headers);
  };
}

/** Makes the service. */
export function createProviders(options: {
  readonly database: Database;
  readonly accounts: Accounts;
  readonly configured: () => Promise<readonly ProviderOptions[]>;
  readonly publicUrl: () => string;
  readonly log: Logger;
  readonly now: () => number;
}): Providers {
  const { database, accounts, configured, publicUrl, log, now } = options;
  const discovered = new Map<string, Promise<oidc.Configuration>>();
  const refused = (reason: SignInRefusal, message: string, cause?: unknown) =>
    new AppError('sign-in-failed', message, { cause, details: { reason } });

  async function find(id: string): Promise<ProviderOptions> {
    const provider = (await configured()).find((each) => each.id === id);
    if (provider === undefined) throw new AppError('not-found', 'this provider is not set up on this server');
    return provider;
  }

  /** What the provider says of itself, asked for once. */
  function discover({ issuer, clientId, clientSecret }: ProviderOptions): Promise<oidc.Configuration> {
    const key = JSON.stringify([issuer, clientId, clientSecret]);
    const known = discovered.get(key);
    if (known !== undefined) return known;
    const url = new URL(issuer);
    const insecure = url.protocol === 'http:' && isLoopback(url) ? [oidc.allowInsecureRequests] : [];
    const execute = [...insecure, oidc.enableNonRepudiationChecks];
    const found = oidc.discovery(url, clientId, undefined, authenticationBy(clientSecret), { execute, timeout: 10 });
    discovered.set(key, found);
    found.catch(() => discovered.delete(key));
    return found;
  }

  const callbackOf = (id: ProviderId) => `${publicUrl()}/accounts/${id}/callback/`;

  /** Whose account it is: by the provider's own name for the person, else by an address that both sides have verified. */
  async function accountOf(person: Person): Promise<string> {
    const known = await database
      .selectFrom('identities')
      .select('user_id')
      .where('provider', '=', person.issuer)
      .where('subject', '=', person.subject)
      .executeTakeFirst();
    if (known !== undefined) return known.user_id;
    if (person.email === null || !isEmail(person.email)) {
      throw refused('no-address', 'the provider told no email address that can be used');
    }
    const user = await database
      .selectFrom('users')
      .select(['id', 'email_verified'])
      .where('email_key', '=', emailKey(person.email))
      .executeTakeFirst();
    // Some providers, Microsoft among them, verify no address: the account is on trial until our own mail has done so.
    if (user === undefined) {
      try {
        return await accounts.signUpFrom({ ...person, email: person.email });
      } catch (error) {
        if (isAppError(error, 'forbidden')) throw refused('no-sign-up', error.message, error);
        throw error;
      }
    }
    if (!person.verified) {
      throw refused('address-unproven', 'the provider does not say that the address is verified');
    }
    if (user.email_verified === 0) {
      // Whoever made that account has not shown that the address is theirs; joining them would let them in.
      throw refused('account-unproven', 'the account of this address has not verified it');
    }
    await database
      .insertInto('identities')
      .values({
        provider: person.issuer,
        subject: person.subject,
        user_id: user.id,
        email: person.email,
        created_at: new Date(now()).toISOString(),
      })
      .execute();
    return user.id;
  }

  /** Whether a verifier is that of the client that began the sign-in. */
  async function isOwnVerifier(signInId: string, verifier: string | undefined): Promise<boolean> {
    if (verifier === undefined) return false;
    const signIn = await database
      .selectFrom('sign_ins')
      .select('challenge')
      .where('id', '=', signInId)
      .executeTakeFirst();
    return signIn !== undefined && secretsEqual(signIn.challenge, await oidc.calculatePKCECodeChallenge(verifier));
  }

  return {
    list: async () => (await configured()).map(({ id, label }) => ({ id, label })),
    async start(id, signInId) {
      const provider = await find(id);
      const [state, nonce, verifier] = [oidc.randomState(), oidc.randomNonce(), oidc.randomPKCECodeVerifier()];
      let configuration: oidc.Configuration;
      try {
        configuration = await discover(provider);
      } catch (error) {
        log.error({ provider: id, err: error }, 'a provider could not be reached');
        const message = `${provider.label} cannot be reached at present. Try again, or sign in another way.`;
        throw new AppError('sign-in-failed', message, { cause: error });
      }
      await database.deleteFrom('social_sign_ins').where('expires_ms', '<=', now()).execute();
      await database
        .insertInto('social_sign_ins')
        .values({
          state_hash: secretHash(state),
          sign_in_id: signInId,
          provider: id,
          nonce,
          code_verifier: verifier,
          expires_ms: now() + LIFETIME_MS,
        })
        .execute();
      const { href } = oidc.buildAuthorizationUrl(configuration, {
        redirect_uri: callbackOf(provider.id),
        // Apple knows no profile, and refuses what it does not know.
        scope: id === 'apple' ? 'openid email name' : 'openid email profile',
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        // Apple answers with the address only by a form.
        ...(id === 'apple' ? { response_mode: 'form_post' } : {}),
      });
      return { url: href, state };
    },
    async complete(id, { state, code }, proof) {
      const provider = await find(id);
      const pending = await database
        .deleteFrom('social_sign_ins')
        .where('state_hash', '=', secretHash(state))
        .where('provider', '=', id)
        .where('expires_ms', '>', now())
        .returning(['sign_in_id', 'nonce', 'code_verifier'])
        .executeTakeFirst();
      if (pending === undefined) throw refused('ended', 'the sign-in is no longer under way');
      if (!secretsEqual(proof.state ?? '', state) && !(await isOwnVerifier(pending.sign_in_id, proof.verifier))) {
        throw refused('other-browser', 'the sign-in began in another browser');
      }
      try {
        const configuration = await discover(provider);
        const url = new URL(callbackOf(provider.id));
        // Who answered needs no telling: each provider has a callback of its own.
        url.search = new URLSearchParams({ state, code, iss: configuration.serverMetadata().issuer }).toString();
        const tokens = await oidc.authorizationCodeGrant(configuration, url, {
          pkceCodeVerifier: pending.code_verifier,
          expectedState: state,
          expectedNonce: pending.nonce,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (claims === undefined) throw refused('unknown-person', 'the provider did not say who it is');
        const details =
          claims.email === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined
            ? await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub)
            : claims;
        const userId = await accountOf({
          issuer: claims.iss,
          subject: claims.sub,
          email: typeof details.email === 'string' ? details.email : null,
          verified: details.email_verified === true || details.email_verified === 'true',
          name: typeof details.name === 'string' ? details.name : '',
        });
        const { email_key, disabled } = await database
          .selectFrom('users')
          .select(['email_key', 'disabled'])
          .where('id', '=', userId)
          .executeTakeFirstOrThrow();
        if (disabled === 1) throw refused('disabled', 'the account is disabled');
        return { signInId: pending.sign_in_id, userId, account: email_key };
      } catch (error) {
        if (error instanceof AppError) throw error;
        log.error({ provider: id, err: error }, 'a provider answered what could not be verified');
        throw refused('unverifiable', 'the answer of the provider could not be verified', error);
      }
    },
  };
}
