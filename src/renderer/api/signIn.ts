import { z } from 'zod';
import { api } from '../../shared/api/index.ts';
import { AppError } from '../../shared/errors.ts';
import { CLIENT_IDS } from '../../shared/rules/clientIds.ts';
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

function takePending(store: KeyValueStore): z.infer<typeof Pending> {
  const text = store.getItem(KEY);
  store.removeItem(KEY);
  if (text === null) throw new AppError('sign-in-failed', 'no sign-in was begun in this tab');
  try {
    return Pending.parse(JSON.parse(text));
  } catch (error) {
    throw new AppError('sign-in-failed', 'the sign-in begun in this tab cannot be read', { cause: error });
  }
}

/**
 * Ends the sign-in with what the sign-in page sent back: verifies, then exchanges the code for cookies. Answers where the
 * person wanted to go.
 * @throws AppError `sign-in-failed` when the answer is not that of the sign-in begun here.
 */
export async function completeSignIn({
  client,
  store,
  origin,
  code,
  state,
}: SignInHost & { readonly code: string; readonly state: string }): Promise<{ readonly returnTo: string | null }> {
  const { uuid, verifier, returnTo } = takePending(store);
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
  return { returnTo };
}
