import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page, type Route, test } from '@playwright/test';
import { expectAccessible } from '../../helpers/browser/accessible.ts';
import { type RunningServer, runServer } from '../../helpers/browser/runServer.ts';
import { signUpWithShelf, textFile } from '../../helpers/browser/steps.ts';

// What is fading in has not its contrast yet.
test.use({ contextOptions: { reducedMotion: 'reduce' } });

let server: RunningServer;
let folder: string;
test.beforeAll(async () => {
  server = await runServer();
  folder = await mkdtemp(join(tmpdir(), 'armarium-upload-'));
});
test.afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const tray = (page: Page) => page.getByRole('complementary', { name: 'Uploads' });
const documents = (page: Page) => page.getByRole('grid').locator('tbody tr');

/** Files on disk, as people have them. */
async function written(names: readonly string[], content: (name: string) => string): Promise<string[]> {
  const paths = names.map((name) => join(folder, name));
  for (const [index, path] of paths.entries()) await writeFile(path, content(names[index] ?? ''));
  return paths;
}

/** Keeps contents from arriving until they may; what is on its way then goes on. */
async function holdContents(
  page: Page,
): Promise<{ readonly held: Promise<void>; readonly release: () => Promise<void> }> {
  const routes: Route[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route('**/storage/**', (route) => {
    routes.push(route);
    resolve();
  });
  return { held: promise, release: () => page.unroute('**/storage/**') };
}

test('names on the shelf are settled before anything is sent, one by one and all at once', async ({ page }) => {
  const letters = ['a.txt', 'b.txt', 'c.txt'];
  await signUpWithShelf(page, server.url, 'Incoming', ['first', ...letters.map((name) => textFile(name, 'one\n'))]);
  await page
    .getByTestId('upload-files')
    .setInputFiles([...letters, 'd.txt'].map((name) => textFile(name, 'two\n')).map((file) => ({ ...file })));
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('3 names are on the shelf already.')).toBeVisible();
  await expectAccessible(page);
  await dialog.getByLabel('For all of them').selectOption('Skip');
  await expect(dialog.getByRole('button', { name: 'Commit 1 file' })).toBeVisible();
  await dialog.getByLabel('What becomes of a.txt').selectOption('Keep both');
  await dialog.getByLabel('What becomes of b.txt').selectOption('New version');
  await expect(dialog.getByLabel('For all of them')).toHaveValue('');
  await dialog.getByRole('button', { name: 'Commit 3 files' }).click();
  await expect(tray(page).getByText('3 files committed')).toBeVisible();
  await expect(documents(page)).toHaveCount(5);
  await expect(documents(page).filter({ hasText: 'b.txt' })).toContainText('v2');
  await expect(documents(page).filter({ hasText: 'c.txt' })).toContainText('v1');
  await expect(documents(page).filter({ hasText: /a \(ana\S+ \d{4}-\d\d-\d\d/ })).toContainText('v1');
  await expectAccessible(page);
  // What ended well stands in nobody's way elsewhere.
  await documents(page).getByRole('link', { name: 'b.txt' }).click();
  await expect(page.getByRole('heading', { name: 'b.txt' })).toBeVisible();
  await expect(tray(page)).toHaveCount(0);
});

test('an upload is paused, resumed, and goes on after a reload with the same files', async ({ page }) => {
  await signUpWithShelf(page, server.url, 'Incoming');
  const files = await written(['one.txt', 'two.txt'], (name) => `the content of ${name}\n`);
  const { held, release } = await holdContents(page);
  await page.getByTestId('upload-files').setInputFiles(files);
  await page.getByRole('dialog').getByLabel('Commit message').fill('both');
  await page.getByRole('button', { name: 'Commit 2 files' }).click();
  await held;
  await tray(page).getByRole('button', { name: 'Pause' }).click();
  await expect(tray(page).getByText('Paused')).toBeVisible();
  await expectAccessible(page);
  await release();

  await page.reload();
  await expect(tray(page).getByText('An upload was interrupted')).toBeVisible();
  await expectAccessible(page);
  const again = page.getByTestId('upload-again');
  await again.setInputFiles(files.slice(0, 1));
  await expect(tray(page).getByText('These are not all files of the upload.')).toBeVisible();
  await again.setInputFiles(files);
  await expect(tray(page).getByText('2 files committed')).toBeVisible();
  await expect(documents(page)).toHaveCount(2);
  await page.reload();
  await expect(documents(page)).toHaveCount(2);
  await expect(tray(page)).toBeHidden();
});

test('ten thousand files are shown, and are no burden to the page', async ({ page }) => {
  await signUpWithShelf(page, server.url, 'Incoming');
  await page.evaluate(() => {
    const input = document.querySelector<HTMLInputElement>('[data-testid="upload-files"]');
    const data = new DataTransfer();
    for (let n = 0; n < 10_000; n += 1) data.items.add(new File([`${n}`], `file ${String(n).padStart(5, '0')}.txt`));
    if (input !== null) input.files = data.files;
    input?.dispatchEvent(new Event('change', { bubbles: true }));
  });
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('button', { name: 'Commit 10,000 files' })).toBeVisible();
  expect(await dialog.getByRole('listitem').count()).toBeLessThan(60);
  await dialog.getByRole('button', { name: 'Commit 10,000 files' }).click();
  await expect(tray(page).getByText('Reading files')).toBeVisible();
  expect(await tray(page).getByRole('listitem').count()).toBeLessThan(60);
  // The page answers while it reads.
  await page.getByRole('button', { name: 'Account' }).click();
  await expect(page.getByRole('menuitem', { name: 'Log out' })).toBeVisible();
  await page.keyboard.press('Escape');
  await tray(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(tray(page).getByText('The upload was cancelled')).toBeVisible();
});
