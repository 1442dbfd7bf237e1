import { z } from 'zod';
import { NOTIFICATION_EVENTS } from '../../../shared/api/notifications.ts';
import { isAppError } from '../../../shared/errors.ts';

/**
 * Something that happened elsewhere. `connected`: from now on it is told, and what came while the page loaded was not. `resumed`: the
 * connection was lost for a while, and anything may have happened.
 */
export type LiveEvent =
  | ({ readonly type: 'notification' } & z.infer<typeof NOTIFICATION_EVENTS.notification>)
  | ({ readonly type: 'read' } & z.infer<typeof NOTIFICATION_EVENTS.read>)
  | ({ readonly type: 'commit' } & z.infer<typeof NOTIFICATION_EVENTS.commit>)
  | ({ readonly type: 'members' } & z.infer<typeof NOTIFICATION_EVENTS.members>)
  | { readonly type: 'notice' }
  | { readonly type: 'connected' }
  | { readonly type: 'resumed' };

/** The part of `EventSource` that is used. */
export interface EventSourcePort {
  addEventListener(type: string, listener: (event: { readonly data?: unknown }) => void): void;
  close(): void;
}

export interface LiveStreamOptions {
  readonly open: () => EventSourcePort;
  /** Asks how much is unread, which renews the session where it is needed. */
  readonly ask: () => Promise<number>;
  readonly tell: (event: LiveEvent) => void;
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Waits; ends early when the signal does. */
  readonly pause: (milliseconds: number) => Promise<void>;
  /** What was shown before may be out of date: somebody else listened until now. */
  readonly isLate?: boolean;
}

/** Pauses between the attempts to connect; the last one stays. */
export const LIVE_PAUSES_MS = [1000, 2000, 5000, 10_000, 30_000] as const;

const Live = z.discriminatedUnion('type', [
  NOTIFICATION_EVENTS.notification.extend({ type: z.literal('notification') }),
  NOTIFICATION_EVENTS.read.extend({ type: z.literal('read') }),
  NOTIFICATION_EVENTS.notice.extend({ type: z.literal('notice') }),
  NOTIFICATION_EVENTS.commit.extend({ type: z.literal('commit') }),
  NOTIFICATION_EVENTS.members.extend({ type: z.literal('members') }),
]);

/** An event as it came; null for one that a newer server words in another way. */
function read(type: string, data: unknown): LiveEvent | null {
  if (typeof data !== 'string') return null;
  try {
    return Live.parse({ type, ...JSON.parse(data) });
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return null;
    throw error;
  }
}

/** Listens until the connection or the signal ends. @returns whether there was a connection */
function listen(source: EventSourcePort, signal: AbortSignal, tell: (event: LiveEvent) => void): Promise<boolean> {
  return new Promise((resolve) => {
    let isConnected = false;
    const end = () => {
      source.close();
      signal.removeEventListener('abort', end);
      resolve(isConnected);
    };
    for (const type of Object.keys(NOTIFICATION_EVENTS)) {
      source.addEventListener(type, ({ data }) => {
        isConnected = true;
        const event = read(type, data);
        if (event !== null) tell(event);
      });
    }
    source.addEventListener('error', end);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
}

const isOver = (error: unknown) => isAppError(error, 'session-expired') || isAppError(error, 'unauthenticated');

/**
 * Keeps one live connection until the signal ends it, or the session is over. Connections end often, and not for faults
 * alone: the server closes them when the access token that opened them runs out. Each attempt asks how much is unread
 * first: that renews the session, and where streams do not come through at all it is the polling that is left.
 */
export async function runLiveStream(options: LiveStreamOptions): Promise<void> {
  const { open, ask, tell, signal, pause, isLate = false } = options;
  let hasMissed = isLate;
  let failures = 0;
  while (!signal.aborted) {
    try {
      tell({ type: 'read', unread_count: await ask() });
      if (signal.aborted) return;
      let isFirst = true;
      const wasConnected = await listen(open(), signal, (event) => {
        if (isFirst) tell({ type: hasMissed ? 'resumed' : 'connected' });
        isFirst = false;
        tell(event);
      });
      if (wasConnected) failures = 0;
    } catch (error) {
      if (isOver(error)) return;
    }
    hasMissed = true;
    await pause(LIVE_PAUSES_MS[Math.min(failures, LIVE_PAUSES_MS.length - 1)] ?? 0);
    failures += 1;
  }
}
