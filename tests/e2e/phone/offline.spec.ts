import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from '../../helpers/browser/accessible.ts';
import { type Network, network } from '../../helpers/browser/network.ts';
import { type RunningServer, runServer } from '../../helpers/browser/runServer.ts';
import { commitFiles, createShelf, signUp, textFile } from '../../helpers/browser/steps.ts';

const BUILT = join(import.meta.dirname, '../../../out/web');

const PAGE = existsSync(join(BUILT, 'phone.html')) ? 'phone.html' : 'index.html';
let server: RunningServer;
let between: Network;
test.beforeAll(async () => {
  server = await runServer();
  between = await network(server.url);
});
test.afterAll(async () => {
  await between.close();
  await server.close();
});

/** The names of what the browser keeps for the page: addresses in caches, keys in databases. */
function keptBy(page: Page) {
  return page.evaluate(async () => {
    const addresses: string[] = [];
    for (const name of await caches.keys()) {
      for (const { url } of await (await caches.open(name)).keys()) addresses.push(new URL(url).pathname);
    }
    const records: unknown[] = [];
    for (const { name, version } of await indexedDB.databases()) {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open(name ?? '', version);
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
      for (const store of database.objectStoreNames) {
        records.push(
          ...(await new Promise<unknown[]>((resolve) => {
            const request = database.transaction(store).objectStore(store).getAll();
            request.onsuccess = () => resolve(request.result);
          })),
        );
      }
      database.close();
    }
    return { addresses, records: JSON.stringify(records) };
  });
}

/** Waits until the application would start without a network. */
const shellIsKept = (page: Page) =>
  expect.poll(async () => (await keptBy(page)).addresses.includes('/'), { timeout: 30_000 }).toBe(true);

test('without a network the application starts, says so and shows what was seen last; signing out leaves nothing (field.md row 66)', async ({
  page,
  context,
}) => {
  const who = await signUp(page, between.url);
  await createShelf(page, 'Charters');
  const secret = 'the seal is under the third stair';
  await commitFiles(page, [textFile('charter.txt', `${secret}\n`), textFile('deed.txt', 'never opened\n')], 'both');
  await page.getByRole('link', { name: 'charter.txt' }).click();
  await expect(page.getByText(secret)).toBeVisible();
  const version = page.url();
  await page.goBack();
  await expect(page.getByText('deed.txt')).toBeVisible();
  const shelf = page.url();
  await shellIsKept(page);
  await expect.poll(async () => (await keptBy(page)).records).toContain('deed.txt');

  between.cut();
  await context.setOffline(true);
  await page.goto(shelf);
  const banner = page.getByText('You are offline.');
  await expect(banner).toContainText('This is what you saw here last.');
  await expect(page.getByText('deed.txt')).toBeVisible();
  await expectAccessible(page);
  // The version that was opened: what is known of it, and that its content is not here.
  await page.goto(version);
  await expect(page.getByText('charter.txt').first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Try again' }).first()).toBeVisible();
  await expect(page.getByText(secret)).toHaveCount(0);
  await expectAccessible(page);
  // The library, by the application's own address.
  await page.goto(between.url);
  await expect(page.getByRole('link', { name: /Charters/ }).first()).toBeVisible();
  await expect(page.getByText(who.library).first()).toBeVisible();

  const { addresses, records } = await keptBy(page);
  expect(addresses.filter((each) => !/^\/(?:$|prepare\.js$|assets\/[\w.-]+\.(?:js|css|woff2)$)/u.test(each))).toEqual(
    [],
  );
  expect(records).not.toContain(secret);
  expect(records).not.toContain('/storage/');

  between.restore();
  await context.setOffline(false);
  await expect(banner).toBeHidden();

  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page.getByRole('button', { name: 'Login / Signup' }).first()).toBeVisible();
  await expect.poll(() => keptBy(page)).toEqual({ addresses: [], records: '[]' });
});

test('after an update the page is the new one at once, with and without a network', async ({ page, context }) => {
  await signUp(page, between.url);
  await shellIsKept(page);
  // The same build once more, with another page: as far as it goes, a newer version.
  const folder = mkdtempSync(join(tmpdir(), 'armarium-update-'));
  cpSync(BUILT, folder, { recursive: true });
  for (const name of ['index.html', 'phone.html']) {
    const file = join(folder, name);
    if (existsSync(file))
      writeFileSync(file, readFileSync(file, 'utf8').replace('</head>', '<meta name="build" content="newer"></head>'));
  }
  const script = join(folder, 'service-worker.js');
  writeFileSync(
    script,
    readFileSync(script, 'utf8').replace(/version:[`'"]\w+/u, (found) => `${found}newer`),
  );
  const types: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css' };
  const newer = createServer(({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://localhost');
    const isFile = /^\/(?:assets\/|prepare\.js|service-worker\.js)/u.test(pathname);
    if (/^\/(?:api|auth)\//u.test(pathname)) return response.writeHead(503).end();
    const type = types[extname(pathname)] ?? 'application/octet-stream';
    response.writeHead(200, { 'content-type': isFile ? type : 'text/html' });
    return response.end(readFileSync(join(folder, isFile ? pathname : PAGE)));
  });
  await new Promise<void>((resolve) => newer.listen(0, '127.0.0.1', resolve));
  const build = () =>
    page.evaluate(() => document.querySelector('meta[name="build"]')?.getAttribute('content') ?? 'older');
  try {
    expect(await build()).toBe('older');
    between.leadTo(`http://127.0.0.1:${(newer.address() as AddressInfo).port}`);
    await page.reload();
    expect(await build()).toBe('newer');
    await expect.poll(() => page.evaluate(async () => (await caches.keys()).join())).toMatch(/^shell \w+newer$/u);
    between.cut();
    await context.setOffline(true);
    await page.reload();
    expect(await build()).toBe('newer');
  } finally {
    between.restore();
    between.leadTo(server.url);
    newer.closeAllConnections();
    newer.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
