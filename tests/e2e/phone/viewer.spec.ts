import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from '../../helpers/browser/accessible.ts';
import { type RunningServer, runServer } from '../../helpers/browser/runServer.ts';
import { documentFile, signUpWithShelf } from '../../helpers/browser/steps.ts';
import { pngFile } from '../../helpers/pngFile.ts';

// The width that row 50 of the field names; what is fading in has not its contrast yet.
test.use({ viewport: { width: 375, height: 667 }, contextOptions: { reducedMotion: 'reduce' } });

let server: RunningServer;
test.beforeAll(async () => {
  server = await runServer();
});
test.afterAll(() => server.close());

declare global {
  interface Window {
    /** What was handed to the system's sheet. */
    sent?: ShareData[];
  }
}

/** Two fingers move apart over the middle of something. */
async function pinch(page: Page, selector: string): Promise<void> {
  const box = await page.locator(selector).first().boundingBox();
  if (box === null) throw new Error(`there is no ${selector}`);
  const [x, y] = [box.x + box.width / 2, box.y + Math.min(box.height / 2, 150)];
  const devtools = await page.context().newCDPSession(page);
  const fingers = (apart: number) => [
    { x: x - apart, y, id: 0 },
    { x: x + apart, y, id: 1 },
  ];
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: fingers(20) });
  for (const apart of [25, 30, 35, 40, 45, 50]) {
    await devtools.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: fingers(apart) });
  }
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await devtools.detach();
}

