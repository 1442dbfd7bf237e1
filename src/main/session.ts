import { shell } from 'electron';
import type { Logger } from 'pino';
import { auth } from '../shared/api/auth.ts';
import type { CallDefinition, CallInput, CallOutput } from '../shared/api/call.ts';
import { buildRequest, readResponse } from '../shared/api/request.ts';
import type { SessionState } from '../shared/bridge/index.ts';
import { AppError, isAppError } from '../shared/errors.ts';
import { CLIENT_IDS } from '../shared/rules/clientIds.ts';
import { LIMITS } from '../shared/rules/limits.ts';
import { createPkce, type Loopback, openLoopback } from './loopbackSignIn.ts';
import { isExternalUrlAllowed } from './policy.ts';
import type { TokenStore, Tokens } from './tokenStore.ts';

/** Refresh this long before the access token ends, so that a request with a streamed body never meets a 401. */
const REFRESH_AHEAD_MS = 60_000;

/** Signing in and staying signed in; the only holder of tokens (decisions.md §4). */
export interface Session {
  state(): SessionState;
  /** The same, once the tokens of the server at hand are read. */
  known(): Promise<SessionState>;
  onChange(listener: (state: SessionState) => void): void;
  /** Takes up the stored tokens of a server, or none. The embedded server is kept by a name, because its port changes. */
  useServer(origin: string | null, keptAs?: string | null): Promise<void>;
  signIn(): Promise<SessionState>;
  cancelSignIn(): void;
  signOut(): Promise<SessionState>;
  /** A token that is valid now; refreshed when it ends soon or is the `stale` one. Null when signed out. */
  accessToken(stale: string | null): Promise<string | null>;
}

export interface SessionOptions {
  /** A keychain may take its time to open, and ask the person first. */
  readonly store: TokenStore | Promise<TokenStore>;
  readonly log: Logger;
  readonly now?: () => number;
}

