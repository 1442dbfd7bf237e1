import { cp, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { commitFiles, createShelf, DOCUMENTS, results, textFile } from '../../helpers/browser/steps.ts';
import { type DesktopApp, desktopKind, launchDesktop } from '../../helpers/electron/desktop.ts';
import { findInFiles, signUpHere } from '../../helpers/electron/steps.ts';
import { pngFile } from '../../helpers/pngFile.ts';

test.describe.configure({ mode: 'serial' });

let home: string;
let workspace: string;
let app: DesktopApp;
let page: Page;

test.beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'armarium-desktop-'));
  workspace = join(home, 'workspace');
  await mkdir(join(workspace, 'Legal', 'Leases'), { recursive: true });
  await writeFile(join(workspace, 'notes.txt'), 'The armarium stands in the cloister.\nIt has shelves.\n');
  await writeFile(join(workspace, 'Legal', 'Leases', 'old.md'), '# Lease\nThe armarium key is lost.\n');
  for (const name of ['lease.pdf', 'lease.docx', 'deck.pptx', 'encrypted.pdf'])
    await cp(join(DOCUMENTS, name), join(workspace, name));
  app = await launchDesktop({ userData: join(home, 'user') });
  page = app.page;
});
test.afterAll(async () => {
  await app.close();
  await rm(home, { recursive: true, force: true });
});

const find = (query: string) => findInFiles(page, query);

test(`the window opens on the ${desktopKind()} without Node, and with nothing of the shell but the bridge`, async () => {
  await expect(page.getByRole('heading', { name: 'Where are your documents?' })).toBeVisible();
  expect(await page.evaluate('[typeof require, typeof process, typeof Buffer, typeof module].join()')).toBe(
    'undefined,undefined,undefined,undefined',
  );
  expect(await page.evaluate('Object.keys(window.armarium).sort().join()')).toBe('invoke,on');
  expect(
    await page.evaluate(
      "(() => { try { return window.armarium.invoke('fs.read', '/etc/passwd'); } catch (error) { return String(error); } })()",
    ),
  ).toContain('no such channel');
});

test('a person uses it on this computer and signs in with the browser', async ({ browser }) => {
  await signUpHere(app, browser);
  await expect(page.getByRole('heading', { name: /Good to see you/ })).toBeVisible();
  // Tokens are the main process's: nothing in the page's reach holds one.
  const kept = await page.evaluate(
    'JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage), document.cookie])',
  );
  expect(kept).not.toMatch(/token/i);
});

test('the bell stands in the title bar, and the commands lead to the settings of this computer and back', async () => {
  await page.getByRole('button', { name: 'Notifications' }).click();
  await expect(page.getByText('No notifications')).toBeVisible();
  await page.keyboard.press('Escape');
  for (const [text, heading] of [
    ['this computer', 'Settings'],
    ['overview', /Good to see you/],
  ] as const) {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Type a name or an action' }).fill(text);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: heading, level: 1 })).toBeVisible();
  }
});

