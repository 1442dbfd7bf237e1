import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { unzipSync } from 'fflate';
import { api } from '../../../src/shared/api/index.ts';
import { LIMITS } from '../../../src/shared/rules/limits.ts';
import { commitFiles, createShelf, person, textFile } from '../../helpers/browser/steps.ts';
import { type DesktopApp, launchDesktop } from '../../helpers/electron/desktop.ts';
import { signUpHere } from '../../helpers/electron/steps.ts';
import { addMember } from '../../helpers/members.ts';
import { createAccount } from '../../helpers/server.ts';

test.describe.configure({ mode: 'serial' });

const who = person();
/** Of the clock that the test winds. */
const FRAME_MS = 16;
let home: string;
let workspace: string;
let app: DesktopApp;
let page: Page;
let server: string;
let shelfPath: string;

test.beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'armarium-shell-'));
  workspace = join(home, 'workspace');
  await mkdir(workspace);
  await writeFile(join(workspace, 'keep.txt'), 'a kept word\n');
  await writeFile(join(workspace, 'left.bak'), 'a left word\n');
  await writeFile(join(home, 'given.txt'), 'a given word\n');
  app = await launchDesktop({ userData: join(home, 'user') });
  page = app.page;
});
test.afterAll(async () => {
  await app.close();
  await rm(home, { recursive: true, force: true });
});

const searchBox = () => page.getByRole('banner').getByRole('button', { name: 'Search' });
async function expectAccessible(): Promise<void> {
  // The shell's browser opens no further pages for axe to work in.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
}
const pathname = () => page.evaluate('location.pathname') as Promise<string>;

test('for a second one of seven friendly messages stands before the window (desktop-shell.md §2, §9)', async () => {
  await expect(page.getByRole('heading', { name: 'Where are your documents?' })).toBeVisible();
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.reload();
  const splash = page.getByRole('status', { name: 'Loading' }).filter({ hasText: /\w/u });
  await expect(splash).toBeVisible();
  await page.clock.runFor(LIMITS.splashMs - 1);
  await expect(splash).toBeVisible();
  // It is counted from the first frame.
  await page.clock.runFor(1 + 2 * FRAME_MS);
  await expect(splash).toHaveCount(0);
  await page.clock.resume();
});

