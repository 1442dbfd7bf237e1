import { expect, type Locator, type Page, test } from '@playwright/test';
import { expectAccessible } from '../../helpers/browser/accessible.ts';
import { type RunningServer, runServer } from '../../helpers/browser/runServer.ts';
import {
  commitFiles,
  completeSignup,
  createShelf,
  documentFile,
  type GivenFile,
  person,
  signUpOnPage,
  textFile,
} from '../../helpers/browser/steps.ts';
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

test.describe.configure({ mode: 'serial' });

test.beforeAll(async ({ browser }) => {
  test.setTimeout(180_000);
  server = await runServer();
  page = await (await browser.newContext()).newPage();
  page.on('request', (request) => asked.push(request.url()));
  page.on('console', (message) => {
    if (/Content Security Policy/u.test(message.text())) refusals.push(message.text());
  });
  const who = person();
  await page.goto(server.url);
  await page.getByRole('button', { name: 'Login / Signup' }).first().click();
  await signUpOnPage(page, who);
  await completeSignup(page, who);
  await createShelf(page, 'Kinds');
  shelf = page.url();
  await page.getByRole('button', { name: 'Only what is needed' }).click();
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

test('explore', async () => {
  test.setTimeout(400_000);
  const jpeg = await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(300, 100);
    canvas.getContext('2d')?.fillRect(0, 0, 150, 100);
    return [...new Uint8Array(await (await canvas.convertToBlob({ type: 'image/jpeg' })).arrayBuffer())];
  });
  const webm = await page.evaluate(async () => {
    const canvas = document.createElement('canvas');
    canvas.width = 160; canvas.height = 90;
    const context = canvas.getContext('2d');
    const recorder = new MediaRecorder(canvas.captureStream(25), { mimeType: 'video/webm' });
    const parts: Blob[] = [];
    recorder.ondataavailable = ({ data }) => parts.push(data);
    const ended = new Promise((resolve) => { recorder.onstop = resolve; });
    recorder.start();
    for (let at = 0; at < 20; at += 1) {
      await new Promise(requestAnimationFrame);
      if (context) { context.fillStyle = `hsl(${at * 18} 80% 50%)`; context.fillRect(0, 0, 160, 90); }
    }
    recorder.stop();
    await ended;
    return [...new Uint8Array(await new Blob(parts).arrayBuffer())];
  });
  await commitFiles(page, [
    file('red.png', pngFile(600, 400)), file('turned.jpg', turnedJpeg(Buffer.from(jpeg))), textFile('drawing.svg', HOSTILE_SVG), file('scan.tiff', Buffer.from('49492a00', 'hex')),
    file('film.webm', Buffer.from(webm)), file('old.avi', Buffer.from('RIFFxxxxAVI ')), file('tone.wav', wavFile()),
    textFile('notes.md', MARKDOWN), textFile('terms.html', HOSTILE_HTML), textFile('big.csv', csv()),
    documentFile('sheet.xlsx'), documentFile('sheet.ods'), documentFile('lease.docx'), documentFile('lease.odt'), documentFile('lease.rtf'), documentFile('deck.pptx'), documentFile('deck.odp'),
    textFile('letter.eml', 'From: a@example.org\nTo: b@example.org\nSubject: Keys\nContent-Type: text/plain\n\nThe keys are back.\n'),
    file('book.epub', epubFile(HOSTILE)), file('parts.zip', zipFile({ 'readme.txt': 'hi', 'src/one.ts': 'x', 'src/deep/two.ts': 'yy', 'docs/': '' })),
    file('locked.zip', markedEncrypted(zipFile({ 'secret.txt': 'x' }))), file('broken.zip', Buffer.from('PK\u0003\u0004nothing')), file('tool.exe', Buffer.from('MZ\0\0')), file('old.doc', Buffer.from('d0cf11e0a1b11ae1', 'hex')),
  ], 'all kinds');
  const names = (process.env.ONLY ?? 'red.png turned.jpg drawing.svg scan.tiff film.webm old.avi tone.wav notes.md terms.html big.csv sheet.xlsx sheet.ods lease.docx lease.odt lease.rtf deck.pptx deck.odp letter.eml book.epub parts.zip locked.zip broken.zip tool.exe old.doc').split(' ');
  await page.setViewportSize({ width: 1280, height: 832 });
  for (const name of names) {
    await open(name);
    await page.waitForLoadState('networkidle');
    await page.waitForTimeout(/docx|odt|rtf|ppt|odp|doc$/.test(name) ? 4000 : 700);
    await page.screenshot({ path: `/tmp/kinds/${name}.png` });
    try { await expectAccessible(page, name); } catch (error) { console.log(name, String(error).slice(0, 600)); }
    if (refusals.length > 0) console.log(name, 'REFUSED', refusals.splice(0));
    const out = asked.filter((url) => url.startsWith(OUTSIDE)); if (out.length) console.log(name, 'ASKED', out);
  }
  await expectTame();
});
