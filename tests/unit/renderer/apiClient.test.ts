import { describe, expect, it, vi } from 'vitest';
import {
  type ApiClientOptions,
  createApiClient,
  type HttpFetch,
  REFRESH_PAUSES_MS,
} from '../../../src/renderer/api/client.ts';
import { createTabLock } from '../../../src/renderer/api/tabLock.ts';
import { api } from '../../../src/shared/api/index.ts';
import type { ErrorCode } from '../../../src/shared/errors.ts';

const REFRESH = '/auth/v1/token/refresh/';
const LIST = '/api/v1/libraries/';
const ok = (body: unknown) => ({ status: 200, text: () => Promise.resolve(JSON.stringify(body)) });
const refused = (status: number, code: ErrorCode) => ({
  status,
  text: () => Promise.resolve(JSON.stringify({ error: { code, message: code } })),
});
const refreshed = ok({ success: true, expires_in: 900 });

type Answer = Awaited<ReturnType<HttpFetch>>;

/** A server whose access token is stale until the refresh was answered. */
function staleServer(
  answerRefresh: (attempt: number) => Promise<Answer> | Answer,
  parts: Partial<ApiClientOptions> = {},
) {
  const calls = { refresh: 0, list: 0 };
  let isFresh = false;
  const onSessionExpired = vi.fn();
  const onSessionRefused = vi.fn();
  const onReachable = vi.fn();
  const pauses: number[] = [];
  const client = createApiClient({
    onSessionExpired,
    onSessionRefused,
    onReachable,
    pause: (milliseconds) => {
      pauses.push(milliseconds);
      return Promise.resolve();
    },
    fetch: async (url) => {
      if (url !== REFRESH) {
        calls.list += 1;
        const answer = isFresh ? ok({ libraries: [] }) : refused(401, 'unauthenticated');
        await Promise.resolve();
        return answer;
      }
      calls.refresh += 1;
      const answer = await answerRefresh(calls.refresh);
      isFresh = answer.status === 200;
      return answer;
    },
    ...parts,
  });
  return { client, calls, onSessionExpired, onSessionRefused, onReachable, pauses };
}

