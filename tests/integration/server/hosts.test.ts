import { request } from 'node:http';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createServer } from '../../../src/server/app.ts';
import { startTestServer, type TestServer } from '../../helpers/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ host: '0.0.0.0', publicUrl: 'https://papers.example' });
});
afterAll(() => server.close());

/** Asks the server under any name. */
function statusAs(host: string, path: string): Promise<number | undefined> {
  const { port } = new URL(`http://127.0.0.1:${server.port}`);
  return new Promise((done, failed) => {
    request({ host: '127.0.0.1', port, path, headers: { host } }, (response) => {
      response.resume();
      done(response.statusCode);
    })
      .on('error', failed)
      .end();
  });
}

describe('a server that others reach', () => {
  it('does not start without its own address, which codes of sign-ins are sent to', async () => {
    const started = createServer({
      dataDir: '/nowhere',
      host: '0.0.0.0',
      webRoot: null,
      logger: pino({ level: 'silent' }),
    });
    await expect(started).rejects.toMatchObject({ message: expect.stringContaining('ARMARIUM_PUBLIC_URL') });
  });
  it.each([
    ['papers.example', '/auth/v1/status/', 200],
    ['evil.example', '/auth/v1/status/', 403],
    ['127.0.0.1', '/auth/v1/status/', 403],
    ['10.0.0.7:8420', '/health', 200],
  ])('answers as %s at %s with %i', async (host, path, status) => {
    expect(await statusAs(host, path)).toBe(status);
  });
});
