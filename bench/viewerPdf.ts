import { createReadStream, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, normalize } from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import { CHROMIUM_FLAGS, ensureSystemTools } from '../scripts/systemTools.mjs';
import { pdfFile } from '../tests/helpers/pdfFile.ts';
import { goal, percentile } from './report.ts';
import type { Bench, Measured } from './viewer.ts';

const PAGES = 1000;
/** Where the memory is looked at, after each of them was drawn. */
const VISITED = [250, 500, 750, PAGES] as const;
const OPENINGS = 5;
const WAIT_MS = 60_000;
const PACKAGE = join(import.meta.dirname, '..', 'node_modules', 'pdfjs-dist');
const TYPES: Readonly<Record<string, string>> = { mjs: 'text/javascript', css: 'text/css', pdf: 'application/pdf' };

const longPdf = () =>
  pdfFile(
    Array.from({ length: PAGES }, (_page, index) => ({
      lines: Array.from(
        { length: 40 },
        (_line, line) => `Page ${index + 1}, line ${line + 1} of the annual report, as printed`,
      ),
    })),
  );

/** The viewer of the pdf.js project in a page with nothing else, which opens the file and says when its pages are drawn. */
const PEER = `<!doctype html><title>peer</title><link rel="stylesheet" href="/pdfjs/web/pdf_viewer.css">
<style>#room { position: absolute; inset: 0; overflow: auto }</style>
<div id="room"><div id="viewer" class="pdfViewer"></div></div>
<script type="module">
const pdfjs = await import('/pdfjs/build/pdf.min.mjs');
const { EventBus, PDFLinkService, PDFViewer } = await import('/pdfjs/web/pdf_viewer.mjs');
pdfjs.GlobalWorkerOptions.workerSrc = '/pdfjs/build/pdf.worker.min.mjs';
const eventBus = new EventBus();
const linkService = new PDFLinkService({ eventBus });
const viewer = new PDFViewer({ container: document.getElementById('room'), eventBus, linkService });
linkService.setViewer(viewer);
eventBus.on('pagesinit', () => { viewer.currentScaleValue = 'page-width'; });
globalThis.drawn = new Map();
eventBus.on('pagerendered', ({ pageNumber }) => drawn.set(pageNumber, performance.now()));
globalThis.visit = (page) => { drawn.clear(); viewer.currentPageNumber = page; };
const pdf = await pdfjs.getDocument({ url: '/long.pdf', standardFontDataUrl: '/pdfjs/standard_fonts/', cMapUrl: '/pdfjs/cmaps/' }).promise;
viewer.setDocument(pdf);
linkService.setDocument(pdf);
</script>`;

