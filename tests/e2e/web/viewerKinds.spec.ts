import { expect, type Locator, type Page, test } from '@playwright/test';
import { expectAccessible } from '../../helpers/browser/accessible.ts';
import { type RunningServer, runServer } from '../../helpers/browser/runServer.ts';
import {
  commitFiles,
  createShelf,
  documentFile,
  type GivenFile,
  signUp,
  textFile,
} from '../../helpers/browser/steps.ts';
import { hasOffice } from '../../helpers/hasOffice.ts';
import { epubFile, markedEncrypted, pngFile, turnedJpeg, wavFile, zipFile } from '../../helpers/madeDocuments.ts';

const OUTSIDE = 'http://outside.example/';
/** What runs, loads, sends or leads away in documents, when a view lets it. */
const HOSTILE = `
<script>window.top.wasRun = true; fetch('${OUTSIDE}script')</script>
<img src="${OUTSIDE}image" onerror="window.top.wasRun = true" alt="far"/><img src="x" onerror="window.top.wasRun = true"/>
<iframe src="${OUTSIDE}frame"></iframe><object data="${OUTSIDE}object"></object>
<a href="javascript:window.top.wasRun = true" id="trap">Press me</a>
<svg xmlns="http://www.w3.org/2000/svg"><script>window.top.wasRun = true</script><image href="${OUTSIDE}svg"/></svg>
<form action="${OUTSIDE}form"><button>Send</button></form>`;

const HOSTILE_SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200" onload="window.top.wasRun = true">
<script>window.top.wasRun = true; top.location = '${OUTSIDE}svg'</script>
<image href="${OUTSIDE}image" width="10" height="10"/><rect width="300" height="200" fill="teal"/><text y="100">clause four</text></svg>`;

const HOSTILE_HTML = `<!doctype html><html><head><meta http-equiv="refresh" content="0;url=${OUTSIDE}refresh"><base href="${OUTSIDE}">
<link rel="stylesheet" href="${OUTSIDE}style"><style>@import '${OUTSIDE}import'; h1 { color: rgb(1, 2, 3); background: url(${OUTSIDE}background) } @font-face { font-family: far; src: url(${OUTSIDE}font) } p { font-family: far }</style>
</head><body><h1 style="letter-spacing: 3px">Terms</h1><p>Clause four stands.</p>${HOSTILE}
<img alt="dot" src="data:image/png;base64,${pngFile(4, 4).toString('base64')}"><a href="#end">To the end</a><p id="end">The end</p></body></html>`;

const MARKDOWN = `---
title: Notes
---
# Reading room

