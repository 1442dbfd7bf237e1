import { rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { build } from '../scripts/build.mjs';
import { CHROMIUM_FLAGS, ensureSystemTools } from '../scripts/systemTools.mjs';
import { api } from '../src/shared/api/index.ts';
import type { Shelf } from '../src/shared/model/library.ts';
import { findSteps } from '../src/shared/rules/find.ts';
import { createAccount } from '../tests/helpers/server.ts';
import { workFolder } from './corpus.ts';
import { type BenchGoal, type BenchReport, describeMachine, goal, percentile } from './report.ts';
import { startServer, stopServer } from './runServer.ts';
import { compareLongTexts } from './viewerCompare.ts';
import { openLongPdf } from './viewerPdf.ts';

export const description =
  'the viewer: finding in a long document, opening large ones in Chromium, comparing long texts';

/** What a part of the benchmark works with: a server with an empty shelf, and a page that is signed in to it. */
export interface Bench {
  readonly url: string;
  /** For files to upload. */
  readonly folder: string;
  readonly shelf: Shelf;
  readonly page: Page;
  /** Commits a file to the shelf. @returns where its version is shown */
  readonly upload: (file: string) => Promise<string>;
}

type Row = Readonly<Record<string, string | number | null>>;

export interface Measured {
  readonly goals: readonly BenchGoal[];
  readonly rows: readonly Row[];
}

/** What is measured, one after the other. */
const PARTS: readonly ((bench: Bench) => Promise<Measured>)[] = [
  findInPages,
  openLargeText,
  openLongPdf,
  compareLongTexts,
];

const PAGES = 20_000;
const LARGE_BYTES = 100 * 1024 * 1024;
const OPENINGS = 5;
const UPLOAD_MS = 120_000;

const median = (values: readonly number[]) => percentile(values, 0.5);

/** Pages of some 3,000 characters, of words that are not all the same. */
function pages(): readonly string[] {
  return Array.from({ length: PAGES }, (_, page) =>
    Array.from({ length: 430 }, (_each, at) => `word${(page * 31 + at * 7) % 5000}`).join(' '),
  );
}

async function findInPages(): Promise<Measured> {
  const texts = pages();
  const seconds: number[] = [];
  const first: number[] = [];
  let count = 0;
  for (let turn = 0; turn < OPENINGS; turn += 1) {
    const began = performance.now();
    let firstAt = 0;
    count = 0;
    for (const step of findSteps(texts, 'word4999')) {
      count += step?.length ?? 0;
      if (count > 0 && firstAt === 0) firstAt = performance.now() - began;
    }
    seconds.push((performance.now() - began) / 1000);
    first.push(firstAt);
  }
  const rate = PAGES / median(seconds);
  return {
    goals: [
      goal('find: pages a second, all matches counted', rate, 'pages/s', { atLeast: 2000 }, `${count} matches`),
      goal('find: first match once the text is there', median(first), 'ms', { atMost: 300 }),
    ],
    rows: [],
  };
}

function largeText(): string {
  const line = (at: number) => `2026-03-01T09:00:00Z INFO request ${String(at).padStart(8, '0')} was answered in 12 ms`;
  const length = line(0).length + 1;
  return Array.from({ length: Math.ceil(LARGE_BYTES / length) }, (_, at) => line(at)).join('\n');
}

/** Opens a document from its shelf as people do. @returns milliseconds until its first rows are drawn */
async function open(page: Page, shelf: string, href: string): Promise<number> {
  await page.goto(shelf);
  await page.locator(`a[href="${href}"]`).waitFor();
  // The code of the viewer comes when there is time, as it does for who looks at the shelf first.
  await page.evaluate('bench.settled()');
  return page.evaluate<number>(`bench.open(${JSON.stringify(href)}, '.text-view__text:not(:empty)')`);
}

/** Commits a file as people do. */
async function upload(page: Page, place: string, file: string): Promise<string> {
  await page.goto(place);
  await page.getByTestId('upload-files').setInputFiles(file);
  await page.getByRole('dialog').getByLabel('Commit message').fill('measured');
  await page.getByRole('button', { name: /^Commit \d+ files?$/u }).click();
  const link = page
    .getByRole('grid')
    .getByRole('link', { name: basename(file) })
    .first();
  await link.waitFor({ timeout: UPLOAD_MS });
  return (await link.getAttribute('href')) ?? '';
}

async function openLargeText({ folder, shelf, page, url, upload: commit }: Bench): Promise<Measured> {
  const [large, small] = [join(folder, 'server.log'), join(folder, 'small.log')];
  writeFileSync(large, largeText());
  writeFileSync(small, largeText().slice(0, 4000));
  const place = `/${encodeURIComponent(shelf.library)}/${shelf.id}`;
  const smallAt = await commit(small);
  const largeAt = await commit(large);
  const openings: number[] = [];
  const floor: number[] = [];
  const freezes: number[] = [];
  for (let turn = 0; turn < OPENINGS; turn += 1) {
    floor.push(await open(page, url + place, smallAt));
    openings.push(await open(page, url + place, largeAt));
    freezes.push(Math.max(...(await page.evaluate<readonly number[]>('bench.scroll(3, 0)'))));
  }
  const note = `${Math.round(median(floor))} ms for one of 4 KB`;
  return {
    goals: [
      goal('a text of 100 MB to its first screen', median(openings), 'ms', { atMost: 1000 }, note),
      goal('the same while the rest comes in, longest frame', median(freezes), 'ms', { atMost: 100 }),
    ],
    rows: openings.map((ms, turn) => ({ what: 'opening', turn: turn + 1, '100 MB': ms, '4 KB': floor[turn] ?? null })),
  };
}

/** Runs the benchmark. */
export async function run(): Promise<BenchReport> {
  await build();
  const { CHROMIUM_PATH } = await ensureSystemTools();
  const dataDir = workFolder('viewer');
  const server = await startServer(dataDir, join(import.meta.dirname, '..', 'out', 'web'));
  const browser = await chromium.launch({ executablePath: CHROMIUM_PATH, args: CHROMIUM_FLAGS });
  try {
    const client = await createAccount(server.url);
    const lib = client.account.library;
    const shelf = await client.call(api.shelves.create, { params: { lib }, body: { name: 'Measured' } });
    const context = await browser.newContext({ viewport: { width: 1280, height: 832 }, locale: 'en-US' });
    await context.addCookies([...client.cookies].map(([name, value]) => ({ name, value, url: server.url })));
    await context.addInitScript({ path: join(import.meta.dirname, 'webPage.js') });
    const page = await context.newPage();
    const measured: Measured[] = [];
    const place = `${server.url}/${encodeURIComponent(shelf.library)}/${shelf.id}`;
    const bench: Bench = {
      url: server.url,
      folder: dataDir,
      shelf,
      page,
      upload: (file) => upload(page, place, file),
    };
    for (const part of PARTS) measured.push(await part(bench));
    return {
      name: 'viewer',
      machine: `${describeMachine()}, Chromium ${browser.version()}`,
      goals: measured.flatMap(({ goals }) => goals),
      rows: measured.flatMap(({ rows }) => rows),
    };
  } finally {
    await browser.close();
    await stopServer(server);
    rmSync(dataDir, { recursive: true, force: true });
  }
}