describe('session refresh (web-and-phone.md §4, §8, decisions.md §12)', () => {
  it('serves 20 concurrent 401s with one refresh and sends each once more', async () => {
    const { client, calls, onSessionExpired } = staleServer(() => refreshed);
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.call(api.libraries.list, {})));
    expect(answers).toHaveLength(20);
    expect(calls).toEqual({ refresh: 1, list: 40 });
    expect(onSessionExpired).not.toHaveBeenCalled();
  });

  it('only sends again what met its 401 after another call had refreshed', async () => {
    let release: () => void = () => undefined;
    const late = new Promise<void>((resolve) => {
      release = resolve;
    });
    let lists = 0;
    let refreshes = 0;
    const client = createApiClient({
      onSessionExpired: () => expect.unreachable(),
      fetch: async (url) => {
        if (url === REFRESH) {
          refreshes += 1;
          return refreshed;
        }
        lists += 1;
        if (lists === 1) {
          await late;
          return refused(401, 'unauthenticated');
        }
        return lists === 2 ? refused(401, 'unauthenticated') : ok({ libraries: [] });
      },
    });
    const slow = client.call(api.libraries.list, {});
    await client.call(api.libraries.list, {});
    release();
    await slow;
    expect(refreshes).toBe(1);
    expect(lists).toBe(4);
  });

  it.each([401, 400])('marks the session expired when the refresh answers %d (§8)', async (status) => {
    const { client, onSessionExpired, onSessionRefused } = staleServer(() => refused(status, 'session-expired'));
    await expect(client.call(api.libraries.list, {})).rejects.toMatchObject({ code: 'session-expired' });
    expect(onSessionExpired).toHaveBeenCalledOnce();
    expect(onSessionRefused).not.toHaveBeenCalled();
  });

  it.each([
    ['answers 403', refused(403, 'forbidden')],
    ['answers 404', { status: 404, text: () => Promise.resolve('not found') }],
    ['does not succeed', ok({ success: false, expires_in: 900 })],
  ])('logs out, without the expired session, when the refresh %s (§8)', async (_name, answer) => {
    const { client, onSessionExpired, onSessionRefused, calls } = staleServer(() => answer);
    await expect(client.call(api.libraries.list, {})).rejects.toMatchObject({ code: 'session-expired' });
    expect(onSessionRefused).toHaveBeenCalledOnce();
    expect(onSessionExpired).not.toHaveBeenCalled();
    expect(calls).toEqual({ refresh: 1, list: 1 });
  });

  it.each([
    ['a network error', () => Promise.reject(new TypeError('offline'))],
    ['a 503', () => Promise.resolve(refused(503, 'internal'))],
    ['a 502 of a proxy', () => Promise.resolve({ status: 502, text: () => Promise.resolve('<html>bad gateway') })],
  ])('retries a refresh that met %s, with growing pauses, and logs nobody out', async (_name, fail) => {
    const { client, calls, onSessionExpired, onReachable, pauses } = staleServer((attempt) =>
      attempt <= 3 ? fail() : refreshed,
    );
    await expect(client.call(api.libraries.list, {})).resolves.toEqual({ libraries: [] });
    expect(calls.refresh).toBe(4);
    expect(pauses).toEqual(REFRESH_PAUSES_MS.slice(0, 3));
    expect(onReachable).toHaveBeenCalledWith(false);
    expect(onReachable).toHaveBeenLastCalledWith(true);
    expect(onSessionExpired).not.toHaveBeenCalled();
  });

  it('fails as unreachable, still signed in, when the refresh never gets an answer', async () => {
    const { client, onSessionExpired } = staleServer(() => Promise.reject(new TypeError('offline')));
    await expect(client.call(api.libraries.list, {})).rejects.toMatchObject({ code: 'server-unreachable' });
    expect(onSessionExpired).not.toHaveBeenCalled();
  });

  it('leaves refreshing to the host on the desktop', async () => {
    const { client, calls, onSessionExpired } = staleServer(() => refreshed, { refreshBy: 'host' });
    await expect(client.call(api.libraries.list, {})).rejects.toMatchObject({ code: 'session-expired' });
    expect(calls.refresh).toBe(0);
    expect(onSessionExpired).toHaveBeenCalledOnce();
  });

  it('does not refresh for a call that anyone may make', async () => {
    const client = createApiClient({
      onSessionExpired: () => expect.unreachable(),
      fetch: (url) => {
        expect(url).not.toBe(REFRESH);
        return Promise.resolve(refused(401, 'sign-in-failed'));
      },
    });
    await expect(client.call(api.auth.status, {})).rejects.toMatchObject({ code: 'sign-in-failed' });
  });

  it('resumes an earlier session without a dialog when there is none', async () => {
    const { client, onSessionExpired } = staleServer(() => refused(401, 'session-expired'));
    await expect(client.resume()).resolves.toBe(false);
    expect(onSessionExpired).not.toHaveBeenCalled();
  });
});

describe('one refresh among all tabs', () => {
  it('spares a tab its refresh when another one has refreshed since its request was sent', async () => {
    const kept = new Map<string, string>();
    const store = {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
      removeItem: (key: string) => void kept.delete(key),
    };
    let tail: Promise<unknown> = Promise.resolve();
    const locks = {
      request: <T>(_name: string, run: () => Promise<T>): Promise<T> => {
        const result = tail.then(run);
        tail = result;
        return result;
      },
    };
    let time = 1000;
    const lock = createTabLock(store, locks, () => time);
    const refresh = vi.fn(() => {
      time += 10;
      return Promise.resolve();
    });
    await Promise.all([lock(1000, refresh), lock(1000, refresh), lock(1005, refresh)]);
    expect(refresh).toHaveBeenCalledOnce();
    await lock(2000, refresh);
    expect(refresh).toHaveBeenCalledTimes(2);
  });
});

