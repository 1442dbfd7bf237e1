import { randomUUID } from 'node:crypto';
import { type BrowserWindow, ipcMain, type WebFrameMain } from 'electron';
import type { Logger } from 'pino';
import type { BridgeContract, BridgeEmit, BridgeHandlers } from '../shared/bridge/contract.ts';
import { AppError, isAppError, type Outcome, toWireError } from '../shared/errors.ts';
import { isAppUrl } from './policy.ts';

/** Who called: the window whose page it was. */
export interface Caller {
  readonly window: BrowserWindow;
}

export interface MountOptions {
  readonly windowOf: (webContentsId: number) => BrowserWindow | null;
  readonly log: Logger;
}

/** Only the top frame of our own page may call: a document shown inside it may not. */
export function isTrustedFrame(frame: WebFrameMain | null): boolean {
  return frame !== null && frame.parent === null && isAppUrl(frame.url);
}

/**
 * Mounts every procedure of the contract: the caller is authorised, the input parsed, the handler called, and whatever
 * happens comes back as an outcome. The whole map is taken, so a missing handler does not compile.
 */
export function mountBridge<T extends BridgeContract>(
  contract: T,
  handlers: BridgeHandlers<T, Caller>,
  options: MountOptions,
): void {
  for (const [namespace, entries] of Object.entries(contract)) {
    for (const [name, entry] of Object.entries(entries)) {
      if (entry.kind !== 'procedure') continue;
      const channel = `${namespace}.${name}`;
      const handler = (handlers as Record<string, Record<string, (input: unknown, caller: Caller) => unknown>>)[
        namespace
      ]?.[name];
      ipcMain.handle(channel, async (event, raw: unknown): Promise<Outcome<unknown>> => {
        try {
          const window = isTrustedFrame(event.senderFrame) ? options.windowOf(event.sender.id) : null;
          if (window === null) throw new AppError('forbidden', `${channel} was called from outside the application`);
          const input = entry.input.safeParse(raw);
          if (!input.success) {
            throw new AppError(
              'bad-request',
              `${channel}: ${input.error.issues.map((issue) => issue.message).join('; ')}`,
            );
          }
          return { ok: true, value: await handler?.(input.data, { window }) };
        } catch (error) {
          if (isAppError(error)) return { ok: false, error: toWireError(error) };
          const errorId = randomUUID();
          options.log.error({ channel, errorId, err: error }, 'unexpected error');
          return { ok: false, error: { code: 'internal', message: `${channel} failed`, errorId } };
        }
      });
    }
  }
}

/** Sends events of the contract to every window of ours. */
export function createEmitter<T extends BridgeContract>(windows: () => readonly BrowserWindow[]): BridgeEmit<T> {
  return (namespace, name, payload) => {
    for (const window of windows()) {
      if (!window.isDestroyed()) window.webContents.send(`${namespace}.${name}`, payload);
    }
  };
}