Clause **four** stands, [see below](#the-list) and [outside](https://example.org/).

| Shelf | Books |
|---|---:|
| A | 12 |

- [x] lent
- [ ] returned

\`\`\`ts
const answer: number = 42;
\`\`\`

![far away](${OUTSIDE}image.png) ![near](data:image/png;base64,${pngFile(4, 4).toString('base64')})

${HOSTILE}

## The list
`;

const CSV_ROWS = 100_000;
const csv = (): string => {
  const rows = ['id;name;amount;note'];
  for (let row = 1; row <= CSV_ROWS; row += 1) rows.push(`${row};Reader ${row};${row}.50;"says ""hello"""`);
  return `${rows.join('\n')}\n`;
};

const file = (name: string, buffer: Buffer): GivenFile => ({ name, mimeType: 'application/octet-stream', buffer });

let server: RunningServer;
let page: Page;
let shelf: string;
const asked: string[] = [];
const refusals: string[] = [];

/** A picture and a film as this browser makes them. */
async function recorded(): Promise<{ readonly jpeg: Buffer; readonly film: Buffer }> {
  const { jpeg, film } = await page.evaluate(async () => {
    const canvas = document.createElement('canvas');
    canvas.width = 160;
    canvas.height = 90;
    const context = canvas.getContext('2d');
    const recorder = new MediaRecorder(canvas.captureStream(25), { mimeType: 'video/webm' });
    const parts: Blob[] = [];
    recorder.ondataavailable = ({ data }) => parts.push(data);
    const ended = new Promise((resolve) => {
      recorder.onstop = resolve;
    });
    recorder.start();
    for (let frame = 0; frame < 20 && context !== null; frame += 1) {
      context.fillStyle = `hsl(${frame * 18} 80% 50%)`;
      context.fillRect(0, 0, 160, 90);
      await new Promise(requestAnimationFrame);
    }
    recorder.stop();
    await ended;
    const picture = await new Promise<Blob | null>((made) => canvas.toBlob(made, 'image/jpeg'));
    const bytes = async (blob: Blob) => [...new Uint8Array(await blob.arrayBuffer())];
    return { jpeg: await bytes(picture ?? new Blob()), film: await bytes(new Blob(parts)) };
  });
  return { jpeg: Buffer.from(jpeg), film: Buffer.from(film) };
}

const CONVERTED = ['lease.odt', 'lease.rtf', 'deck.pptx', 'deck.odp'];

test.beforeAll(async ({ browser }) => {
  test.setTimeout(180_000);
  server = await runServer();
  page = await (await browser.newContext()).newPage();
  page.on('request', (request) => asked.push(request.url()));
  page.on('console', (message) => {
    if (/Content Security Policy/u.test(message.text())) refusals.push(message.text());
  });
  await signUp(page, server.url);
  await createShelf(page, 'Kinds');
  shelf = page.url();
  await page.getByRole('button', { name: 'Use necessary cookies only' }).click();
  const { jpeg, film } = await recorded();
  await commitFiles(
    page,
    [
      file('red.png', pngFile(600, 400)),
      file('turned.jpg', turnedJpeg(jpeg)),
      textFile('drawing.svg', HOSTILE_SVG),
      file('scan.tiff', Buffer.from('49492a00', 'hex')),
      file('film.webm', film),
      file('old.avi', Buffer.from('RIFFxxxxAVI ')),
      file('tone.wav', wavFile()),
      textFile('notes.md', MARKDOWN),
      file('empty.md', Buffer.alloc(0)),
      textFile('terms.html', HOSTILE_HTML),
      textFile('big.csv', csv()),
      ...['sheet.xlsx', 'sheet.ods', 'lease.docx', ...CONVERTED].map(documentFile),
      file('locked.docx', Buffer.from('d0cf11e0a1b11ae1', 'hex')),
      textFile('letter.eml', 'From: a@example.org\nTo: b@example.org\nSubject: Keys\n\nThe keys are back.\n'),
      file('book.epub', epubFile(HOSTILE)),
      file('parts.zip', zipFile({ 'readme.txt': 'hi', 'src/one.ts': 'x', 'src/deep/two.ts': 'yy', 'docs/': '' })),
      file('locked.zip', markedEncrypted(zipFile({ 'secret.txt': 'x' }))),
      file('broken.zip', Buffer.from('PK\u0003\u0004nothing')),
      file('tool.exe', Buffer.from('MZ\0\0')),
    ],
    'documents of all kinds',
  );
});
test.afterAll(async () => {
  await page?.close();
  await server?.close();
});

/** The frame of the viewer. */
const viewer = (): Locator => page.locator('.viewer');

/** Opens a document's version, by its name, at a place of it. */
async function open(name: string, query = ''): Promise<void> {
  const version = await page.evaluate(
    async ([address, wanted]) => {
      const [, library, id] = new URL(address ?? '').pathname.match(/([^/]+)\/([^/]+)\/?$/u) ?? [];
      const answer = await fetch(`/api/v1/library/${library}/shelf/${id}/detail/`);
      const { documents } = (await answer.json()) as { documents: { name: string; current_version_id: string }[] };
      return documents.find((each) => each.name === wanted)?.current_version_id;
    },
    [shelf, name],
  );
  await page.goto(`${shelf}/version/${version}${query}`);
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
}

/** Nothing of a document ran, and nothing was asked of anybody else. */
async function expectTame(): Promise<void> {
  expect(await page.evaluate(() => 'wasRun' in window)).toBe(false);
  expect(asked.filter((url) => url.startsWith(OUTSIDE))).toEqual([]);
  expect(page.url()).toContain(server.url);
  expect(refusals).toEqual([]);
}

const status = (): Locator => page.getByRole('search', { name: 'Find in document' }).getByRole('status');

/** How many ranges the browser marks, in the page or in the frame of a document. */
const marked = (name: 'found' | 'found-active'): Promise<number> =>
  page.evaluate((highlight) => {
    const frame = document.querySelector<HTMLIFrameElement>('.document-frame')?.contentWindow;
    const view = (frame ?? window) as typeof window;
    return view.CSS.highlights.get(highlight)?.size ?? 0;
  }, name);

test('images are zoomed, turned and drawn the way up that they say; an SVG runs nothing', async () => {
  await open('red.png');
  const image = viewer().getByRole('img');
  const width = async () => (await image.boundingBox())?.width ?? 0;
  await expect(viewer()).toContainText('600 × 400');
  await expect.poll(width).toBe(600);
  await viewer().getByRole('button', { name: 'Zoom in' }).click();
  await expect.poll(width).toBe(750);
  await viewer()
    .getByRole('region', { name: /^Image\./u })
    .press('-');
  await expect.poll(width).toBe(600);
  await page.keyboard.press('r');
  await expect.poll(async () => (await image.boundingBox())?.height).toBe(600);
  await image.hover();
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -400);
  await page.keyboard.up('Control');
  await expect.poll(async () => (await image.boundingBox())?.height ?? 0).toBeGreaterThan(1000);
  await page.mouse.down();
  await page.mouse.move(300, 300);
  await page.mouse.up();
  await page.keyboard.press('0');
  await expect(viewer().getByRole('button', { name: 'Fit to window' })).toHaveAttribute('aria-pressed', 'true');

  await open('turned.jpg');
  await expect(viewer()).toContainText('90 × 160');
  await open('drawing.svg');
  await expect(viewer()).toContainText('300 × 200');
  await expectTame();
  await open('drawing.svg', '?find=clause');
  await expect(viewer().getByRole('radio', { name: 'Source' })).toBeChecked();
  await expect(viewer()).toContainText('<text y="100">');
  await open('scan.tiff');
  await expect(viewer()).toContainText('This browser does not draw TIFF images.');
});

