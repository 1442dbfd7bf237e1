import { pino } from 'pino';
import { createServer } from '../src/server/app.ts';

/**
 * A server in a process of its own, so that it and who measures it do not share a thread: with its data in the first folder
 * named and, where there is a second, the web application in that. It prints its address.
 */
const server = await createServer({
  dataDir: process.argv[2] ?? '',
  webRoot: process.argv[3] ?? null,
  indexAtStart: false,
  logger: pino({ level: 'silent' }),
});
const { url } = await server.listen();
process.stdout.write(`${url}\n`);
process.once('SIGTERM', () => void server.close());
