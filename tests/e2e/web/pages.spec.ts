import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from '../../helpers/browser/accessible.ts';
import { type RunningServer, runServer } from '../../helpers/browser/runServer.ts';
import { commitFiles, createShelf, type Person, person, signUp, textFile } from '../../helpers/browser/steps.ts';
import { startProvider } from '../../helpers/oidcProvider.ts';

let server: RunningServer;
let owner: Page;
let who: Person;
test.beforeAll(async ({ browser }) => {
  server = await runServer();
  who = person();
  owner = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
  await signUp(owner, server.url, who);
});
test.afterAll(() => server.close());

/** Without violations in the light and in the dark. */
async function expectAccessibleInBoth(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await expectAccessible(page, colorScheme);
  }
}

const title = (page: Page, name: string | RegExp) =>
  expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();

const PAGES = [
  ['Terms', '/terms', 'Terms of use'],
  ['Privacy', '/privacy', 'Privacy'],
  ['Security', '/security', 'Security'],
  ['Open Source', '/open-source', 'Open source notices'],
  ['Refund', '/refund', 'Refunds'],
  ['Cookie', '/cookie', 'Cookies'],
  ['Contact', '/contact', 'Contact'],
  ['Company', '/company', 'Who makes Armarium'],
  ['Download', '/download', 'Desktop app'],
] as const;

test('the footer leads to pages of text, which everybody reads, in either language', async ({ page }) => {
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
  await page.goto(server.url);
  await title(page, /./);
  expect(loaded.filter((path) => path.includes('StaticPage'))).toEqual([]);
  for (const [name, path, heading] of PAGES) {
    await page.getByRole('contentinfo').getByRole('link', { name, exact: true }).click();
    await expect(page).toHaveURL(server.url + path);
    await title(page, heading);
    await expect(page).toHaveTitle(`${heading} · Armarium`);
    // The others are made of the same parts.
    if (name === 'Privacy' || name === 'Download') await expectAccessibleInBoth(page);
  }
  await expect(page.getByText('This server offers no desktop app yet')).toBeVisible();

  await page.goto(`${server.url}/open-source`);
  await page.getByRole('searchbox', { name: 'Filter packages' }).fill('react-dom');
  await page.getByText('react-dom', { exact: true }).click();
  await expect(page.getByText(/Permission is hereby granted/)).toBeVisible();
  await expectAccessibleInBoth(page);

  await page.evaluate(() => localStorage.setItem('interface.language', 'de'));
  await page.goto(`${server.url}/m/terms`);
  await title(page, 'Nutzungsbedingungen');
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await expectAccessibleInBoth(page);
});

test('what is not there says so, and what a mail led to too late', async ({ page }) => {
  await page.goto(`${server.url}/accounts/nowhere`);
  await title(page, 'There is nothing on this shelf');
  await page.goto(`${server.url}/expired`);
  await title(page, 'This link has expired');
  await expectAccessibleInBoth(page);
  for (const [reason, heading] of [
    ['revoked', 'This link was revoked'],
    ['used-up', 'This link is used up'],
    ['document-deleted', 'This document was deleted'],
    ['expired', 'This link has expired'],
    ['anything', 'This link has expired'],
  ]) {
    await page.goto(`${server.url}/shared/expired?reason=${reason}`);
    await title(page, heading ?? '');
  }
  await page.goto(`${server.url}/dashboard/users`);
  await expect(page).toHaveURL(`${server.url}/`);
  await page.goto(`${server.url}/redirect?to=${encodeURIComponent('/terms')}`);
  await expect(page).toHaveURL(`${server.url}/terms`);
  await page.goto(`${server.url}/redirect?to=${encodeURIComponent('//evil.example')}`);
  await expect(page).toHaveURL(`${server.url}/`);
});

