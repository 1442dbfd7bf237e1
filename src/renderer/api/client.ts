import type { ApiCaller, CallDefinition, CallInput, CallOutput } from '../../shared/api/call.ts';
import { api } from '../../shared/api/index.ts';
import { buildRequest, type ReadResponse, readResponse } from '../../shared/api/request.ts';
import { AppError, isAppError } from '../../shared/errors.ts';
import { CLIENT_IDS } from '../../shared/rules/clientIds.ts';
import { LIMITS } from '../../shared/rules/limits.ts';

/** The part of an HTTP answer that is read. */
export interface HttpAnswer {
  readonly status: number;
  text(): Promise<string>;
}

/** The part of `fetch` that is used. */
export type HttpFetch = (
  url: string,
  init: {
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
    readonly credentials: 'same-origin';
    readonly signal: AbortSignal;
  },
) => Promise<HttpAnswer>;

export interface ApiClientOptions {
  readonly fetch: HttpFetch;
  /** How answers are read: checked by the contract, unless the page comes from the very server that answers. */
  readonly read?: ReadResponse;
  /** The server refused to go on with the session: the Session Expired dialog shows. */
  readonly onSessionExpired: () => void;
  /** The server refused to go on for another reason than an expired session: logged out, without a dialog. */
  readonly onSessionRefused?: () => void;
  /** Told when the server stops and starts answering. */
  readonly onReachable?: (reachable: boolean) => void;
  /** `client`: this client refreshes its cookies. `host`: someone below does (the desktop's main process). */
  readonly refreshBy?: 'client' | 'host';
  /**
   * Runs a refresh alone among all tabs of this browser, since a refresh token is good for one use only; does not run it
   * when another tab has refreshed after `since`.
   */
  readonly refreshAlone?: (since: number, refresh: () => Promise<void>) => Promise<void>;
  /** Waits between the attempts of a refresh that got no answer. */
  readonly pause?: (milliseconds: number) => Promise<void>;
  readonly now?: () => number;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
}

/** The typed client of the HTTP contract; the same on every platform. */
export interface ApiClient extends ApiCaller {
  call<T extends CallDefinition>(definition: T, input: CallInput<T>, options?: CallOptions): Promise<CallOutput<T>>;
  /** Tries to go on with an earlier session; false when there is none. Shows no dialog. */
  resume(): Promise<boolean>;
}

/** Pauses between the attempts of a refresh that got no answer; after the last the waiting calls fail as unreachable. */
export const REFRESH_PAUSES_MS = [500, 1000, 2000, 4000, 8000] as const;

const ANSWER_PAUSE_MS = 1000;

/** How a refresh that was answered ended; the two failures are told apart by web-and-phone.md §4. */
type RefreshEnd = 'refreshed' | 'expired' | 'refused';