test('guests have View and Help, no File and no search box; who signed in has them (desktop-shell.md §2, §5, §6, §9)', async ({
  browser,
}) => {
  await page.getByRole('button', { name: 'Menu' }).click();
  for (const name of ['View', 'Help']) await expect(page.getByRole('menuitem', { name })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'File' })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menuitem', { name: 'View' })).toHaveCount(0);
  await expect(searchBox()).toHaveCount(0);
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('heading', { name: 'Where are your documents?' }).click();
  await expect(page.getByRole('menuitem', { name: 'View' })).toHaveCount(0);

  server = await signUpHere(app, browser, who);
  await expect(page.getByRole('heading', { name: /Good to see you/ })).toBeVisible();
  await expect(searchBox()).toBeVisible();
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('menuitem', { name: 'File' }).click();
  for (const name of ['Close', 'Quit']) await expect(page.getByRole('menuitem', { name })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Maximise' }).click();
  await page.getByRole('button', { name: 'Restore' }).click();
  await expect(page.getByRole('button', { name: 'Maximise' })).toBeVisible();
  await page.getByRole('button', { name: 'Notifications' }).click();
  await expect(searchBox()).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(searchBox()).toBeVisible();
  await page.keyboard.press('Control+Alt+F');
  await expect(page.getByRole('searchbox', { name: 'Find in files' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(searchBox()).toBeVisible();
});

test('About says what this is, and saves a report without secrets (desktop-shell.md §2, §8)', async () => {
  await app.clickMenu('Help', 'About');
  const about = page.getByRole('dialog', { name: 'About Armarium' });
  await expect(about).toContainText('Version 0.1.0');
  await expect(about).toContainText(`© ${new Date().getFullYear()}`);
  // A modal hides the box, and its key does nothing.
  await expect(searchBox()).toHaveCount(0);
  await page.keyboard.press('Control+Alt+F');
  const file = join(home, 'report.zip');
  await app.answerDialog('showSaveDialog', { canceled: false, filePath: file });
  await about.getByRole('button', { name: 'Report a problem' }).click();
  const saved = page.getByText('The report is saved');
  await expect(saved).toBeVisible();
  // The buttons of the window stay within reach.
  const [bar, toast] = await Promise.all([page.locator('.title-bar').boundingBox(), saved.boundingBox()]);
  expect(toast?.y).toBeGreaterThan(bar?.height ?? Number.POSITIVE_INFINITY);
  const entries = unzipSync(new Uint8Array(await readFile(file)));
  expect(Object.keys(entries)).toEqual(
    expect.arrayContaining([
      'about.json',
      'settings.json',
      'index.json',
      'logs/main/main.log',
      'logs/server/server.log',
    ]),
  );
  const text = Object.values(entries)
    .map((bytes) => new TextDecoder().decode(bytes))
    .join('\n');
  for (const secret of [who.email, who.password, 'eyJ', 'Bearer ey']) expect(text).not.toContain(secret);
  await about.getByRole('link', { name: 'Open Source Notices' }).click();
  expect(await app.openedUrl()).toBe('https://armarium.example/open-source');
  await expect(about).toHaveCount(0);
});

test("the window's buttons reach into its corner, and the page's scroll bar leads it and follows it", async () => {
  await page.getByRole('banner').getByRole('link', { name: 'Settings' }).click();
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible();
  const inCorner = () =>
    page.evaluate("document.elementFromPoint(innerWidth - 1, 0)?.closest('button')?.getAttribute('aria-label')");
  expect(await inCorner()).toBe('Close window');
  const bar = page.locator('.page-scroll-bar');
  await bar.evaluate((element) => {
    element.scrollTop = 200;
  });
  await expect.poll(() => page.evaluate('scrollY')).toBe(200);
  const place = await bar.boundingBox();
  if (place === null) throw new Error('the scroll bar has no place');
  await page.mouse.move(place.x + place.width / 2, place.y + 100);
  await page.mouse.down();
  await page.mouse.move(place.x + place.width / 2, place.y + 200);
  await page.mouse.up();
  await expect.poll(() => page.evaluate('scrollY')).toBeGreaterThan(300);
  await page.keyboard.press('End');
  const rest = () => page.evaluate('document.documentElement.scrollHeight - innerHeight - scrollY');
  await expect.poll(rest).toBeLessThan(2);
  await expect
    .poll(() => bar.evaluate(({ scrollHeight, clientHeight, scrollTop }) => scrollHeight - clientHeight - scrollTop))
    .toBeLessThan(2);
  await page.getByRole('link', { name: 'Overview' }).first().click();
  await expect(page.getByRole('heading', { name: /Good to see you/ })).toBeVisible();
});

test('settings of this computer: rules of a folder are written, and hold (desktop-shell.md §2)', async () => {
  await app.answerDialog('showOpenDialog', { canceled: false, filePaths: [workspace] });
  await page.getByRole('button', { name: 'Choose folder' }).click();
  await expect(page.getByText('2 of 2 files searchable')).toBeVisible();
  await page.getByRole('banner').getByRole('link', { name: 'Settings' }).click();
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible();
  await expect(searchBox()).toHaveCount(0);
  await page.getByLabel(`In ${workspace}`).fill('*.bak');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('1 of 1 files searchable')).toBeVisible();
  expect(await readFile(join(workspace, '.armariumignore'), 'utf8')).toBe('*.bak\n');
  await expectAccessible();
});

test('a shelf that was opened is in the tray, and what changed on it is on the overview', async () => {
  await page.getByRole('banner').getByRole('link', { name: 'Overview' }).click();
  await page
    .getByRole('link', { name: /^Library / })
    .first()
    .click();
  await createShelf(page, 'Contracts');
  shelfPath = await pathname();
  await commitFiles(page, [textFile('lease.txt', 'Clause nine stands.\n')], 'first draft');
  const entry = `Contracts · ${who.library}`;
  await expect.poll(async () => (await app.recorded()).trayLabels).toContain(entry);
  await page.getByRole('banner').getByRole('link', { name: 'Overview' }).click();
  await expect(page.getByRole('link', { name: /first draft/ })).toContainText('1 change');
  await expectAccessible();
  await app.clickTray(entry);
  await expect(page.getByRole('heading', { name: 'Contracts', level: 1 })).toBeVisible();
});

test('links and files of another start come to this window; a file goes onto the shelf that is chosen', async () => {
  await app.startAgain('armarium://open/desktop/settings');
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible();
  // What a link may not do: end a sign-in that somebody else began.
  await app.startAgain('armarium://open/callback?code=1&state=2', join(home, 'given.txt'));
  const dialog = page.getByRole('dialog', { name: 'Add a file to a shelf' });
  await expect(dialog).toContainText('given.txt');
  expect(await pathname()).toBe('/desktop/settings');
  await expect(dialog.getByLabel('Shelf')).toHaveValue(shelfPath.split('/').at(-1) ?? '');
  await dialog.getByRole('button', { name: 'Go on' }).click();
  await page.getByLabel('Commit message').fill('given');
  await page.getByRole('button', { name: 'Commit 1 file' }).click();
  await expect(page.getByText('1 file committed').first()).toBeVisible();
  expect(await pathname()).toBe(shelfPath);
});

test('a file that is dropped away from any shelf is asked about', async () => {
  await page.getByRole('banner').getByRole('link', { name: 'Overview' }).click();
  await expect(page.getByRole('heading', { name: /Good to see you/ })).toBeVisible();
  await page.evaluate(`(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['dropped'], 'dropped.txt'));
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  })()`);
  const dialog = page.getByRole('dialog', { name: 'Add a file to a shelf' });
  await expect(dialog).toContainText('dropped.txt');
  await expectAccessible();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
});

test('a comment calls by a notification of the system, not while the window is looked at; a click leads there', async () => {
  const [, library = '', id = ''] = shelfPath.split('/').map(decodeURIComponent);
  const other = await createAccount(server);
  addMember({ dataDir: join(home, 'user', 'server') }, id, other.account.username, 'editor');
  const comment = (content: string) =>
    other.call(api.comments.create, { params: { lib: library, id }, body: { comment: content } });
  await app.focus(true);
  await comment('Looked at');
  await expect(page.getByRole('button', { name: /1 unread/ })).toBeVisible();
  expect((await app.recorded()).notifications).toEqual([]);
  await app.focus(false);
  await comment('Looked away');
  await expect.poll(async () => (await app.recorded()).notifications.length).toBe(1);
  expect((await app.recorded()).notifications[0]?.title).toContain('commented on Contracts');
  await app.clickNotification();
  await expect(page.getByText('Looked away')).toBeVisible();
});

test('the window comes back on its screen; and signing out leaves no shelf in the tray', async ({ browser }) => {
  const entry = `Contracts · ${who.library}`;
  await app.close();
  const log = await readFile(join(home, 'user', 'logs', 'main.log'), 'utf8');
  expect(log).not.toMatch(/a process did not end when it was asked to|the index did not close/u);
  app = await launchDesktop({ userData: join(home, 'user') });
  page = app.page;
  // Where there is no keychain a sign-in lasts until the application quits, and the next one leads there.
  const signIn = page.getByRole('button', { name: 'Sign in with the browser' });
  await expect(signIn.or(page.getByText('Looked away'))).toBeVisible();
  if (await signIn.isVisible()) {
    expect((await app.recorded()).trayLabels).not.toContain(entry);
    await signIn.click();
    const systemBrowser = await browser.newPage();
    await systemBrowser.goto(await app.openedUrl());
    await systemBrowser.getByLabel('Email address').fill(who.email);
    await systemBrowser.getByLabel('Password').fill(who.password);
    await systemBrowser.getByRole('button', { name: 'Sign in' }).click();
    await expect(systemBrowser.getByRole('heading', { name: 'Signed in' })).toBeVisible();
    await systemBrowser.close();
    await expect(page.getByText('Looked away')).toBeVisible();
  }
  await expect.poll(async () => (await app.recorded()).trayLabels).toContain(entry);
  await page.getByRole('banner').getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(signIn).toBeVisible();
  await expect.poll(async () => (await app.recorded()).trayLabels).not.toContain(entry);
});
