import { type Browser, expect, type Locator, type Page, type Route, test } from '@playwright/test';
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
import { addMember } from '../../helpers/members.ts';

const REFRESH = '**/auth/v1/token/refresh/';
const NOTIFICATIONS = '/api/v1/notifications/';
const PAGES = Array.from({ length: 12 }, (_, index) => textFile(`page ${index + 1}.txt`, `${index + 1}`));
const KINDS = [
  documentFile('lease.pdf'),
  documentFile('deck.pptx'),
  documentFile('sheet.xlsx'),
  textFile('film.mp4', 'not really a film'),
  textFile('photo.webp', 'not really a photo'),
  textFile('size.txt', 'x'.repeat(1536)),
  textFile('archive.zip', 'not really an archive'),
];

let server: RunningServer;
/** Owns the shelf; the first account, so the administrator too. */
let owner: Page;
let library: string;
let reader: Person;
/** Path of the shelf that both share. */
let shelf: string;

async function newcomer(browser: Browser, who: Person): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await signUp(page, server.url, who);
  return page;
}

test.beforeAll(async ({ browser }) => {
  server = await runServer();
  const ana = person();
  library = ana.library;
  owner = await newcomer(browser, ana);
  await createShelf(owner, 'Papers');
  shelf = new URL(owner.url()).pathname;
  await commitFiles(owner, KINDS, 'one of each kind');
  const ben = person();
  reader = { ...ben, username: `reader-${ben.username}` };
  await (await newcomer(browser, reader)).context().close();
  addMember(server, shelf.split('/').at(-1) ?? '', reader.username, 'viewer');
  await commitFiles(owner, PAGES, 'twelve pages');
  await owner.getByRole('button', { name: 'Actions for page 1.txt' }).click();
  await owner.getByRole('menuitem', { name: /^Delete/ }).click();
  await expect(owner.getByRole('grid')).not.toContainText('page 1.txt');
});
test.afterAll(() => server.close());

/** Signs the reader in, who then stands in their own library. */
async function signIn(page: Page): Promise<void> {
  await page.goto(server.url);
  await page.getByRole('button', { name: 'Login / Signup' }).first().click();
  await page.getByLabel('Email address').fill(reader.email);
  await page.getByLabel('Password').fill(reader.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: reader.library, level: 1 })).toBeVisible();
}

/** As after a quarter of an hour: the access token is over, the session is not. */
const loseAccessToken = (page: Page) => page.context().clearCookies({ name: 'armarium_access' });

const refuse = (status: number, code: string) => (route: Route) =>
  route.fulfill({ status, json: { error: { code, message: 'refused by the test' } } });

/** Asks the server for much at once. */
async function openShelf(page: Page): Promise<void> {
  await page.evaluate((path) => {
    history.pushState(null, '', path);
  }, `${shelf}?tab=comments`);
}

async function expectSignedOut(page: Page): Promise<void> {
  await expect(page).toHaveURL(`${server.url}/`);
  await expect(page.getByRole('button', { name: 'Login / Signup' }).first()).toBeVisible();
}

const bell = (page: Page): Locator => page.getByRole('button', { name: /^Notifications/ });
const overlay = (page: Page): Locator => page.getByRole('dialog', { name: 'Notifications' });
const expired = (page: Page): Locator => page.getByRole('dialog', { name: 'Session Expired' });
const toast = (page: Page): Locator => page.locator('.Toastify__toast');
const account = (page: Page): Locator => page.getByRole('button', { name: 'Account' });
const signOut = async (page: Page) => {
  await account(page).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
};