test('every callback shows one screen, also to whom another provider signed in (web-and-phone.md §2, §7)', async ({
  page,
}) => {
  for (const [path, why] of [
    ['/callback', /does not belong to a sign-in begun in this tab/],
    ['/accounts/google/callback/?error=access_denied&state=x', /You did not allow the sign-in there/],
    ['/accounts/microsoft/callback/?code=x&state=y', /does not belong to a sign-in/],
    ['/accounts/apple/callback/', /does not belong to a sign-in/],
  ] as const) {
    await page.goto(server.url + path);
    await title(page, 'Signing in did not work');
    await expect(page).toHaveTitle('Signing in did not work · Armarium');
    await expect(page.getByRole('alert')).toContainText(why);
  }
  await expectAccessibleInBoth(page);

  const provider = await startProvider(() => [`${server.url}/accounts/google/callback/`]);
  const { issuer, clientId, clientSecret } = provider;
  const set = await owner.request.put(`${server.url}/api/v1/admin/settings/`, {
    data: {
      providers: [{ id: 'google', label: 'Example', issuer, client_id: clientId, client_secret: clientSecret }],
    },
    headers: { origin: server.url },
  });
  expect(set.ok()).toBe(true);
  const sent = page.waitForRequest('**/auth/v1/social/');
  provider.person = { sub: 'bea', email: 'bea@example.org', email_verified: true, name: 'Bea' };
  await page.getByRole('button', { name: 'Start again' }).click();
  await page.getByRole('link', { name: 'Continue with Example' }).click();
  expect(Object.keys((await sent).postDataJSON() as object)).toEqual(
    expect.arrayContaining(['provider', 'state', 'code', 'code_verifier']),
  );
  await title(page, 'Welcome to Armarium');
  await provider.close();
});

test('a library, a shelf or a version that is missing says so, by its title too, and leads on (web-and-phone.md §2)', async () => {
  const library = `${server.url}/${encodeURIComponent(who.library)}`;
  const nobody = '00000000-0000-4000-8000-000000000000';
  for (const [address, heading] of [
    [`${server.url}/nowhere`, 'There is no such library'],
    [`${library}/${nobody}`, 'There is no such shelf'],
    [`${library}/${nobody}/share/stat`, 'There are no statistics here'],
    [`${library}/${nobody}/version/${nobody}`, 'There is no such version'],
    [`${library}/word`, 'There is nothing on this shelf'],
  ] as const) {
    await owner.goto(address);
    await title(owner, heading);
    await expect(owner).toHaveTitle(`${heading} · Armarium`);
  }
  await owner.getByRole('link', { name: 'Go to the start' }).click();
  await title(owner, who.library);
});

test('files are uploaded on a screen of their own, and Back leads to the shelf', async () => {
  await owner.goto(`${server.url}/${encodeURIComponent(who.library)}`);
  await createShelf(owner, 'Maps');
  const shelf = owner.url();
  await owner.goto(`${shelf}/upload`);
  await expect(owner).toHaveTitle('Upload to Maps · Armarium');
  await expect(owner.getByText('Nothing is being uploaded')).toBeVisible();
  await expectAccessibleInBoth(owner);
  await owner
    .getByTestId('upload-files')
    .setInputFiles([textFile('north.txt', 'north'), textFile('south.txt', 'south')]);
  await owner.getByRole('dialog').getByRole('button', { name: 'Commit 2 files' }).click();
  const queue = owner.getByRole('region', { name: 'Uploads' });
  await expect(queue.getByText('2 files committed')).toBeVisible();
  await expect(owner.getByRole('complementary', { name: 'Uploads' })).toHaveCount(0);
  await expectAccessibleInBoth(owner);
  await queue.getByRole('button', { name: 'Dismiss' }).click();
  await owner.getByRole('link', { name: 'Back to the shelf' }).click();
  await expect(owner).toHaveURL(shelf);
  await expect(owner.getByText('north.txt')).toBeVisible();
});

