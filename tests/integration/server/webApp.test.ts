import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../helpers/server.ts';

const TEXT = 'export const shelf = 1;\n';
const stored = { br: brotliCompressSync(TEXT), gzip: gzipSync(TEXT) };

let webRoot: string;
let server: TestServer;
beforeAll(async () => {
  webRoot = await mkdtemp(join(tmpdir(), 'armarium-web-'));
  await mkdir(join(webRoot, 'assets'));
  await writeFile(join(webRoot, 'index.html'), '<!doctype html>');
  await writeFile(join(webRoot, 'phone.html'), '<!doctype html><html data-layout="phone">');
  await writeFile(join(webRoot, 'prepare.js'), TEXT);
  await writeFile(join(webRoot, 'assets', 'shelf.js'), TEXT);
  await writeFile(join(webRoot, 'assets', 'shelf.js.br'), stored.br);
  await writeFile(join(webRoot, 'assets', 'shelf.js.gz'), stored.gzip);
  server = await startTestServer({ webRoot });
});
afterAll(async () => {
  await server.close();
  await rm(webRoot, { recursive: true, force: true });
});

/** An answer as it is sent: `fetch` would unpack it. */
function get(path: string, encodings: string): Promise<{ readonly headers: object; readonly body: Buffer }> {
  return new Promise((done, failed) => {
    request(server.url + path, { headers: { 'accept-encoding': encodings } }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => done({ headers: response.headers, body: Buffer.concat(parts) }));
    })
      .on('error', failed)
      .end();
  });
}

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile/15E148 Safari/604.1';

describe('the page of the web application (web-and-phone.md §2)', () => {
  it.each([
    ['a phone', { 'user-agent': IPHONE }, true],
    ['a phone that asked for the desktop site', { 'user-agent': IPHONE, cookie: 'armarium_desktop_site=1' }, false],
    ['anything else', { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0 Safari/537.36' }, false],
  ])('is that of its layout for %s, under the addresses of either', async (_name, headers, isPhone) => {
    for (const path of ['/', '/m/Monastery', '/Monastery']) {
      const answer = await fetch(server.url + path, { headers });
      expect(await answer.text()).toBe(isPhone ? '<!doctype html><html data-layout="phone">' : '<!doctype html>');
      expect(answer.headers.get('vary')).toMatch(/user-agent/iu);
    }
  });
});

describe('files of the web application', () => {
  it.each([
    ['gzip, deflate, br', 'br', stored.br],
    ['gzip, deflate', 'gzip', stored.gzip],
    ['identity', undefined, Buffer.from(TEXT)],
  ])('are sent to who takes %s as they were compressed by the build: %s', async (encodings, encoding, body) => {
    const answer = await get('/assets/shelf.js', encodings);
    expect(answer.body).toEqual(body);
    expect(answer.headers).toMatchObject({
      ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
      'content-type': expect.stringContaining('javascript'),
      'cache-control': 'public, max-age=31536000, immutable',
      vary: expect.stringMatching(/accept-encoding/iu),
    });
  });
  it('are sent as they are where the build compressed nothing', async () => {
    const { headers, body } = await get('/prepare.js', 'br, gzip');
    expect(body.toString()).toBe(TEXT);
    expect(headers).toMatchObject({ 'cache-control': 'no-cache' });
  });
});
