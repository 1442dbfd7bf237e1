import { type ApiCaller, fillPath } from '../shared/api/call.ts';
import { STREAM_ROUTES } from '../shared/api/documents.ts';
import { buildRequest, readResponse } from '../shared/api/request.ts';
import { AppError } from '../shared/errors.ts';
import { LIMITS } from '../shared/rules/limits.ts';
import { storeRefusal } from '../shared/upload/storeRefusal.ts';

/** A valid token, refreshed first when `stale` was refused; null when signed out. */
export type AccessToken = (stale: string | null) => Promise<string | null>;

/** One server, as a process beside the main process speaks with it for whoever is signed in. */
export interface ServerClient extends ApiCaller {
  /** Hands the content of a version to `read` as it comes. @throws AppError as a call does */
  versionContent<T>(versionId: string, read: (content: AsyncIterable<Uint8Array>) => Promise<T>): Promise<T>;
  /** Sends to an address that the server gave out: its own, or one of its object store's. @throws AppError as a call does, or as the store refuses */
  put(url: string, body: Blob): Promise<void>;
}

/** Makes the client of the server at `origin`; `ended` gives up whatever is under way. */
export function createServerClient(origin: string, accessToken: AccessToken, ended: AbortSignal): ServerClient {
  /** Speaks with the server within a time; what breaks off becomes an error that callers know. */
  async function within<T>(timeoutMs: number, speak: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      return await speak(AbortSignal.any([ended, timeout]));
    } catch (error) {
      if (ended.aborted) throw new AppError('cancelled', 'the call was given up', { cause: error });
      if (timeout.aborted) throw new AppError('timed-out', `${origin} took too long`, { cause: error });
      if (error instanceof TypeError) {
        throw new AppError('server-unreachable', `${origin} did not answer`, { cause: error });
      }
      throw error;
    }
  }

  async function authorized(path: string, init: RequestInit, signal: AbortSignal): Promise<Response> {
    let token = await accessToken(null);
    for (let attempt = 0; ; attempt += 1) {
      if (token === null) throw new AppError('unauthenticated', 'signed out');
      const headers = { ...(init.headers as Record<string, string>), authorization: `Bearer ${token}` };
      const response = await fetch(origin + path, { ...init, headers, signal });
      if (response.status !== 401 || attempt > 0) return response;
      token = await accessToken(token);
    }
  }

  return {
    call(call, input) {
      const { path, method, headers, body } = buildRequest(call, input);
      const init = { method, headers, ...(body === undefined ? {} : { body }) };
      // Nobody waits in front of these; a shelf of a hundred thousand documents is read in one call.
      const timeoutMs = Math.max(call.timeoutMs ?? 0, LIMITS.longRequestTimeoutMs);
      return within(timeoutMs, async (signal) => {
        const response = await authorized(path, init, signal);
        return readResponse(call, response.status, await response.text());
      });
    },
    versionContent(versionId, read) {
      return within(LIMITS.transferTimeoutMs, async (signal) => {
        const response = await authorized(fillPath(STREAM_ROUTES.versionContent, { id: versionId }), {}, signal);
        if (response.ok && response.body !== null) return read(response.body);
        throw new AppError('server-unreachable', `content of version ${versionId}: ${response.status}`);
      });
    },
    put(url, body) {
      return within(LIMITS.transferTimeoutMs, async (signal) => {
        const response = await fetch(new URL(url, origin), { method: 'PUT', body, signal });
        const text = await response.text();
        if (!response.ok) throw storeRefusal(response.status, text);
      });
    },
  };
}