test('films and sounds play by ranges, and what cannot be played says so', async () => {
  const ranges: number[] = [];
  page.on('response', (response) => {
    if (response.url().includes('/content/') && response.request().headers().range !== undefined) {
      ranges.push(response.status());
    }
  });
  const play = (selector: string) =>
    viewer()
      .locator(selector)
      .evaluate(async (player: HTMLMediaElement) => {
        player.muted = true;
        await player.play();
        return player.currentSrc !== '' && player.error === null;
      });
  await open('film.webm');
  expect(await play('video')).toBe(true);
  await open('tone.wav');
  expect(await play('audio')).toBe(true);
  expect(ranges).toContain(206);
  await viewer()
    .locator('audio')
    .evaluate((player) => player.dispatchEvent(new Event('error')));
  await expect(viewer()).toContainText('This browser cannot play this format.');
  await open('old.avi');
  await expect(viewer()).toContainText('This browser cannot play this format.');
  await expect(viewer().getByRole('link', { name: 'Download' })).toBeVisible();
});

test('Markdown is drawn, marked where something is found, and stays text where it is HTML', async () => {
  await open('notes.md', '?find=clause+four');
  await expect(viewer().getByRole('heading', { name: 'Reading room' })).toBeVisible();
  await expect(viewer().getByRole('cell', { name: '12' })).toHaveCSS('text-align', 'right');
  await expect(viewer().locator('.hljs-keyword')).toHaveText('const');
  await expect(viewer().getByText('Image that is not loaded: far away')).toBeVisible();
  await expect(viewer().getByRole('img', { name: 'near' })).toBeVisible();
  await expect(viewer().locator('.text')).toContainText('<script>window.top.wasRun = true');
  await expect(viewer().getByRole('link', { name: 'outside', exact: true })).toHaveAttribute(
    'rel',
    'noopener noreferrer',
  );
  const address = page.url();
  await viewer().getByRole('link', { name: 'see below' }).click();
  expect(page.url()).toBe(address);
  await page.getByRole('textbox', { name: 'Find in document' }).fill('reading');
  await expect(status()).toHaveText('1 of 1');
  await expect.poll(() => marked('found-active')).toBe(1);
  await viewer().locator('.segment', { hasText: 'Source' }).click();
  await expect(viewer()).toContainText('# Reading room');
  await expectTame();
});

