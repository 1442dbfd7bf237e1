import { expect, type Page, test } from '@playwright/test';
import { type RunningServer, runServer } from '../../helpers/browser/runServer.ts';
import { completeSignup, createShelf, type Person, person, signUp, signUpOnPage } from '../../helpers/browser/steps.ts';

let server: RunningServer;
test.beforeAll(async () => {
  server = await runServer();
});
test.afterAll(() => server.close());

/** Somebody with a shelf; the page is a guest's again. @returns the path of the shelf */
async function known(page: Page, who: Person): Promise<string> {
  await signUp(page, server.url, who);
  await createShelf(page, 'Letters');
  const { pathname } = new URL(page.url());
  await page.context().clearCookies();
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  await page.goto('about:blank');
  return pathname;
}

async function openSignIn(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Login / Signup' }).first().click();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
}

async function fillIn(page: Page, who: Person, password = who.password): Promise<void> {
  await page.getByLabel('Email address').fill(who.email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 });

test('after signing in, Back leads to the page from which the sign-in page was opened', async ({ page }) => {
  const who = person();
  const shelf = await known(page, who);

  await test.step('a page for everybody stays behind the library', async () => {
    await page.goto(`${server.url}/terms`);
    await openSignIn(page);
    // A wrong password, and a look at another page of the server's, are no places to come back to.
    await fillIn(page, who, 'not the password');
    await expect(page.getByRole('alert')).toBeVisible();
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await page.getByRole('link', { name: 'Back to sign in' }).click();
    await fillIn(page, who);
    await expect(heading(page, who.library)).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL(`${server.url}/terms`);
    await expect(page.getByRole('button', { name: 'Account' })).toBeVisible();
    await page.goForward();
    await expect(heading(page, who.library)).toBeVisible();
  });

  await test.step('a link that asked for signing in is opened, and Back leads to what was before it', async () => {
    await page.context().clearCookies();
    await page.evaluate(() => {
      localStorage.clear();
      sessionStorage.clear();
    });
    await page.goto(`${server.url}/privacy`);
    await page.goto(`${server.url}${shelf}?tab=members`);
    await openSignIn(page);
    await fillIn(page, who);
    await expect(heading(page, 'Letters')).toBeVisible();
    await expect(page).toHaveURL(`${server.url}${shelf}?tab=members`);
    await page.goBack();
    await expect(page).toHaveURL(`${server.url}/privacy`);
  });
});

test('Back from the sign-in page leads to the start, and after signing up to what was before it', async ({ page }) => {
  await page.goto(`${server.url}/contact`);
  await page.goto(server.url);
  await openSignIn(page);
  await page.goBack();
  await expect(page).toHaveURL(`${server.url}/`);
  await openSignIn(page);
  const who = person();
  await signUpOnPage(page, who);
  await completeSignup(page, who);
  await expect(heading(page, who.library)).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(`${server.url}/contact`);
});
