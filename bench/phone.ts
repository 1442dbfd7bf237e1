import { rmSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, devices } from '@playwright/test';
import { build } from '../scripts/build.mjs';
import { CHROMIUM_FLAGS, ensureSystemTools } from '../scripts/systemTools.mjs';
import { api } from '../src/shared/api/index.ts';
import { FIRST_LOAD_BUDGET } from '../tests/helpers/firstLoad.ts';
import { createAccount, type TestClient } from '../tests/helpers/server.ts';
import { workFolder } from './corpus.ts';
import { type BenchReport, describeMachine, goal } from './report.ts';
import { startServer, stopServer } from './runServer.ts';
import { seed } from './serverData.ts';
import { LOADS, load, median, SLOWER, scriptSizes, visit } from './web.ts';

export const description = 'the phone layout in Chromium at a quarter of its speed over 4G: its first load';

const SHELVES = 20;
const BITS = 8;
const MEGABIT = 1_000_000;
/** As WebPageTest has them; a slow one is what Lighthouse takes for phones. */
const NETWORKS = {
  '4G': { latency: 170, downloadThroughput: (9 * MEGABIT) / BITS, uploadThroughput: (9 * MEGABIT) / BITS },
  'slow 4G': { latency: 150, downloadThroughput: (1.6 * MEGABIT) / BITS, uploadThroughput: (0.75 * MEGABIT) / BITS },
} as const;
const PHONE: BrowserContextOptions = { ...devices['Pixel 7'], viewport: { width: 375, height: 667 } };

/** The library page, opened over and over with an empty cache. */
async function firstLoads(browser: Browser, client: TestClient, address: string, network: keyof typeof NETWORKS) {
  const loads: Awaited<ReturnType<typeof load>>[] = [];
  for (let turn = 0; turn < LOADS; turn += 1) {
    const visitor = await visit(browser, client, PHONE);
    await visitor.devtools.send('Network.enable');
    await visitor.devtools.send('Network.emulateNetworkConditions', { offline: false, ...NETWORKS[network] });
    loads.push(await load(visitor, address));
    await visitor.context.close();
  }
  return loads;
}

/** Runs the benchmark. */
export async function run(): Promise<BenchReport> {
  const loadBefore = loadavg()[0] ?? 0;
  await build();
  const { CHROMIUM_PATH } = await ensureSystemTools();
  const dataDir = workFolder('phone');
  const server = await startServer(dataDir, join(import.meta.dirname, '..', 'out', 'web'));
  const browser = await chromium.launch({ executablePath: CHROMIUM_PATH, args: CHROMIUM_FLAGS });
  const measure = async () => {
    const client = await createAccount(server.url);
    const { user_id } = await client.call(api.auth.userinfo, {});
    seed(dataDir, { libraries: 1, shelvesEach: SHELVES, documentsEach: 10, versionsEach: 1 }, user_id);
    const { libraries } = await client.call(api.libraries.listWithShelves, {});
    const library = libraries.find(({ shelves }) => shelves?.length === SHELVES);
    if (library === undefined) throw new Error('the data to measure is not there');
    const address = `${server.url}/m/${encodeURIComponent(library.name)}`;
    return {
      fast: await firstLoads(browser, client, address, '4G'),
      slow: await firstLoads(browser, client, address, 'slow 4G'),
    };
  };
  const { fast, slow } = await measure().finally(async () => {
    await browser.close();
    await stopServer(server);
    rmSync(dataDir, { recursive: true, force: true });
  });
  const scripts = scriptSizes(fast);
  const contentAt = (loads: typeof fast) => median(loads.map((each) => each.contentAt));
  const load1 = loadavg()[0] ?? 0;
  return {
    name: 'phone',
    machine: `${describeMachine()}, Chromium ${browser.version()} at 1/${SLOWER} of its speed, load ${loadBefore.toFixed(1)} to ${load1.toFixed(1)}`,
    goals: [
      goal(
        'scripts before the first content, gzipped',
        scripts.gzipped / 1000,
        'KB',
        { atMost: FIRST_LOAD_BUDGET['phone.html'].scripts / 1000 },
        scripts.note,
      ),
      goal('library page over 4G: content drawn', contentAt(fast), 'ms', { atMost: 2500 }),
    ],
    rows: [
      { what: 'over 4G: largest contentful paint', ms: median(fast.map(({ largestPaint }) => largestPaint)) },
      { what: 'over slow 4G: content drawn', ms: contentAt(slow) },
      { what: 'over slow 4G: largest contentful paint', ms: median(slow.map(({ largestPaint }) => largestPaint)) },
      { what: 'layout shift, most', ms: null, value: Math.max(...[...fast, ...slow].map(({ shift }) => shift)) },
    ],
  };
}
