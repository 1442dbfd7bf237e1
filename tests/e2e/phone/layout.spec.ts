import { expect, type Locator, type Page, test } from '@playwright/test';
import { expectAccessible } from '../../helpers/browser/accessible.ts';
import { type RunningServer, runServer } from '../../helpers/browser/runServer.ts';
import {
  commitFiles,
  createShelf,
  documentFile,
  type Person,
  person,
  signUp,
  textFile,
} from '../../helpers/browser/steps.ts';
import { press, swipe } from '../../helpers/browser/touch.ts';
import { addMember } from '../../helpers/members.ts';

const SHELF = 'Contracts of the northern reading room';
const LONG = 'A lease of the reading room on the second floor, as it was signed.txt';
const PAGES = Array.from({ length: 12 }, (_, index) => textFile(`page ${index + 1}.txt`, `Page ${index + 1}.\n`));

let server: RunningServer;
let page: Page;
let who: Person;
/** Paths of the shelf and the library in the phone layout. */
let shelf: string;
let library: string;

const bar = () => page.getByRole('banner');
const sidebar = () => page.getByRole('dialog', { name: 'Menu' });
const overlay = () => page.getByRole('dialog', { name: 'Notifications' });
const toast = (): Locator => page.locator('.Toastify__toast');
const path = () => new URL(page.url()).pathname;
const open = (address: string) => page.goto(server.url + address);
const openSidebar = async () => {
  // Its code follows the first content.
  await expect(page.locator('.sidebar')).toBeAttached();
  await swipe(page, { x: 10, y: 300 }, { x: 140, y: 300 });
  await expect(sidebar()).toBeVisible();
};
const closeSidebar = async () => {
  await swipe(page, { x: 200, y: 300 }, { x: 100, y: 300 });
  await expect(sidebar()).toBeHidden();
};
/** No screen is wider than the phone, and none has a barrier; in either theme those that no other layout has. */
const expectSound = async (name: string, isOnlyHere = false) => {
  await expect(page.locator('.loading, .state > .spinner')).toHaveCount(0);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect.soft(width, `width of ${name}`).toBe(page.viewportSize()?.width);
  await expectAccessible(page, name);
  if (!isOnlyHere) return;
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page, `${name} in the dark`);
  await page.emulateMedia({ colorScheme: 'light' });
};
/** Presses a menu's button as soon as the menu is gone, quicker than a person could. @returns what waits for it */
const pressWhenClosed = async (name: string) => {
  const pressing = await page.evaluateHandle((label) => {
    const done = Promise.withResolvers<void>();
    const observer = new MutationObserver(() => {
      if (document.querySelector('[role="menu"]') !== null) return;
      observer.disconnect();
      const button = document.querySelector(`[aria-label="${label}"]`);
      for (const type of ['pointerdown', 'pointerup']) {
        button?.dispatchEvent(new PointerEvent(type, { bubbles: true, cancelable: true, pointerType: 'touch' }));
      }
      done.resolve();
    });
    observer.observe(document.body, { subtree: true, childList: true });
    return { done: done.promise };
  }, name);
  return () => pressing.evaluate(({ done }) => done);
};
/** What can be pressed in a place is large enough for a thumb. */
const expectLarge = async (place: Locator) => {
  const pressed = place.locator('a:visible, button:visible, input:visible');
  for (const each of await pressed.all()) {
    const box = await each.boundingBox();
    expect(Math.round(box?.height ?? 0), await each.evaluate((element) => element.outerHTML)).toBeGreaterThanOrEqual(
      44,
    );
  }
};

test.beforeAll(async ({ browser }) => {
  server = await runServer();
  page = await (await browser.newContext()).newPage();
  who = await signUp(page, server.url, person());
  library = path();
  await createShelf(page, SHELF);
  shelf = path();
  await commitFiles(
    page,
    [textFile(LONG, 'The tenant pays.\n'.repeat(80)), documentFile('lease.pdf'), ...PAGES],
    'a draft',
  );
});
test.afterAll(async () => {
  await page.context().close();
  await server.close();
});

