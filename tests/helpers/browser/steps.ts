import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import { api } from '../../../src/shared/api/index.ts';
import { createAccount, uploadFiles } from '../server.ts';

export interface Person {
  readonly email: string;
  readonly password: string;
  readonly username: string;
  readonly library: string;
}

/** What everybody is called. */
const NAME = 'Ana Archivist';

let people = 0;

/** Somebody with an address and names of their own. */
export function person(): Person {
  people += 1;
  const unique = `ana${process.pid}x${people}`;
  return {
    // Longer than the phone's sidebar shows, whatever the number of the process.
    email: `${unique}@readers.example.org`,
    password: 'four quiet reading rooms',
    username: unique,
    library: `Library ${unique}`,
  };
}

/** Fills in the server's own sign-up page, wherever it was opened. */
export async function signUpOnPage(page: Page, who: Person): Promise<void> {
  await page.getByRole('link', { name: 'Create one' }).click();
  await page.getByLabel('Email address').fill(who.email);
  await page.getByLabel('Password').fill(who.password);
  await page.getByRole('button', { name: 'Create account' }).click();
}

/** Fills in the form that follows the first sign-in. */
export async function completeSignup(page: Page, who: Person): Promise<void> {
  await page.getByLabel('Username').fill(who.username);
  await page.getByLabel('Your name').fill(NAME);
  await page.getByLabel('First library').fill(who.library);
  await page.getByLabel('I accept the terms of use.').check();
  await page.getByRole('button', { name: 'Create my library' }).click();
}

/** Makes an account on a server by its pages, as a newcomer does, and stands in its first library. */
export async function signUpByHand(page: Page, url: string, who = person()): Promise<Person> {
  await page.goto(url);
  await page.getByRole('button', { name: 'Login / Signup' }).first().click();
  await signUpOnPage(page, who);
  await completeSignup(page, who);
  await expect(page.getByRole('heading', { name: who.library, level: 1 })).toBeVisible();
  return who;
}

/** Makes an account by the calls of the pages, which take a fifth of their time, and signs the browser in. */
async function enter(page: Page, url: string, who: Person) {
  const client = await createAccount(url, who, { name: NAME });
  const domain = new URL(url).hostname;
  await page
    .context()
    .addCookies(
      [...client.cookies].map(([name, value]) => ({ name, value, domain, path: client.paths.get(name) ?? '/' })),
    );
  return client;
}

/** Makes an account on a server, and stands in its first library. */
export async function signUp(page: Page, url: string, who = person()): Promise<Person> {
  await enter(page, url, who);
  await page.goto(url);
  await expect(page.getByRole('heading', { name: who.library, level: 1 })).toBeVisible();
  return who;
}

/** Files that are committed together. */
export type GivenCommit = readonly [message: string, ...files: GivenFile[]];

/** Makes an account with a shelf that holds what a test begins with, all by the calls of the pages, and opens the shelf. */
export async function signUpWithShelf(
  page: Page,
  url: string,
  name: string,
  ...commits: readonly GivenCommit[]
): Promise<Person> {
  const who = person();
  const client = await enter(page, url, who);
  const shelf = await client.call(api.shelves.create, { params: { lib: who.library }, body: { name } });
  for (const [message, ...files] of commits) {
    const sent = files.map(({ name: file, mimeType: mime, buffer: content }) => ({ name: file, mime, content }));
    await uploadFiles(client, shelf, sent, message);
  }
  await page.goto(`${url}/${encodeURIComponent(who.library)}/${shelf.id}`);
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
  return who;
}

/** Makes a shelf on the library page and opens it. */
export async function createShelf(page: Page, name: string): Promise<void> {
  await page
    .getByRole('button', { name: /^(New shelf|Create the first shelf)$/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('button', { name: 'Create shelf' }).click();
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
}

/** A file as the file chooser takes it. */
export interface GivenFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

/** Where the documents are that tests read. */
export const DOCUMENTS = join(import.meta.dirname, '../../fixtures/documents');

/** A text file to upload. */
export function textFile(name: string, content: string): GivenFile {
  return { name, mimeType: 'text/plain', buffer: Buffer.from(content) };
}

/** One of the documents to upload. */
export function documentFile(name: string): GivenFile {
  return { name, mimeType: 'application/octet-stream', buffer: readFileSync(join(DOCUMENTS, name)) };
}

/** Chooses files on the shelf page and commits them. */
export async function commitFiles(page: Page, files: readonly GivenFile[], message: string): Promise<void> {
  await page.getByTestId('upload-files').setInputFiles([...files]);
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Commit message').fill(message);
  await dialog.getByRole('button', { name: /^Commit \d+ files?$/ }).click();
  await expect(page.getByText(/\d+ files? committed/).first()).toBeVisible();
  await page.getByRole('button', { name: 'Dismiss' }).first().click();
}

/** The results of the tab that is shown. */
export function results(page: Page): Locator {
  return page.getByRole('tabpanel').getByRole('option');
}