/** Nothing has to be looked for beside the screen. */
async function expectFits(page: Page): Promise<void> {
  const [wide, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  expect(wide).toBeLessThanOrEqual(screen ?? 0);
}

const percent = async (page: Page, selector: string) =>
  Number.parseInt((await page.locator(selector).first().innerText()).replace(/\D+/gu, ''), 10);

/** Two fingers make it larger; one who is quicker than the view sets them down once more. */
async function expectPinched(page: Page, room: string, zoom: string): Promise<void> {
  const before = await percent(page, zoom);
  await expect(async () => {
    await pinch(page, room);
    expect(await percent(page, zoom)).toBeGreaterThan(before * 1.5);
  }).toPass();
}

/** Two taps change the size; who is too slow for it taps twice once more. */
async function expectTappedTo(
  page: Page,
  room: string,
  zoom: string,
  isRight: (now: number, before: number) => boolean,
): Promise<void> {
  const box = await page.locator(room).first().boundingBox();
  const [x, y] = [(box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + 150];
  const before = await percent(page, zoom);
  await expect(async () => {
    const isThere = async () => isRight(await percent(page, zoom), before);
    if (!(await isThere())) await Promise.all([page.touchscreen.tap(x, y), page.touchscreen.tap(x, y)]);
    await expect.poll(isThere, { timeout: 2000 }).toBe(true);
  }).toPass();
}

/** Stands in for the system's sheet, which no test can press. */
const withSheet = (page: Page) =>
  page.addInitScript(() => {
    window.sent = [];
    Object.assign(navigator, {
      share: (data: ShareData) => {
        window.sent?.push(data);
        return Promise.resolve();
      },
    });
  });
const sent = (page: Page) => page.evaluate(() => window.sent ?? []);

test('a document on a phone: pinch, find, turn, comment, send (field.md row 65); and by a link (row 50)', async ({
  page,
  browser,
}) => {
  await withSheet(page);
  const picture = pngFile(600, 400, (x, y) => [Math.round(x * 255), Math.round(y * 255), 120]);
  const plan = { name: 'plan.png', mimeType: 'image/png', buffer: picture };
  await signUpWithShelf(page, server.url, 'Contracts', ['the lease and its plan', documentFile('lease.pdf'), plan]);
  const shelf = page.url();
  // It stands over the lower half of what is read.
  await page.getByRole('button', { name: 'Use necessary cookies only' }).tap();
  await page.getByRole('link', { name: 'lease.pdf' }).click();
  await expect(page.locator('.pdf__canvas canvas').first()).toBeVisible();
  await expectFits(page);
  await expectAccessible(page);
  await expectTappedTo(page, '.pdf__room', '.pdf__zoom', (now, before) => now > before * 2);
  await expectTappedTo(page, '.pdf__room', '.pdf__zoom', (now, before) => now < before / 2);
  await expectPinched(page, '.pdf__room', '.pdf__zoom');
  // The page itself keeps its size.
  expect(await page.evaluate(() => visualViewport?.scale)).toBe(1);
  await expectFits(page);

  await page.getByRole('button', { name: 'Find in document' }).click();
  const bar = page.getByRole('search', { name: 'Find in document' });
  await bar.getByRole('textbox').fill('the');
  await expect(bar.getByRole('status')).toHaveText(/^1 of \d+$/);
  await bar.getByRole('button', { name: 'Next match' }).click();
  await expect(bar.getByRole('status')).toHaveText(/^2 of \d+$/);
  await expectFits(page);
  await expectAccessible(page);

  // Turned: the document has the room that there is.
  await page.setViewportSize({ width: 667, height: 375 });
  await expect(bar).toBeInViewport();
  await expectFits(page);
  await page.setViewportSize({ width: 375, height: 667 });

  await page.getByRole('button', { name: 'Comments' }).click();
  const sheet = page.getByRole('dialog', { name: 'Comments' });
  await sheet.getByRole('textbox').fill('Who signs?');
  await sheet.getByRole('button', { name: /^(Send|Comment)/ }).click();
  await expect(sheet.getByText('Who signs?')).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(sheet).toBeHidden();

  await page.getByRole('button', { name: 'Send link' }).click();
  const [own] = await sent(page);
  expect(own?.title).toBe('lease.pdf');
  // Good on any device.
  expect(new URL(own?.url ?? '').pathname).not.toMatch(/^\/m\//u);

  await page.goto(shelf);
  await page.getByRole('link', { name: 'plan.png' }).click();
  await expect(page.locator('.image-stage__image')).toBeVisible();
  await expectPinched(page, '.image-stage', '.image-zoom');
  await expectFits(page);
  // Two taps show all of it again.
  await expectTappedTo(page, '.image-stage', '.image-zoom', (now, before) => now < before);

  // A link to the lease, sent by the sheet too, and opened by somebody else on their phone.
  await page.goto(shelf);
  await page.getByRole('button', { name: 'Actions for lease.pdf' }).click();
  await page.getByRole('menuitem', { name: 'Share' }).click();
  await page.getByRole('button', { name: 'New link' }).first().click();
  await page.getByLabel('Label').fill('For the tenant');
  await page.getByRole('button', { name: 'Create link' }).click();
  await page.getByRole('button', { name: 'Send For the tenant' }).click();
  await expectAccessible(page);
  const url = (await sent(page)).at(-1)?.url ?? '';
  const { userAgent, isMobile, hasTouch } = test.info().project.use;
  const theirs = await browser.newContext({
    viewport: { width: 375, height: 667 },
    userAgent: userAgent ?? '',
    isMobile: isMobile ?? true,
    hasTouch: hasTouch ?? true,
    reducedMotion: 'reduce',
  });
  const guest = await theirs.newPage();
  await guest.goto(url);
  await expect(guest).toHaveURL(/\/m\/shared\//u);
  await expect(guest.getByRole('heading', { name: 'lease.pdf' })).toBeInViewport();
  await expect(guest.locator('.pdf__canvas canvas').first()).toBeVisible();
  await expect(guest.getByRole('link', { name: 'Download' })).toBeInViewport();
  await expect(guest.getByRole('textbox', { name: 'Page number' })).toBeInViewport();
  await guest.getByRole('button', { name: 'Find in document' }).click();
  const theirBar = guest.getByRole('search', { name: 'Find in document' });
  await theirBar.getByRole('textbox').fill('tenant');
  await expect(theirBar.getByRole('status')).toHaveText(/^1 of \d+$/);
  await expect(theirBar.getByRole('button', { name: 'Next match' })).toBeInViewport();
  await guest.getByRole('textbox', { name: 'Page number' }).fill('1');
  await guest.keyboard.press('Enter');
  await expectFits(guest);
  await expectAccessible(guest);
  await guest.getByRole('button', { name: 'Use necessary cookies only' }).tap();
  await pinch(guest, '.pdf__room');
  await theirs.close();
});

test('what is in documents is found on a phone, with nothing installed beside (field.md row 82)', async ({ page }) => {
  await signUpWithShelf(page, server.url, 'Contracts', ['one', documentFile('lease.docx')]);
  await page.goto(`${server.url}/m/search`);
  await page.getByRole('searchbox').or(page.getByRole('textbox')).first().fill('tenant');
  await page.keyboard.press('Enter');
  await expect(page.getByText('lease.docx').first()).toBeVisible();
  await expectFits(page);
  await expectAccessible(page);
});
