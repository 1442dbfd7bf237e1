import { makeCodec } from './codec.ts';

// Both halves run in a browser; this is all that they use of it.
declare const window: { readonly top: unknown };
declare const document: {
  dispatchEvent(event: Event): boolean;
  addEventListener(name: string, listener: (event: Event) => void): void;
};

/** Name of the world in which the preload runs, apart from the page's. */
export const ISOLATED_WORLD = 'stand-in preload';
/** The binding by which that world speaks to the main process. The page's world does not have it. */
export const BINDING = '__standInSend';
export const RECEIVER = '__standInReceive';

/**
 * The page's half of contextBridge: it makes the exposed object and passes calls to the preload's world by events that only
 * the two halves know. Both halves run before any script of the page, and refer to nothing outside themselves.
 */
function pageHalf(secret: string): void {
  if (window !== window.top) return;
  const callbacks = new Map<number, (...args: unknown[]) => unknown>();
  const pending = new Map<number, { resolve: (value: unknown) => void; reject: (error: unknown) => void }>();
  let nextId = 1;
  const dispatch = (name: string, detail: unknown) =>
    document.dispatchEvent(new CustomEvent(`${secret}:${name}`, { detail }));
  const listen = (name: string, listener: (detail: never) => void) =>
    document.addEventListener(`${secret}:${name}`, (event) => listener((event as CustomEvent).detail as never));

  function pack(value: unknown): unknown {
    if (typeof value === 'function') {
      const id = nextId++;
      callbacks.set(id, value as (...args: unknown[]) => unknown);
      return { callback: id };
    }
    return { value };
  }
  let returned: { kind: string; value?: unknown; message?: string; fn?: number } | null = null;
  listen('return', (detail: { kind: string }) => {
    returned = detail;
  });
  listen('settle', ({ call, ok, value, message }: { call: number; ok: boolean; value: unknown; message: string }) => {
    const waiting = pending.get(call);
    pending.delete(call);
    if (ok) waiting?.resolve(value);
    else waiting?.reject(new Error(message));
  });
  listen('callback', ({ id, args }: { id: number; args: unknown[] }) => {
    callbacks.get(id)?.(...args);
  });

  function proxy(fn: number): (...args: unknown[]) => unknown {
    return (...args) => {
      const call = nextId++;
      returned = null;
      dispatch('call', { fn, call, args: args.map(pack) });
      const answer = returned as { kind: string; value?: unknown; message?: string; fn?: number } | null;
      if (answer === null) throw new Error('the preload has gone');
      if (answer.kind === 'throw') throw new Error(answer.message);
      if (answer.kind === 'function') return proxy(answer.fn as number);
      if (answer.kind === 'promise') return new Promise((resolve, reject) => pending.set(call, { resolve, reject }));
      return answer.value;
    };
  }
  function build(shape: { fn?: number; value?: unknown; object?: [string, never][] }): unknown {
    if (shape.fn !== undefined) return proxy(shape.fn);
    if (shape.object !== undefined)
      return Object.freeze(Object.fromEntries(shape.object.map(([key, each]) => [key, build(each)])));
    return shape.value;
  }
  listen('expose', ({ key, shape }: { key: string; shape: never }) => {
    Object.defineProperty(window, key, { value: build(shape), enumerable: true, configurable: false, writable: false });
  });
}

