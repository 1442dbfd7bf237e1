import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import brand from '../../resources/brand.json' with { type: 'json' };
import { createFileLogger } from '../core/log/fileLogger.ts';
import { createServer } from '../server/app.ts';
import { CommandError, readNumber, readOptions } from './commandError.ts';

const USAGE = `usage: armarium serve [--data DIR] [--port N] [--host H]

Starts the server. It prints one line when it listens, and logs to logs/server.log below its data folder.
  --data DIR   where everything is kept (ARMARIUM_DATA)
  --port N     0 takes any free port; by default 8420 (ARMARIUM_PORT)
  --host H     by default 127.0.0.1, this machine alone (ARMARIUM_HOST)
ARMARIUM_PUBLIC_URL names the address that people use, when a proxy stands before the server.
`;

const Environment = z.object({
  ARMARIUM_DATA: z.string().min(1).optional(),
  ARMARIUM_HOST: z.string().min(1).default('127.0.0.1'),
  ARMARIUM_PORT: z.string().default('8420'),
  ARMARIUM_PUBLIC_URL: z.url({ protocol: /^https?$/u }).optional(),
});

function defaultDataDir(): string {
  if (process.platform === 'win32') return join(process.env.LOCALAPPDATA ?? homedir(), brand.name, 'server');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', brand.name, 'server');
  return join(process.env.XDG_DATA_HOME ?? join(homedir(), '.local', 'share'), 'armarium', 'server');
}

/** `armarium serve`. Ends with SIGINT or SIGTERM. */
export async function serveCommand(args: string[]): Promise<number> {
  const { values } = readOptions(
    {
      args,
      options: {
        data: { type: 'string' },
        port: { type: 'string' },
        host: { type: 'string' },
        help: { type: 'boolean' },
      },
    },
    USAGE,
  );
  if (values.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const environment = Environment.safeParse(process.env);
  if (!environment.success) {
    throw new CommandError(
      environment.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('\n'),
      2,
    );
  }
  const settings = environment.data;
  const dataDir = resolve(values.data ?? settings.ARMARIUM_DATA ?? defaultDataDir());
  const port = readNumber('--port', values.port ?? settings.ARMARIUM_PORT, 0);
  const web = join(import.meta.dirname, '..', '..', 'out', 'web');
  const server = await createServer({
    dataDir,
    host: values.host ?? settings.ARMARIUM_HOST,
    port,
    webRoot: existsSync(web) ? web : null,
    publicUrl: settings.ARMARIUM_PUBLIC_URL ?? null,
    logger: createFileLogger(join(dataDir, 'logs', 'server.log'), 'server'),
  });
  try {
    const { url } = await server.listen();
    process.stdout.write(`${brand.name} is listening on ${url}\n`);
  } catch (error) {
    await server.close();
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') {
      throw new CommandError(`port ${port} is in use; choose another with --port`, 1);
    }
    throw error;
  }
  await new Promise<void>((ended) => {
    process.once('SIGINT', () => ended());
    process.once('SIGTERM', () => ended());
  });
  await server.close();
  return 0;
}
