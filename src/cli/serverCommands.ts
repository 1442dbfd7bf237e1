import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import brand from '../../resources/brand.json' with { type: 'json' };
import { ConfigError, readConfig, type ServerConfig } from '../server/config.ts';
import { CommandError } from './commandError.ts';

/** Where a server keeps its data when nobody says where. */
function defaultDataDir(): string {
  if (process.platform === 'win32') return join(process.env.LOCALAPPDATA ?? homedir(), brand.name, 'server');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', brand.name, 'server');
  return join(process.env.XDG_DATA_HOME ?? join(homedir(), '.local', 'share'), 'armarium', 'server');
}

/** The configuration of the environment with the data folder that a command's `--data` names. */
export function serverConfig(
  data: string | undefined,
  changed: NodeJS.ProcessEnv = {},
): ServerConfig & { readonly dataDir: string } {
  try {
    const config = readConfig({ ...process.env, ...changed });
    return { ...config, dataDir: resolve(data ?? config.dataDir ?? defaultDataDir()) };
  } catch (error) {
    if (error instanceof ConfigError) throw new CommandError(error.message, 2);
    throw error;
  }
}

/** Refuses what works on the embedded database alone, saying what to do instead. */
export function refuseElsewhere({ databaseUrl, s3 }: ServerConfig, instead: string): void {
  if (databaseUrl !== null || s3 !== null) {
    throw new CommandError(`this server keeps its data in PostgreSQL or an object store: ${instead}`, 1);
  }
}
