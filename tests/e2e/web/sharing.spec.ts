import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type Browser, expect, type Page, test } from '@playwright/test';
import SqliteDatabase from 'better-sqlite3';
import { expectAccessible } from '../../helpers/browser/accessible.ts';
import { type RunningServer, runServer } from '../../helpers/browser/runServer.ts';
import { commitFiles, documentFile, signUpWithShelf, textFile } from '../../helpers/browser/steps.ts';

// What is fading in has not its contrast yet.
test.use({ contextOptions: { reducedMotion: 'reduce' } });

let server: RunningServer;
test.beforeAll(async () => {
  server = await runServer();
});
test.afterAll(() => server.close());

/** A browser that says it has no window counts as a bot. */
const USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

/** Someone without an account, in a browser of their own. */
async function guest(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ reducedMotion: 'reduce', userAgent: USER_AGENT });
  return context.newPage();
}

/** The address of the newest link of the list that is shown. */
const addressOf = (page: Page, label: string) =>
  page.getByRole('listitem').filter({ hasText: label }).locator('.link__url').first().innerText();

const link = (page: Page, label: string) =>
  page.getByRole('list', { name: 'Share links' }).getByRole('listitem').filter({ hasText: label });

async function newLink(page: Page, label: string, fill: (page: Page) => Promise<void> = async () => undefined) {
  await page.getByRole('button', { name: 'New link' }).first().click();
  await page.getByLabel('Label').fill(label);
  await fill(page);
  await page.getByRole('button', { name: 'Create link' }).click();
  await expect(link(page, label)).toBeVisible();
}

