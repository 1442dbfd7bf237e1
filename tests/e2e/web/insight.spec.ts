import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import { type RunningServer, runServer } from '../../helpers/browser/runServer.ts';
import { signUp } from '../../helpers/browser/steps.ts';

// Automated browsers are not counted: this one says that it is none.
test.use({
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
});

/** What came in at the services of others. */
const told: { readonly path: string; readonly body: string }[] = [];
let services: Server;
let server: RunningServer;

test.beforeAll(async () => {
  services = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts);
    const isPacked = body[0] === 0x1f && body[1] === 0x8b;
    if (request.method === 'POST') {
      const text = (isPacked ? gunzipSync(body) : body).toString();
      // What a page sends as it goes comes in as a form.
      const data = new URLSearchParams(text).get('data');
      told.push({ path: request.url ?? '', body: data === null ? text : Buffer.from(data, 'base64').toString() });
    }
    response.writeHead(200, {
      'access-control-allow-origin': request.headers.origin ?? '*',
      'access-control-allow-credentials': 'true',
      'access-control-allow-headers': request.headers['access-control-request-headers'] ?? '*',
      'content-type': 'application/json',
    });
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await once(services, 'listening');
  const host = `127.0.0.1:${(services.address() as AddressInfo).port}`;
  server = await runServer({
    ARMARIUM_POSTHOG_KEY: 'phc_of_a_test',
    ARMARIUM_POSTHOG_HOST: `http://${host}`,
    ARMARIUM_SENTRY_DSN: `http://public@${host}/1`,
  });
});
test.afterAll(async () => {
  await server.close();
  services.closeAllConnections();
  services.close();
});

/** What the two were told, a line each. */
const linesOf = (isReport: boolean) =>
  told
    .filter(({ path }) => path.includes('/envelope/') === isReport)
    .map(({ body }) => body)
    .join('\n');
const counted = () => linesOf(false);
const reported = () => linesOf(true);

test('services of others are loaded and told with consent only, and no more once it is taken back (web-and-phone.md §9, desktop-shell.md §4, decisions.md §11, §12)', async ({
  page,
}) => {
  const scripts: string[] = [];
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') scripts.push(new URL(response.url()).pathname);
  });
  const isLoaded = (name: string) => scripts.some((path) => path.includes(`/${name}-`));
  const fail = () => page.evaluate(() => void setTimeout(() => Promise.reject(new Error('a failure of a test'))));
  await page.addInitScript(() => Object.defineProperty(Navigator.prototype, 'webdriver', { get: () => false }));
  await signUp(page, server.url);
  await page.getByRole('button', { name: 'Cookie settings' }).waitFor();
  await fail();
  expect(told).toEqual([]);
  expect([isLoaded('posthog'), isLoaded('sentry')]).toEqual([false, false]);

  await page.getByRole('button', { name: 'Accept all cookies' }).click();
  await expect.poll(counted).toMatch(/\$pageview.*\/library/u);
  await page.getByRole('searchbox', { name: 'Search' }).fill('something private');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/q=something/u);
  await expect.poll(counted).toMatch(/\$pageleave.*\/library/u);
  await expect.poll(counted).toMatch(/\$pageview.*\/search/u);
  await fail();
  await expect.poll(reported).toContain('a failure of a test');
  expect(JSON.stringify(told)).not.toContain('private');
  expect(counted()).not.toContain('Library');

  await page.goto(`${server.url}/terms`);
  await expect.poll(counted).toMatch(/\$pageview.*\/page/u);
  await page.getByRole('button', { name: 'Cookie settings' }).click();
  await page.getByRole('button', { name: 'Use necessary cookies only' }).click();
  const before = told.length;
  await fail();
  await page.getByRole('link', { name: 'Privacy' }).first().click();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(told.slice(before).filter(({ body }) => /\$page|a failure/u.test(body))).toEqual([]);
});