test('a phone has every screen under /m, with titles and the way back (web-and-phone.md §2)', async () => {
  expect(library).toBe(`/m/${encodeURIComponent(who.library)}`);
  expect(shelf).toMatch(new RegExp(`^${library}/[\\w-]+$`, 'u'));
  await page.getByRole('button', { name: 'Use necessary cookies only' }).click();
  await expect(bar()).toContainText('Contracts of the');
  await expectSound('shelf', true);
  await expectLarge(bar());
  await page.getByRole('link', { name: LONG }).click();
  await expect(page).toHaveURL(/\/m\/.+\/version\//u);
  await expect(bar()).toContainText('Documentv1');
  await expect(page.getByText('The tenant pays.').first()).toBeVisible();
  await expectSound('version');
  await bar().getByRole('button', { name: 'Version history' }).click();
  await expect(page.getByRole('dialog', { name: 'Version history' })).toContainText('a draft');
  await expectAccessible(page);
  await page.goBack();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page).toHaveURL(/\/version\//u);
  await bar().getByRole('button', { name: 'Back' }).click();
  await expect(page).toHaveURL(server.url + shelf);

  for (const [address, title] of [
    ['/m/settings', 'Settings'],
    ['/m/favorites', 'Favorites'],
    ['/m/trash', 'Trash'],
    ['/m/search', 'Search'],
    [`/m/${who.username}`, 'Library'],
    [library, who.library],
  ] as const) {
    await open(address);
    await expect(bar()).toContainText(title);
    await expect(bar().getByRole('button', { name: 'Menu' })).toBeVisible();
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
    await expectSound(address);
  }
  await page.getByRole('link', { name: 'Terms', exact: true }).click();
  await expect(page).toHaveURL(`${server.url}/m/terms`);
  await expect(page.getByRole('heading', { name: 'Terms of use', level: 1 })).toBeVisible();
  await expectSound('terms');
  await open('/');
  await expect(page).toHaveURL(server.url + library);
});

test('a shelf has tabs for files, comments, members and history, which its address names (web-and-phone.md §2)', async () => {
  await open(`${shelf}?tab=history`);
  await expect(page.getByRole('tab', { name: 'History' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('tabpanel')).toContainText('a draft');
  await expectSound('history');
  for (const [tab, text] of [
    ['Comments', 'No comments yet'],
    ['Members', who.email],
    ['Files', LONG],
  ] as const) {
    await page.getByRole('tab', { name: tab }).tap();
    await expect(page).toHaveURL(`${server.url}${shelf}?tab=${tab.toLowerCase()}`);
    await expect(page.getByRole('tabpanel')).toContainText(text);
    await expectSound(tab);
  }
  await page.getByRole('button', { name: 'Actions for page 1.txt' }).tap();
  const menu = page.getByRole('menu');
  await expect(menu).toBeVisible();
  await expectLarge(menu);
  const box = await menu.boundingBox();
  expect(box?.width).toBe(page.viewportSize()?.width);
  // Opened again in the very moment in which Back or Escape closed it, it stays until it is closed again.
  for (const close of [() => page.goBack(), () => page.keyboard.press('Escape')]) {
    const pressed = await pressWhenClosed('Actions for page 1.txt');
    await close();
    await pressed();
    await expect(menu).toHaveAttribute('data-state', 'open');
  }
  await page.goBack();
  await expect(menu).toBeHidden();
  await expect(page).toHaveURL(`${server.url}${shelf}?tab=files`);
  // A press takes a row into the selection, and then taps do (desktop-shell.md §9).
  const row = (name: string) => page.getByRole('row', { name });
  await press(page, row('page 1.txt').getByRole('link'), () =>
    expect(row('page 1.txt')).toHaveAttribute('aria-selected', 'true'),
  );
  await row('page 2.txt').getByRole('link').tap();
  await expect(row('page 2.txt')).toHaveAttribute('aria-selected', 'true');
  await expect(page).toHaveURL(`${server.url}${shelf}?tab=files`);
  for (const name of ['page 1.txt', 'page 2.txt']) await row(name).getByRole('link').tap();
  await expect(page.getByRole('row', { selected: true })).toHaveCount(0);
  await row('page 2.txt').getByRole('link').tap();
  await expect(page.getByText('page 2').first()).toBeVisible();
  await expect(page).not.toHaveURL(/tab=files/);
});

test('the sidebar follows the finger and holds what it should (web-and-phone.md §5, §9)', async () => {
  await open(library);
  await expect(page.getByRole('link', { name: SHELF })).toBeVisible();
  await expect(page.locator('.sidebar')).toBeAttached();
  await swipe(page, { x: 40, y: 300 }, { x: 200, y: 300 });
  await swipe(page, { x: 10, y: 300 }, { x: 88, y: 300 });
  await swipe(page, { x: 10, y: 300 }, { x: 120, y: 500 });
  await expect(sidebar()).toBeHidden();
  await openSidebar();
  await swipe(page, { x: 200, y: 300 }, { x: 130, y: 300 });
  await expect(sidebar()).toBeVisible();
  await expectSound('sidebar', true);
  await expectLarge(sidebar());
  await expect(sidebar()).toContainText('Enterprise Plan');
  await expect(sidebar()).toContainText(`${who.email.slice(0, 20)}…`);
  await expect(sidebar().getByRole('link', { name: 'Contracts of the n…' })).toBeVisible();
  await expect(sidebar().getByText(SHELF)).toHaveCount(0);
  await sidebar()
    .getByRole('button', { name: `Shelves of ${who.library}` })
    .tap();
  await expect(sidebar().getByRole('link', { name: /^Contracts/u })).toHaveCount(0);
  await closeSidebar();
  await expect(bar().getByRole('button', { name: 'Menu' })).toBeFocused();

  await bar().getByRole('button', { name: 'Menu' }).tap();
  for (const name of ['Settings', 'Favorites', 'Trash']) {
    await expect(sidebar().getByRole('link', { name })).toBeVisible();
  }
  const input = sidebar().getByRole('searchbox');
  await input.pressSequentially('the tenant pays on the first day');
  await expect(input).toHaveValue('the tenant pays on t');
  await input.fill('tenant');
  await input.press('Enter');
  await expect(page).toHaveURL(`${server.url}/m/search?q=tenant`);
  await expect(sidebar()).toBeHidden();
  await expect(page.getByRole('option').first()).toContainText('A lease');
  await expectSound('results');
});

test('Escape and Back close modals, the sidebar and the overlay in this order, then go back (web-and-phone.md §4)', async () => {
  const palette = page.getByRole('dialog', { name: 'Commands' });
  for (const back of [() => page.keyboard.press('Escape'), () => page.goBack()]) {
    await open(library);
    await page.getByRole('link', { name: SHELF }).tap();
    await expect(page).toHaveURL(server.url + shelf);
    await openSidebar();
    await page.keyboard.press('Control+k');
    await expect(palette).toBeVisible();
    await back();
    await expect(palette).toHaveCount(0);
    await expect(sidebar()).toBeVisible();
    await back();
    await expect(sidebar()).toBeHidden();
    await bar()
      .getByRole('button', { name: /^Notifications/u })
      .tap();
    await expect(overlay()).toBeVisible();
    await back();
    await expect(overlay()).toHaveCount(0);
    await expect(page).toHaveURL(server.url + shelf);
    await back();
    await expect(page).toHaveURL(server.url + library);
  }
  // Whichever way led to the upload, it leads back to the shelf.
  await open(`${shelf}/upload`);
  await expect(page.getByRole('heading', { level: 1, name: 'Upload' })).toBeVisible();
  await expectSound('upload');
  await page.goBack();
  await expect(page).toHaveURL(server.url + shelf);
  await expect(page.getByRole('grid')).toContainText(LONG);
});

test('the bar makes room below 100 px and comes back on the way up (web-and-phone.md §9)', async () => {
  await open(shelf);
  await expect(page.getByRole('grid')).toContainText('page 9.txt');
  await page.evaluate(() => scrollTo(0, 100));
  await expect(bar()).toBeInViewport();
  await page.evaluate(() => scrollTo(0, 300));
  await expect(bar()).not.toBeInViewport();
  await page.evaluate(() => scrollTo(0, 260));
  await expect(bar()).toBeInViewport();
});

test('the desktop site can be asked for and is kept, and other browsers are led to it (web-and-phone.md §2)', async ({
  browser,
}) => {
  await open(shelf);
  await openSidebar();
  await sidebar().getByRole('button', { name: 'Desktop site' }).tap();
  await expect(page.getByRole('navigation', { name: 'Main navigation' })).toBeVisible();
  await expect(page).toHaveURL(server.url + shelf.slice('/m'.length));
  await open(library);
  await expect(page).toHaveURL(server.url + library.slice('/m'.length));
  await page.getByRole('button', { name: 'Phone site' }).tap();
  await expect(bar().getByRole('button', { name: 'Menu' })).toBeVisible();
  await expect(page).toHaveURL(server.url + library);

  const storageState = await page.context().storageState();
  const desktop = await browser.newPage({
    storageState,
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64)',
    isMobile: false,
  });
  await desktop.goto(`${server.url}${shelf}?tab=comments`);
  await expect(desktop).toHaveURL(`${server.url}${shelf.slice('/m'.length)}?tab=comments`);
  await expect(desktop.getByRole('navigation', { name: 'Main navigation' })).toBeVisible();
  await desktop.close();
});

test('a notification whose target is gone is told in an info toast titled Info (web-and-phone.md §8)', async ({
  browser,
}) => {
  const reader = person();
  const other = await (await browser.newContext()).newPage();
  await signUp(other, server.url, reader);
  addMember(server, shelf.split('/').at(-1) ?? '', reader.username, 'viewer');
  await open(shelf);
  await commitFiles(page, [textFile('a passing note.txt', 'soon gone\n')], 'for a moment');
  await page.getByRole('button', { name: 'Actions for a passing note.txt' }).tap();
  await page.getByRole('menuitem', { name: /^Delete/u }).tap();
  await expect(page.getByRole('grid')).not.toContainText('a passing note.txt');
  // More than one member: the shelf is marked as shared.
  await open(library);
  await openSidebar();
  await expect(sidebar().getByRole('img', { name: 'Shared with others' })).toBeVisible();
  [page, who] = [other, reader];
  await open('/');
  await bar()
    .getByRole('button', { name: /^Notifications/u })
    .tap();
  await overlay()
    .getByRole('link', { name: /passing note\.txt/u })
    .first()
    .tap();
  await expect(toast()).toContainText('This document has been deleted');
  await expect(toast()).toContainText('Info');
  await expect(toast()).toHaveClass(/Toastify__toast--info/u);
  await expect(page).toHaveURL(`${server.url}/m/${encodeURIComponent(reader.library)}`);
});
