import { expect, type Locator, type Page, test } from '@playwright/test';
import { expectAccessible } from '../../helpers/browser/accessible.ts';
import { type RunningServer, runServer } from '../../helpers/browser/runServer.ts';
import { type GivenFile, signUpWithShelf, textFile } from '../../helpers/browser/steps.ts';
import { pdfFile } from '../../helpers/pdfFile.ts';
import { pngFile } from '../../helpers/pngFile.ts';

// What is just fading in has not its contrast yet.
test.use({ contextOptions: { reducedMotion: 'reduce' } });
test.describe.configure({ timeout: 240_000 });

let server: RunningServer;
test.beforeAll(async () => {
  server = await runServer();
});
test.afterAll(() => server.close());

const given = (name: string, buffer: Buffer): GivenFile => ({ name, mimeType: 'application/octet-stream', buffer });
const rail = (page: Page): Locator => page.getByRole('region', { name: 'Versions' });
const counter = (page: Page): Locator => page.locator('.compare__counter');

/** Chooses from the menu of a version; again where the page moved beneath it while it was still loading. */
async function choose(page: Page, number: number, action: string | RegExp): Promise<void> {
  const item = page.getByRole('menuitem', { name: action, exact: true });
  await expect(async () => {
    if (await item.isHidden())
      await rail(page)
        .getByRole('button', { name: `Version ${number}: actions` })
        .click();
    try {
      await item.click({ timeout: 3000 });
    } catch (error) {
      await page.keyboard.press('Escape');
      throw error;
    }
  }).toPass();
}

/** Opens a document, and from the rail of its newest version the comparison with an older one. */
async function compareWith(page: Page, name: string, number: number): Promise<void> {
  await page.getByRole('grid').getByRole('link', { name }).first().click();
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
  await choose(page, number, /^Compare with version/);
  await expect(page.getByLabel('Earlier version')).toContainText(`Version ${number}`);
}

/** Looks at a screen in the dark and on a telephone too. */
async function expectAccessibleEverywhere(page: Page, name: string): Promise<void> {
  await expectAccessible(page, name);
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await expectAccessible(page, `${name}, dark`);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  const size = page.viewportSize() ?? { width: 1280, height: 832 };
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page, `${name}, phone`);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), name).toBe(true);
  await page.setViewportSize(size);
}

test('tables are compared cell by cell, and their texts line by line', async ({ page }) => {
  const rents = (rent: string, more = '') => `Flat,Tenant,Rent\nA,Anna,1200\nB,Bert,900\nC,Carla,${rent}\n${more}`;
  await signUpWithShelf(
    page,
    server.url,
    'Papers',
    ['the rents', textFile('rents.csv', rents('700'))],
    ['a new flat', textFile('rents.csv', rents('750', 'D,Dora,640\n'))],
  );
  await compareWith(page, 'rents.csv', 1);
  const grid = page.getByRole('table', { name: 'Changes of the table' });
  await expect(grid.locator('del')).toHaveText('700');
  await expect(grid.locator('ins')).toHaveText('750');
  await expect(grid.locator('tr[data-kind="added"]')).toContainText('Dora');
  await expect(page.getByText('1 cell changed')).toBeVisible();
  await expect(page.getByText('1 row added')).toBeVisible();
  await expectAccessibleEverywhere(page, 'table');
  await page.getByRole('radio', { name: 'Text' }).check();
  await expect(page.getByRole('table', { name: 'Compare' }).locator('del')).toHaveText('700');
});

test('changes are gone through by keys, and a comparison is cancelled and asked for again', async ({ page }) => {
  const lines = Array.from({ length: 400 }, (_, at) => `Clause ${at + 1} stands.`);
  const edited = lines.map((line, at) => (at % 100 === 50 ? line.replace('stands', 'falls') : line));
  await signUpWithShelf(
    page,
    server.url,
    'Papers',
    ['the lease', textFile('lease.txt', lines.join('\n'))],
    ['clauses fall', textFile('lease.txt', edited.join('\n'))],
  );
  const held = Promise.withResolvers<void>();
  await page.route('**/compare/**', async (route) => {
    await held.promise;
    await route.continue().catch(() => undefined);
  });
  await compareWith(page, 'lease.txt', 1);
  await expect(page.getByText('Comparing …')).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('The comparison was cancelled')).toBeVisible();
  await expectAccessible(page);
  held.resolve();
  await page.getByRole('button', { name: 'Compare again' }).click();

  await expect(counter(page)).toHaveText('4 changes');
  await page.keyboard.press('n');
  await expect(counter(page)).toHaveText('Change 1 of 4');
  await page.keyboard.press('F7');
  await expect(counter(page)).toHaveText('Change 2 of 4');
  await expect(page.locator('[data-active="true"]')).toContainText('Clause 151');
  await page.keyboard.press('Shift+F7');
  await page.keyboard.press('p');
  await expect(counter(page)).toHaveText('Change 4 of 4');
  await expect(page.locator('[data-active="true"]')).toBeInViewport();
  await page.getByRole('button', { name: 'Next change' }).click();
  await expect(counter(page)).toHaveText('Change 1 of 4');
});

