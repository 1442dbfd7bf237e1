import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { expect, type Locator, type Page, test } from '@playwright/test';
import { expectAccessible } from '../../helpers/browser/accessible.ts';
import { type Network, network } from '../../helpers/browser/network.ts';
import { type RunningServer, runServer } from '../../helpers/browser/runServer.ts';
import { commitFiles, createShelf, documentFile, signUp, textFile } from '../../helpers/browser/steps.ts';
import { pngFile } from '../../helpers/pngFile.ts';

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

/**
 * Takes the network away, and tells this page and all that come after it, as a browser does: what Chromium is told in a test is
 * forgotten by the next page that a service worker answers.
 * @returns what brings the network back
 */
async function goOffline(page: Page): Promise<() => Promise<void>> {
  const say = (isOnline: boolean) => {
    Object.defineProperty(navigator, 'onLine', { configurable: true, get: () => isOnline });
    dispatchEvent(new Event(isOnline ? 'online' : 'offline'));
  };
  between.cut();
  await page.context().setOffline(true);
  const told = await page.addInitScript(say, false);
  await page.evaluate(say, false);
  return async () => {
    between.restore();
    await page.context().setOffline(false);
    await told.dispose();
    await page.evaluate(say, true);
  };
}

/** Waits until the application would start without a network. */
async function shellIsKept(page: Page): Promise<void> {
  await expect.poll(async () => (await keptBy(page)).addresses.includes('/'), { timeout: 30_000 }).toBe(true);
  // Before that a newer worker would be the first that the page has, which is no update.
  await page.waitForFunction('navigator.serviceWorker.controller !== null');
}

/** Waits until as many documents as that, and what they are shown with, are kept. */
const documentsAreKept = (page: Page, count: number) =>
  expect
    .poll(
      async () => {
        const { addresses, records } = await keptBy(page);
        const hasViews = addresses.some((each) => /\/pdfjs-.*\/worker\.js$/u.test(each));
        return hasViews ? [...records.matchAll(/"key":"content /gu)].length : 0;
      },
      { timeout: 60_000 },
    )
    .toBe(count);

test('without a network the application starts, says so and shows the documents that were opened lately; signing out leaves nothing (field.md row 66)', async ({
  page,
}) => {
  const who = await signUp(page, between.url);
  await page.getByRole('button', { name: 'Use necessary cookies only' }).tap();
  await createShelf(page, 'Charters');
  const secret = 'the seal is under the third stair';
  const plan = {
    name: 'plan.png',
    mimeType: 'image/png',
    buffer: pngFile(60, 40, (x) => [Math.round(x * 255), 0, 90]),
  };
  await commitFiles(
    page,
    [textFile('charter.txt', `${secret}\n`), textFile('deed.txt', 'never opened\n'), documentFile('lease.pdf'), plan],
    'all',
  );
  const shelf = page.url();
  const shown: Readonly<Record<string, Locator>> = {
    'charter.txt': page.getByText(secret),
    'lease.pdf': page.locator('.pdf__canvas canvas').first(),
    'plan.png': page.locator('.image-stage__image'),
  };
  const addresses: Record<string, string> = {};
  for (const [index, name] of Object.keys(shown).entries()) {
    await page.getByRole('link', { name }).click();
    await expect(shown[name] as Locator).toBeVisible();
    addresses[name] = page.url();
    await documentsAreKept(page, index + 1);
    await page.goto(shelf);
  }
  await expect(page.getByText('deed.txt')).toBeVisible();
  await shellIsKept(page);
  await expect.poll(async () => (await keptBy(page)).records).toContain('deed.txt');

  between.cut();
  await page.goto(shelf);
  await expect(page.getByText('The server is out of reach.')).toBeVisible();
  const comeBack = await goOffline(page);
  const banner = page.getByText('You are offline.');
  await expect(banner).toContainText('This is what you saw here last.');
  await expect(page.getByText('deed.txt')).toBeVisible();
  await expectAccessible(page);
  for (const [name, content] of Object.entries(shown)) {
    await page.goto(addresses[name] ?? '');
    await expect(content).toBeVisible();
    await expect(banner).toBeVisible();
    await expect(page.getByText('Shown from this device')).toBeVisible();
    await expectAccessible(page, name);
    if (name === 'plan.png') continue;
    await page.getByRole('button', { name: 'Find in document' }).click();
    const find = page.getByRole('search', { name: 'Find in document' });
    await find.getByRole('textbox').fill('the');
    await expect(find.getByRole('status')).toHaveText(/^1 of \d+$/);
  }
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download' }).click();
  expect((await download).suggestedFilename()).toBe('plan.png');
  // One that was never opened is not there, which is said.
  await page.goto(shelf);
  await page.getByRole('link', { name: 'deed.txt' }).click();
  await expect(page.getByRole('heading', { name: 'This document is not kept on this device' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'What is kept here' }).click();
  const list = page.getByRole('list', { name: 'Documents that are kept' });
  await expect(list.getByRole('link')).toHaveText(['plan.png', 'lease.pdf', 'charter.txt']);
  // The library, by the application's own address.
  await page.goto(between.url);
  await expect(page.getByRole('link', { name: /Charters/ }).first()).toBeVisible();
  await expect(page.getByText(who.library).first()).toBeVisible();

  // The worker keeps public files alone, the page what is in documents; signed addresses are nowhere.
  const kept = await keptBy(page);
  const isPublic = /^\/(?:$|prepare\.js$|assets\/[\w./-]+\.(?:js|css|woff2|pfb|ttf|wasm|icc)$)/u;
  expect(kept.addresses.filter((each) => !isPublic.test(each))).toEqual([]);
  expect(kept.records).toContain(secret);
  expect(kept.records).not.toContain('/storage/');

  await comeBack();
  await expect(banner).toBeHidden();
  // What the server refuses from now on goes as soon as there is a network.
  const version = await page.request.get(
    `${between.url}/api/v1/version/${addresses['charter.txt']?.split('/').at(-1)}/`,
  );
  const { document_id } = (await version.json()) as { document_id: string };
  const headers = { origin: between.url };
  await page.request.post(`${between.url}/api/v1/documents/${document_id}/delete/`, { headers, data: {} });
  await page.request.delete(`${between.url}/api/v1/deleted-documents/${document_id}/delete/`, { headers });
  await page.goto(`${between.url}/m/settings?tab=offline`);
  await expect.poll(async () => (await keptBy(page)).records.includes(secret)).toBe(false);
  await page.reload();
  await expect(list.getByRole('link')).toHaveText(['plan.png', 'lease.pdf']);
  await expectAccessible(page);
  await expect(page.getByRole('checkbox', { name: 'Keep recently opened documents on this device' })).toBeChecked();
  await page.getByRole('button', { name: 'Empty now' }).tap();
  await expect(page.getByText('Nothing is kept here.')).toBeVisible();
  await documentsAreKept(page, 0);
  await page.goto(addresses['lease.pdf'] ?? '');
  await documentsAreKept(page, 1);
  await page.goto(`${between.url}/m/settings`);
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
    // A page that stays open asks when somebody comes back to it after an hour, and says what there is.
    await page.clock.setSystemTime(Date.now() + 61 * 60_000);
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    const toast = page.locator('.Toastify__toast');
    await expect(toast).toContainText(/A newer version of .+ is here\./u);
    expect(await build()).toBe('older');
    await expectAccessible(page);
    await toast.getByRole('button', { name: 'Reload' }).click();
    await expect.poll(build).toBe('newer');
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