test('a document is shared by two links with rules of their own, and a guest gets what each allows', async ({
  page,
  browser,
}) => {
  const lease = textFile('lease.txt', 'The tenant pays.\nClause four stands.\nThe tenant leaves.\n');
  await signUpWithShelf(page, server.url, 'Contracts', ['one', lease]);
  await page.getByRole('button', { name: 'Actions for lease.txt' }).click();
  await page.getByRole('menuitem', { name: 'Share' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('heading', { name: 'Share lease.txt' })).toBeVisible();
  await expect(dialog.getByText('No share links yet')).toBeVisible();
  await expectAccessible(page);

  await newLink(page, 'For the tenant');
  await newLink(page, 'For the bank', async () => {
    await expectAccessible(page);
    await page.getByLabel('Version', { exact: true }).selectOption({ index: 1 });
    await page.getByLabel('Allow downloads').uncheck();
    await page.getByLabel('Ask for a password').check();
    await page.getByRole('button', { name: 'Create link' }).click();
    await expect(page.getByText('Use at least 8 characters.')).toBeVisible();
    await page.getByLabel('Password', { exact: true }).fill('open sesame now');
  });
  await expect(link(page, 'For the bank')).toContainText('Version 1 only');
  await expect(link(page, 'For the bank')).toContainText('View only');
  await expect(link(page, 'For the tenant')).toContainText('Always the current version');
  await expectAccessible(page);
  const [current, pinned] = [await addressOf(page, 'For the tenant'), await addressOf(page, 'For the bank')];
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await commitFiles(page, [textFile('lease.txt', 'The tenant pays double.\n')], 'two');

  const visitor = await guest(browser);
  await visitor.goto(pinned);
  await expect(visitor).toHaveURL(`${pinned}/password-required`);
  await expect(visitor.getByRole('heading', { name: 'This link has a password' })).toBeVisible();
  await expectAccessible(visitor);
  await visitor.getByLabel('Password').fill('not this one');
  await visitor.getByRole('button', { name: 'Open' }).click();
  await expect(visitor.getByText('This password is not right.')).toBeVisible();
  await visitor.getByLabel('Password').fill('open sesame now');
  await visitor.getByRole('button', { name: 'Open' }).click();
  await expect(visitor.getByText('Clause four stands.')).toBeVisible();
  await expect(visitor.getByRole('main').getByRole('link', { name: /Download/ })).toHaveCount(0);
  await expectAccessible(visitor);

  const find = visitor.getByRole('textbox', { name: 'Find in document' });
  await visitor.keyboard.press('Control+f');
  await expect(find).toBeFocused();
  await find.fill('tenant');
  await expect(visitor.getByText('1 of 2')).toBeVisible();
  await find.press('Enter');
  await expect(visitor.getByText('2 of 2')).toBeVisible();
  // For a moment after a step there is no other.
  await expect(async () => {
    await find.press('Enter');
    await expect(visitor.getByText('1 of 2')).toBeVisible({ timeout: 50 });
  }).toPass();
  await expect(visitor.locator('mark[data-active="true"]')).toHaveCount(1);

  await visitor.goto(current);
  await expect(visitor.getByText('The tenant pays double.')).toBeVisible();
  const [download] = await Promise.all([
    visitor.waitForEvent('download'),
    visitor.getByRole('main').getByRole('link', { name: 'Download' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('lease.txt');
});

test('a link that was revoked opens for nobody, until it is reactivated', async ({ page, browser }) => {
  await signUpWithShelf(page, server.url, 'Letters');
  await page.goto(`${page.url()}/share`);
  await expect(page.getByText('No share links yet')).toBeVisible();
  await newLink(page, 'For the press');
  const address = await addressOf(page, 'For the press');
  const visitor = await guest(browser);
  await visitor.goto(address);
  await expect(visitor.getByText('This shelf is empty')).toBeVisible();

  await page.reload();
  await expect(link(page, 'For the press')).toContainText('1 view');
  await page.getByRole('button', { name: 'Revoke For the press' }).click();
  await expect(link(page, 'For the press')).toContainText('Revoked');
  await visitor.goto(address);
  await expect(visitor).toHaveURL(`${server.url}/shared/expired?reason=revoked`);
  await expect(visitor.getByRole('heading', { name: 'This link was revoked' })).toBeVisible();
  await expectAccessible(visitor);
  await page.getByRole('button', { name: 'Reactivate For the press' }).click();
  await expect(link(page, 'For the press')).toContainText('Active');
  await visitor.goto(address);
  await expect(visitor.getByText('This shelf is empty')).toBeVisible();
});

test('a shelf is shared with certain people, who prove their address by a code', async ({ page, browser }) => {
  await signUpWithShelf(page, server.url, 'Minutes');
  await page.getByRole('link', { name: 'Share' }).click();
  await newLink(page, 'Board', async () => {
    await page.getByLabel('Only for certain people').check();
    await page.getByLabel('Addresses').fill('nobody');
    await page.getByRole('button', { name: 'Create link' }).click();
    await expect(page.getByText(/Enter up to 200 addresses/)).toBeVisible();
    await page.getByLabel('Addresses').fill('ana@example.org\n@example.com');
  });
  await expect(link(page, 'Board')).toContainText('2 addresses');

  const visitor = await guest(browser);
  await visitor.goto(await addressOf(page, 'Board'));
  await expect(visitor.getByRole('heading', { name: 'Who are you?' })).toBeVisible();
  await visitor.getByLabel('Email address').fill('ana@example.org');
  await visitor.getByRole('button', { name: 'Send code' }).click();
  await expect(visitor.getByRole('heading', { name: 'Enter the code' })).toBeVisible();
  await visitor.getByLabel('Code', { exact: true }).fill('12345');
  await visitor.getByRole('button', { name: 'Open' }).click();
  await expect(visitor.getByText('This code is not right, or no longer.')).toBeVisible();
  await expectAccessible(visitor);
});

test('statistics move by themselves, and their figures add up', async ({ page, browser }) => {
  await signUpWithShelf(page, server.url, 'Reports', [
    'reports',
    textFile('a.txt', 'alpha\n'),
    documentFile('lease.pdf'),
  ]);
  await page.getByRole('link', { name: 'Share' }).click();
  await newLink(page, 'Open house');
  const open = await addressOf(page, 'Open house');
  const visitor = await guest(browser);
  await page.getByRole('link', { name: 'Statistics of Open house' }).click();
  await expect(page.getByText('Nobody opened it in this time')).toBeVisible();
  await visitor.goto(open);
  await expect(visitor.getByRole('heading', { name: 'Reports', level: 1 })).toBeVisible();
  await expectAccessible(visitor);
  await visitor.getByRole('link', { name: 'lease.pdf', exact: true }).click();
  await expect(visitor.locator('.pdf__page[data-page="1"]')).toHaveAttribute('data-drawn', 'true');
  // Without a reload: the page hears of it.
  const documents = page.getByRole('table', { name: 'Documents' });
  await expect(documents).toContainText('lease.pdf');
  await expect(documents.getByRole('row', { name: /Total/ })).toHaveText('Total20');
  await expect(page.getByText('2 events')).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Visitors').first().check();
  await page.getByLabel('Own team').check();
  await expect(page.getByText('2 events')).toBeVisible();
  await page.getByText('As a table').click();
  await expect(page.getByRole('row', { name: / 2 0 1$/ })).toBeVisible();
  const [csv] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export CSV' }).click(),
  ]);
  expect(csv.suggestedFilename()).toMatch(/\.csv$/);

  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Statistics' }).click();
  await expect(page.getByRole('table', { name: 'Links' })).toContainText('Open house');
  await expectAccessible(page);

  // Of very many places that visitors came from the busiest show, and all others together.
  const database = new SqliteDatabase(join(server.dataDir, 'armarium.db'));
  for (let host = 1; host <= 20; host += 1) {
    database
      .prepare(
        `INSERT INTO share_events SELECT ?, link_id, kind, at, visitor_hash, email, audience, device, ?, document_id,
          version_id, version_number FROM share_events WHERE audience = 'visitor' ORDER BY at DESC LIMIT 1`,
      )
      .run(randomUUID(), `host${host}.example.org`);
  }
  database.close();
  await page.reload();
  const origins = page.getByRole('table', { name: 'Came from' });
  const total = origins.getByRole('row', { name: /Total/ });
  await expect(total).toHaveText('Total220');
  await expect(origins.getByRole('row')).toHaveCount(13);
  await expect(origins.getByRole('row', { name: /All others/ })).toHaveText('All others110');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect(origins.getByRole('row')).toHaveCount(23);
  await expect(total).toHaveText('Total220');
});

test('an address that is no link says so', async ({ page }) => {
  await page.goto(`${server.url}/shared/${'x'.repeat(43)}`);
  await expect(page).toHaveURL(`${server.url}/shared/not-found`);
  await expect(page.getByRole('heading', { name: 'There is no such link' })).toBeVisible();
  await expectAccessible(page);
});
