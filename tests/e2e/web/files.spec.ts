import { readFileSync } from 'node:fs';
import { expect, type Locator, type Page, test } from '@playwright/test';
import { expectAccessible } from '../../helpers/browser/accessible.ts';
import { type RunningServer, runServer } from '../../helpers/browser/runServer.ts';
import { commitFiles, documentFile, signUp, signUpWithShelf, textFile } from '../../helpers/browser/steps.ts';
import { addMember } from '../../helpers/members.ts';

// What is just fading in has not its contrast yet.
test.use({ contextOptions: { reducedMotion: 'reduce' } });

let server: RunningServer;
test.beforeAll(async () => {
  server = await runServer();
});
test.afterAll(() => server.close());

const rows = (page: Page): Locator => page.getByRole('grid').locator('tbody tr');
const row = (page: Page, name: string): Locator => rows(page).filter({ hasText: name });
const toast = (page: Page, text: string | RegExp): Locator => page.getByRole('alert').filter({ hasText: text });
const bar = (page: Page): Locator => page.getByRole('region', { name: 'Selection' });

async function choose(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

/** Someone with a shelf that holds a few letters, the first of them in two versions. */
async function withLetters(page: Page): Promise<void> {
  const letter = (name: string) => textFile(name, `Dear ${name},\nthe keys are back.\nYours\n`);
  await signUpWithShelf(
    page,
    server.url,
    'Letters',
    ['four letters', ...['anna.txt', 'bert.txt', 'carl.txt', 'dora.txt'].map(letter)],
    ['the keys again', textFile('anna.txt', 'Dear anna.txt,\nthe keys are lost.\nYours\n')],
  );
  await expect(row(page, 'anna.txt')).toContainText('v2');
}

test('an owner selects, renames, deletes, brings back and downloads documents', async ({ page }) => {
  await withLetters(page);
  const names = rows(page).getByRole('link');

  await test.step('rows are selected by keyboard and mouse', async () => {
    await row(page, 'anna.txt').getByRole('link').focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Shift+ArrowDown');
    await expect(bar(page)).toContainText('2 selected');
    await page.keyboard.press('Control+a');
    await expect(bar(page)).toContainText('4 selected');
    await page.keyboard.press('Escape');
    await expect(bar(page)).toBeHidden();
    await row(page, 'bert.txt').getByText('v1').click();
    await row(page, 'dora.txt').click({ modifiers: ['Shift'], position: { x: 400, y: 8 } });
    await expect(bar(page)).toContainText('3 selected');
    await row(page, 'carl.txt')
      .getByRole('link')
      .click({ modifiers: ['Control'] });
    await expect(bar(page)).toContainText('2 selected');
    await expectAccessible(page);
  });

  await test.step('the selection is downloaded as one ZIP', async () => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      bar(page).getByRole('button', { name: 'Download as ZIP' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('Letters.zip');
    const zip = readFileSync(await download.path()).toString('latin1');
    expect(['anna.txt', 'bert.txt', 'carl.txt', 'dora.txt'].filter((name) => zip.includes(name))).toEqual([
      'bert.txt',
      'dora.txt',
    ]);
  });

  await test.step('the selection is deleted, and Undo brings it back', async () => {
    await row(page, 'bert.txt').getByRole('link').focus();
    await page.keyboard.press('Delete');
    await expect(rows(page)).toHaveCount(2);
    await toast(page, '2 documents are in the trash').getByRole('button', { name: 'Undo' }).click();
    await expect(rows(page)).toHaveCount(4);
  });

  await test.step('a document is renamed in its row', async () => {
    await row(page, 'carl.txt').getByRole('link').focus();
    await page.keyboard.press('F2');
    const field = page.getByLabel('New name of carl.txt');
    await field.fill('anna.txt');
    await page.keyboard.press('Enter');
    await expect(page.getByText('This name is already taken.')).toBeVisible();
    await field.fill('what?.txt');
    await expect(page.getByText('These characters cannot be used')).toBeVisible();
    await field.fill('zoe.txt');
    await page.keyboard.press('Enter');
    await expect(row(page, 'zoe.txt').getByRole('link')).toBeFocused();
    await choose(page, 'zoe.txt', 'Rename');
    await page.keyboard.type('yves');
    await page.keyboard.press('Escape');
    await expect(row(page, 'zoe.txt')).toBeVisible();
  });

  await test.step('columns sort, the filter narrows, letters jump', async () => {
    await expect(names).toHaveText(['anna.txt', 'bert.txt', 'dora.txt', 'zoe.txt']);
    await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click();
    await expect(names).toHaveText(['zoe.txt', 'dora.txt', 'bert.txt', 'anna.txt']);
    await row(page, 'zoe.txt').getByRole('link').focus();
    await page.keyboard.type('be');
    await expect(row(page, 'bert.txt').getByRole('link')).toBeFocused();
    await page.getByLabel('Filter documents').fill('DORA');
    await expect(rows(page)).toHaveCount(1);
    await page.getByLabel('Filter documents').fill('nobody');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect(rows(page)).toHaveCount(4);
  });

  await test.step('versions are named and restored', async () => {
    await choose(page, 'anna.txt', 'Versions');
    const dialog = page.getByRole('dialog', { name: 'Versions of anna.txt' });
    await dialog.getByRole('button', { name: 'Name version 1' }).click();
    await dialog.getByLabel('Name of version 1').fill('Signed');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog.getByText('Signed')).toBeVisible();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Restore version 1' }).click();
    await expect(dialog.getByRole('listitem').filter({ hasText: 'Version 3' })).toContainText('Current');
    await page.keyboard.press('Escape');
    await expect(row(page, 'anna.txt')).toContainText('v3');
    await expect(row(page, 'anna.txt').getByRole('link')).toBeFocused();
  });
});

test('an editor and a viewer see what is locked, and do what they may', async ({ page, browser }) => {
  // Three people sign up.
  test.slow();
  await withLetters(page);
  const address = page.url();
  const shelfId = address.slice(address.lastIndexOf('/') + 1);
  const as = async (role: 'editor' | 'viewer') => {
    const other = await (await browser.newContext()).newPage();
    addMember(server, shelfId, (await signUp(other, server.url)).username, role);
    await other.goto(address);
    await expect(rows(other)).toHaveCount(4);
    return other;
  };
  const editor = await as('editor');
  await choose(editor, 'bert.txt', 'Check out');
  await expect(row(editor, 'bert.txt')).toContainText('Checked out by');

  await page.reload();
  await row(page, 'bert.txt').getByRole('link').focus();
  await page.keyboard.press('Delete');
  await expect(toast(page, 'has had this document checked out since')).toBeVisible();
  await choose(page, 'bert.txt', 'Break the lock');
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Break the lock' }).click();
  await expect(row(page, 'bert.txt')).not.toContainText('Checked out by');

  const viewer = await as('viewer');
  await row(viewer, 'anna.txt').getByRole('checkbox').check();
  await expect(bar(viewer).getByRole('button', { name: 'Download' })).toBeVisible();
  await expect(bar(viewer).getByRole('button', { name: 'Delete' })).toHaveCount(0);
  await viewer.getByRole('button', { name: 'Actions for anna.txt' }).click();
  await expect(viewer.getByRole('menuitem')).toHaveText(['Open', 'Download', 'Save as PDF', 'Versions', 'Comments']);
  await viewer.keyboard.press('Escape');
  await row(viewer, 'anna.txt').getByRole('link').focus();
  await viewer.keyboard.press('F2');
  await viewer.keyboard.press('Delete');
  await expect(rows(viewer)).toHaveCount(4);
  await expect(viewer.getByRole('textbox')).toHaveCount(0);
});

test('favorites collect shelves and documents, and lead back to them', async ({ page }) => {
  await withLetters(page);
  for (const name of ['Letters', 'dora.txt']) {
    // The star is drawn at once; who leaves before the server has answered takes it away again.
    const saved = page.waitForResponse(
      (response) => response.url().includes('/favorites/') && response.request().method() !== 'GET',
    );
    await page.getByRole('button', { name: `Favorite: ${name}` }).click();
    await saved;
  }
  await page.goto(`${server.url}/favorites`);
  await expect(rows(page)).toHaveCount(2);
  await expectAccessible(page);
  await row(page, 'dora.txt').getByRole('link').click();
  await expect(row(page, 'dora.txt').getByRole('link')).toBeFocused();
  await page.goBack();
  await page.getByLabel('Kind').selectOption('Shelves');
  await expect(rows(page)).toHaveCount(1);
  await page.getByLabel('Kind').selectOption('All kinds');
  await page.getByLabel('Select all').check();
  await bar(page).getByRole('button', { name: 'Remove from favorites' }).click();
  await expect(page.getByText('No favorites yet')).toBeVisible();
  await toast(page, '2 favorites removed').getByRole('button', { name: 'Undo' }).click();
  await expect(rows(page)).toHaveCount(2);
  await row(page, 'dora.txt').getByRole('link').focus();
  await page.keyboard.press('Delete');
  await row(page, 'Letters').getByRole('button', { name: 'Favorite: Letters' }).click();
  await expect(page.getByText('No favorites yet')).toBeVisible();
  await expectAccessible(page);
});

test('the trash is searched, restored from with a report, and emptied', async ({ page, browser }) => {
  // Three people sign up.
  test.slow();
  await withLetters(page);
  const address = page.url();
  const shelfId = address.slice(address.lastIndexOf('/') + 1);
  await commitFiles(page, [documentFile('lease.pdf')], 'a lease');
  await expect(rows(page)).toHaveCount(5);
  await page.getByLabel('Select all').check();
  await bar(page).getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('This shelf is empty')).toBeVisible();
  await commitFiles(page, [textFile('bert.txt', 'Another letter to Bert.\n')], 'a new letter');

  for (const [role, verbs] of [
    ['editor', ['Restore']],
    ['viewer', []],
  ] as const) {
    const other = await (await browser.newContext()).newPage();
    addMember(server, shelfId, (await signUp(other, server.url)).username, role);
    await other.goto(`${server.url}/trash`);
    await expect(rows(other)).toHaveCount(5);
    await other.getByLabel('Select all').check();
    await expect(bar(other).getByRole('button', { name: /^(Restore|Delete)/ })).toHaveText([...verbs]);
  }

  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('menuitem', { name: 'Trash' }).click();
  await expect(rows(page)).toHaveCount(5);
  await expect(row(page, 'lease.pdf')).toContainText('30 days left');
  await expect(row(page, 'lease.pdf')).toContainText('Letters');
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Path' }).click();
  await expect(rows(page).first()).toContainText('anna.txt');
  await page.getByLabel('Search the trash').fill('ANN');
  await expect(rows(page)).toHaveCount(1);
  await page.getByLabel('Search in').selectOption('In contents');
  await page.getByLabel('Search the trash').fill('clause four');
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText('lease.pdf');
  await page.getByRole('button', { name: 'Delete lease.pdf for ever' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete 1 document for ever' }).click();
  await expect(page.getByText('Nothing in the trash matches')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();

  await expect(rows(page)).toHaveCount(4);
  await page.getByLabel('Select all').check();
  await bar(page).getByRole('button', { name: 'Restore' }).click();
  const report = page.getByRole('dialog', { name: 'Restored from the trash' });
  await expect(report).toContainText('3 of 4 done');
  await expect(report.getByRole('listitem').first()).toContainText('This name is already taken.');
  await expectAccessible(page);
  await report.getByRole('button', { name: 'Restore under a new name' }).click();
  await expect(report).toContainText('4 of 4 done');
  await page.keyboard.press('Escape');
  await expect(page.getByText('The trash is empty')).toBeVisible();
  await page.goto(address);
  await expect(rows(page)).toHaveCount(5);
});

test('the history tells each commit by day, and compares a change with the version before', async ({ page }) => {
  await withLetters(page);
  await choose(page, 'dora.txt', 'Rename');
  await page.getByLabel('New name of dora.txt').fill('doris.txt');
  await page.keyboard.press('Enter');
  await expect(row(page, 'doris.txt')).toBeVisible();
  await page.getByRole('link', { name: 'History' }).click();
  await expect(page.getByRole('heading', { name: 'Today' })).toBeVisible();
  await expect(page.getByText('dora.txt became doris.txt').first()).toBeVisible();
  await page.getByRole('button', { name: 'four letters' }).click();
  await expect(page.getByRole('link', { name: 'carl.txt' })).toBeVisible();
  await page.getByRole('button', { name: 'the keys again' }).click();
  await expectAccessible(page);

  // The day that the commit stands in is an item too.
  const commit = page.getByRole('listitem').filter({ hasText: 'the keys again' }).last();
  await commit.getByRole('link', { name: 'anna.txt' }).click();
  const diff = page.getByRole('table', { name: 'Compare' });
  await expect(diff.locator('del')).toHaveText('back');
  await expect(diff.locator('ins')).toHaveText('lost');
  await expect(page.getByText('1 line added')).toBeVisible();
  await expect(diff.locator('tr').filter({ has: page.locator('del') })).toContainText('lost');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Inline' }).click();
  await expect(diff.locator('tr').filter({ has: page.locator('del') })).not.toContainText('lost');
  await expectAccessible(page);
  await page.getByLabel('Later version').selectOption({ index: 1 });
  await expect(page.getByText('Both versions are the same')).toBeVisible();
});
