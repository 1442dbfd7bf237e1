import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { COUNTED_BROWSER, type OtherServices, startOtherServices } from '../../helpers/browser/otherServices.ts';
import { type RunningServer, runServer } from '../../helpers/browser/runServer.ts';
import { person } from '../../helpers/browser/steps.ts';
import { type DesktopApp, launchDesktop } from '../../helpers/electron/desktop.ts';
import { signUpByBrowser } from '../../helpers/electron/steps.ts';

let home: string;
let services: OtherServices;
let server: RunningServer;
let app: DesktopApp;
let page: Page;

test.beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'armarium-insight-'));
  services = await startOtherServices();
  server = await runServer(services.env);
  app = await launchDesktop({ userData: join(home, 'user') });
  page = app.page;
});
test.afterAll(async () => {
  await app.close();
  await server.close();
  services.close();
  await rm(home, { recursive: true, force: true });
});

/** Loads the page anew, which brings the policy that holds now, in a browser that is counted. */
async function reload(): Promise<void> {
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
}
const fail = () => page.evaluate(() => void setTimeout(() => Promise.reject(new Error('a failure of a test'))));
const consent = () => page.getByRole('region', { name: 'Privacy' }).getByRole('checkbox');

test('services of others are told with consent only, at the addresses alone that the server in use names (desktop-shell.md §4, §7)', async ({
  browser,
}) => {
  const { told, counted, reported } = services;
  await page.addInitScript((userAgent) => {
    Object.defineProperty(Navigator.prototype, 'userAgent', { get: () => userAgent });
    Object.defineProperty(Navigator.prototype, 'webdriver', { get: () => false });
  }, COUNTED_BROWSER);
  const policy = () => page.evaluate(async () => (await fetch('/')).headers.get('content-security-policy'));
  expect(await policy()).toContain("connect-src 'self' blob:;");
  await page.getByRole('button', { name: /Connect to a server/ }).click();
  await page.getByLabel('Server address').fill(server.url);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  const who = person();
  await signUpByBrowser(app, browser, who);
  const origin = services.env.ARMARIUM_POSTHOG_HOST;
  await expect.poll(policy).toContain(`connect-src 'self' blob: ${origin};`);
  await reload();
  await fail();
  await page.getByRole('link', { name: 'Settings' }).click();
  await expect(consent()).not.toBeChecked();
  expect(told).toEqual([]);

  await consent().check();
  await expect.poll(counted).toMatch(/\$pageview.*\/desktop-settings/u);
  await fail();
  await expect.poll(reported).toContain('a failure of a test');
  await page.getByRole('link', { name: 'Overview' }).first().click();
  await expect.poll(counted).toMatch(/\$pageleave.*\/desktop-settings/u);

  // The consent of before holds at the start.
  const before = counted().length;
  await reload();
  await expect.poll(() => counted().slice(before)).toMatch(/\$pageview.*\/desktop-main/u);
  expect(counted()).not.toContain(who.library);

  await page.getByRole('link', { name: 'Settings' }).click();
  await expect.poll(() => counted().slice(before)).toMatch(/\$pageview.*\/desktop-settings/u);
  await consent().uncheck();
  const then = told.length;
  await fail();
  await page.getByRole('link', { name: 'Overview' }).first().click();
  await reload();
  expect(told.slice(then).filter(({ body }) => /\$page|a failure/u.test(body))).toEqual([]);
});
