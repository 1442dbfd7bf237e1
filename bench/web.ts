import { rmSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type CDPSession,
  chromium,
  type Page,
} from '@playwright/test';
import { build } from '../scripts/build.mjs';
import { CHROMIUM_FLAGS, ensureSystemTools } from '../scripts/systemTools.mjs';
import { api } from '../src/shared/api/index.ts';
import type { Shelf } from '../src/shared/model/library.ts';
import { FIRST_LOAD_BUDGET, sizeOnNetwork } from '../tests/helpers/firstLoad.ts';
import { createAccount, type TestClient } from '../tests/helpers/server.ts';
import { workFolder } from './corpus.ts';
import { type BenchReport, describeMachine, goal, percentile } from './report.ts';
import { startServer, stopServer } from './runServer.ts';
import { seed } from './serverData.ts';

export const description =
  'the web application in Chromium at a quarter of its speed: first load, a large shelf, memory';

export const SLOWER = 4;
const WAIT_MS = 60_000;
const KEPT_MS = 15_000;
export const LOADS = 5;
const LARGE_SHELF = 100_000;
const SHELVES = 50;
/** Opened before the memory is measured, so that it is not the engine's compiled code that grows. */
const WARM_SHELVES = 10;
const SHELF_SIZE = 100;
const SCROLL_SECONDS = 5;
/** Two rows a frame. */
const SCROLL_PIXELS = 114;
const ROWS = '[role="grid"] tbody tr';
const TILES = '.tile';

export interface Visit {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly devtools: CDPSession;
}

/** A window on a desk. */
const WINDOW: BrowserContextOptions = { viewport: { width: 1280, height: 832 } };

/** A visitor who is signed in, with an empty cache, on a slow machine. */
export async function visit(browser: Browser, client: TestClient, device = WINDOW): Promise<Visit> {
  const context = await browser.newContext({ ...device, locale: 'en-US' });
  await context.addCookies([...client.cookies].map(([name, value]) => ({ name, value, url: client.url })));
  await context.addInitScript({ path: join(import.meta.dirname, 'webPage.js') });
  context.setDefaultTimeout(WAIT_MS);
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Performance.enable');
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  return { context, page, devtools };
}

/** What an expression comes to in the page; see webPage.js. */
const ask = <T>(page: Page, expression: string) => page.evaluate<T>(expression);

interface Script {
  readonly name: string;
  readonly encodedBodySize: number;
  readonly decodedBodySize: number;
}

/** Loads the library page with nothing in the cache. */
export async function load({ page }: Visit, address: string) {
  await page.goto(address);
  const contentAt = await ask<number>(page, 'bench.content');
  const scripts = await ask<readonly Script[]>(page, `bench.scriptsBefore(${contentAt})`);
  await ask(page, 'bench.settled()');
  const { largestPaint, shift } = await ask<{ largestPaint: number; shift: number }>(page, 'bench.measured');
  return { contentAt, scripts, largestPaint, shift };
}

/** How long the page took to show that it took in what somebody did, for some of what people do. */
async function interact({ page }: Visit, address: string, shelf: string) {
  await page.goto(address);
  await page.locator(TILES).first().waitFor();
  const rows: { interaction: string; ms: number }[] = [];
  const measure = async (interaction: string, act: () => Promise<unknown>) => {
    await ask(page, 'bench.takeInteractions()');
    await act();
    rows.push({ interaction, ms: await ask<number>(page, 'bench.takeInteractions()') });
  };
  await measure('open the menu', async () => {
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem').first().waitFor();
  });
  await measure('close the menu', () => page.keyboard.press('Escape'));
  await measure('type a search', () =>
    page.getByRole('searchbox', { name: 'Search' }).pressSequentially('lease', { delay: 50 }),
  );
  await measure('open a shelf', async () => {
    await page.locator(`a[href="${shelf}"]`).click();
    await page.locator(ROWS).first().waitFor();
  });
  await measure('select a document', () => page.locator(ROWS).first().getByRole('checkbox').click());
  return rows;
}

/** Opens a shelf that was not open before. @returns milliseconds to its first rows */
async function openShelf({ page }: Visit, address: string, shelf: string): Promise<number> {
  await page.goto(address);
  await page.locator(TILES).first().waitFor();
  await ask(page, 'bench.settled()');
  return ask<number>(page, `bench.open(${JSON.stringify(shelf)}, ${JSON.stringify(ROWS)})`);
}

