import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import { build as buildPage } from 'vite';
import { build } from '../scripts/build.mjs';
import { CHROMIUM_FLAGS, ensureSystemTools } from '../scripts/systemTools.mjs';
import { LIMITS } from '../src/shared/rules/limits.ts';
import { launchStandIn, type StandInApp } from '../tests/helpers/electron/desktop.ts';
import { signUpHere } from '../tests/helpers/electron/steps.ts';
import { workFolder } from './corpus.ts';
import { processTree } from './processes.ts';
import { type BenchGoal, type BenchReport, describeMachine, goal, percentile } from './report.ts';

export const description =
  'the desktop application on the stand-in for Electron: start, idling, the main process and typing while it indexes';

const BARE_WINDOW = join(import.meta.dirname, 'bareWindow');
const STARTS = 5;
const FILES = 20_000;
/** The list of results is drawn with so many as well. */
const MANY = 100_000;
/** After indexing the index is merged and checked once; what is measured is the rest after that. */
const SETTLE_MS = 30_000;
const IDLE_MS = 60_000;
const INDEX_MS = 300_000;
const SCROLL_SECONDS = 3;
const WORDS = 'the quick brown fox jumps over the lazy dog while the armarium stands in the cloister';

const median = (values: readonly number[]) => percentile(values, 0.5);

/** Builds the page of the bare window. @returns its folder */
async function buildBarePage(folder: string): Promise<string> {
  const outDir = join(folder, 'bare-page');
  await buildPage({ configFile: false, root: BARE_WINDOW, build: { outDir, emptyOutDir: true }, logLevel: 'warn' });
  return outDir;
}

/** Milliseconds from nothing to the page of a bare Electron application with React, started as the product is. */
async function startBareWindow(userData: string, page: string): Promise<number> {
  const began = performance.now();
  const app = await launchStandIn({
    userData,
    mainEntry: join(BARE_WINDOW, 'main.ts'),
    env: { BARE_WINDOW_PAGE: page },
  });
  await app.page.getByRole('heading').waitFor({ state: 'attached' });
  const took = performance.now() - began;
  await app.close();
  return took;
}

/** The same for the application: to its first screen, which stands beneath the splash, and until the splash gives way to it. */
async function startOnce(userData: string): Promise<{ screen: number; usable: number }> {
  const began = performance.now();
  const app = await launchStandIn({ userData });
  await app.page.locator('.welcome__title').waitFor({ state: 'attached' });
  const screen = performance.now() - began;
  await app.page.locator('#splash').waitFor({ state: 'detached' });
  const usable = performance.now() - began;
  await app.close();
  return { screen, usable };
}

async function signIn(app: StandInApp, browser: Browser): Promise<void> {
  const { page } = app;
  await signUpHere(app, browser);
  await page.getByRole('heading', { name: /Good to see you/ }).waitFor();
}

/** Files that all hold the same phrase, put into the workspace at once. */
function addFiles(home: string, folder: string, from: number, to: number): void {
  mkdirSync(join(home, folder));
  for (let at = from; at < to; at += 1) {
    writeFileSync(join(home, folder, `${at}.txt`), `${WORDS}, number ${at}\n`.repeat(20));
  }
  renameSync(join(home, folder), join(home, 'workspace', folder));
}

const indexed = (page: Page, files: number) =>
  page
    .getByText(`${files.toLocaleString('en-US')} of ${files.toLocaleString('en-US')} files searchable`)
    .waitFor({ timeout: INDEX_MS });

/** Types into the search box, key by key. @returns milliseconds from each key to the frame that shows it */
async function typeInSearch(page: Page, isOver: () => boolean): Promise<readonly number[]> {
  await page.keyboard.press('Control+Alt+F');
  const input = page.getByRole('searchbox', { name: 'Find in files' });
  await input.waitFor();
  await page.evaluate(`(() => {
    globalThis.keyTimes = [];
    addEventListener('keydown', ({ timeStamp }) => {
      requestAnimationFrame(() => setTimeout(() => globalThis.keyTimes.push(performance.now() - timeStamp)));
    }, true);
  })()`);
  while (!isOver()) {
    await input.fill('');
    await input.pressSequentially('quick brown', { delay: 120 });
  }
  await page.keyboard.press('Escape');
  return page.evaluate<number[]>('globalThis.keyTimes');
}

/** Lists every file and scrolls through. */
async function listAll(
  app: StandInApp,
  files: number,
): Promise<{ first: number; frames: readonly number[]; loop: number }> {
  const { page } = app;
  await page.keyboard.press('Control+Alt+F');
  const input = page.getByRole('searchbox', { name: 'Find in files' });
  await input.fill('quick brown');
  await input.press('Enter');
  const count = files.toLocaleString('en-US');
  await page.getByRole('tab', { name: `Current Workspace ${count}` }).waitFor({ timeout: INDEX_MS });
  await app.loopDelay(true);
  const began = performance.now();
  await page.getByRole('button', { name: 'Show all' }).click();
  await page.getByRole('option').first().waitFor({ timeout: INDEX_MS });
  const first = performance.now() - began;
  await page.locator(`[role="option"][aria-setsize="${files}"]`).first().waitFor({ timeout: INDEX_MS });
  const { longest: loop } = await app.loopDelay(false);
  const frames = await page.evaluate<number[]>(`(async () => {
    const list = document.querySelector('.results');
    const frame = () => new Promise((drawn) => requestAnimationFrame(drawn));
    const frames = [];
    let last = await frame();
    for (const end = last + ${SCROLL_SECONDS * 1000}; last < end; ) {
      list.scrollBy(0, 400);
      const now = await frame();
      frames.push(now - last);
      last = now;
    }
    return frames;
  })()`);
  await page.keyboard.press('Escape');
  return { first, frames, loop };
}

