import { describe, expect, it, vi } from 'vitest';
import {
  type EventSourcePort,
  LIVE_PAUSES_MS,
  type LiveEvent,
  runLiveStream,
} from '../../../src/renderer/features/live/liveStream.ts';
import { staleQueries } from '../../../src/renderer/features/live/staleQueries.ts';
import { AppError } from '../../../src/shared/errors.ts';
import type { Notification } from '../../../src/shared/model/notification.ts';

const ID = '00000000-0000-4000-8000-000000000001';
const notification = (notification_type: string): Notification => ({
  id: ID,
  notification_type,
  is_read: false,
  is_target_deleted: false,
  message: '',
  link: '/',
  created_at: '2026-01-01T00:00:00.000Z',
  metadata: { actor_username: 'ana', actor_image: null, shelf_id: ID },
});

/** A connection whose events the test sends. */
function source() {
  const listeners = new Map<string, (event: { readonly data?: unknown }) => void>();
  const close = vi.fn();
  const port: EventSourcePort = { addEventListener: (type, listener) => listeners.set(type, listener), close };
  const send = (type: string, data?: unknown) =>
    listeners.get(type)?.({ data: typeof data === 'string' ? data : JSON.stringify(data) });
  return { port, close, send };
}

/** A stream over connections that the test makes; `asked` answers how much is unread. */
function setup(asked: () => Promise<number> = () => Promise.resolve(0), isLate = false) {
  const ending = new AbortController();
  const told: LiveEvent[] = [];
  const pauses: number[] = [];
  const sources: ReturnType<typeof source>[] = [];
  const run = runLiveStream({
    open: () => {
      const made = source();
      sources.push(made);
      return made.port;
    },
    ask: asked,
    tell: (event) => told.push(event),
    signal: ending.signal,
    pause: (milliseconds) => {
      pauses.push(milliseconds);
      if (pauses.length > LIVE_PAUSES_MS.length) ending.abort();
      return Promise.resolve();
    },
    isLate,
  });
  const connection = (index: number) => vi.waitFor(() => sources[index] ?? Promise.reject(new Error('not yet')));
  return { ending, told, pauses, run, connection };
}

describe('the live stream', () => {
  it('tells what comes, leaves out what it cannot read, and ends with its signal', async () => {
    const { told, connection, ending, run } = setup(() => Promise.resolve(3));
    const { send, close } = await connection(0);
    send('read', { unread_count: 3 });
    send('notification', { notification: notification('DOC_UPLOAD'), unread_count: 4 });
    send('notification', 'no JSON');
    send('commit', { shelf: 'of a newer server' });
    send('commit', { shelf_id: ID });
    ending.abort();
    await run;
    expect(told).toEqual([
      { type: 'read', unread_count: 3 },
      { type: 'connected' },
      { type: 'read', unread_count: 3 },
      { type: 'notification', notification: notification('DOC_UPLOAD'), unread_count: 4 },
      { type: 'commit', shelf_id: ID },
    ]);
    expect(close).toHaveBeenCalled();
  });

  it('says after a loss that anything may have happened, once it is connected again', async () => {
    const { told, connection, ending, run } = setup();
    const first = await connection(0);
    first.send('read', { unread_count: 0 });
    first.send('error');
    const second = await connection(1);
    expect(told.map(({ type }) => type)).toEqual(['read', 'connected', 'read', 'read']);
    second.send('read', { unread_count: 0 });
    expect(told.map(({ type }) => type)).toEqual(['read', 'connected', 'read', 'read', 'resumed', 'read']);
    ending.abort();
    await run;
  });

  it('says the same when another tab listened until now', async () => {
    const { told, connection, ending, run } = setup(undefined, true);
    (await connection(0)).send('read', { unread_count: 0 });
    expect(told.map(({ type }) => type)).toEqual(['read', 'resumed', 'read']);
    ending.abort();
    await run;
  });

  it('waits longer each time that nothing answers', async () => {
    const { pauses, run } = setup(() => Promise.reject(new AppError('server-unreachable', 'x')));
    await run;
    expect(pauses).toEqual([...LIVE_PAUSES_MS, LIVE_PAUSES_MS.at(-1)]);
  });

  it('ends when the session is over', async () => {
    const { pauses, run } = setup(() => Promise.reject(new AppError('session-expired', 'x')));
    await run;
    expect(pauses).toEqual([]);
  });
});

describe('what an event makes out of date', () => {
  it.each<[LiveEvent, readonly (readonly string[])[]]>([
    [{ type: 'read', unread_count: 1 }, []],
    [{ type: 'resumed' }, [[]]],
    [{ type: 'connected' }, [['service notices']]],
    [{ type: 'notice' }, [['service notices']]],
    [{ type: 'commit', shelf_id: ID }, [['shelf', ID], ['document'], ['version'], ['libraries'], ['trash']]],
    [{ type: 'members', shelf_id: ID }, [['shelf', ID], ['libraries']]],
    ...(
      [
        ['DOC_RENAME', []],
        ['SHELF_INVITE', [['account', 'invitations']]],
        ['SHELF_COMMENT_ADD', [['comments', ID]]],
        ['SHELF_RENAME', [['libraries'], ['shelf', ID]]],
        ['SHELF_INVITE_ACCEPTED', [['libraries'], ['shelf', ID]]],
      ] as const
    ).map(([type, keys]): [LiveEvent, readonly (readonly string[])[]] => [
      { type: 'notification', notification: notification(type), unread_count: 1 },
      [['notifications', 'list'], ...keys],
    ]),
  ])('%j', (event, keys) => {
    expect(staleQueries(event)).toEqual(keys);
  });
});
