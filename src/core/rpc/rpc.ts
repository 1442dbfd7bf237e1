import { AppError, fromWireError, isAppError, type Outcome, toWireError } from '../../shared/errors.ts';

/** The smallest common part of a utility process, a forked child, a worker thread and a message port. */
export interface Port {
  post(message: unknown): void;
  listen(listener: (message: unknown) => void): void;
}

/** What one side answers: a name, one input, one output. The signal ends when the caller cancels. */
// biome-ignore lint/suspicious/noExplicitAny: the constraint of a map whose entries each have their own types
export type Methods = Readonly<Record<string, (input: any, signal: AbortSignal) => Promise<unknown>>>;
/** Messages that one side sends unasked. */
export type Events = Readonly<Record<string, unknown>>;

type Message =
  | { readonly kind: 'call'; readonly id: number; readonly method: string; readonly input: unknown }
  | { readonly kind: 'cancel'; readonly id: number }
  | { readonly kind: 'answer'; readonly id: number; readonly outcome: Outcome<unknown> }
  | { readonly kind: 'event'; readonly name: string; readonly payload: unknown };

type InputOf<M> = M extends (input: infer I, signal: AbortSignal) => Promise<unknown> ? I : never;
type OutputOf<M> = M extends (input: never, signal: AbortSignal) => Promise<infer O> ? O : never;

/** One end of a conversation: calls the other side's methods, answers its calls, sends and hears events. */
export interface Peer<Theirs extends Methods, TheirEvents extends Events, OurEvents extends Events> {
  call<K extends keyof Theirs & string>(
    method: K,
    input: InputOf<Theirs[K]>,
    signal?: AbortSignal,
  ): Promise<OutputOf<Theirs[K]>>;
  on<K extends keyof TheirEvents & string>(name: K, listener: (payload: TheirEvents[K]) => void): void;
  emit<K extends keyof OurEvents & string>(name: K, payload: OurEvents[K]): void;
  /** Settles every open call with `error`: the other side is gone. */
  close(error: AppError): void;
}

export interface PeerOptions {
  /** Told of an error that was not thrown on purpose; the caller gets `internal`. */
  readonly onUnexpected: (method: string, error: unknown) => void;
}

/**
 * Joins two processes of ours over a port. Errors travel as data and are rebuilt at the caller; every call settles, also
 * when the other side ends.
 */
export function createPeer<
  Ours extends Methods,
  Theirs extends Methods,
  OurEvents extends Events = Record<never, never>,
  TheirEvents extends Events = Record<never, never>,
>(port: Port, methods: Ours, options: PeerOptions): Peer<Theirs, TheirEvents, OurEvents> {
  let nextId = 1;
  let closed: AppError | null = null;
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: unknown) => void }>();
  const running = new Map<number, AbortController>();
  const listeners = new Map<string, ((payload: never) => void)[]>();

  async function answer(id: number, method: string, input: unknown): Promise<void> {
    const controller = new AbortController();
    running.set(id, controller);
    let outcome: Outcome<unknown>;
    try {
      const handler = methods[method];
      if (handler === undefined) throw new AppError('internal', `no method ${method}`);
      outcome = { ok: true, value: await handler(input, controller.signal) };
    } catch (error) {
      if (!isAppError(error)) options.onUnexpected(method, error);
      outcome = {
        ok: false,
        error: toWireError(isAppError(error) ? error : new AppError('internal', `${method} failed`)),
      };
    } finally {
      running.delete(id);
    }
    if (closed === null) port.post({ kind: 'answer', id, outcome } satisfies Message);
  }

  port.listen((raw) => {
    const message = raw as Message;
    switch (message.kind) {
      case 'call':
        void answer(message.id, message.method, message.input);
        break;
      case 'cancel':
        running.get(message.id)?.abort();
        break;
      case 'answer': {
        const call = waiting.get(message.id);
        waiting.delete(message.id);
        if (message.outcome.ok) call?.resolve(message.outcome.value);
        else call?.reject(fromWireError(message.outcome.error));
        break;
      }
      case 'event':
        for (const listener of listeners.get(message.name) ?? []) listener(message.payload as never);
        break;
    }
  });

  return {
    call(method, input, signal) {
      if (closed !== null) return Promise.reject(closed);
      if (signal?.aborted === true) return Promise.reject(new AppError('cancelled', `${method} was cancelled`));
      const id = nextId++;
      const cancel = () => port.post({ kind: 'cancel', id } satisfies Message);
      signal?.addEventListener('abort', cancel, { once: true });
      // No function here sees the input: a signal that lives on would keep it until the next full collection.
      const { promise, resolve, reject } = Promise.withResolvers<never>();
      waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
      port.post({ kind: 'call', id, method, input } satisfies Message);
      return promise.finally(() => signal?.removeEventListener('abort', cancel));
    },
    on(name, listener) {
      listeners.set(name, [...(listeners.get(name) ?? []), listener as (payload: never) => void]);
    },
    emit(name, payload) {
      if (closed === null) port.post({ kind: 'event', name, payload } satisfies Message);
    },
    close(error) {
      closed = error;
      for (const call of waiting.values()) call.reject(error);
      waiting.clear();
      for (const controller of running.values()) controller.abort();
    },
  };
}