/** Makes the session of the desktop application. */
export function createSession({ store, log, now = Date.now }: SessionOptions): Session {
  let origin: string | null = null;
  /** What the store knows the server by. */
  let place: string | null = null;
  let tokens: Tokens | null = null;
  let loopback: Loopback | null = null;
  let refreshing: Promise<void> | null = null;
  let storage: TokenStore['backend'] = 'memory';
  /** The last reading of stored tokens. */
  let reading: Promise<unknown> = Promise.resolve(store).then(
    (opened) => {
      storage = opened.backend;
    },
    (error: unknown) => log.error({ err: error }, 'the token store did not open'),
  );
  const listeners: ((state: SessionState) => void)[] = [];

  const state = (): SessionState => ({
    signedIn: tokens !== null,
    signingIn: loopback !== null,
    storage,
  });
  function changed(): SessionState {
    for (const listener of listeners) listener(state());
    return state();
  }

  function server(): string {
    if (origin === null) throw new AppError('server-unreachable', 'no server was chosen');
    return origin;
  }

  async function call<T extends CallDefinition>(definition: T, input: CallInput<T>): Promise<CallOutput<T>> {
    const request = buildRequest(definition, input);
    let response: Response;
    try {
      response = await fetch(server() + request.path, {
        method: request.method,
        headers: request.headers,
        signal: AbortSignal.timeout(LIMITS.requestTimeoutMs),
        ...(request.body === undefined ? {} : { body: request.body }),
      });
    } catch (error) {
      throw new AppError('server-unreachable', 'the server does not answer', { cause: error });
    }
    return readResponse(definition, response.status, await response.text());
  }

  async function keep(answer: {
    access_token?: string | undefined;
    refresh_token?: string | undefined;
    expires_in: number;
  }) {
    if (answer.access_token === undefined || answer.refresh_token === undefined) {
      throw new AppError('sign-in-failed', 'the server sent no tokens');
    }
    tokens = {
      accessToken: answer.access_token,
      refreshToken: answer.refresh_token,
      expiresAt: now() + answer.expires_in * 1000,
    };
    await (await store).save(place ?? server(), tokens);
  }

  async function forget(): Promise<void> {
    tokens = null;
    if (place !== null) await (await store).clear(place);
  }

  /** One refresh for however many callers; no answer from the server is no refusal (decisions.md §12). */
  function refresh(): Promise<void> {
    refreshing ??= (async () => {
      const held = tokens;
      if (held === null) return;
      try {
        if (held.refreshToken === null) throw new AppError('session-expired', 'No refresh token found');
        await keep(
          await call(auth.refresh, { body: { client_id: CLIENT_IDS.desktop, refresh_token: held.refreshToken } }),
        );
      } catch (error) {
        if (!isAppError(error) || error.code === 'server-unreachable' || error.code === 'internal') throw error;
        log.info({ code: error.code, reason: error.message }, 'the session ended');
        await forget();
        changed();
      }
    })().finally(() => {
      refreshing = null;
    });
    return refreshing;
  }

  /** @returns what is kept for a place; null where nothing is, or nothing can be read */
  async function stored(from: string | null): Promise<Tokens | null> {
    if (from === null) return null;
    try {
      return await (await store).load(from);
    } catch (error) {
      // A keychain that is locked or out of order: what it holds stays there, and signing in anew is the way on.
      log.error({ err: error }, 'the stored tokens could not be read');
      return null;
    }
  }

  return {
    state,
    async known() {
      for (let last: unknown = null; last !== reading; ) {
        last = reading;
        await reading;
      }
      return state();
    },
    onChange: (listener) => {
      listeners.push(listener);
    },
    async useServer(next, keptAs = next) {
      if (next === origin) return;
      loopback?.cancel();
      origin = next;
      place = next === null ? null : keptAs;
      tokens = null;
      const read = stored(place);
      reading = read;
      const found = await read;
      // Another server was chosen meanwhile.
      if (origin !== next) return;
      tokens = found;
      changed();
    },
    async signIn() {
      loopback?.cancel();
      const pkce = createPkce();
      const uuid = crypto.randomUUID();
      const current = await openLoopback();
      loopback = current;
      changed();
      try {
        const { auth_url } = await call(auth.initiateElectron, {
          query: {
            uuid,
            client_id: CLIENT_IDS.desktop,
            response_type: 'code',
            redirect_uri: current.redirectUri,
            code_challenge: pkce.challenge,
            code_challenge_method: 'S256',
          },
        });
        const page = new URL(auth_url, server());
        if (page.origin !== server() || !isExternalUrlAllowed(page.href)) {
          throw new AppError('sign-in-failed', 'the sign-in page is not on the chosen server');
        }
        await shell.openExternal(page.href);
        const { code, state: returned } = await current.redirected;
        const { valid } = await call(auth.verify, { body: { code, state: returned, uuid } });
        if (!valid) throw new AppError('sign-in-failed', 'Invalid verification response');
        await keep(
          await call(auth.token, {
            body: {
              grant_type: 'authorization_code',
              code,
              redirect_uri: current.redirectUri,
              client_id: CLIENT_IDS.desktop,
              code_verifier: pkce.verifier,
              uuid,
              source: 'electron',
            },
          }),
        );
      } finally {
        current.close();
        if (loopback === current) loopback = null;
        changed();
      }
      return state();
    },
    cancelSignIn() {
      loopback?.cancel();
    },
    async signOut() {
      const held = tokens;
      await forget();
      changed();
      if (held !== null) {
        // Signing out here never waits for, or depends on, a server that does not answer.
        const { accessToken, refreshToken } = held;
        const body = { client_id: CLIENT_IDS.desktop, access_token: accessToken };
        await call(auth.revoke, {
          body: refreshToken === null ? body : { ...body, refresh_token: refreshToken },
        }).catch((error: unknown) => log.warn({ err: error }, 'the tokens could not be revoked on the server'));
      }
      return state();
    },
    async accessToken(stale) {
      if (tokens === null) await reading;
      if (tokens === null) return null;
      if (tokens.accessToken === stale || tokens.expiresAt - now() < REFRESH_AHEAD_MS) await refresh();
      return tokens?.accessToken ?? null;
    },
  };
}