test.describe('the session (web-and-phone.md §4, §8)', () => {
  test('concurrent 401s wait for one refresh, then retry', async ({ page }) => {
    await signIn(page);
    const statuses = new Map<string, number[]>();
    page.on('response', (response) => {
      const { pathname } = new URL(response.url());
      statuses.set(pathname, [...(statuses.get(pathname) ?? []), response.status()]);
    });
    const listed = page.waitForResponse((response) => new URL(response.url()).pathname === NOTIFICATIONS);
    await page.route(REFRESH, async (route) => {
      await listed;
      await route.continue();
    });
    await loseAccessToken(page);
    await openShelf(page);
    await bell(page).click();
    await expect(page.getByRole('grid')).toContainText('lease.pdf');
    await expect(overlay(page).getByRole('link').first()).toBeVisible();
    const retried = () => [...statuses.values()].filter(([first]) => first === 401).map(([, second]) => second);
    expect(retried().length).toBeGreaterThan(1);
    await expect.poll(() => new Set(retried())).toEqual(new Set([200]));
    expect(statuses.get('/auth/v1/token/refresh/')).toEqual([200]);
    await expect(expired(page)).toHaveCount(0);
  });

  for (const [status, code] of [
    [401, 'session-expired'],
    [400, 'bad-request'],
  ] as const) {
    test(`a refresh that fails with ${status} shows the Session Expired modal, whose Confirm logs out silently`, async ({
      page,
    }) => {
      await signIn(page);
      await page.route(REFRESH, refuse(status, code));
      await loseAccessToken(page);
      await openShelf(page);
      await expect(expired(page)).toContainText('Your session has expired. Please log in again.');
      await page.keyboard.press('Escape');
      await expect(expired(page)).toBeVisible();
      await expired(page).getByRole('button', { name: 'Confirm' }).click();
      await expectSignedOut(page);
      await expect(expired(page)).toHaveCount(0);
      await expect(toast(page)).toHaveCount(0);
    });
  }

  test('any other refusal of a refresh logs the user out', async ({ page }) => {
    await signIn(page);
    await page.route(REFRESH, refuse(403, 'forbidden'));
    await loseAccessToken(page);
    await openShelf(page);
    await expectSignedOut(page);
    await expect(expired(page)).toHaveCount(0);
  });

  test('a refresh without an answer has not failed: it is retried, and nothing is lost (decisions.md §12)', async ({
    page,
  }) => {
    await signIn(page);
    let attempts = 0;
    await page.route(REFRESH, (route) => {
      attempts += 1;
      return attempts === 1 ? route.abort() : attempts === 2 ? route.fulfill({ status: 503 }) : route.continue();
    });
    await loseAccessToken(page);
    await openShelf(page);
    await expect(page.getByText('The server is out of reach. Trying again; nothing is lost.')).toBeVisible();
    await expect(page.getByRole('grid')).toContainText('lease.pdf');
    expect(attempts).toBe(3);
    await expect(expired(page)).toHaveCount(0);
  });

  test('logout asks the server to revoke tokens, and on error still logs out locally', async ({ page }) => {
    await signIn(page);
    // §3 says where these are kept.
    const stored = () =>
      page.evaluate(() => ({
        library: localStorage.getItem('session.currentLibrary'),
        shelf: sessionStorage.getItem('session.currentShelf'),
        isAuthenticated: (JSON.parse(sessionStorage.getItem('session.auth') ?? '{}') as { isAuthenticated?: boolean })
          .isAuthenticated,
      }));
    await openShelf(page);
    await expect.poll(stored).toEqual({ library, shelf: 'Papers', isAuthenticated: true });
    let asked = 0;
    await page.route('**/auth/v1/token/revoke/', (route) => {
      asked += 1;
      return route.abort();
    });
    await signOut(page);
    await expectSignedOut(page);
    expect(asked).toBe(1);
    expect(await stored()).toEqual({ library: null, shelf: null });
  });

  test('a failed status fetch means signed out', async ({ page }) => {
    await signIn(page);
    await page.route('**/auth/v1/status/', refuse(500, 'internal'));
    await page.reload();
    await expectSignedOut(page);
  });

  test('a failed exchange leaves the user signed out, and says so', async ({ page }) => {
    await page.goto(server.url);
    await page.getByRole('button', { name: 'Login / Signup' }).first().click();
    await expect(page.getByLabel('Email address')).toBeVisible();
    await page.goto(`${server.url}/callback?code=forged&state=forged`);
    await expect(page.getByRole('alert')).toContainText('sign');
    await expect(page.getByRole('button', { name: 'Login / Signup' })).toBeVisible();
  });
});

/** In the order of web-and-phone.md §2. */
const FOOTER = ['Terms', 'Privacy', 'Security', 'Open Source', 'Refund', 'Cookie', 'Contact', 'Company', 'Download'];

test('the bar: empty searches stay, names are cut, layers exclude each other (web-and-phone.md §4, §5, §9)', async ({
  page,
}) => {
  await signIn(page);
  const address = page.url();
  const search = page.getByRole('searchbox', { name: 'Search' });
  for (const empty of ['', '   ']) {
    await search.fill(empty);
    await search.press('Enter');
    await expect(page).toHaveURL(address);
  }

  const menu = page.getByRole('menu');
  await account(page).click();
  const cut = (text: string) => `${[...text].slice(0, 10).join('').trimEnd()}…`;
  for (const text of [reader.username, 'Ana Archivist', reader.email]) {
    await expect(menu.getByText(cut(text), { exact: true })).toBeVisible();
  }
  await expect(menu).toContainText('Unverified');
  await expect(menu.getByRole('menuitem', { name: 'Plans' })).toBeDisabled();
  await expect(menu.getByRole('menuitem', { name: 'Settings' })).toHaveAttribute('href', '/settings');
  await page.mouse.click(10, 600);
  await expect(menu).toHaveCount(0);
  await bell(page).click();
  await expect(overlay(page)).toBeVisible();
  await account(page).click();
  await expect(overlay(page)).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(menu).toHaveCount(0);
  await bell(page).click();
  await expect(overlay(page)).toBeVisible();
  await page.mouse.click(10, 600);
  await expect(overlay(page)).toHaveCount(0);

  await search.fill('keys');
  await search.press('Enter');
  await expect(page).toHaveURL(`${server.url}/search?q=keys`);
  await expect(page.getByRole('contentinfo').getByRole('link')).toHaveText(FOOTER);
});