test('a folder is chosen, indexed, and found in while typing', async () => {
  await app.answerDialog('showOpenDialog', { canceled: false, filePaths: [workspace] });
  await page.getByRole('button', { name: 'Choose folder' }).click();
  await expect(page.getByText('5 of 6 files searchable')).toBeVisible();
  await page.getByRole('button', { name: 'Show reasons' }).click();
  await expect(page.getByRole('dialog')).toContainText('encrypted.pdf');
  await expect(page.getByRole('dialog')).toContainText('protected by a password');
  await page.getByRole('button', { name: 'Read them again' }).click();
  await expect(page.getByRole('button', { name: 'Read them again' })).toBeEnabled();
  await expect(page.getByRole('dialog')).toContainText('protected by a password');
  await page.keyboard.press('Escape');

  await find('ARMARIUM');
  await expect(page.getByRole('tab', { name: /Current Workspace 2/ })).toBeVisible();
  await expect(results(page)).toHaveCount(2);
  const old = results(page).filter({ hasText: 'old.md' });
  await expect(old.locator('mark')).toHaveText('armarium');
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByLabel('Type').selectOption('PDF');
  await expect(page.getByRole('tab', { name: /Current Workspace 0/ })).toBeVisible();
  await page.getByLabel('Type').selectOption('Any type');
  await page.getByLabel('Only in').fill('*.md');
  await expect(page.getByRole('tab', { name: /Current Workspace 1/ })).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(page.getByRole('tab', { name: /Current Workspace 2/ })).toBeVisible();
  await page.getByRole('button', { name: /^Filters/ }).click();
  await find('cabinet keys');
  await expect(results(page)).toContainText(['deck.pptx']);
  await page.getByLabel('Show matches').check();
  await results(page).first().click();
  await expect(page.getByRole('tabpanel')).toContainText('Slide 1');
  await page.getByLabel('Show matches').uncheck();
  await page.keyboard.press('Escape');
});

test('an edited, a new, a renamed and a deleted file are found as they are now', async () => {
  await find('edited just now');
  await expect(page.getByText('No results found for "edited just now"')).toBeVisible();
  await writeFile(join(workspace, 'notes.txt'), 'This was edited just now.\n');
  await expect(async () => {
    await find('edited just now');
    await expect(results(page)).toHaveCount(1, { timeout: 500 });
  }).toPass({ timeout: 15_000, intervals: [100] });
  await rename(join(workspace, 'notes.txt'), join(workspace, 'renamed.txt'));
  await expect(async () => {
    await find('edited just now');
    await expect(results(page)).toContainText(['renamed.txt'], { timeout: 500 });
  }).toPass({ timeout: 15_000, intervals: [100] });
  await results(page).first().click();
  await expect.poll(async () => (await app.recorded()).shownItems).toEqual([join(workspace, 'renamed.txt')]);
  await rm(join(workspace, 'renamed.txt'));
  await expect(async () => {
    await find('edited just now');
    await expect(page.getByText('No results found for "edited just now"')).toBeVisible({ timeout: 500 });
  }).toPass({ timeout: 15_000, intervals: [100] });
  await page.keyboard.press('Escape');
});

test('a picture on this machine is shown beside its matches (desktop-shell.md §7)', async () => {
  await writeFile(
    join(workspace, 'floorplan.png'),
    pngFile(60, 40, () => [200, 120, 40]),
  );
  await expect(async () => {
    await find('floorplan');
    await expect(results(page)).toHaveCount(1, { timeout: 500 });
  }).toPass({ timeout: 15_000, intervals: [100] });
  await page.getByLabel('Show matches').check();
  await results(page).first().click();
  const picture = page.getByRole('img', { name: 'floorplan.png' });
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(60);
  await page.getByLabel('Show matches').uncheck();
  await page.keyboard.press('Escape');
  await rm(join(workspace, 'floorplan.png'));
});

test('what is committed is found in the History tab, with message and hash', async () => {
  await page
    .getByRole('link', { name: /^Library / })
    .first()
    .click();
  await createShelf(page, 'Contracts');
  await commitFiles(page, [textFile('lease.txt', 'Clause nine stands.\n')], 'first draft');
  await commitFiles(page, [textFile('lease.txt', 'Nothing of it stands.\n')], 'cut it');
  await expect(async () => {
    await find('clause nine');
    await page.getByRole('tab', { name: /History/ }).click();
    await expect(results(page)).toHaveCount(1, { timeout: 1000 });
  }).toPass({ timeout: 10_000, intervals: [200] });
  await expect(results(page).first()).toContainText('first draft');
  await expect(results(page).first()).toContainText(/[0-9a-f]{10}/);
  await expect(results(page).first()).toContainText('Removed in v2cut it');
  // Where it went away, with what was found marked there (field.md row 78).
  await results(page).first().click();
  await expect(page.locator('[data-active="true"]')).toContainText('Clause nine stands.');
  await expect(page.locator('[data-active="true"] mark').first()).toHaveText('Clause nine');
});

