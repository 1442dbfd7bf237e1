import { type Browser, expect, type Page } from '@playwright/test';
import { completeSignup, type Person, person, signUpOnPage } from '../browser/steps.ts';
import type { DesktopApp } from './desktop.ts';

/**
 * Signs up by the system's browser, on the server that the application was just told to use.
 * @returns where that server is
 */
export async function signUpByBrowser(app: DesktopApp, browser: Browser, who: Person = person()): Promise<string> {
  const { page } = app;
  await page.getByRole('button', { name: 'Sign in with the browser' }).click();
  const systemBrowser = await browser.newPage();
  const address = await app.openedUrl();
  await systemBrowser.goto(address);
  await signUpOnPage(systemBrowser, who);
  await expect(systemBrowser.getByRole('heading', { name: 'Signed in' })).toBeVisible();
  await systemBrowser.close();
  await completeSignup(page, who);
  return new URL(address).origin;
}

/** Uses the application on this computer, as somebody new. @returns where its own server is */
export async function signUpHere(app: DesktopApp, browser: Browser, who: Person = person()): Promise<string> {
  await app.page.getByRole('button', { name: /Use on this computer/ }).click();
  return signUpByBrowser(app, browser, who);
}

/** Searches by Find in files, opened by its key. */
export async function findInFiles(page: Page, query: string): Promise<void> {
  await page.keyboard.press('Control+Alt+F');
  const input = page.getByRole('searchbox', { name: 'Find in files' });
  await expect(input).toBeFocused();
  await input.fill(query);
  await input.press('Enter');
}