/** How far the list is scrolled, counted from its end, once the page has drawn it. */
const scrollToWithin = (list: Locator, pixels: number) =>
  list.evaluate(async (element, left) => {
    element.scrollTop = element.scrollHeight - element.clientHeight - left;
    for (let frames = 0; frames < 3; frames += 1) await new Promise((drawn) => requestAnimationFrame(drawn));
  }, pixels);

test('notifications load more, warn of deleted targets, count to zero (web-and-phone.md §4, §8, §9)', async ({
  page,
}) => {
  await signIn(page);
  const asked: string[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.pathname === NOTIFICATIONS) asked.push(url.searchParams.get('page') ?? '');
  });
  await expect(bell(page)).toHaveAccessibleName('Notifications, 13 unread');
  await bell(page).click();
  const items = overlay(page).getByRole('link');
  await expect(items).toHaveCount(10);
  await expect(items.first()).toContainText(/Just now|\dm ago/);
  const list = overlay(page).getByRole('list');
  await scrollToWithin(list, 21);
  expect(asked).toEqual(['1']);
  await scrollToWithin(list, 20);
  await expect(items).toHaveCount(13);
  expect(asked).toEqual(['1', '2']);

  const address = page.url();
  const gone = items.filter({ hasText: 'added page 1.txt to Papers' });
  await expect(gone.locator('.rich-text > span').filter({ hasText: 'page 1.txt' })).toHaveCount(1);
  await gone.click();
  const warning = toast(page);
  // Under the pointer a toast waits to be read.
  await warning.hover();
  await expect(warning).toHaveClass(/Toastify__toast--warning/);
  await expect(warning.locator('strong')).toHaveText('Notice');
  await expect(warning).toContainText('This document has been deleted');
  await expect(warning.locator('.Toastify__progress-bar')).toHaveCSS('animation-duration', '3s');
  await expect(page).toHaveURL(address);
  await expect(bell(page)).toHaveAccessibleName('Notifications, 12 unread');
  await page.mouse.move(10, 600);
  await expect(warning).toHaveCount(0);

  // Read in another tab, of which the list that is open here knows nothing yet.
  const read = await page.request.post(`${server.url}${NOTIFICATIONS}mark_all_as_read/`, {
    headers: { origin: server.url },
  });
  expect(read.ok()).toBe(true);
  await expect(bell(page)).toHaveAccessibleName('Notifications');
  await items.filter({ hasText: 'added page 2.txt to Papers' }).click();
  await expect(page).toHaveURL(new RegExp(`${shelf}\\?document=`));
  await expect(bell(page)).toHaveAccessibleName('Notifications');
  // Opened again, the list is that of the server, from its start (§2).
  await bell(page).click();
  await expect(items).toHaveCount(10);
  expect(asked).toEqual(['1', '2', '1']);
});

test('failing notifications, notices and lists show no dialog and no toast (web-and-phone.md §8)', async ({ page }) => {
  await signIn(page);
  await page.route(`**${NOTIFICATIONS}**`, refuse(500, 'internal'));
  await page.reload();
  await expect(page.getByRole('heading', { name: reader.library, level: 1 })).toBeVisible();
  await expect(bell(page)).toHaveAccessibleName('Notifications');
  await page.route('**/api/v1/libraries/**', refuse(500, 'internal'));
  const failed = page.waitForResponse((response) => response.url().includes('/libraries/') && !response.ok());
  await page.goto(`${server.url}/${reader.username}`);
  await failed;
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(toast(page)).toHaveCount(0);
});

test('files have icons of their kind, sizes of base 1024 and dates (web-and-phone.md §5, §9)', async () => {
  await owner.goto(server.url + shelf);
  // Rows are drawn where somebody looks, and these are many.
  const rowOf = async (name: string) => {
    await owner.getByLabel('Filter documents').fill(name);
    return owner.getByRole('grid').locator('tbody tr').filter({ hasText: name });
  };
  for (const [name, kind] of [
    ['lease.pdf', 'pdf'],
    ['deck.pptx', 'slides'],
    ['sheet.xlsx', 'sheet'],
    ['film.mp4', 'video'],
    ['photo.webp', 'image'],
  ] as const) {
    await expect((await rowOf(name)).locator('.file-icon')).toHaveAttribute('data-kind', kind);
  }
  const sized = await rowOf('size.txt');
  await expect(sized).toContainText('1.5 KB');
  await expect(sized.getByRole('time')).toHaveAttribute('title', /^\d{2}-\d{2}-\d{4} \d{2}:\d{2}$/);
});