/** Opens the large shelf, types into its filter and scrolls it. */
async function largeShelf(visitor: Visit, address: string, shelf: string) {
  const { page } = visitor;
  await openShelf(visitor, address, shelf);
  const filterBox = page.getByRole('searchbox', { name: 'Filter documents' });
  await filterBox.waitFor();
  await ask(page, 'bench.settled()');
  const frames = await ask<readonly number[]>(page, `bench.scroll(${SCROLL_SECONDS}, ${SCROLL_PIXELS})`);
  await ask(page, 'scrollTo(0, 0)');
  await ask(page, 'bench.takeInteractions()');
  await filterBox.pressSequentially('document 99', { delay: 50 });
  const filter = await ask<number>(page, 'bench.takeInteractions()');
  return { frames, filter };
}

/** What the browser itself takes to scroll a page of the same height with nothing on it. */
async function emptyPage({ page }: Visit, url: string): Promise<readonly number[]> {
  await page.goto(`${url}/health`);
  await ask(page, `document.body.style.height = '${LARGE_SHELF * 57}px'`);
  return ask<readonly number[]>(page, `bench.scroll(${SCROLL_SECONDS}, ${SCROLL_PIXELS})`);
}

/** The memory that scripts hold, after everything that nothing holds has gone. */
async function heldMemory({ devtools }: Visit) {
  for (let turn = 0; turn < 3; turn += 1) await devtools.send('HeapProfiler.collectGarbage');
  const { metrics } = await devtools.send('Performance.getMetrics');
  const of = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0;
  return { heap: of('JSHeapUsedSize'), nodes: of('Nodes'), listeners: of('JSEventListeners') };
}

/** Opens and closes shelves, and compares the memory after the first few with that after all. */
async function memory(visitor: Visit, address: string, shelves: readonly string[]) {
  const { page } = visitor;
  await page.goto(address);
  await page.locator(TILES).first().waitFor();
  const openAndClose = async (shelf: string) => {
    await ask(page, `bench.open(${JSON.stringify(shelf)}, ${JSON.stringify(ROWS)})`);
    await page.goBack();
    await page.locator(TILES).first().waitFor();
  };
  const heldAfter = async (opened: readonly string[]) => {
    for (const shelf of opened) await openAndClose(shelf);
    // What was closed is kept for ten seconds.
    await page.waitForTimeout(KEPT_MS);
    return heldMemory(visitor);
  };
  const before = await heldAfter(shelves.slice(0, WARM_SHELVES));
  return { before, after: await heldAfter(shelves.slice(WARM_SHELVES)) };
}

export const median = (values: readonly number[]) => percentile(values, 0.5);

/** What the network carried of scripts before the content, in bytes; medians. */
export function scriptSizes(loads: readonly { readonly scripts: readonly Script[] }[]) {
  const total = (size: (script: Script) => number) =>
    median(loads.map(({ scripts }) => scripts.reduce((sum, script) => sum + size(script), 0)));
  const sent = total(({ encodedBodySize }) => encodedBodySize);
  const files = median(loads.map(({ scripts }) => scripts.length));
  return {
    gzipped: total(({ name }) => sizeOnNetwork(new URL(name).pathname)),
    note: `${files} files; ${Math.round(sent / 1000)} KB as they were sent`,
  };
}

/** All figures of one run, of a server that is empty yet. */
async function measure(url: string, dataDir: string, browser: Browser) {
  const client = await createAccount(url);
  const { user_id } = await client.call(api.auth.userinfo, {});
  seed(
    dataDir,
    { libraries: 1, shelvesEach: WARM_SHELVES + SHELVES, documentsEach: SHELF_SIZE, versionsEach: 2 },
    user_id,
  );
  seed(dataDir, { libraries: 1, shelvesEach: 1, documentsEach: LARGE_SHELF, versionsEach: 1 }, user_id);
  const { libraries } = await client.call(api.libraries.listWithShelves, {});
  const shelfOf = ({ library, id }: Shelf) => `/${encodeURIComponent(library)}/${id}`;
  const withShelves = (count: number) => {
    const found = libraries.find(({ shelves }) => shelves.length === count);
    if (found === undefined) throw new Error('the data to measure is not there');
    return { address: `${url}/${encodeURIComponent(found.name)}`, shelves: found.shelves.map(shelfOf) };
  };
  const many = withShelves(WARM_SHELVES + SHELVES);
  const large = withShelves(1);
  const inVisit = async <T>(work: (visitor: Visit) => Promise<T>): Promise<T> => {
    const visitor = await visit(browser, client);
    try {
      return await work(visitor);
    } finally {
      await visitor.context.close();
    }
  };
  const loads: Awaited<ReturnType<typeof load>>[] = [];
  for (let turn = 0; turn < LOADS; turn += 1) loads.push(await inVisit((visitor) => load(visitor, many.address)));
  const opened: number[] = [];
  for (let turn = 0; turn < LOADS; turn += 1) {
    opened.push(await inVisit((visitor) => openShelf(visitor, large.address, large.shelves[0] ?? '')));
  }
  return {
    loads,
    opened,
    interactions: await inVisit((visitor) => interact(visitor, many.address, many.shelves[0] ?? '')),
    shelf: await inVisit((visitor) => largeShelf(visitor, large.address, large.shelves[0] ?? '')),
    floor: await inVisit((visitor) => emptyPage(visitor, url)),
    held: await inVisit((visitor) => memory(visitor, many.address, many.shelves)),
  };
}

