import { type Browser, type BrowserContext, expect, type Page, test } from '@playwright/test';
import { expectAccessible } from '../../helpers/browser/accessible.ts';
import { type RunningServer, runServer } from '../../helpers/browser/runServer.ts';
import { commitFiles, createShelf, documentFile, signUp } from '../../helpers/browser/steps.ts';
import { pdfFile } from '../../helpers/pdfFile.ts';

const LONG = 1000;
/** Every seventh page lies across. */
const isAcross = (number: number) => number % 7 === 4;

/** A report in the ways that browsers print: with an outline, links, two columns, and lines from right to left. */
const REPORT = `<!doctype html><html lang="en"><title>Report</title>
<h1>Preface</h1><p><a href="https://example.org/archive?x=1">The archive</a> and <a href="#second">the second part</a>.</p>
<p dir="rtl" lang="he">שלום עולם, ספרים רבים</p>
<h2 id="second" style="break-before:page">Second part</h2>
<div style="columns:2;text-align:justify">${'Every offi&shy;ce of the agency files its reports. '.repeat(60)}</div>
<h1 style="break-before:page">Appendix</h1><p>Nothing more.</p>`;

/** Tries to run scripts and to lead elsewhere, in the ways that the format has. */
const HOSTILE = pdfFile(
  [
    {
      lines: ['This document does nothing.'],
      annotations: [
        '<< /Type /Annot /Subtype /Link /Rect [72 700 272 730] /A << /S /URI /URI (javascript:document.title=1) >> >>',
        '<< /Type /Annot /Subtype /Link /Rect [72 660 272 690] /A << /S /Launch /F (calc.exe) >> >>',
        '<< /Type /Annot /Subtype /Link /Rect [72 620 272 650] /A << /S /JavaScript /JS (app.alert\\(1\\)) >> >>',
        '<< /Type /Annot /Subtype /Link /Rect [72 580 272 610] /A << /S /URI /URI (file:///etc/passwd) >> >>',
        '<< /Type /Annot /Subtype /Link /Rect [72 540 272 570] /A << /S /URI /URI (https://example.org/safe) >> >>',
      ].join(' '),
    },
  ],
  '/OpenAction << /S /JavaScript /JS (app.alert\\("opened"\\); this.submitForm\\("https://example.org/"\\)) >>',
);

let server: RunningServer;
let signedIn: Awaited<ReturnType<BrowserContext['storageState']>>;
const addresses = new Map<string, string>();

async function printReport(browser: Browser): Promise<Buffer> {
  const page = await browser.newPage();
  await page.setContent(REPORT);
  const printed = await page.pdf({ outline: true, tagged: true, format: 'A4', margin: { top: '2cm', left: '2cm' } });
  await page.close();
  return printed;
}

test.beforeAll(async ({ browser }) => {
  server = await runServer();
  const long = pdfFile(
    Array.from({ length: LONG }, (_, index) => ({
      lines: Array.from(
        { length: 24 },
        (_line, line) => `Page ${index + 1}, line ${line + 1} of the annual report`,
      ).concat(
        // Larger than what is fetched at once.
        ['x'.repeat(2000)],
      ),
      ...(isAcross(index + 1) ? { width: 842, height: 595 } : {}),
    })),
  );
  const files = [
    { name: 'long.pdf', mimeType: 'application/pdf', buffer: long },
    { name: 'report.pdf', mimeType: 'application/pdf', buffer: await printReport(browser) },
    { name: 'hostile.pdf', mimeType: 'application/pdf', buffer: HOSTILE },
    ...['columns.pdf', 'encrypted.pdf', 'openable.pdf', 'truncated.pdf', 'scanned.pdf'].map(documentFile),
  ];
  const context = await browser.newContext();
  const page = await context.newPage();
  await signUp(page, server.url);
  await createShelf(page, 'Papers');
  await commitFiles(page, files, 'papers');
  for (const { name } of files) {
    const link = page.getByRole('link', { name }).first();
    addresses.set(name, new URL((await link.getAttribute('href')) ?? '', server.url).href);
  }
  await page.getByRole('button', { name: 'Use necessary cookies only' }).click();
  signedIn = await context.storageState();
  await context.close();
});
test.afterAll(() => server.close());

/** Opens a document, and collects what must not happen while it is open. */
async function open(browser: Browser, name: string, query = '', options: Parameters<Browser['newContext']>[0] = {}) {
  const context = await browser.newContext({
    storageState: signedIn,
    viewport: { width: 1280, height: 832 },
    ...options,
  });
  const page = await context.newPage();
  const wrong: string[] = [];
  page.on('console', (message) => message.type() === 'error' && wrong.push(message.text()));
  page.on('pageerror', (error) => wrong.push(String(error)));
  page.on('dialog', (dialog) => wrong.push(`dialog ${dialog.message()}`));
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol !== 'blob:' && origin !== server.url) wrong.push(`request to ${request.url()}`);
  });
  const ranges: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/content/')) ranges.push(request.headers().range ?? 'everything');
  });
  await page.goto(`${addresses.get(name)}${query}`);
  return { page, wrong, ranges, close: () => context.close() };
}