/** Serves the peer, its package and the file, which it sends by ranges too. */
async function servePeer(file: string): Promise<{ readonly server: Server; readonly url: string }> {
  const { size } = statSync(file);
  const server = createServer((request, response) => {
    const path = normalize(request.url ?? '/');
    if (path === '/') return response.setHeader('content-type', 'text/html').end(PEER);
    if (path === '/long.pdf') {
      const [, from, to] = /bytes=(\d+)-(\d+)/u.exec(request.headers.range ?? '') ?? [];
      const [start, end] = [Number(from ?? 0), Number(to ?? size - 1)];
      response.writeHead(from === undefined ? 200 : 206, {
        'content-type': 'application/pdf',
        'accept-ranges': 'bytes',
        'content-length': end - start + 1,
        'content-range': `bytes ${start}-${end}/${size}`,
      });
      return createReadStream(file, { start, end }).pipe(response);
    }
    if (!path.startsWith('/pdfjs/')) return response.writeHead(404).end();
    const type = TYPES[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
    return response.setHeader('content-type', type).end(readFileSync(join(PACKAGE, path.slice('/pdfjs'.length))));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

/** Resident memory of the largest page's process, in bytes: scripts, workers, canvases and all. */
async function residentMemory(browser: Browser): Promise<number> {
  const devtools = await browser.newBrowserCDPSession();
  const { processInfo } = await devtools.send('SystemInfo.getProcessInfo');
  await devtools.detach();
  const sizes = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => Number(/^VmRSS:\s+(\d+) kB$/mu.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1] ?? 0) * 1024);
  return Math.max(...sizes);
}

interface Opening {
  readonly firstPageMs: number;
  /** After all visits. */
  readonly memory: number;
}

/** In a browser of its own, so that no other page shares the process or a cache. */
async function inBrowser(work: (page: Page, browser: Browser) => Promise<Opening>, from: Page): Promise<Opening> {
  const { CHROMIUM_PATH } = await ensureSystemTools();
  const browser = await chromium.launch({ executablePath: CHROMIUM_PATH, args: CHROMIUM_FLAGS });
  try {
    const context = await browser.newContext({ viewport: { width: 1280, height: 832 }, locale: 'en-US' });
    await context.addCookies(await from.context().cookies());
    await context.addInitScript({ path: join(import.meta.dirname, 'webPage.js') });
    context.setDefaultTimeout(WAIT_MS);
    return await work(await context.newPage(), browser);
  } finally {
    await browser.close();
  }
}

async function openOurs(page: Page, browser: Browser, shelf: string, href: string): Promise<Opening> {
  await page.goto(shelf);
  await page.locator(`a[href="${href}"]`).first().waitFor();
  await page.evaluate('bench.settled()');
  const drawn = (number: number) => `.pdf__page[data-page="${number}"][data-drawn="true"]`;
  const firstPageMs = await page.evaluate<number>(`bench.open(${JSON.stringify(href)}, ${JSON.stringify(drawn(1))})`);
  const field = page.getByRole('textbox', { name: 'Page number' });
  for (const number of VISITED) {
    await field.fill(String(number));
    await field.press('Enter');
    await page.locator(drawn(number)).waitFor();
  }
  return { firstPageMs, memory: await residentMemory(browser) };
}

async function openPeer(page: Page, browser: Browser, url: string): Promise<Opening> {
  await page.goto(url);
  const drawn = (number: number) => page.waitForFunction(`globalThis.drawn?.get(${number}) ?? false`);
  const firstPageMs = Number(await (await drawn(1)).jsonValue());
  for (const number of VISITED) {
    await page.evaluate(`visit(${number})`);
    await drawn(number);
  }
  return { firstPageMs, memory: await residentMemory(browser) };
}

const median = (openings: readonly Opening[], what: keyof Opening) =>
  percentile(
    openings.map((each) => each[what]),
    0.5,
  );
const MEBIBYTE = 1024 ** 2;

/** A long PDF against the pdf.js project's own viewer: from the click, or the call of the page, to its first page. */
export async function openLongPdf({ folder, shelf, page, url, upload }: Bench): Promise<Measured> {
  const file = join(folder, 'long.pdf');
  writeFileSync(file, longPdf());
  const href = await upload(file);
  const place = `${url}/${encodeURIComponent(shelf.library)}/${shelf.id}`;
  const peer = await servePeer(file);
  const ours: Opening[] = [];
  const theirs: Opening[] = [];
  try {
    for (let turn = 0; turn < OPENINGS; turn += 1) {
      ours.push(await inBrowser((tab, browser) => openOurs(tab, browser, place, href), page));
      theirs.push(await inBrowser((tab, browser) => openPeer(tab, browser, peer.url), page));
    }
  } finally {
    peer.server.close();
  }
  const [first, peerFirst] = [median(ours, 'firstPageMs'), median(theirs, 'firstPageMs')];
  const [memory, peerMemory] = [median(ours, 'memory') / MEBIBYTE, median(theirs, 'memory') / MEBIBYTE];
  return {
    goals: [
      goal(
        `first page of ${PAGES} against the pdf.js viewer`,
        first / peerFirst,
        'x',
        { atMost: 1.2 },
        `${Math.round(first)} against ${Math.round(peerFirst)} ms`,
      ),
      goal(
        'resident memory of the page after five places',
        memory / peerMemory,
        'x',
        { atMost: 1 },
        `${Math.round(memory)} against ${Math.round(peerMemory)} MiB`,
      ),
    ],
    rows: ours.map(({ firstPageMs, memory: held }, turn) => ({
      what: 'opening of a long PDF',
      turn: turn + 1,
      ms: firstPageMs,
      'pdf.js, ms': theirs[turn]?.firstPageMs ?? null,
      MiB: held / MEBIBYTE,
      'pdf.js, MiB': (theirs[turn]?.memory ?? 0) / MEBIBYTE,
    })),
  };
}