/** What the processes use while nobody does anything. */
async function idle(app: StandInApp): Promise<{ rows: BenchReport['rows']; percent: number; megabytes: number }> {
  const nameOf = (command: string) =>
    command.includes('indexProcess')
      ? 'index process'
      : command.includes('serverProcess')
        ? 'server process'
        : command.includes('out/main/index.js')
          ? 'main process'
          : `Chromium${/--type=([a-z-]+)/u.exec(command)?.[1]?.replace(/^/u, ' ') ?? ''}`;
  await new Promise((done) => setTimeout(done, SETTLE_MS));
  const before = new Map(processTree(app.pid).map((use) => [use.pid, use]));
  await new Promise((done) => setTimeout(done, IDLE_MS));
  const rows = processTree(app.pid).map(({ pid, command, seconds, megabytes }) => ({
    process: nameOf(command),
    'cpu %': ((seconds - (before.get(pid)?.seconds ?? seconds)) / (IDLE_MS / 1000)) * 100,
    MiB: megabytes,
  }));
  const own = rows.filter(({ process }) => !process.startsWith('Chromium'));
  return {
    rows,
    percent: own.reduce((sum, row) => sum + row['cpu %'], 0),
    megabytes: own.reduce((sum, row) => sum + row.MiB, 0),
  };
}

/** Runs the benchmark. */
export async function run(): Promise<BenchReport> {
  await build();
  const { CHROMIUM_PATH } = await ensureSystemTools();
  const home = workFolder('desktop');
  mkdirSync(join(home, 'workspace'));
  const load = () => loadavg()[0]?.toFixed(1);
  const loadBefore = load();
  const barePage = await buildBarePage(home);
  const bare: number[] = [];
  const starts: { screen: number; usable: number }[] = [];
  for (let turn = 0; turn < STARTS; turn += 1) {
    bare.push(await startBareWindow(join(home, `bare-${turn}`), barePage));
    starts.push(await startOnce(join(home, `start-${turn}`)));
  }
  const browser = await chromium.launch({ executablePath: CHROMIUM_PATH, args: CHROMIUM_FLAGS });
  const app = await launchStandIn({ userData: join(home, 'user') });
  try {
    const { page } = app;
    await signIn(app, browser);
    await app.answerDialog('showOpenDialog', { canceled: false, filePaths: [join(home, 'workspace')] });
    await page.getByRole('button', { name: 'Choose folder' }).click();
    addFiles(home, 'first', 0, FILES);
    await app.loopDelay(true);
    let isIndexed = false;
    const ready = indexed(page, FILES).then(() => {
      isIndexed = true;
    });
    const keys = await typeInSearch(page, () => isIndexed);
    await ready;
    const whileIndexing = await app.loopDelay(false);
    const resting = await idle(app);
    const all = await listAll(app, FILES);
    addFiles(home, 'more', FILES, MANY);
    await indexed(page, MANY);
    const many = await listAll(app, MANY);
    const [screens, usable] = [starts.map(({ screen }) => screen), starts.map((each) => each.usable)];
    const goals: BenchGoal[] = [
      goal(
        'start to the first screen, beneath the splash, against a bare window with React',
        median(screens) / median(bare),
        'x',
        { atMost: 1.5 },
        `${Math.round(median(screens))} against ${Math.round(median(bare))} ms`,
      ),
      goal(
        "start to the usable window against a bare window with React and the splash's second",
        median(usable) / (median(bare) + LIMITS.splashMs),
        'x',
        { atMost: 1.5 },
        `${Math.round(median(usable))} ms in all`,
      ),
      goal(`idle with ${FILES} files: processor, without Chromium`, resting.percent, '%', { atMost: 0.5 }),
      goal('the same, memory', resting.megabytes, 'MiB', { atMost: 350 }),
      goal(
        `main process while ${FILES} files are indexed: p99.9 of its delay`,
        whileIndexing.p999,
        'ms',
        { atMost: 50 },
        `longest ${whileIndexing.longest.toFixed(0)} ms`,
      ),
      goal(
        'typing in the search box at that time, a key to its frame: p95',
        percentile(keys, 0.95),
        'ms',
        { atMost: 100 },
        `${keys.length} keys, p50 ${median(keys).toFixed(0)} ms`,
      ),
      goal(
        `all ${FILES} results listed and scrolled: p95 of the frames`,
        percentile(all.frames, 0.95),
        'ms',
        { atMost: 50 },
        `longest ${Math.max(...all.frames).toFixed(0)} ms, first rows after ${all.first.toFixed(0)} ms`,
      ),
      goal(
        `the same with ${MANY}`,
        percentile(many.frames, 0.95),
        'ms',
        { atMost: 50 },
        `longest ${Math.max(...many.frames).toFixed(0)} ms, first rows after ${many.first.toFixed(0)} ms, main process held up ${many.loop.toFixed(0)} ms`,
      ),
    ];
    return {
      name: 'desktop',
      machine: `${describeMachine()}, Chromium ${browser.version()}, on the stand-in for Electron, load ${loadBefore} to ${load()}`,
      goals,
      rows: resting.rows ?? [],
    };
  } finally {
    await app.close();
    await browser.close();
    rmSync(home, { recursive: true, force: true });
  }
}