/** The preload's half: `electron` as a sandboxed preload has it, then the preload itself. */
function preloadHalf(
  secret: string,
  binding: string,
  receiver: string,
  codec: { encode(value: unknown): string; decode(text: string): unknown },
  preload: (
    require: (name: string) => unknown,
    module: { exports: unknown },
    exports: unknown,
    process: unknown,
  ) => void,
  processFacts: unknown,
): void {
  if (window !== window.top) return;
  const world = globalThis as unknown as Record<string, (text: string) => void>;
  const send = (message: unknown) => world[binding]?.(codec.encode(message));
  const dispatch = (name: string, detail: unknown) =>
    document.dispatchEvent(new CustomEvent(`${secret}:${name}`, { detail }));
  const listen = (name: string, listener: (detail: never) => void) =>
    document.addEventListener(`${secret}:${name}`, (event) => listener((event as CustomEvent).detail as never));

  let nextId = 1;
  const invoked = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  const listeners = new Map<string, Set<(event: unknown, ...args: unknown[]) => void>>();
  world[receiver] = (text) => {
    const message = codec.decode(text) as {
      kind: string;
      id: number;
      ok: boolean;
      value: unknown;
      message: string;
      channel: string;
      args: unknown[];
    };
    if (message.kind === 'answer') {
      const call = invoked.get(message.id);
      invoked.delete(message.id);
      if (message.ok) call?.resolve(message.value);
      else call?.reject(new Error(message.message));
    } else
      for (const listener of [...(listeners.get(message.channel) ?? [])]) listener({ senderId: 0 }, ...message.args);
  };
  const on = (channel: string, listener: (event: unknown, ...args: unknown[]) => void) => {
    if (!listeners.has(channel)) listeners.set(channel, new Set());
    listeners.get(channel)?.add(listener);
  };
  const off = (channel: string, listener: (event: unknown, ...args: unknown[]) => void) => {
    listeners.get(channel)?.delete(listener);
  };
  const ipcRenderer = {
    invoke: (channel: string, ...args: unknown[]) =>
      new Promise((resolve, reject) => {
        const id = nextId++;
        invoked.set(id, { resolve, reject });
        send({ kind: 'invoke', id, channel, args });
      }),
    send: (channel: string, ...args: unknown[]) => send({ kind: 'send', channel, args }),
    on,
    off,
    removeListener: off,
  };

  const functions = new Map<number, (...args: unknown[]) => unknown>();
  function shapeOf(value: unknown): unknown {
    if (typeof value === 'function') {
      const fn = nextId++;
      functions.set(fn, value as (...args: unknown[]) => unknown);
      return { fn };
    }
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) {
      return { object: Object.entries(value).map(([key, each]) => [key, shapeOf(each)]) };
    }
    return { value };
  }
  listen('call', ({ fn, call, args }: { fn: number; call: number; args: { callback?: number; value?: unknown }[] }) => {
    const unpacked = args.map(({ callback, value }) =>
      callback === undefined ? value : (...given: unknown[]) => dispatch('callback', { id: callback, args: given }),
    );
    try {
      const result = functions.get(fn)?.(...unpacked);
      if (result instanceof Promise) {
        dispatch('return', { kind: 'promise' });
        result.then(
          (value) => dispatch('settle', { call, ok: true, value }),
          (error: unknown) =>
            dispatch('settle', { call, ok: false, message: String((error as Error)?.message ?? error) }),
        );
      } else if (typeof result === 'function')
        dispatch('return', { kind: 'function', fn: (shapeOf(result) as { fn: number }).fn });
      else dispatch('return', { kind: 'value', value: result });
    } catch (error) {
      dispatch('return', { kind: 'throw', message: String((error as Error)?.message ?? error) });
    }
  });
  const contextBridge = {
    exposeInMainWorld: (key: string, api: unknown) => dispatch('expose', { key, shape: shapeOf(api) }),
  };
  const electron = new Proxy({ contextBridge, ipcRenderer } as Record<string, unknown>, {
    get(target, property) {
      if (typeof property === 'string' && !(property in target)) {
        throw new Error(`electron.${property} is not part of the stand-in's preload`);
      }
      return target[property as string];
    },
  });
  const module = { exports: {} };
  preload(
    (name) => {
      if (name !== 'electron') throw new Error(`a sandboxed preload cannot require ${name}`);
      return electron;
    },
    module,
    module.exports,
    processFacts,
  );
}

/** The scripts that run before a page's own: the page's half, and the preload in its world. */
export function worldScripts(preloadSource: string): { readonly page: string; readonly isolated: string } {
  const secret = `stand-in-${crypto.randomUUID()}`;
  const facts = JSON.stringify({
    platform: process.platform,
    sandboxed: true,
    type: 'renderer',
    contextIsolated: true,
  });
  return {
    page: `(${pageHalf})(${JSON.stringify(secret)})`,
    isolated: `(${preloadHalf})(${[secret, BINDING, RECEIVER].map((text) => JSON.stringify(text)).join(', ')}, (${makeCodec})(), function (require, module, exports, process) {\n${preloadSource}\n}, ${facts})`,
  };
}
