import { type UtilityProcess, utilityProcess } from 'electron';
import type { Logger } from 'pino';
import { z } from 'zod';
import { auth } from '../shared/api/auth.ts';
import { readResponse } from '../shared/api/request.ts';
import type { ServerState } from '../shared/bridge/index.ts';
import { AppError } from '../shared/errors.ts';
import { LIMITS } from '../shared/rules/limits.ts';
import { serverOrigin } from './policy.ts';
import type { SettingsStore } from './settings.ts';
import { endUtilityProcess } from './utility.ts';

/** What the embedded server says of itself. */
export const ServerProcessMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('listening'), url: z.url() }),
  z.object({ type: z.literal('failed'), message: z.string() }),
]);
export type ServerProcessMessage = z.infer<typeof ServerProcessMessage>;

/** The server that the application uses: the embedded one or one elsewhere (decisions.md §1). */
export interface ServerLink {
  state(): ServerState;
  onChange(listener: (state: ServerState) => void): void;
  /** Takes up what was chosen before, at start. */
  resume(): Promise<void>;
  useLocal(): Promise<ServerState>;
  connect(url: string): Promise<ServerState>;
  disconnect(): Promise<ServerState>;
  /** Ends the embedded server; resolves when it is gone. */
  close(): Promise<void>;
}

export interface ServerLinkOptions {
  readonly settings: SettingsStore;
  /** Entry of the embedded server's process. */
  readonly entry: string;
  readonly dataDir: string;
  /** Loopback port of the embedded server; 0 takes any free one. */
  readonly port: string;
  readonly log: Logger;
}

/** Makes the link to the server. */
export function createServerLink({ settings, entry, dataDir, port, log }: ServerLinkOptions): ServerLink {
  let current: ServerState = { mode: 'none', url: null, status: 'stopped', message: null };
  let child: UtilityProcess | null = null;
  let starting: Promise<ServerState> | null = null;
  const listeners: ((state: ServerState) => void)[] = [];

  function become(next: ServerState): ServerState {
    current = next;
    for (const listener of listeners) listener(next);
    return next;
  }

  function start(): Promise<string> {
    return new Promise((resolve, reject) => {
      const process = utilityProcess.fork(entry, ['--data', dataDir, '--port', port], {
        serviceName: 'Armarium server',
        stdio: 'ignore',
      });
      child = process;
      process.on('message', (raw: unknown) => {
        const message = ServerProcessMessage.parse(raw);
        if (message.type === 'listening') resolve(message.url);
        else {
          reject(new AppError('server-unreachable', message.message));
          if (child === process) child = null;
          process.kill();
        }
      });
      process.on('exit', (code) => {
        reject(new AppError('server-unreachable', `the embedded server ended with code ${code}`));
        if (child !== process) return;
        child = null;
        log.error({ code }, 'the embedded server ended');
        become({
          ...current,
          status: 'failed',
          url: null,
          message: `The server on this computer ended (code ${code}).`,
        });
      });
    });
  }

  async function startLocal(): Promise<ServerState> {
    become({ mode: 'local', url: null, status: 'starting', message: null });
    try {
      const url = await start();
      settings.set('serverMode', 'local');
      return become({ mode: 'local', url: new URL(url).origin, status: 'ready', message: null });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      become({ mode: 'local', url: null, status: 'failed', message });
      throw error;
    }
  }

  async function stopLocal(): Promise<void> {
    const process = child;
    child = null;
    if (process === null) return;
    await endUtilityProcess(process, () => process.postMessage({ type: 'stop' }), log);
  }

  const link: ServerLink = {
    state: () => current,
    onChange: (listener) => {
      listeners.push(listener);
    },
    async resume() {
      const mode = settings.get('serverMode');
      const url = settings.get('serverUrl');
      if (mode === 'local') {
        // The failure is in the state already; the home screen shows it and offers both ways again.
        await link.useLocal().catch((error: unknown) => log.error({ err: error }, 'the embedded server did not start'));
      } else if (mode === 'remote' && url !== null) {
        // No question asked at start: without the network the application still opens, and calls say what is out of reach.
        become({ mode: 'remote', url, status: 'ready', message: null });
      }
    },
    useLocal() {
      if (current.mode === 'local' && current.status === 'ready') return Promise.resolve(current);
      starting ??= startLocal().finally(() => {
        starting = null;
      });
      return starting;
    },
    async connect(typed) {
      const origin = serverOrigin(typed);
      if (origin === null) {
        throw new AppError('unsupported', 'a server elsewhere is reached over https only', { details: { url: typed } });
      }
      await askWhetherServer(origin);
      await stopLocal();
      settings.set('serverMode', 'remote');
      settings.set('serverUrl', origin);
      return become({ mode: 'remote', url: origin, status: 'ready', message: null });
    },
    async disconnect() {
      await stopLocal();
      settings.set('serverMode', 'none');
      settings.set('serverUrl', null);
      return become({ mode: 'none', url: null, status: 'stopped', message: null });
    },
    close: stopLocal,
  };
  return link;
}

/** @throws AppError `server-unreachable` when nothing answers there, or something that is not this product. */
async function askWhetherServer(origin: string): Promise<void> {
  try {
    const response = await fetch(origin + auth.status.path, {
      redirect: 'error',
      signal: AbortSignal.timeout(LIMITS.requestTimeoutMs),
    });
    readResponse(auth.status, response.status, await response.text());
  } catch (error) {
    throw new AppError('server-unreachable', `no Armarium server answers at ${origin}`, {
      cause: error,
      details: { url: origin },
    });
  }
}
