import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { AsyncEntry } from '@napi-rs/keyring';
import { safeStorage } from 'electron';
import type { Logger } from 'pino';
import { z } from 'zod';
import brand from '../../resources/brand.json' with { type: 'json' };

const Tokens = z.object({
  accessToken: z.string(),
  /** Null where something else than this application took it out of the store. */
  refreshToken: z.string().nullable().default(null),
  expiresAt: z.number(),
});
export type Tokens = z.infer<typeof Tokens>;

/** Tokens as text, the form in which every backend keeps them. */
const Stored = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue('not JSON');
      return z.NEVER;
    }
  })
  .pipe(Tokens);

/** Where tokens are kept for one server. They never go to the page, to a log or, in plain text, to a disk. */
export interface TokenStore {
  /** `memory`: neither a keychain nor encryption is at hand, so a sign-in lasts until the application quits. */
  readonly backend: 'keyring' | 'safe-storage' | 'memory';
  load(server: string): Promise<Tokens | null>;
  save(server: string, tokens: Tokens): Promise<void>;
  clear(server: string): Promise<void>;
}

type Backend = Pick<TokenStore, 'backend'> & {
  read(server: string): Promise<string | null>;
  write(server: string, value: string): Promise<void>;
  remove(server: string): Promise<void>;
};

const PROBE = 'probe';

async function keyringBackend(log: Logger): Promise<Backend | null> {
  const entry = (server: string) => new AsyncEntry(brand.identifier, server);
  try {
    await entry(PROBE).setPassword(PROBE);
    await entry(PROBE).deletePassword();
  } catch (error) {
    log.info({ reason: error instanceof Error ? error.message : String(error) }, 'no keychain service');
    return null;
  }
  return {
    backend: 'keyring',
    read: async (server) => (await entry(server).getPassword()) ?? null,
    write: (server, value) => entry(server).setPassword(value),
    async remove(server) {
      await entry(server).deletePassword();
    },
  };
}

/** `basic_text` is Electron's name for a key that everybody knows: no protection, so it is not used. */
function safeStorageBackend(file: string): Backend | null {
  if (!safeStorage.isEncryptionAvailable()) return null;
  if (process.platform === 'linux' && safeStorage.getSelectedStorageBackend() === 'basic_text') return null;
  const all = (): Record<string, string> =>
    existsSync(file) ? z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(file, 'utf8'))) : {};
  const replace = (values: Record<string, string>) => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(`${file}.new`, JSON.stringify(values), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  };
  return {
    backend: 'safe-storage',
    async read(server) {
      const value = all()[server];
      return value === undefined ? null : safeStorage.decryptString(Buffer.from(value, 'base64'));
    },
    async write(server, value) {
      replace({ ...all(), [server]: safeStorage.encryptString(value).toString('base64') });
    },
    async remove(server) {
      const { [server]: _, ...others } = all();
      if (Object.keys(others).length === 0) rmSync(file, { force: true });
      else replace(others);
    },
  };
}

function memoryBackend(): Backend {
  const values = new Map<string, string>();
  return {
    backend: 'memory',
    read: async (server) => values.get(server) ?? null,
    async write(server, value) {
      values.set(server, value);
    },
    async remove(server) {
      values.delete(server);
    },
  };
}

/** Opens the safest store that this machine has: the operating system's keychain, Electron's encryption, or memory. */
export async function openTokenStore(file: string, log: Logger): Promise<TokenStore> {
  const backend = (await keyringBackend(log)) ?? safeStorageBackend(file) ?? memoryBackend();
  log.info({ backend: backend.backend }, 'token store');
  return {
    backend: backend.backend,
    async load(server) {
      const value = await backend.read(server);
      if (value === null) return null;
      const tokens = Stored.safeParse(value);
      if (tokens.success) return tokens.data;
      log.warn('stored tokens have another shape; signing in anew is needed');
      return null;
    },
    save: (server, tokens) => backend.write(server, JSON.stringify(tokens)),
    clear: (server) => backend.remove(server),
  };
}