const pageOf = (page: Page, number: number) => page.locator(`.pdf__page[data-page="${number}"]`);
const room = (page: Page) => page.getByRole('region', { name: 'Pages of the document' });
const pageField = (page: Page) => page.getByRole('textbox', { name: 'Page number' });
const drawn = (page: Page, number: number) => expect(pageOf(page, number)).toHaveAttribute('data-drawn', 'true');

/** Where a page's top stands within the room for pages. */
const topOf = (page: Page, number: number) =>
  pageOf(page, number).evaluate((element) => {
    const around = element.closest('.pdf__room')?.getBoundingClientRect().top ?? 0;
    return Math.round(element.getBoundingClientRect().top - around);
  });

test('a long document is there at once, and no more of it than is looked at', async ({ browser }) => {
  const { page, wrong, ranges, close } = await open(browser, 'long.pdf');
  await drawn(page, 1);
  await expect(page.getByText('of 1,000')).toBeVisible();
  await expect(pageOf(page, 1).getByText('Page 1, line 1 of the annual report')).toBeVisible();

  await pageField(page).fill('501');
  await pageField(page).press('Enter');
  await drawn(page, 501);
  expect(await topOf(page, 501)).toBe(12);
  await expect(pageOf(page, 501).getByText('Page 501, line 1 of')).toBeVisible();

  await room(page).focus();
  await page.keyboard.press('n');
  await expect(pageField(page)).toHaveValue('502');
  // A page that lies across is met on the way, and nothing jumps.
  await drawn(page, 502);
  await page.mouse.move(500, 600);
  for (let number = 502; number > 492; number -= 1) {
    const before = await topOf(page, number);
    await page.mouse.wheel(0, -300);
    await expect.poll(() => topOf(page, number)).toBe(before + 300);
    await drawn(page, number - 1);
    expect(await topOf(page, number)).toBe(before + 300);
    await page.mouse.wheel(0, (await topOf(page, number - 1)) - 12);
    await expect.poll(() => topOf(page, number - 1)).toBe(12);
  }
  await page.keyboard.press('End');
  await expect(pageField(page)).toHaveValue('1000');
  await drawn(page, 1000);
  expect(await page.locator('.pdf__room canvas').count()).toBeLessThanOrEqual(6);
  expect(ranges).not.toContain('everything');
  const asked = ranges.map((range) => /bytes=(\d+)-(\d+)/u.exec(range) ?? []);
  const fetched = asked.reduce((sum, [, from, to]) => sum + Number(to) - Number(from) + 1, 0);
  expect(fetched).toBeLessThan(LONG * 3600);
  expect(wrong).toEqual([]);
  await page.getByRole('main').getByRole('link', { name: 'Papers', exact: true }).first().click();
  await expect(page.getByRole('heading', { name: 'Papers', level: 1 })).toBeVisible();
  await expect.poll(() => page.workers().length).toBe(0);
  await close();
});

test('zoom keeps what is looked at, by buttons, menu, keys, wheel; and pages turn', async ({ browser }) => {
  const { page, wrong, close } = await open(browser, 'long.pdf', '?at=Page%2030');
  await drawn(page, 30);
  expect(await topOf(page, 30)).toBe(12);
  await expect(pageField(page)).toHaveValue('30');
  const zoom = page.getByRole('button', { name: /^Zoom \d+%$/ });
  const percent = async () => Number(/\d+/.exec((await zoom.textContent()) ?? '')?.[0]);
  const width = () => pageOf(page, 30).evaluate((element) => element.getBoundingClientRect().width);

  const line = page.getByText('Page 30, line 8 of');
  const before = (await line.boundingBox()) ?? { x: 0, y: 0 };
  await page.mouse.move(before.x, before.y);
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -180);
  await page.keyboard.up('Control');
  await expect.poll(percent).toBeGreaterThan(130);
  const after = (await line.boundingBox()) ?? { x: 0, y: 0 };
  expect(Math.abs(after.y - before.y)).toBeLessThan(8);
  expect(Math.abs(after.x - before.x)).toBeLessThan(8);

  await zoom.click();
  await page.getByRole('menuitem', { name: 'Fit page' }).click();
  await expect.poll(percent).toBeLessThan(80);
  await zoom.click();
  await page.getByRole('menuitem', { name: '500%' }).click();
  await expect.poll(percent).toBe(500);
  await expect(page.getByRole('button', { name: 'Zoom in' })).toBeDisabled();
  expect(await width()).toBeGreaterThan(3900);
  await room(page).focus();
  await page.keyboard.press('0');
  await expect.poll(percent).toBeLessThan(120);
  await page.keyboard.press('-');
  await page.keyboard.press('+');
  const upright = await width();
  await page.getByRole('button', { name: 'Rotate clockwise' }).click();
  await expect.poll(width).toBeGreaterThan(upright * 1.3);
  await drawn(page, 30);
  expect(await topOf(page, 30)).toBe(12);
  // The text is turned with the page, so that selecting and finding go on.
  const turnedLine = await line.boundingBox();
  expect(turnedLine?.height).toBeGreaterThan((turnedLine?.width ?? 0) * 4);
  expect(wrong).toEqual([]);
  await close();
});