test('an HTML page keeps its looks and loses its scripts, its network and its ways out', async () => {
  await open('terms.html');
  const frame = page.frameLocator('.document-frame');
  await expect(page.locator('.document-frame')).toHaveAttribute('sandbox', 'allow-same-origin');
  const heading = frame.getByRole('heading', { name: 'Terms' });
  await expect(heading).toHaveCSS('color', 'rgb(1, 2, 3)');
  await expect(heading).toHaveCSS('letter-spacing', '3px');
  await expect(heading).toHaveCSS('background-image', 'none');
  await expect(frame.getByRole('img', { name: 'dot' })).toHaveJSProperty('naturalWidth', 4);
  expect(await frame.locator('script, iframe, object, form, link, [onerror], [href^="javascript"]').count()).toBe(0);
  await frame.getByText('Press me').click();
  await frame.getByRole('link', { name: 'To the end' }).click();
  await page.keyboard.press('Control+f');
  await page.getByRole('textbox', { name: 'Find in document' }).fill('clause four');
  await expect(status()).toHaveText('1 of 1');
  await expect.poll(() => marked('found-active')).toBe(1);
  await expectTame();
});

test('a table of 100,000 rows is there at once, by keys, by find and for the clipboard', async () => {
  await open('big.csv');
  const grid = viewer().getByRole('grid');
  await expect(grid).toHaveAttribute('aria-rowcount', String(CSV_ROWS + 2));
  await expect(grid.getByRole('gridcell', { name: 'name', exact: true })).toBeVisible();
  await expect(grid.getByRole('gridcell', { name: 'says "hello"' }).first()).toBeVisible();
  await grid.press('Control+End');
  await expect(viewer().locator('.sheet-cell-bar')).toContainText(`D${CSV_ROWS + 1}`);
  await expect(grid.getByRole('gridcell', { name: `Reader ${CSV_ROWS}`, exact: true })).toBeVisible();
  await grid.press('Shift+ArrowLeft');
  await grid.press('Shift+ArrowUp');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await grid.press('Control+c');
  await expect(page.getByText('4 cells copied')).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe('99999.50\t"says ""hello"""\n100000.50\t"says ""hello"""');
  await open('big.csv', '?find=reader+99999');
  await expect(status()).toHaveText('1 of 1');
  await expect(grid.locator('[data-found][data-active]')).toHaveText('Reader 99999');
});

test('workbooks show their sheets, and open at the one that is asked for', async () => {
  for (const name of ['sheet.xlsx', 'sheet.ods']) {
    await open(name);
    const grid = viewer().getByRole('grid', { name: 'Budget' });
    await expect(grid.getByRole('gridcell', { name: 'Kaution Zürich' })).toBeVisible();
    await expect(grid.getByRole('gridcell', { name: '2500' })).toHaveCSS('text-align', 'end');
    const tab = viewer().getByRole('tab').nth(1);
    const second = (await tab.textContent()) ?? '';
    await viewer().getByRole('tab', { name: 'Budget' }).press('ArrowRight');
    await expect(tab).toHaveAttribute('aria-selected', 'true');
    await open(name, `?at=${encodeURIComponent(`Sheet ${second}`)}`);
    await expect(viewer().getByRole('tab', { name: second })).toHaveAttribute('aria-selected', 'true');
    await open(name, '?find=kaution');
    await expect(status()).toHaveText('1 of 1');
    await expect(grid.locator('[data-found][data-active]')).toHaveText('Kaution Zürich');
  }
});

test('Office documents are shown with their looks, or by their text', async () => {
  await open('lease.docx', '?find=clause+four');
  const frame = page.frameLocator('.document-frame');
  await expect(frame.getByText('Lease agreement')).toBeVisible();
  await expect(status()).toHaveText('1 of 1');
  await expect.poll(() => marked('found-active')).toBe(1);
  await expectTame();
  await open('letter.eml', '?find=keys');
  await expect(viewer()).toContainText('The text of this document, without its layout.');
  await expect(status()).toHaveText('1 of 2');
  await expect.poll(() => marked('found')).toBe(1);
  await open('locked.docx');
  await expect(viewer()).toContainText('This file is protected by a password.');
});