test('keys open the commands, which lead anywhere, and the list of keys', async () => {
  await owner.goto(`${server.url}/${encodeURIComponent(who.library)}`);
  await createShelf(owner, 'Letters of a long winter');
  await commitFiles(owner, [textFile('Correspondence.txt', 'Dear Ada')], 'First letters');
  const shelf = owner.url();
  await owner.goto(`${server.url}/favorites`);
  const palette = owner.getByRole('dialog', { name: 'Commands' });
  const field = palette.getByRole('combobox');
  const open = async (text: string) => {
    await owner.keyboard.press('ControlOrMeta+k');
    await expect(field).toBeFocused();
    await field.fill(text);
  };
  await title(owner, 'Favorites');
  await open('winter long');
  await expect(palette.getByRole('option')).toHaveCount(1);
  await expectAccessibleInBoth(owner);
  await owner.keyboard.press('Enter');
  await expect(owner).toHaveURL(shelf);
  await expect(palette).toHaveCount(0);

  await open('');
  await expect(palette.getByRole('group', { name: 'On this shelf' })).toBeVisible();
  const first = await field.getAttribute('aria-activedescendant');
  await owner.keyboard.press('ArrowDown');
  await expect(field).not.toHaveAttribute('aria-activedescendant', first ?? '');
  await owner.keyboard.press('ArrowUp');
  await owner.keyboard.press('Enter');
  await expect(owner).toHaveURL(`${shelf}/upload`);

  // A document is found by its name once the index has heard of it.
  await expect(async () => {
    await open('Correspond');
    await expect(palette.getByRole('option', { name: /Correspondence\.txt/ })).toBeVisible({ timeout: 1500 });
  }).toPass();
  await owner.keyboard.press('Enter');
  await expect(owner).toHaveURL(new RegExp(`${shelf}\\?document=`));

  await open('nothing is called so');
  await expect(palette.getByText('Nothing is called “nothing is called so”')).toBeVisible();
  await field.fill('theme dark');
  await owner.keyboard.press('Enter');
  await expect(owner.locator('html')).toHaveAttribute('data-theme', 'dark');
  await open('theme system');
  await owner.keyboard.press('Enter');

  await owner.keyboard.press('?');
  const list = owner.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(list.getByText('Command palette')).toBeVisible();
  await expectAccessibleInBoth(owner);
  await owner.keyboard.press('Escape');
  await expect(list).toHaveCount(0);
  await owner.getByRole('searchbox', { name: 'Search', exact: true }).fill('');
  await owner.keyboard.type('?');
  await expect(list).toHaveCount(0);
});

test('a screen begins at its top, and Back leads to where one was', async () => {
  await owner.setViewportSize({ width: 1280, height: 600 });
  await owner.goto(`${server.url}/privacy`);
  await title(owner, 'Privacy');
  await owner.evaluate(() => scrollTo(0, 400));
  await owner.getByRole('contentinfo').getByRole('link', { name: 'Terms' }).click();
  await title(owner, 'Terms of use');
  expect(await owner.evaluate(() => scrollY)).toBe(0);
  await owner.goBack();
  await title(owner, 'Privacy');
  await expect.poll(() => owner.evaluate(() => scrollY)).toBeGreaterThan(400);
  await owner.goForward();
  await title(owner, 'Terms of use');
});

test('the desktop app is signed in by who is signed in here, after a question', async ({ page }) => {
  const begin = async () => {
    const query = new URLSearchParams({
      uuid: crypto.randomUUID(),
      client_id: 'armarium-desktop',
      redirect_uri: 'http://127.0.0.1:49152/callback',
      code_challenge: 'a'.repeat(43),
      code_challenge_method: 'S256',
      response_type: 'code',
    });
    const answer = await owner.request.get(`${server.url}/auth/v1/initiate/electron?${query}`);
    return ((await answer.json()) as { auth_url: string }).auth_url;
  };
  const address = await begin();
  await page.goto(address);
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  expect(new URL(page.url()).pathname).toBe('/sign-in');

  const came = owner.waitForRequest((request) => request.url().startsWith('http://127.0.0.1:49152/callback?code='));
  await owner.route('http://127.0.0.1:49152/**', (route) => route.fulfill({ body: 'Signed in' }));
  await owner.goto(address);
  await expect(owner.getByText(`asks to be signed in as ${who.username} (${who.email})`)).toBeVisible();
  await expectAccessibleInBoth(owner);
  await owner.getByRole('button', { name: 'Sign in to the app' }).click();
  await came;

  await owner.goto(`${server.url}/?source=client&request=made-up`);
  await owner.getByRole('button', { name: 'Sign in to the app' }).click();
  await expect(owner.getByText('This sign-in is no longer under way.')).toBeVisible();
  await owner.goto(`${server.url}/?source=client`);
  await expect(owner).toHaveURL(`${server.url}/${encodeURIComponent(who.library)}`);
});
