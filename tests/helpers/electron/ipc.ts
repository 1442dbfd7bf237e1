import type Electron from 'electron';
import { strict } from './strict.ts';

type Handler = (event: Electron.IpcMainInvokeEvent, ...args: unknown[]) => unknown;
const handlers = new Map<string, Handler>();
const listeners = new Map<string, Set<Handler>>();

/** Answers an `invoke` as Electron does: a thrown error travels as its message alone. */
export async function dispatchInvoke(
  channel: string,
  event: Electron.IpcMainInvokeEvent,
  args: unknown[],
): Promise<{ ok: boolean; value?: unknown; message?: string }> {
  const handler = handlers.get(channel);
  if (handler === undefined)
    return {
      ok: false,
      message: `Error invoking remote method '${channel}': Error: No handler registered for '${channel}'`,
    };
  try {
    return { ok: true, value: await handler(event, ...args) };
  } catch (error) {
    return { ok: false, message: `Error invoking remote method '${channel}': ${String(error)}` };
  }
}

/** Passes a `send` on to whoever listens. */
export function dispatchSend(channel: string, event: Electron.IpcMainInvokeEvent, args: unknown[]): void {
  for (const listener of listeners.get(channel) ?? []) listener(event, ...args);
}

const methods = {
  handle(channel: string, handler: Handler) {
    if (handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`);
    handlers.set(channel, handler);
  },
  removeHandler(channel: string) {
    handlers.delete(channel);
  },
  on(channel: string, listener: Handler) {
    listeners.set(channel, (listeners.get(channel) ?? new Set()).add(listener));
    return ipcMain as unknown as Electron.IpcMain;
  },
};

export const ipcMain: typeof methods = strict('electron.ipcMain', methods);
