import { describe, expect, it, vi } from 'vitest';
import { createBridgeClient } from '../../../src/renderer/platform/bridgeClient.ts';
import { createDesktopSearch } from '../../../src/renderer/platform/desktopSearch.ts';
import { EVENT_CHANNELS, PROCEDURE_CHANNELS } from '../../../src/shared/bridge/channels.ts';
import { SearchQuery } from '../../../src/shared/model/search.ts';

const SUMMARY = { total: 0, files: 0, limitHit: false, milliseconds: 1, notSearched: 0, complete: true };
const QUERY = SearchQuery.parse({ text: 'foo', scope: 'current', limit: 10, itemsPerResult: 5 });

/** A port that records calls; the test answers and emits. */
function port(answer: (channel: string, input: unknown) => unknown) {
  const listeners = new Map<string, Set<(payload: unknown) => void>>();
  const invoke = vi.fn((channel: string, input: unknown) => Promise.resolve(answer(channel, input)));
  return {
    invoke,
    on: (channel: string, listener: (payload: unknown) => void) => {
      const set = listeners.get(channel) ?? new Set();
      listeners.set(channel, set.add(listener));
      return () => set.delete(listener);
    },
    emit: (channel: string, payload: unknown) => {
      for (const listener of listeners.get(channel) ?? []) listener(payload);
    },
    listening: (channel: string) => listeners.get(channel)?.size ?? 0,
  };
}

describe('the bridge as functions', () => {
  it('reaches every channel of the allow-list, and only those', async () => {
    const fake = port(() => ({ ok: true, value: null }));
    const client = createBridgeClient(fake) as unknown as Record<string, Record<string, (input?: unknown) => unknown>>;
    for (const functions of Object.values(client)) {
      for (const [name, run] of Object.entries(functions)) if (!/^on[A-Z]/u.test(name)) await run();
    }
    expect(new Set(fake.invoke.mock.calls.map(([channel]) => channel))).toEqual(new Set(PROCEDURE_CHANNELS));
    const events = Object.entries(client).flatMap(([namespace, functions]) =>
      Object.keys(functions)
        .filter((name) => /^on[A-Z]/u.test(name))
        .map((name) => `${namespace}.${name.charAt(2).toLowerCase()}${name.slice(3)}`),
    );
    expect(new Set(events)).toEqual(new Set(EVENT_CHANNELS));
  });

  it('turns a failed outcome back into the error that main threw', async () => {
    const client = createBridgeClient(port(() => ({ ok: false, error: { code: 'not-found', message: 'gone' } })));
    await expect(client.workspace.showInFolder({ path: '/x' })).rejects.toMatchObject({ code: 'not-found' });
  });

  it('settles when the other side answers nonsense', async () => {
    await expect(createBridgeClient(port(() => undefined)).app.info()).rejects.toMatchObject({ code: 'internal' });
  });
});

describe('find in files over the bridge', () => {
  it('takes the batches of its own run, lists them as the last one does, and stops listening at the end', async () => {
    let runId = '';
    const fake = port((channel, input) => {
      if (channel === 'search.run') {
        runId = (input as { runId: string }).runId;
        fake.emit('search.found', { runId, results: [{ id: 'a', matches: 1 }] });
        fake.emit('search.found', { runId: 'another', results: [{ id: 'x' }] });
        fake.emit('search.found', { runId, results: [{ id: 'b' }, { id: 'a', matches: 2 }] });
        fake.emit('search.found', { runId, results: [{ id: 'c' }], isWhole: true });
        fake.emit('search.found', { runId, results: [{ id: 'b' }], isWhole: true });
      }
      return { ok: true, value: SUMMARY };
    });
    const search = createDesktopSearch(createBridgeClient(fake));
    const onResults = vi.fn();
    const { results } = await search.run(QUERY, { signal: new AbortController().signal, onResults });
    expect(results).toEqual([{ id: 'c' }, { id: 'b' }]);
    expect(onResults).toHaveBeenCalledTimes(2);
    expect(fake.listening('search.found')).toBe(0);
  });

  it('cancels the run when it is given up', async () => {
    let finish: (value: unknown) => void = () => undefined;
    const fake = port((channel) =>
      channel === 'search.run'
        ? new Promise((resolve) => {
            finish = resolve;
          })
        : { ok: true, value: null },
    );
    const controller = new AbortController();
    const running = createDesktopSearch(createBridgeClient(fake)).run(QUERY, {
      signal: controller.signal,
      onResults: () => undefined,
    });
    controller.abort();
    const [first] = fake.invoke.mock.calls;
    const runId = (first?.[1] as { runId: string } | undefined)?.runId;
    expect(fake.invoke).toHaveBeenLastCalledWith('search.cancel', { runId });
    finish({ ok: false, error: { code: 'cancelled', message: 'cancelled' } });
    await expect(running).rejects.toMatchObject({ code: 'cancelled' });
  });
});
