import { existsSync } from 'node:fs';
import { join } from 'node:path';
import brand from '../../resources/brand.json' with { type: 'json' };
import { createFileLogger, createStdoutLogger } from '../core/log/fileLogger.ts';
import { createServer } from '../server/app.ts';
import { CommandError, readNumber, readOptions } from './commandError.ts';
import { serverConfig } from './serverCommands.ts';

const USAGE = `usage: armarium serve [--data DIR] [--port N] [--host H]

Starts the server. It prints one line when it listens, and logs to logs/server.log below its data folder.
  --data DIR   where everything is kept (ARMARIUM_DATA)
  --port N     0 takes any free port; by default 8420 (ARMARIUM_PORT)
  --host H     by default 127.0.0.1, this machine alone (ARMARIUM_HOST)
Everything else is set by environment variables: see docs/operations.md.
`;

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
  if (values.port !== undefined) readNumber('--port', values.port, 0);
  const config = serverConfig(values.data, {
    ...(values.host === undefined ? {} : { ARMARIUM_HOST: values.host }),
    ...(values.port === undefined ? {} : { ARMARIUM_PORT: values.port }),
  });
  const web = join(import.meta.dirname, '..', '..', 'out', 'web');
  const server = await createServer({
    ...config,
    webRoot: existsSync(web) ? web : null,
    logger: config.logToStdout
      ? createStdoutLogger('server', config.logLevel)
      : createFileLogger(join(config.dataDir, 'logs', 'server.log'), 'server', config.logLevel),
  });
  try {
    const { url } = await server.listen();
    process.stdout.write(`${brand.name} is listening on ${url}\n`);
  } catch (error) {
    await server.close();
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') {
      throw new CommandError(`port ${config.port} is in use; choose another with --port`, 1);
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
