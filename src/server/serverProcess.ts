import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createFileLogger } from '../core/log/fileLogger.ts';
import { openParentPort } from '../core/rpc/parentPort.ts';
import { createServer } from './app.ts';

/**
 * The embedded server as a process beside the desktop's main process. It says `listening` with its URL or `failed` with
 * the reason, and ends on `stop` or when its parent is gone.
 */
async function main(): Promise<void> {
  const port = openParentPort();
  const { values } = parseArgs({ options: { data: { type: 'string' }, port: { type: 'string', default: '0' } } });
  try {
    if (values.data === undefined) throw new Error('--data is missing');
    const server = await createServer({
      dataDir: values.data,
      host: '127.0.0.1',
      port: Number(values.port),
      webRoot: join(import.meta.dirname, '..', 'web'),
      // One person's server, which nobody reads figures of, beside an index of the same documents.
      hasMetrics: false,
      indexShards: 1,
      logger: createFileLogger(join(values.data, 'logs', 'server.log'), 'server'),
    });
    const { url } = await server.listen();
    port.listen(() => {
      void server.close().then(() => process.exit(0));
    });
    process.on('disconnect', () => process.exit(0));
    port.post({ type: 'listening', url });
  } catch (error) {
    port.post({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
  }
}

void main();