test('the server makes pages of Office documents', async () => {
  test.skip(!hasOffice(), 'LibreOffice is not installed');
  test.setTimeout(240_000);
  await open('lease.docx');
  await viewer().locator('.segment', { hasText: 'As PDF' }).click();
  await expect(viewer().locator('canvas').first()).toBeVisible({ timeout: 60_000 });
  for (const name of CONVERTED) {
    await open(name);
    await expect(viewer().locator('canvas').first()).toBeVisible({ timeout: 60_000 });
  }
});

test('where the server makes no pages, a presentation is shown by its text', async () => {
  await page.route('**/export', (route) =>
    route.fulfill({ json: { status: 'error', presignedUrl: null, error: 'this server has no LibreOffice' } }),
  );
  await open('deck.pptx', '?at=Slide+2');
  await expect(viewer().getByRole('heading', { name: 'Slide 2' })).toBeVisible();
  await expectAccessible(page);
  await page.unroute('**/export');
});

test('a book has its chapters, contents, pictures and links, and keeps the place', async () => {
  await open('book.epub');
  await expect(viewer().getByRole('heading', { name: 'The door' })).toBeVisible();
  await expect(viewer().getByRole('img', { name: 'A red square' })).toHaveJSProperty('naturalWidth', 40);
  await viewer().getByRole('link', { name: 'To the lamp' }).click();
  await expect(viewer().getByText('The lamp is lit at dusk.')).toBeInViewport();
  await viewer().getByRole('button', { name: 'The second shelf' }).click();
  await expect(viewer().getByRole('heading', { name: 'The second shelf' })).toBeInViewport();
  await expectTame();
  await page.reload();
  await expect(viewer().getByRole('heading', { name: 'The second shelf' })).toBeInViewport();
  await open('book.epub', '?find=lit+at+dusk');
  await expect(status()).toHaveText('1 of 1');
  await expect(viewer().getByText('The lamp is lit at dusk.')).toBeInViewport();
});

test('an archive lists what is in it, and says when it is locked or broken', async () => {
  await open('parts.zip', '?find=two.ts');
  const list = viewer().getByRole('treegrid');
  await expect(list.getByRole('row')).toHaveCount(6);
  await expect(list.getByRole('row', { name: /two\.ts/u })).toContainText('2 Bytes');
  await expect(list.getByRole('row', { name: /two\.ts/u })).toContainText('2024');
  await expect(list.locator('[data-found]')).toHaveCount(1);
  await list.getByRole('row', { name: 'src' }).click();
  await expect(list.getByRole('row')).toHaveCount(3);
  await list.press('ArrowRight');
  await expect(list.getByRole('row')).toHaveCount(6);
  await open('locked.zip');
  await expect(viewer()).toContainText('Some of them are protected by a password.');
  await open('broken.zip');
  await expect(viewer()).toContainText('This file is damaged');
  await open('empty.md');
  await expect(viewer()).toContainText('This version is empty.');
  await open('tool.exe');
  await expect(page.getByRole('heading', { name: 'Program' })).toBeVisible();
});

test('every kind is there for readers of all sorts, also in the dark and on a phone', async () => {
  test.setTimeout(240_000);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 390, height: 844 });
  const shown: Readonly<Record<string, string>> = {
    'red.png': '600 × 400',
    'tone.wav': '',
    'old.avi': 'cannot play',
    'notes.md': 'Reading room',
    'terms.html': 'Shown without scripts',
    'big.csv': 'Reader 1',
    'sheet.xlsx': 'Budget',
    'lease.docx': 'Document',
    'letter.eml': 'The keys are back.',
    'book.epub': 'The shelves',
    'parts.zip': 'readme.txt',
    'tool.exe': 'Program',
  };
  for (const [name, text] of Object.entries(shown)) {
    await open(name);
    await expect(page.locator('.preview')).toContainText(text);
    await expectAccessible(page, name);
    expect(await page.evaluate(() => document.documentElement.scrollWidth), name).toBeLessThanOrEqual(390);
  }
});
