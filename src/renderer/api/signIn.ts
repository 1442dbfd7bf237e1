import { z } from 'zod';
import { api } from '../../shared/api/index.ts';
import { AppError } from '../../shared/errors.ts';
import { CLIENT_IDS } from '../../shared/rules/clientIds.ts';
import type { CallbackProvider } from '../app/routes.ts';
import type { KeyValueStore } from '../platform/storedSearchLog.ts';
import type { ApiClient } from './client.ts';
import { type CryptoPort, createPkce, randomUuid } from './pkce.ts';

const KEY = 'sign-in.pending';
const CALLBACK_PATH = '/callback';

const Pending = z.object({ uuid: z.uuid(), verifier: z.string(), returnTo: z.string().nullable() });

export interface SignInHost {
  readonly client: ApiClient;
  /** Storage of this tab alone. */
  readonly store: KeyValueStore;
  readonly origin: string;
}

/** Starts a sign-in in this tab and answers the sign-in page's address. */
export async function beginSignIn({
  client,
  store,
  origin,
  returnTo,
  crypto = globalThis.crypto as CryptoPort,
}: SignInHost & { readonly returnTo: string | null; readonly crypto?: CryptoPort }): Promise<string> {
  const { verifier, challenge } = await createPkce(crypto);
  const uuid = randomUuid(crypto);
  const { auth_url } = await client.call(api.auth.initiate, {
    body: {
      uuid,
      source: 'web',
      client_id: CLIENT_IDS.web,
      redirect_uri: origin + CALLBACK_PATH,
      code_challenge: challenge,
      code_challenge_method: 'S256',
    },
  });
  store.setItem(KEY, JSON.stringify({ uuid, verifier, returnTo } satisfies z.infer<typeof Pending>));
  return auth_url;
}

/**
 * Hands on what another provider sent back. Answers where the browser goes next: to our own callback with a code, or to the
 * second step.
 */
export async function handOnSocial({
  client,
  store,
  provider,
  code,
  state,
}: Pick<SignInHost, 'client' | 'store'> & {
  readonly provider: CallbackProvider;
  readonly code: string;
  readonly state: string;
}): Promise<{ readonly redirect: string }> {
  const text = store.getItem(KEY);
  // The desktop began the sign-in, or the tab is another one: the browser's cookie proves then who asked.
  const begun = text === null ? {} : { code_verifier: readPending(text).verifier };
  return client.call(api.auth.social, { body: { provider, code, state, ...begun } });
}

function takePending(store: KeyValueStore): z.infer<typeof Pending> {
  const text = store.getItem(KEY);
  store.removeItem(KEY);
  if (text === null) throw new AppError('sign-in-failed', 'no sign-in was begun in this tab');
  return readPending(text);
}

function readPending(text: string): z.infer<typeof Pending> {
  try {
    return Pending.parse(JSON.parse(text));
  } catch (error) {
    throw new AppError('sign-in-failed', 'the sign-in begun in this tab cannot be read', { cause: error });
  }
}

/**
 * Ends the sign-in with what the sign-in page sent back: verifies, then exchanges the code for cookies. Answers where the
 * person wanted to go. An exchange that fails is told to `onFailed` first.
 * @throws AppError `sign-in-failed` when the answer is not that of the sign-in begun here.
 */
export async function completeSignIn({
  client,
  store,
  origin,
  code,
  state,
  onFailed,
}: SignInHost & {
  readonly code: string;
  readonly state: string;
  readonly onFailed?: () => void;
}): Promise<{ readonly returnTo: string | null }> {
  const { returnTo, ...pending } = takePending(store);
  try {
    await exchange({ client, origin, code, state, ...pending });
  } catch (error) {
    onFailed?.();
    throw error;
  }
  return { returnTo };
}

async function exchange({
  client,
  origin,
  code,
  state,
  uuid,
  verifier,
}: Pick<SignInHost, 'client' | 'origin'> &
  Readonly<Record<'code' | 'state' | 'uuid' | 'verifier', string>>): Promise<void> {
  const { valid } = await client.call(api.auth.verify, { body: { code, state, uuid } });
  if (!valid) throw new AppError('sign-in-failed', 'Invalid verification response');
  const { success } = await client.call(api.auth.token, {
    body: {
      grant_type: 'authorization_code',
      code,
      redirect_uri: origin + CALLBACK_PATH,
      client_id: CLIENT_IDS.web,
      code_verifier: verifier,
      uuid,
      source: 'web',
    },
  });
  if (!success) throw new AppError('sign-in-failed', 'the code was not exchanged');
}