test('outline, small pages and links lead through the document, and out of it only safely', async ({ browser }) => {
  const { page, wrong, close } = await open(browser, 'report.pdf');
  await drawn(page, 1);
  await expect(pageOf(page, 1).getByText('שלום עולם')).toBeVisible();
  await page.getByRole('button', { name: 'Pages and outline' }).click();
  const panel = page.getByRole('complementary', { name: 'Pages and outline' });
  await panel.getByRole('button', { name: 'Page 3' }).click();
  await expect(pageField(page)).toHaveValue('3');
  await expect(panel.getByRole('button', { name: 'Page 3' })).toHaveAttribute('aria-current', 'page');
  await expectAccessible(page);

  await panel.getByText('Outline').click();
  const tree = panel.getByRole('tree');
  await tree.focus();
  const preface = tree.getByRole('treeitem', { name: 'Preface' });
  await page.keyboard.press('ArrowLeft');
  if ((await preface.getAttribute('aria-expanded')) !== 'true') await page.keyboard.press('ArrowRight');
  await expect(preface).toHaveAttribute('aria-expanded', 'true');
  await page.keyboard.press('ArrowRight');
  await expect(tree.getByRole('treeitem', { name: 'Second part' })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(pageField(page)).toHaveValue('2');
  await tree.getByRole('treeitem', { name: 'Appendix' }).click();
  await expect(pageField(page)).toHaveValue('3');
  await expectAccessible(page);
  await tree.press('Escape');
  await expect(panel).toBeHidden();
  await expect(page.getByRole('button', { name: 'Pages and outline' })).toBeFocused();

  await pageField(page).fill('1');
  await pageField(page).press('Enter');
  const out = page.getByRole('link', { name: 'Link to https://example.org/archive?x=1' });
  await expect(out).toHaveAttribute('target', '_blank');
  await expect(out).toHaveAttribute('rel', 'noopener noreferrer');
  await page.getByRole('button', { name: 'Link within the document' }).first().click();
  await expect(pageField(page)).toHaveValue('2');
  expect(wrong).toEqual([]);
  await close();
});

test('what is selected is copied as it is read', async ({ browser }) => {
  const { page, close } = await open(browser, 'report.pdf');
  await drawn(page, 1);
  const copied = await page.evaluate(() => {
    const text = document.querySelector('.pdf__text');
    if (text !== null) getSelection()?.selectAllChildren(text);
    const data = new DataTransfer();
    const event = new ClipboardEvent('copy', { clipboardData: data, bubbles: true, cancelable: true });
    text?.dispatchEvent(event);
    return data.getData('text/plain');
  });
  expect(copied).toContain('Preface');
  expect(copied).toContain('שלום עולם');
  await close();
});

test('a match opens found and in sight, over line ends and on pages that were not drawn yet', async ({ browser }) => {
  const marks = (page: Page) =>
    page.evaluate(() => {
      const active = [...(CSS.highlights.get('found-active') ?? [])][0];
      const box = active instanceof Range ? active.getBoundingClientRect() : null;
      const around = document.querySelector('.pdf__room')?.getBoundingClientRect();
      const isInSight = box !== null && around !== undefined && box.top >= around.top && box.bottom <= around.bottom;
      return { found: CSS.highlights.get('found')?.size ?? 0, active: active?.toString() ?? '', isInSight };
    });
  const columns = await open(browser, 'columns.pdf', `?find=${encodeURIComponent('begin on one line and end')}`);
  await expect
    .poll(() => marks(columns.page))
    .toMatchObject({ isInSight: true, active: expect.stringMatching(/begin on one line and\s*end/u) });
  await columns.page.goto(`${addresses.get('columns.pdf')}?find=efficient`);
  await expect
    .poll(() => marks(columns.page))
    .toMatchObject({ isInSight: true, active: expect.stringMatching(/^e(?:ffi|\uFB03)cient$/u) });
  await columns.close();

  const { page, wrong, close } = await open(browser, 'long.pdf', '?find=line%2020%20of&at=Page%20700');
  await drawn(page, 700);
  await expect.poll(() => marks(page)).toMatchObject({ isInSight: true, active: 'line 20 of' });
  await expect(pageOf(page, 700)).toBeVisible();
  await page.getByRole('button', { name: 'Next match' }).click();
  await expect.poll(() => marks(page)).toMatchObject({ isInSight: true, active: 'line 20 of' });
  await expect.poll(async () => Number(await pageField(page).inputValue())).toBeGreaterThanOrEqual(700);
  expect(wrong).toEqual([]);
  await close();
});

test('an encrypted file asks for its password, a damaged one says so, one without text is shown', async ({
  browser,
}) => {
  const locked = await open(browser, 'encrypted.pdf');
  await expect(locked.page.getByRole('heading', { name: 'This PDF is protected by a password' })).toBeVisible();
  await expectAccessible(locked.page);
  await locked.page.getByLabel('Password').fill('guess');
  await locked.page.getByLabel('Password').press('Enter');
  await expect(locked.page.getByText('This password does not open the file.')).toBeVisible();
  await expect(locked.page.getByLabel('Password')).toBeFocused();
  await locked.page.getByLabel('Password').fill('secret');
  await locked.page.getByRole('button', { name: 'Open', exact: true }).click();
  await drawn(locked.page, 1);
  expect(locked.wrong).toEqual([]);
  await locked.close();

  const damaged = await open(browser, 'truncated.pdf');
  await expect(damaged.page.getByRole('heading', { name: 'This PDF cannot be opened' })).toBeVisible();
  await expect(damaged.page.locator('.viewer').getByRole('link', { name: 'Download' })).toHaveCount(1);
  expect(damaged.wrong).toEqual([]);
  await damaged.close();

  for (const name of ['scanned.pdf', 'openable.pdf']) {
    const { page, wrong, close } = await open(browser, name);
    await drawn(page, 1);
    expect(wrong).toEqual([]);
    await close();
  }
});

test('a hostile file runs nothing, reaches nothing, and leads only to safe addresses', async ({ browser }) => {
  const { page, wrong, close } = await open(browser, 'hostile.pdf');
  await drawn(page, 1);
  await expect(page).toHaveTitle(/^hostile\.pdf/u);
  const links = pageOf(page, 1).getByRole('link');
  await expect(links).toHaveCount(1);
  await expect(links).toHaveAttribute('href', 'https://example.org/safe');
  await expect(pageOf(page, 1).getByRole('button')).toHaveCount(0);
  await expect(page).toHaveTitle(/^hostile\.pdf/u);
  expect(wrong).toEqual([]);
  await close();
});

test('pages are made ready for the printer, with their own sizes, and taken away after', async ({ browser }) => {
  const { page, wrong, close } = await open(browser, 'long.pdf');
  await drawn(page, 1);
  await page.evaluate(() => {
    window.print = () => document.documentElement.setAttribute('data-printed', 'true');
  });
  await page.getByRole('button', { name: 'Print' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('From page').fill('5');
  await dialog.getByLabel('To page').fill('2');
  await expect(dialog.getByText('Enter pages from 1 to 1,000')).toBeVisible();
  await dialog.getByLabel('From page').fill('3');
  await dialog.getByLabel('To page').fill('5');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Print' }).click();
  await expect(page.locator('html[data-printed]')).toBeAttached({ timeout: 60_000 });
  await expect(page.locator('.pdf-print img')).toHaveCount(3);
  const printed = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
  const boxes = [...printed.matchAll(/\/MediaBox\s*\[([^\]]*)\]/gu)].map(([, box = '']) =>
    box.trim().split(/\s+/u).map(Number),
  );
  expect(boxes.map(([, , width = 0, height = 0]) => width > height)).toEqual([false, true, false]);
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  await expect(page.locator('.pdf-print')).toHaveCount(0);

  await page.getByRole('button', { name: 'Print' }).click();
  await dialog.getByRole('button', { name: 'Print' }).click();
  await expect(dialog.getByRole('progressbar')).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.locator('.pdf-print')).toHaveCount(0);
  expect(wrong).toEqual([]);
  await close();
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`it can be used without eyes or mouse, and on a phone, ${colorScheme}`, async ({ browser }) => {
    const { page, wrong, close } = await open(browser, 'report.pdf', '?find=agency', { colorScheme });
    await drawn(page, 1);
    await expectAccessible(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: 'More tools' }).click();
    await page.getByRole('menuitem', { name: 'Rotate clockwise' }).click();
    await page.getByRole('button', { name: 'Pages and outline' }).click();
    await expect(page.getByRole('complementary', { name: 'Pages and outline' })).toBeVisible();
    await expectAccessible(page);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    expect(wrong).toEqual([]);
    await close();
  });
}