test('find in files by the keyboard alone: tabs, matches, path, an open match (field.md row 67)', async () => {
  const { keyboard } = page;
  await keyboard.press('Control+Alt+F');
  const input = page.getByRole('searchbox', { name: 'Find in files' });
  await expect(input).toBeFocused();
  await keyboard.type('cabinet keys');
  await keyboard.press('Enter');
  await expect(results(page)).toContainText(['deck.pptx']);
  await keyboard.press('ArrowDown');
  await expect(page.getByRole('listbox', { name: 'Results' })).toBeFocused();
  await keyboard.press('Control+c');
  await expect(page.getByText('Path copied').last()).toBeVisible();
  await keyboard.press('ArrowUp');
  await expect(input).toBeFocused();
  await keyboard.press('Control+a');
  await keyboard.type('stands');
  await keyboard.press('Enter');
  const current = page.getByRole('tab', { name: /Current Workspace/ });
  while (!(await current.evaluate((tab) => tab === document.activeElement))) await keyboard.press('Tab');
  await keyboard.press('ArrowRight');
  await expect(page.getByRole('tab', { name: /History/ })).toHaveAttribute('aria-selected', 'true');
  await expect(results(page)).toContainText([/lease.txt.*v1 – v2/]);
  await keyboard.press('Tab');
  await keyboard.press('Space');
  await expect(page.getByLabel('Show matches')).toBeChecked();
  const files = page.getByRole('listbox', { name: 'Files' });
  while (!(await files.evaluate((list) => list === document.activeElement))) await keyboard.press('Tab');
  await keyboard.press('ArrowRight');
  await expect(page.getByRole('listbox', { name: /^Matches in lease.txt/ })).toBeFocused();
  await keyboard.press('Enter');
  await expect(page.getByText('stands').first()).toBeVisible();
  await expect(input).toBeHidden();
});

test('past searches are rerun, and forgotten one by one and all at once (field.md row 68)', async () => {
  await page.keyboard.press('Control+Alt+F');
  const past = page.getByRole('region', { name: 'Past searches' });
  await expect(past.getByRole('heading', { name: 'Today' })).toBeVisible();
  const items = past.locator('.past__item');
  const before = await items.count();
  await expect(items.first()).toContainText('stands');
  await expect(page.getByRole('searchbox', { name: 'Find in files' })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(items.first()).toBeFocused();
  await page.keyboard.press('Delete');
  await expect(items).toHaveCount(before - 1);
  await expect(items.first()).toContainText('cabinet keys');
  await items.first().click();
  await expect(results(page)).toContainText(['deck.pptx']);
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await past.getByRole('button', { name: 'Clear search history' }).click();
  await expect(page.getByText('Start typing to search files')).toBeVisible();
  await page.keyboard.press('Escape');
});

test('the menus are there beside the search box, and Escape closes them', async () => {
  await page.getByRole('button', { name: 'Menu' }).click();
  for (const name of ['File', 'View', 'Help']) await expect(page.getByRole('menuitem', { name })).toBeVisible();
  // A menu covers nothing: only modals and overlays hide the box.
  await expect(page.locator('.title-bar__search')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menuitem', { name: 'File' })).toBeHidden();
  await app.clickMenu('Help', 'About');
  await expect(page.getByRole('dialog')).toContainText('Version 0.1.0');
  await page.keyboard.press('Escape');
});

test('it stays where it is, whatever a page asks of it', async () => {
  const before = page.url();
  await page.evaluate("location.href = 'https://example.org/'");
  expect(await page.evaluate("fetch('/auth/v1/token/', { method: 'POST' }).then((response) => response.status)")).toBe(
    405,
  );
  expect(page.url()).toBe(before);
});

test('a second start comes to the first', async () => {
  await app.startAgain();
  expect(await page.evaluate('1 + 1')).toBe(2);
});