/** Runs the benchmark. */
export async function run(): Promise<BenchReport> {
  const loadBefore = loadavg()[0] ?? 0;
  await build();
  const { CHROMIUM_PATH } = await ensureSystemTools();
  const dataDir = workFolder('web');
  const webRoot = join(import.meta.dirname, '..', 'out', 'web');
  const server = await startServer(dataDir, webRoot);
  const browser = await chromium.launch({ executablePath: CHROMIUM_PATH, args: CHROMIUM_FLAGS });
  const { loads, opened, interactions, shelf, floor, held } = await measure(server.url, dataDir, browser).finally(
    async () => {
      await browser.close();
      await stopServer(server);
      rmSync(dataDir, { recursive: true, force: true });
    },
  );

  const scripts = scriptSizes(loads);
  const longest = (frames: readonly number[]) => Math.max(...frames);
  const load1 = loadavg()[0] ?? 0;
  return {
    name: 'web',
    machine: `${describeMachine()}, Chromium ${browser.version()} at 1/${SLOWER} of its speed, load ${loadBefore.toFixed(1)} to ${load1.toFixed(1)}`,
    goals: [
      goal(
        'scripts before the first content, gzipped',
        scripts.gzipped / 1000,
        'KB',
        { atMost: FIRST_LOAD_BUDGET['index.html'].scripts / 1000 },
        scripts.note,
      ),
      goal('largest contentful paint', median(loads.map(({ largestPaint }) => largestPaint)), 'ms', { atMost: 1500 }),
      goal('layout shift', Math.max(...loads.map(({ shift }) => shift)), '', { atMost: 0.02 }),
      goal('slowest interaction', Math.max(...interactions.map(({ ms }) => ms), shelf.filter), 'ms', { atMost: 100 }),
      goal(
        `a shelf of ${LARGE_SHELF} documents to its first rows`,
        median(opened),
        'ms',
        { atMost: 500 },
        opened.map((ms) => Math.round(ms)).join(', '),
      ),
      goal(
        'the same scrolled, longest frame',
        longest(shelf.frames),
        'ms',
        { atMost: 50 },
        `${longest(floor).toFixed(1)} ms on an empty page`,
      ),
      goal(
        `memory after ${SHELVES} shelves against before`,
        held.after.heap / held.before.heap,
        'x',
        { atMost: 1.1 },
        `${(held.after.heap / 1e6).toFixed(1)} against ${(held.before.heap / 1e6).toFixed(1)} MB`,
      ),
    ],
    rows: [
      { what: 'library page: content drawn', ms: median(loads.map(({ contentAt }) => contentAt)) },
      ...interactions.map(({ interaction, ms }) => ({ what: interaction, ms })),
      { what: `filter ${LARGE_SHELF} documents`, ms: shelf.filter },
      { what: 'frame of the large shelf, p50', ms: median(shelf.frames) },
      { what: 'frame of the large shelf, p99', ms: percentile(shelf.frames, 0.99) },
      { what: 'frame of an empty page, p50', ms: median(floor) },
      { what: 'frame of an empty page, p99', ms: percentile(floor, 0.99) },
      {
        what: 'elements after the shelves against before',
        ms: null,
        before: held.before.nodes,
        after: held.after.nodes,
      },
      { what: 'listeners', ms: null, before: held.before.listeners, after: held.after.listeners },
    ],
  };
}
