import * as oidc from 'openid-client';
import type { Logger } from 'pino';
import { AppError } from '../../shared/errors.ts';
import type { Database } from '../database/connection.ts';
import type { Accounts } from './accounts.ts';
import { secretHash } from './secrets.ts';
import { emailKey } from './users.ts';

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
  /** Where to send the browser. @throws AppError `not-found` for a provider that is not configured. */
  start(provider: string, signInId: string): Promise<string>;
  /**
   * What the provider sent back, as the parameters of its answer.
   * @returns the sign-in it belongs to and whose account it is
   * @throws AppError `sign-in-failed` with words for the page
   */
  complete(provider: string, answer: URLSearchParams): Promise<{ readonly signInId: string; readonly userId: string }>;
}

const LIFETIME_MS = 10 * 60_000;
const isLoopback = (url: URL) => ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);

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
  const failed = (message: string, cause?: unknown) => new AppError('sign-in-failed', message, { cause });

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
    const execute = url.protocol === 'http:' && isLoopback(url) ? [oidc.allowInsecureRequests] : [];
    const found = oidc.discovery(url, clientId, clientSecret, undefined, { execute, timeout: 10 });
    discovered.set(key, found);
    found.catch(() => discovered.delete(key));
    return found;
  }

  const callbackOf = (id: ProviderId) => `${publicUrl()}/accounts/${id}/callback/`;

  /** Whose account it is: by the provider's own name for the person, else by an address that both sides have verified. */
  async function accountOf(
    provider: ProviderOptions,
    person: {
      readonly subject: string;
      readonly email: string | null;
      readonly verified: boolean;
      readonly name: string;
    },
  ): Promise<string> {
    const known = await database
      .selectFrom('identities')
      .select('user_id')
      .where('provider', '=', provider.issuer)
      .where('subject', '=', person.subject)
      .executeTakeFirst();
    if (known !== undefined) return known.user_id;
    if (person.email === null || !person.verified) {
      throw failed(`${provider.label} does not say that your e-mail address is verified. Verify it there first.`);
    }
    const user = await database
      .selectFrom('users')
      .select(['id', 'email_verified'])
      .where('email_key', '=', emailKey(person.email))
      .executeTakeFirst();
    if (user === undefined) {
      return accounts.signUpFrom({ issuer: provider.issuer, subject: person.subject }, person.email, person.name);
    }
    if (user.email_verified === 0) {
      // Whoever made that account has not shown that the address is theirs; joining them would let them in.
      throw failed(
        'There is an account with your e-mail address that has not verified it. Sign in with its password, or ask for a new one.',
      );
    }
    await database
      .insertInto('identities')
      .values({
        provider: provider.issuer,
        subject: person.subject,
        user_id: user.id,
        email: person.email,
        created_at: new Date(now()).toISOString(),
      })
      .execute();
    return user.id;
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
        throw failed(`${provider.label} cannot be reached at present. Try again, or sign in another way.`, error);
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
      return oidc.buildAuthorizationUrl(configuration, {
        redirect_uri: callbackOf(provider.id),
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        // Apple answers with the address only by a form.
        ...(id === 'apple' ? { response_mode: 'form_post' } : {}),
      }).href;
    },
    async complete(id, answer) {
      const provider = await find(id);
      const state = answer.get('state') ?? '';
      const pending = await database
        .deleteFrom('social_sign_ins')
        .where('state_hash', '=', secretHash(state))
        .where('provider', '=', id)
        .where('expires_ms', '>', now())
        .returning(['sign_in_id', 'nonce', 'code_verifier'])
        .executeTakeFirst();
      if (pending === undefined) throw failed('This sign-in is no longer under way. Go back and start again.');
      if (answer.get('error') === 'access_denied') {
        throw failed(`You did not let ${provider.label} sign you in. Go back to try again or to sign in another way.`);
      }
      try {
        const configuration = await discover(provider);
        const url = new URL(callbackOf(provider.id));
        url.search = answer.toString();
        const tokens = await oidc.authorizationCodeGrant(configuration, url, {
          pkceCodeVerifier: pending.code_verifier,
          expectedState: state,
          expectedNonce: pending.nonce,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (claims === undefined) throw failed(`${provider.label} did not say who you are.`);
        const details =
          claims.email === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined
            ? await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub)
            : claims;
        const userId = await accountOf(provider, {
          subject: claims.sub,
          email: typeof details.email === 'string' ? details.email : null,
          verified: details.email_verified === true || details.email_verified === 'true',
          name: typeof details.name === 'string' ? details.name : '',
        });
        return { signInId: pending.sign_in_id, userId };
      } catch (error) {
        if (error instanceof AppError) throw error;
        log.error({ provider: id, err: error }, 'a provider answered what could not be verified');
        throw failed(`The answer of ${provider.label} could not be verified. Go back and try again.`, error);
      }
    },
  };
}
