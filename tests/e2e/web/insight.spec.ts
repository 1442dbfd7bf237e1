import { expect, test } from '@playwright/test';
import { COUNTED_BROWSER, type OtherServices, startOtherServices } from '../../helpers/browser/otherServices.ts';
import { type RunningServer, runServer } from '../../helpers/browser/runServer.ts';
import { signUp } from '../../helpers/browser/steps.ts';

test.use({ userAgent: COUNTED_BROWSER });

let services: OtherServices;
let server: RunningServer;

test.beforeAll(async () => {
  services = await startOtherServices();
  server = await runServer(services.env);
});
test.afterAll(async () => {
  await server.close();
  services.close();
});

test('services of others are loaded and told with consent only, and no more once it is taken back (web-and-phone.md §9, desktop-shell.md §4, decisions.md §11, §12)', async ({
  page,
}) => {
  const { told, counted, reported } = services;
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
