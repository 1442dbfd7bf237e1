import { expect, test } from '@playwright/test';
import { expectAccessible } from '../../helpers/browser/accessible.ts';
import { type RunningServer, runServer } from '../../helpers/browser/runServer.ts';
import {
  commitFiles,
  createShelf,
  documentFile,
  results,
  signUp,
  signUpByHand,
  signUpWithShelf,
  textFile,
} from '../../helpers/browser/steps.ts';

let server: RunningServer;
test.beforeAll(async () => {
  server = await runServer();
});
test.afterAll(() => server.close());

test('a person signs up, fills a shelf, commits a second version, and finds a phrase in files and history', async ({
  page,
}) => {
  const refused: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && /Content Security Policy/.test(message.text())) refused.push(message.text());
  });
  const who = await signUpByHand(page, server.url);
  await expectAccessible(page);
  await createShelf(page, 'Contracts');
  await commitFiles(
    page,
    [
      textFile('lease.txt', 'The tenant pays on the first day.\nClause four stands.\n'),
      documentFile('lease.pdf'),
      documentFile('sheet.xlsx'),
    ],
    'first draft',
  );
  await expect(page.getByRole('link', { name: /lease\.txt/ }).first()).toBeVisible();
  await commitFiles(page, [textFile('lease.txt', 'The tenant pays on the third day.\n')], 'cut the fourth');
  await expectAccessible(page);

  await page.goto(`${server.url}/search?q=${encodeURIComponent('clause four')}`);
  await expect(page.getByRole('tab', { name: /Current Workspace 1/ })).toBeVisible();
  await expect(results(page)).toHaveCount(1);
  await expect(results(page).first()).toContainText('lease.pdf');
  await page.getByRole('tab', { name: /History 2/ }).click();
  await expect(results(page)).toHaveCount(2);
  await expect(results(page).filter({ hasText: 'lease.txt' })).toContainText('first draft');
  await expect(results(page).filter({ hasText: 'lease.txt' })).toContainText('Removed in v2cut the fourth');
  await expect(results(page).filter({ hasText: 'lease.txt' }).locator('mark')).toHaveText('Clause four');
  await expect(results(page).first()).toContainText(who.library);
  await expectAccessible(page);

  await page.getByLabel('Show matches').check();
  await expect(page.getByText('Select a file to view matches')).toBeVisible();
  await results(page).filter({ hasText: 'lease.pdf' }).click();
  await expect(page.getByRole('tabpanel')).toContainText('Page 2');
  await results(page).filter({ hasText: 'lease.txt' }).click();
  await page.getByRole('button', { name: 'Removed in v2' }).click();
  await expect(page.locator('[data-active="true"]')).toContainText('Clause four stands.');
  await page.goBack();

  const input = page.getByRole('searchbox', { name: 'Find in files' });
  await input.fill('kaution');
  await input.press('Enter');
  await page.getByRole('tab', { name: /Current Workspace 1/ }).click();
  await expect(page.getByRole('tabpanel')).toContainText('sheet.xlsx');
  await input.fill('nowhere to be found');
  await input.press('Enter');
  await expect(page.getByText('No results found for "nowhere to be found"')).toBeVisible();
  await page.getByRole('button', { name: 'Clear' }).click();
  await expect(page.getByText('Today')).toBeVisible();
  await expect(page.getByRole('button', { name: /^kaution/ })).toBeVisible();
  expect(refused).toEqual([]);
});

test('a deep link survives signing in, and signing out ends the session', async ({ page, context }) => {
  const who = await signUpWithShelf(page, server.url, 'Private');
  const address = page.url();
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await expect(page).toHaveURL(`${server.url}/`);
  expect((await context.cookies()).filter(({ name }) => /^armarium_(access|refresh)$/u.test(name))).toEqual([]);
  await page.goto(address);
  await expect(page).toHaveURL(`${server.url}/`);
  await page.getByRole('button', { name: 'Login / Signup' }).first().click();
  await page.getByLabel('Email address').fill(who.email);
  await page.getByLabel('Password').fill(who.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(address);
  await expect(page.getByRole('heading', { name: 'Private', level: 1 })).toBeVisible();
});

test('the history tells who changed what, and a version shows its text', async ({ page }) => {
  const letter = textFile('letter.txt', 'Dear librarian,\nthe keys are back.\n');
  await signUpWithShelf(page, server.url, 'Letters', ['a letter', letter]);
  await page.getByRole('link', { name: 'History' }).click();
  await expect(page.getByText('a letter')).toBeVisible();
  await page
    .getByRole('link', { name: /letter\.txt/ })
    .first()
    .click();
  await expect(page.getByText('the keys are back.')).toBeVisible();
  await expectAccessible(page);
});

test('names that cannot be used are refused where they are typed', async ({ page }) => {
  await signUp(page, server.url);
  await page
    .getByRole('button', { name: /^(New shelf|Create the first shelf)$/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('what?');
  await expect(dialog.getByText('These characters cannot be used')).toBeVisible();
  await dialog.getByLabel('Name').fill('CON');
  await expect(dialog.getByText('reserved by Windows')).toBeVisible();
});

test('an address that leads nowhere says so', async ({ page }) => {
  await page.goto(`${server.url}/no/such/place/at/all`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expectAccessible(page);
});