const layerOf = (element: Locator) => element.evaluate((node) => getComputedStyle(node).zIndex);

/** Saves a document of the shelf as PDF. */
async function savePdf(name: string): Promise<void> {
  await owner.getByRole('button', { name: `Actions for ${name}` }).click();
  await owner.getByRole('menuitem', { name: 'Save as PDF' }).click();
}

test('an export that fails says so (web-and-phone.md §8)', async () => {
  await owner.goto(server.url + shelf);
  const saved = owner.waitForEvent('download');
  await savePdf('lease.pdf');
  expect((await saved).suggestedFilename()).toBe('lease.pdf');
  await savePdf('archive.zip');
  await expect(toast(owner).filter({ hasText: 'No PDF of archive.zip' })).toContainText('this kind');
  await owner.route('**/storage/exports/**', (route) => route.fulfill({ status: 500 }));
  await savePdf('lease.pdf');
  await expect(toast(owner).filter({ hasText: 'No PDF of lease.pdf' })).toHaveClass(/Toastify__toast--error/);
  await owner.unrouteAll();
});

test('a toast of 0 ms stays when others have gone after 3000 ms (web-and-phone.md §9)', async () => {
  await owner.goto(server.url + shelf);
  const { promise: isTime, resolve: answer } = Promise.withResolvers<void>();
  await owner.route(
    '**/export',
    async (route) => {
      await isTime;
      await route.continue();
    },
    { times: 1 },
  );
  await savePdf('lease.pdf');
  const kept = toast(owner).filter({ hasText: 'Making a PDF of lease.pdf…' });
  await expect(kept).toBeVisible();
  await savePdf('archive.zip');
  const passing = toast(owner).filter({ hasText: 'No PDF of archive.zip' });
  await passing.hover();
  await expect(passing.locator('.Toastify__progress-bar')).toHaveCSS('animation-duration', '3s');
  await owner.mouse.move(10, 600);
  await expect(passing).toHaveCount(0);
  await expect(kept).toBeVisible();
  expect(await layerOf(owner.locator('.Toastify__toast-container'))).toBe('1000');
  answer();
  await expect(toast(owner)).toHaveCount(0);
});

const widthOf = async (element: Locator) => (await element.boundingBox())?.width;

test('layers have their priorities and modals their sizes (web-and-phone.md §5, §9)', async () => {
  await owner.goto(server.url + shelf);
  await account(owner).click();
  expect(await layerOf(owner.getByRole('menu'))).toBe('500');
  await owner.keyboard.press('Escape');
  await bell(owner).click();
  expect(await layerOf(overlay(owner))).toBe('800');
  await owner.keyboard.press('Escape');
  await owner.getByRole('button', { name: 'Actions for lease.pdf' }).click();
  await owner.getByRole('menuitem', { name: 'Versions' }).click();
  expect(await layerOf(owner.locator('.dialog-backdrop'))).toBe('900');
  expect(await widthOf(owner.getByRole('dialog'))).toBe(840);
  await owner.keyboard.press('Escape');
  await owner.goto(`${server.url}/${encodeURIComponent(library)}`);
  await owner.getByRole('button', { name: 'New shelf' }).click();
  expect(await widthOf(owner.getByRole('dialog'))).toBe(520);
  await owner.keyboard.press('Escape');
  await owner.goto(server.url + shelf);
  await owner.getByLabel('Filter documents').fill('size.txt');
  await owner.getByRole('link', { name: 'size.txt' }).click();
  await owner.getByRole('button', { name: 'Full screen' }).click();
  expect(await layerOf(owner.locator('.viewer--full'))).toBe('300');
  await owner.getByRole('button', { name: 'Leave full screen' }).click();
});

test('production pages write nothing to the console (web-and-phone.md §8, decisions.md §11)', async ({ page }) => {
  const written: string[] = [];
  page.on('console', (message) => written.push(message.text()));
  await page.goto(server.url);
  await expect(page.getByRole('button', { name: 'Login / Signup' }).first()).toBeVisible();
  const methods = await page.evaluate(() => {
    const all = Object.entries(console).filter(([, method]) => typeof method === 'function');
    for (const [, method] of all) method('probe');
    return all.map(([name]) => name);
  });
  expect(methods).toEqual(expect.arrayContaining(['log', 'info', 'warn', 'error', 'debug', 'trace', 'table', 'dir']));
  expect(written).toEqual([]);
});
