import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../../src/shared/api/index.ts';
import { createAccount, startTestServer, TestClient, type TestServer, uploadFiles } from '../../helpers/server.ts';

let server: TestServer;
let log = '';
beforeAll(async () => {
  const logger = pino(
    { level: 'debug' },
    new Writable({
      write(chunk, _encoding, done) {
        log += String(chunk);
        done();
      },
    }),
  );
  server = await startTestServer({ logger, metricsToken: 'token-of-the-test' });
});
afterAll(() => server.close());

describe('those who watch over a server', () => {
  it('find what was asked for in the log, by patterns and ids, and nothing that is anybody’s', async () => {
    const ana = await createAccount(server.url);
    const lib = ana.account.library;
    const shelf = await ana.call(api.shelves.create, { params: { lib }, body: { name: 'canary-shelf' } });
    await uploadFiles(ana, shelf, [{ name: 'canary-document.txt', content: 'canary-text' }], 'canary-message');
    await ana.call(api.search.run, { query: { q: 'canary-text' } });
    await server.server.indexed();
    const response = await ana.fetch('/auth/v1/status/', { headers: { 'x-request-id': 'request-of-a-proxy' } });
    expect(response.headers.get('x-request-id')).toBe('request-of-a-proxy');
    const lines = log
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { reqId?: string; route?: string; status?: number });
    expect(lines).toContainEqual(
      expect.objectContaining({ reqId: 'request-of-a-proxy', route: '/auth/v1/status/', status: 200 }),
    );
    const secrets = [ana.account.password, ana.account.email, lib, ...ana.cookies.values(), 'canary', 'signature='];
    for (const secret of secrets) expect(log).not.toContain(secret);
    const odd = await ana.fetch('/auth/v1/status/', { headers: { 'x-request-id': '<odd>' } });
    expect(odd.headers.get('x-request-id')).toMatch(/^[\w-]{36}$/u);
  });
  it('read figures by route, with the token alone', async () => {
    const read = (authorization?: string) =>
      fetch(`${server.url}/metrics`, authorization === undefined ? {} : { headers: { authorization } });
    expect((await read()).status).toBe(403);
    expect((await read('Bearer wrong')).status).toBe(403);
    const text = await (await read('Bearer token-of-the-test')).text();
    expect(text).toMatch(
      /armarium_request_seconds_count\{method="GET",route="\/auth\/v1\/status\/",status="200"\} \d/u,
    );
    expect(text).toMatch(/armarium_jobs\{kind="collect",state="waiting"\} 1/u);
    expect(text).not.toContain('canary');
  });
  it('see that it is alive and ready', async () => {
    expect(await (await fetch(`${server.url}/health`)).json()).toEqual({ status: 'ok' });
    expect(await (await fetch(`${server.url}/ready`)).json()).toEqual({ status: 'ready' });
  });
  it('read what every call takes and answers on one page', async () => {
    const page = await new TestClient(server.url).fetch('/api/docs');
    const html = await page.text();
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    for (const area of Object.keys(api)) expect(html).toContain(`<h2 id="${area}">`);
    expect(html).toContain('/api/v1/library/{lib}/shelf/{id}/upload/ready/');
  });
});
