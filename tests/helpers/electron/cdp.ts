import type { ProtocolMapping } from 'devtools-protocol/types/protocol-mapping.js';

type Commands = ProtocolMapping.Commands;
type Events = ProtocolMapping.Events;

/** A session with a target of the browser: typed commands and events of the DevTools protocol. */
export interface CdpSession {
  send<M extends keyof Commands>(method: M, ...params: Commands[M]['paramsType']): Promise<Commands[M]['returnType']>;
  on<E extends keyof Events>(event: E, listener: (payload: Events[E][0]) => void): void;
}

/** A connection to a browser; sessions share it (flat protocol). */
export interface CdpConnection extends CdpSession {
  session(sessionId: string): CdpSession;
  onClose(listener: () => void): void;
}

/** Connects to a browser's DevTools endpoint. */
export async function connectCdp(endpoint: string): Promise<CdpConnection> {
  const socket = new WebSocket(endpoint);
  await new Promise<void>((ready, fail) => {
    socket.addEventListener('open', () => ready(), { once: true });
    socket.addEventListener('error', () => fail(new Error(`no DevTools at ${endpoint}`)), { once: true });
  });
  let nextId = 1;
  const waiting = new Map<
    number,
    { resolve: (value: never) => void; reject: (error: Error) => void; method: string }
  >();
  const listeners = new Map<string, ((payload: never) => void)[]>();

  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as {
      id?: number;
      method?: string;
      params?: unknown;
      result?: unknown;
      error?: { message: string };
      sessionId?: string;
    };
    if (message.id !== undefined) {
      const call = waiting.get(message.id);
      waiting.delete(message.id);
      if (message.error !== undefined) call?.reject(new Error(`${call.method}: ${message.error.message}`));
      else call?.resolve(message.result as never);
      return;
    }
    for (const listener of listeners.get(`${message.sessionId ?? ''} ${message.method}`) ?? [])
      listener(message.params as never);
  });
  socket.addEventListener('close', () => {
    for (const call of waiting.values()) call.reject(new Error(`${call.method}: the browser has gone`));
    waiting.clear();
  });

  const sessionOf = (sessionId: string): CdpSession => ({
    send(method, ...params) {
      const id = nextId++;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject, method });
        socket.send(
          JSON.stringify({ id, method, params: params[0] ?? {}, ...(sessionId === '' ? {} : { sessionId }) }),
        );
      });
    },
    on(event, listener) {
      const key = `${sessionId} ${event}`;
      listeners.set(key, [...(listeners.get(key) ?? []), listener as (payload: never) => void]);
    },
  });
  return { ...sessionOf(''), session: sessionOf, onClose: (listener) => socket.addEventListener('close', listener) };
}
