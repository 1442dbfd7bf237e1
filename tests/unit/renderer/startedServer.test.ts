import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startedServer } from '../../../src/renderer/platform/startedServer.ts';
import type { ServerState } from '../../../src/shared/bridge/index.ts';

const STARTING: ServerState = { mode: 'local', url: null, status: 'starting', message: null };
const READY: ServerState = { mode: 'local', url: 'http://127.0.0.1:1', status: 'ready', message: null };

function server(first: ServerState) {
  const listeners = new Set<(state: ServerState) => void>();
  return {
    listeners,
    state: async () => first,
    onChanged: (listener: (state: ServerState) => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    tell: (state: ServerState) => {
      for (const listener of listeners) listener(state);
    },
  };
}

describe('the server at the start of the window', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('is as it is, where it does not start', async () => {
    const it = server(READY);
    expect(await startedServer(it)).toEqual(READY);
    expect(it.listeners.size).toBe(0);
  });
  it('is waited for while it starts, also when it is told of before the question is answered', async () => {
    const late = server(STARTING);
    const waited = startedServer(late);
    await vi.advanceTimersByTimeAsync(2000);
    late.tell(READY);
    expect(await waited).toEqual(READY);
    const early = server(STARTING);
    const asked = startedServer(early);
    early.tell(READY);
    expect(await asked).toEqual(READY);
  });
  it('is not waited for longer than three seconds: the screen says that it is starting', async () => {
    const slow = server(STARTING);
    const waited = startedServer(slow);
    await vi.advanceTimersByTimeAsync(3000);
    expect(await waited).toEqual(STARTING);
    expect(slow.listeners.size).toBe(0);
  });
});