const defaultPause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** Makes the client. One refresh serves all calls that met a 401; each is then sent once more. */
export function createApiClient(options: ApiClientOptions): ApiClient {
  const {
    onSessionExpired,
    onSessionRefused,
    onReachable,
    refreshBy = 'client',
    read = readResponse,
    pause = defaultPause,
    now = Date.now,
  } = options;
  const alone = options.refreshAlone ?? ((_since: number, refresh: () => Promise<void>) => refresh());
  let refreshing: Promise<RefreshEnd> | null = null;
  /** Counts the refreshes, so that a 401 of a request sent before one is just sent again. */
  let generation = 0;
  let refreshedAt = 0;

  async function send<T extends CallDefinition>(
    definition: T,
    input: CallInput<T>,
    signal: AbortSignal | undefined,
    key: string | null = null,
  ): Promise<{ readonly status: number; readonly text: string }> {
    const request = buildRequest(definition, input);
    const timeout = AbortSignal.timeout(definition.timeoutMs ?? LIMITS.requestTimeoutMs);
    try {
      const answer = await options.fetch(request.path, {
        method: request.method,
        headers: key === null ? request.headers : { ...request.headers, 'idempotency-key': key },
        credentials: 'same-origin',
        signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
        ...(request.body === undefined ? {} : { body: request.body }),
      });
      const text = await answer.text();
      if (answer.status < 500) onReachable?.(true);
      return { status: answer.status, text };
    } catch (error) {
      if (signal?.aborted === true) throw new AppError('cancelled', 'the request was given up', { cause: error });
      if (timeout.aborted) throw new AppError('timed-out', `${definition.path} took too long`, { cause: error });
      onReachable?.(false);
      throw new AppError('server-unreachable', `${definition.path} got no answer`, { cause: error });
    }
  }

  /** One attempt. No answer, or one that is no answer of the product's, throws. */
  async function attempt(): Promise<RefreshEnd> {
    const { status, text } = await send(api.auth.refresh, { body: { client_id: CLIENT_IDS.web } }, undefined);
    try {
      return read(api.auth.refresh, status, text).success ? 'refreshed' : 'refused';
    } catch (error) {
      if (status === 401 || status === 400) return 'expired';
      if (status < 500 && status !== 429) return 'refused';
      throw error;
    }
  }

  async function refreshUntilAnswered(): Promise<RefreshEnd> {
    for (const wait of REFRESH_PAUSES_MS) {
      try {
        return await attempt();
      } catch {
        // No answer is no refusal: the session stays, and the next attempt may succeed (decisions.md §12).
        onReachable?.(false);
        await pause(wait);
      }
    }
    try {
      return await attempt();
    } catch (error) {
      throw new AppError('server-unreachable', 'the session could not be refreshed', { cause: error });
    }
  }

  function refreshOnce(since: number): Promise<RefreshEnd> {
    refreshing ??= (async () => {
      let end: RefreshEnd = 'refreshed';
      await alone(since, async () => {
        end = await refreshUntilAnswered();
      });
      if (end === 'refreshed') {
        generation += 1;
        refreshedAt = now();
      }
      return end;
    })().finally(() => {
      refreshing = null;
    });
    return refreshing;
  }

  /** A call that carries a key may have been done although its answer was lost: it asks for the answer once more. */
  async function sendOnce<T extends CallDefinition>(
    definition: T,
    input: CallInput<T>,
    signal: AbortSignal | undefined,
    key: string | null,
  ): ReturnType<typeof send> {
    try {
      return await send(definition, input, signal, key);
    } catch (error) {
      if (key === null || isAppError(error, 'cancelled')) throw error;
      await pause(ANSWER_PAUSE_MS);
      return send(definition, input, signal, key);
    }
  }

  function ended(how: Exclude<RefreshEnd, 'refreshed'>): AppError {
    if (how === 'expired') onSessionExpired();
    else onSessionRefused?.();
    return new AppError('session-expired', 'the session has ended');
  }

  async function call<T extends CallDefinition>(
    definition: T,
    input: CallInput<T>,
    { signal }: CallOptions = {},
  ): Promise<CallOutput<T>> {
    const sentIn = generation;
    const sentAt = now();
    const key = definition.once === true ? crypto.randomUUID() : null;
    let { status, text } = await sendOnce(definition, input, signal, key);
    if (status === 401 && definition.access !== 'public') {
      if (refreshBy === 'host') throw ended('expired');
      const end = sentIn === generation ? await refreshOnce(sentAt) : 'refreshed';
      if (end !== 'refreshed') throw ended(end);
      ({ status, text } = await send(definition, input, signal, key));
      if (status === 401) throw ended('expired');
    }
    try {
      return read(definition, status, text);
    } catch (error) {
      if (isAppError(error, 'server-unreachable')) onReachable?.(false);
      throw error;
    }
  }

  return {
    call,
    resume: async () => refreshBy === 'client' && (await refreshOnce(Math.max(now(), refreshedAt))) === 'refreshed',
  };
}