test('pictures are swiped and laid over each other, whatever their sizes', async ({ page }) => {
  const plan = (width: number, height: number, hasDoor: boolean) =>
    pngFile(width, height, (x, y) =>
      hasDoor && x > 0.6 && x < 0.8 && y > 0.3 && y < 0.7 ? [200, 60, 40] : [230, 225 - 60 * x, 180 + 40 * y],
    );
  await signUpWithShelf(
    page,
    server.url,
    'Papers',
    ['the plan', given('plan.png', plan(320, 240, false))],
    ['with a door', given('plan.png', plan(640, 480, true))],
  );
  await compareWith(page, 'plan.png', 1);
  await expect(page.getByText(/^320 × 240 became 640 × 480 · [78][.\d]*% of the picture differ$/)).toBeVisible();
  await expect(page.getByRole('img', { name: /^Version \d of plan\.png$/ })).toHaveCount(2);
  await expectAccessibleEverywhere(page, 'pictures side by side');
  await page.getByRole('radio', { name: 'Swipe' }).check();
  const swipe = page.getByRole('slider', { name: 'How much of the earlier version is seen' });
  const width = async () => (await page.locator('.pictures__line').boundingBox())?.x ?? 0;
  const before = await width();
  await swipe.focus();
  await page.keyboard.press('End');
  await expect(swipe).toHaveValue('100');
  expect(await width()).toBeGreaterThan(before);
  await page.keyboard.press('Home');
  for (let step = 0; step < 5; step += 1) await page.keyboard.press('PageUp');
  await expectAccessibleEverywhere(page, 'pictures swiped');
  await page.getByRole('radio', { name: 'Onion skin' }).check();
  await page.getByRole('slider', { name: 'Strength of the later version' }).fill('100');
  await expectAccessible(page);
  await page.getByRole('radio', { name: 'Difference' }).check();
  await expectAccessibleEverywhere(page, 'pictures, difference');
});

test('pages of a PDF are laid over each other, with those that changed marked', async ({ page }) => {
  const text = (number: number, rent: string) => ({
    lines: [`Lease, page ${number}`, `The rent is ${rent} a month.`, 'It is paid on the first day.'],
  });
  const first = [text(1, '1200'), text(2, '900'), text(3, '700')];
  const second = [text(1, '1200'), { lines: ['An annex that is new'] }, text(2, '900'), text(3, '750')];
  await signUpWithShelf(
    page,
    server.url,
    'Papers',
    ['the lease', given('lease.pdf', pdfFile(first))],
    ['with an annex', given('lease.pdf', pdfFile(second))],
  );
  await compareWith(page, 'lease.pdf', 1);
  await page.getByRole('button', { name: 'Go to the changes on Page 4' }).click();
  await expect(page.locator('[data-active="true"]')).toContainText('750');

  await page.getByRole('radio', { name: 'Pages' }).check();
  const pages = page.getByRole('navigation', { name: 'Pages' }).getByRole('button');
  await expect(pages).toHaveText(['Page 1', 'Page 2added', 'Page 2 → 3', 'Page 3 → 4changed']);
  await expect(counter(page)).toHaveText('Change 1 of 2');
  await page.keyboard.press('n');
  await expect(counter(page)).toHaveText('Change 2 of 2');
  await expect(page.getByRole('img', { name: 'Page 3 of version 1' }).locator('canvas')).toBeVisible();
  await expect(page.getByRole('img', { name: 'Page 4 of version 2' }).locator('canvas')).toBeVisible();
  await expectAccessibleEverywhere(page, 'pages, overlay');
  await page.getByRole('radio', { name: 'Side by side' }).check();
  await pages.nth(1).click();
  await expect(page.getByText('This version has no such page')).toBeVisible();
  await expectAccessibleEverywhere(page, 'pages side by side');

  await page.getByRole('link', { name: 'Open' }).first().click();
  const words = page.getByPlaceholder(/^Comment/);
  for (const number of [2, 3]) {
    await words.fill(`Is page ${number} right?`);
    await words.press('Control+Enter');
    await expect(words).toHaveValue('');
  }
  await expect(page.getByText('Page 2 is still the same')).toBeVisible();
  await expect(page.getByText('Page 3 changed since')).toBeVisible();
  await expectAccessible(page);
});

test('the rail names, compares and restores versions, and counts what was said of them', async ({ page }) => {
  await signUpWithShelf(
    page,
    server.url,
    'Papers',
    ['first', textFile('lease.txt', 'one\n')],
    ['second', textFile('lease.txt', 'two\n')],
    ['third', textFile('lease.txt', 'three\n')],
  );
  await page.getByRole('grid').getByRole('link', { name: 'lease.txt' }).first().click();
  const item = (number: number) =>
    rail(page)
      .getByRole('listitem')
      .filter({ hasText: `Version ${number}` });
  await expect(item(3)).toContainText('Current');
  await choose(page, 2, 'Name this version');
  await page.getByLabel('Name of version 2').fill('As it was signed');
  await page.keyboard.press('Enter');
  await expect(item(2)).toContainText('As it was signed');
  await choose(page, 1, 'Comment');
  await expect(page.getByRole('heading', { name: 'Comments', exact: true })).toBeFocused();
  await page.getByPlaceholder(/comment/i).fill('Too short a lease');
  await page.keyboard.press('Control+Enter');
  await expect(item(1)).toContainText('1 comment on this version');
  await expectAccessibleEverywhere(page, 'rail');

  await choose(page, 2, 'Compare with version 1');
  await expect(page.getByRole('table', { name: 'Compare' })).toContainText('two');
  await page.getByLabel('Later version').selectOption({ index: 0 });
  await expect(page.getByRole('table', { name: 'Compare' })).toContainText('three');
  await page.goBack();

  await choose(page, 1, 'Restore');
  const dialog = page.getByRole('dialog', { name: 'Restore version 1' });
  await expect(dialog).toContainText('This makes version 4 with the content of version 1.');
  await dialog.getByRole('button', { name: 'Restore' }).click();
  await expect(item(4)).toContainText('Restore of v1');
  await expect(item(4)).toContainText('Current');
});