describe('timeouts (web-and-phone.md §9): 10 s default, 60 s long', () => {
  it.each([
    ['the list of libraries', api.libraries.list, {}, 10_000],
    ['an export', api.pdfExport.current, { params: { id: crypto.randomUUID() } }, 60_000],
  ] as const)('%s', async (_name, definition, input, milliseconds) => {
    const timeout = vi.spyOn(AbortSignal, 'timeout');
    const client = createApiClient({
      onSessionExpired: () => undefined,
      fetch: () => Promise.reject(new TypeError('offline')),
    });
    await expect(client.call(definition, input)).rejects.toMatchObject({ code: 'server-unreachable' });
    expect(timeout).toHaveBeenCalledExactlyOnceWith(milliseconds);
    timeout.mockRestore();
  });
});

describe('answers and failures', () => {
  const clientOf = (fetch: HttpFetch) => createApiClient({ fetch, onSessionExpired: () => undefined });

  it('rebuilds the error that the server sent', async () => {
    const client = clientOf(() =>
      Promise.resolve({
        status: 500,
        text: () => Promise.resolve(JSON.stringify({ error: { code: 'internal', message: 'x', errorId: 'e-1' } })),
      }),
    );
    await expect(client.call(api.libraries.list, {})).rejects.toMatchObject({ code: 'internal', errorId: 'e-1' });
  });

  it('refuses an answer that breaks the contract', async () => {
    const client = clientOf(() => Promise.resolve(ok({ libraries: [{ id: 7 }] })));
    await expect(client.call(api.libraries.list, {})).rejects.toMatchObject({ code: 'internal' });
  });

  it('tells a given-up call from one without answer', async () => {
    const client = clientOf(
      (_url, { signal }) =>
        new Promise((_resolve, reject) => {
          if (signal.aborted) reject(signal.reason);
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
    );
    const controller = new AbortController();
    const call = client.call(api.libraries.list, {}, { signal: controller.signal });
    controller.abort();
    await expect(call).rejects.toMatchObject({ code: 'cancelled' });
    const offline = clientOf(() => Promise.reject(new TypeError('failed to fetch')));
    await expect(offline.call(api.libraries.list, {})).rejects.toMatchObject({ code: 'server-unreachable' });
  });

  it('sends path, query and body as the contract says', async () => {
    const sent = vi.fn<HttpFetch>(() => Promise.resolve(ok({ available: true, problem: null })));
    await clientOf(sent).call(api.shelves.checkName, { params: { lib: 'A/B?#' }, query: { name: 'é &' } });
    expect(sent.mock.calls[0]?.[0]).toBe('/api/v1/library/A%2FB%3F%23/shelf/check-name/?name=%C3%A9%20%26');
    expect(LIST).toBe(api.libraries.list.path);
  });
});

describe('a call that must be done once', () => {
  const make = { body: { name: 'Papers' } };
  const library = { id: crypto.randomUUID(), name: 'Papers', archived: false, created_at: '2026-01-01T00:00:00Z' };

  it('is asked for its answer once more when that was lost, under the same key', async () => {
    const keys: (string | undefined)[] = [];
    const client = createApiClient({
      onSessionExpired: () => expect.unreachable(),
      pause: () => Promise.resolve(),
      fetch: (_url, { headers }) => {
        keys.push((headers as Record<string, string>)['idempotency-key']);
        return keys.length === 1
          ? Promise.reject(new TypeError('lost'))
          : Promise.resolve(ok({ ...library, shelf_count: 0 }));
      },
    });
    expect(await client.call(api.libraries.create, make)).toMatchObject({ name: 'Papers' });
    expect(keys[0]).toMatch(/^[\w-]{36}$/u);
    expect(keys).toEqual([keys[0], keys[0]]);
    await client.call(api.libraries.create, make);
    expect(keys[2]).not.toBe(keys[0]);
  });
});
