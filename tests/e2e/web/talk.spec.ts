import { type Browser, type BrowserContext, expect, type Locator, type Page, test } from '@playwright/test';
import { expectAccessible } from '../../helpers/browser/accessible.ts';
import { type RunningServer, runServer } from '../../helpers/browser/runServer.ts';
import {
  commitFiles,
  createShelf,
  type Person,
  signUp,
  signUpWithShelf,
  textFile,
} from '../../helpers/browser/steps.ts';
import { addMember } from '../../helpers/members.ts';

// What is just fading in has not its contrast yet.
test.use({ contextOptions: { reducedMotion: 'reduce' } });

let server: RunningServer;
// One for each test: a server takes only so many new accounts from one address.
test.beforeEach(async () => {
  server = await runServer();
});

const opened: BrowserContext[] = [];
test.afterEach(async () => {
  for (const context of opened.splice(0)) await context.close();
  await server.close();
});

interface Company {
  readonly owner: Page;
  readonly guest: Page;
  readonly guestIs: Person;
  readonly shelf: string;
}

/** Two people in two browsers who share a shelf with a letter; the second one only reads and comments. */
async function company(browser: Browser): Promise<Company> {
  const open = async () => {
    const context = await browser.newContext({ reducedMotion: 'reduce' });
    opened.push(context);
    return context.newPage();
  };
  const [owner, guest] = [await open(), await open()];
  const letter = textFile('letter.txt', 'Dear librarian,\nthe keys are back.\n');
  await signUpWithShelf(owner, server.url, 'Letters', ['a letter', letter]);
  const shelf = new URL(owner.url()).pathname;
  const guestIs = await signUp(guest, server.url);
  addMember(server, shelf.split('/').at(-1) ?? '', guestIs.username, 'viewer');
  return { owner, guest, guestIs, shelf };
}

const composer = (page: Page): Locator => page.getByRole('textbox', { name: /^Write a comment/ });
const thread = (page: Page, text: string): Locator => page.locator('.thread').filter({ hasText: text });

async function say(page: Page, text: string): Promise<void> {
  await composer(page).fill(text);
  await page.getByRole('button', { name: 'Comment', exact: true }).click();
  await expect(thread(page, text)).toBeVisible();
}

test('members talk about a shelf: name, answer, change, resolve and delete', async ({ browser }) => {
  const { owner, guest, guestIs, shelf } = await company(browser);
  await owner.goto(`${server.url}${shelf}?tab=comments`);
  await expect(owner.getByText('No comments yet')).toBeVisible();
  await expectAccessible(owner);

  await composer(owner).fill('Is this the last letter, @ana');
  await expect(owner.getByRole('option', { name: /Ana Archivist/ })).toBeVisible();
  await expectAccessible(owner);
  await composer(owner).press('Enter');
  await expect(composer(owner)).toHaveValue(`Is this the last letter, @${guestIs.username} `);
  await composer(owner).press('Control+Enter');
  await expect(thread(owner, 'last letter').locator('.comment__mention')).toHaveText(`@${guestIs.username}`);
  await expect(composer(owner)).toHaveValue('');

  await guest.goto(`${server.url}${shelf}`);
  await expect(guest.getByRole('tab', { name: 'Comments 1 unread comment' })).toBeVisible();
  await guest.getByRole('tab', { name: /^Comments/ }).click();
  await expect(thread(guest, 'last letter').getByText('New')).toBeVisible();
  await expect(guest.getByRole('tab', { name: 'Comments', exact: true })).toBeVisible();
  await expect(thread(guest, 'last letter').getByRole('button', { name: /^More/ })).toHaveCount(0);
  await thread(guest, 'last letter').getByRole('button', { name: 'Answer' }).click();
  await guest.getByRole('textbox', { name: 'Answer Ana Archivist' }).fill('<b>No</b>, there is & was another.');
  await guest.getByRole('button', { name: 'Answer', exact: true }).click();
  await expect(thread(guest, 'last letter').getByText('<b>No</b>, there is & was another.')).toBeVisible();

  await guest.getByRole('button', { name: /^More/ }).click();
  await guest.getByRole('menuitem', { name: 'Edit' }).click();
  await guest.getByRole('textbox', { name: 'Edit the comment' }).fill('Yes.');
  await guest.getByRole('button', { name: 'Save' }).click();
  await expect(thread(guest, 'Yes.').getByText('edited')).toBeVisible();
  await expectAccessible(guest);

  await owner.reload();
  await thread(owner, 'Yes.').getByRole('button', { name: 'Resolve' }).click();
  await expect(owner.getByText('All comments are resolved')).toBeVisible();
  await owner.getByRole('button', { name: 'Show 1 resolved' }).click();
  await expect(thread(owner, 'Yes.').getByText('Resolved', { exact: true })).toBeVisible();
  await thread(owner, 'Yes.').getByRole('button', { name: 'Open again' }).click();
  await expect(thread(owner, 'Yes.').getByRole('button', { name: 'Resolve' })).toBeVisible();
  await thread(owner, 'Yes.').getByRole('button', { name: /^More/ }).first().click();
  await owner.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(owner.getByRole('dialog')).toContainText('Its answer is deleted with it');
  await owner.getByRole('button', { name: 'Delete comment' }).click();
  await expect(owner.getByText('No comments yet')).toBeVisible();
});

test('a comment on a version says which one, and an unsent one is kept', async ({ browser }) => {
  const { owner, shelf } = await company(browser);
  await owner.goto(server.url + shelf);
  await owner
    .getByRole('link', { name: /letter\.txt/ })
    .first()
    .click();
  await expect(owner.getByRole('heading', { name: 'Comments', exact: true })).toBeVisible();
  await say(owner, 'Who has the keys?');
  await expectAccessible(owner);
  await owner.goto(server.url + shelf);
  await commitFiles(owner, [textFile('letter.txt', 'Dear librarian,\nthe keys are lost.\n')], 'a sadder letter');
  await owner.getByRole('button', { name: 'Actions for letter.txt' }).click();
  await owner.getByRole('menuitem', { name: 'Comments' }).click();
  await expect(owner.getByText('Comments on letter.txt')).toBeVisible();
  await expect(thread(owner, 'Who has the keys?').getByTitle(/there is a newer one/)).toHaveText('Version 1');
  await composer(owner).fill('x'.repeat(5001));
  await expect(owner.getByText('1 character too many')).toBeVisible();
  await expect(owner.getByRole('button', { name: 'Comment', exact: true })).toBeDisabled();
  await composer(owner).fill('They are under the mat');
  await owner.reload();
  await expect(composer(owner)).toHaveValue('They are under the mat');
  await owner.getByRole('link', { name: 'Show all comments of the shelf' }).click();
  await expect(composer(owner)).toHaveValue('');
  await expect(thread(owner, 'Who has the keys?').getByRole('link', { name: 'letter.txt' })).toBeVisible();
});

const bell = (page: Page): Locator => page.getByRole('button', { name: /^Notifications/ });
const overlay = (page: Page): Locator => page.getByRole('dialog', { name: 'Notifications' });

test('the bell tells what others did, and leads there (web-and-phone.md §4, §8, §9)', async ({ browser }) => {
  const { owner, guest, shelf } = await company(browser);
  await bell(guest).click();
  await expect(overlay(guest).getByText('No notifications')).toBeVisible();
  await expectAccessible(guest);
  await guest.keyboard.press('Escape');
  await expect(bell(guest)).toBeFocused();

  const names = Array.from({ length: 12 }, (_, index) => `page ${index + 1}.txt`);
  await commitFiles(
    owner,
    names.map((name) => textFile(name, name)),
    'twelve pages',
  );
  await owner.goto(`${server.url}${shelf}?tab=comments`);
  await say(owner, 'These are all pages.');
  await owner.getByRole('button', { name: 'Actions for page 1.txt' }).click();
  await owner.getByRole('menuitem', { name: /^Delete/ }).click();

  await guest.reload();
  await expect(bell(guest)).toHaveAccessibleName('Notifications, 14 unread');
  await bell(guest).click();
  const items = overlay(guest).getByRole('link');
  await expect(items).toHaveCount(10);
  await expectAccessible(guest);
  await items.last().hover();
  await guest.mouse.wheel(0, 4000);
  await expect(items).toHaveCount(14);

  const added = (name: string) => items.filter({ hasText: `added ${name} to Letters` });
  await added('page 1.txt').click();
  await expect(guest.getByRole('alert').filter({ hasText: 'This document has been deleted' })).toContainText('Notice');
  await expect(overlay(guest)).toBeVisible();
  await expect(added('page 1.txt').getByText('Unread')).toHaveCount(0);
  await items.filter({ hasText: 'commented on Letters' }).click();
  await expect(guest).toHaveURL(`${server.url}${shelf}?tab=comments`);
  await expect(thread(guest, 'These are all pages.')).toBeVisible();
  await expect(overlay(guest)).toHaveCount(0);

  await bell(guest).click();
  await overlay(guest).getByRole('button', { name: 'Mark all as read' }).click();
  await expect(bell(guest)).toHaveAccessibleName('Notifications');
  await expect(overlay(guest).getByRole('button', { name: 'Mark all as read' })).toHaveCount(0);
  await guest.getByRole('button', { name: 'Account' }).click();
  await expect(overlay(guest)).toHaveCount(0);
});

test('what one does the other sees without a reload, in every tab', async ({ browser }) => {
  const { owner, guest, shelf } = await company(browser);
  const streams: string[] = [];
  guest.context().on('request', (request) => {
    if (request.url().endsWith('/notifications/stream/')) streams.push(request.url());
  });
  await guest.goto(`${server.url}${shelf}?tab=comments`);
  await expect(guest.getByText('No comments yet')).toBeVisible();
  await expect.poll(() => streams.length).toBe(1);
  const second = await guest.context().newPage();
  await second.goto(server.url + shelf);
  await expect(second.getByRole('grid')).toContainText('letter.txt');

  await owner.goto(`${server.url}${shelf}?tab=comments`);
  await say(owner, 'Look what I found.');
  await expect(thread(guest, 'Look what I found.').getByText('New')).toBeVisible();
  await expect(bell(guest)).toHaveAccessibleName('Notifications, 1 unread');
  await expect(bell(second)).toHaveAccessibleName('Notifications, 1 unread');

  await commitFiles(owner, [textFile('map.txt', 'Here.\n'), textFile('letter.txt', 'Dear all,\n')], 'a map');
  for (const page of [guest, second]) {
    await expect(page.getByRole('grid')).toContainText('map.txt');
    await expect(page.getByRole('grid').locator('tbody tr').filter({ hasText: 'letter.txt' })).toContainText('v2');
  }
  const [library = '', id = ''] = shelf.split('/').slice(1);
  const renamed = await owner.request.put(`${server.url}/api/v1/library/${library}/shelf/${id}/update/`, {
    data: { name: 'Maps and letters' },
    headers: { origin: server.url },
  });
  expect(renamed.ok()).toBe(true);
  for (const page of [guest, second]) {
    await expect(page.getByRole('heading', { name: 'Maps and letters', level: 1 })).toBeVisible();
  }
  expect(streams).toHaveLength(1);

  // The tab that listened goes; the other one goes on.
  await guest.close();
  await expect.poll(() => streams.length).toBe(2);
  await say(owner, 'And another one.');
  await expect(second.getByRole('tab', { name: /^Comments 1 unread/ })).toBeVisible();

  const members = `${server.url}/api/v1/library/${library}/shelf/${id}/members/`;
  const listed = (await (await owner.request.get(members)).json()) as {
    members: { member_id: string; role: string }[];
  };
  const guestId = listed.members.find(({ role }) => role === 'viewer')?.member_id;
  const change = { member_id: guestId, role: 'editor' };
  await second.getByRole('tab', { name: /^Members/ }).click();
  await owner.request.post(`${members}role/`, { data: change, headers: { origin: server.url } });
  await expect(second.getByRole('tabpanel')).toContainText('Editor');
  await owner.request.post(`${members}remove/`, { data: { member_id: guestId }, headers: { origin: server.url } });
  await expect(second.getByRole('heading', { name: 'Maps and letters' })).toHaveCount(0);
});

const NOTICES = '/api/v1/notifications/service-notices/';

/** Writes a notice that shows from now on. */
async function writeNotice(page: Page, notice: object): Promise<void> {
  const answer = await page.request.post(server.url + NOTICES, {
    data: {
      ...notice,
      start_date: new Date(Date.now() - 60_000).toISOString(),
      end_date: new Date(Date.now() + 3600_000).toISOString(),
    },
    headers: { origin: server.url },
  });
  expect(answer.ok()).toBe(true);
}

test('a service notice shows as it comes, until it is closed for good (web-and-phone.md §4)', async ({ browser }) => {
  // The first account of a server is its administrator.
  const { owner, guest } = await company(browser);
  const refused: string[] = [];
  guest.on('console', (message) => {
    if (message.type() === 'error' && /Content Security Policy/.test(message.text())) refused.push(message.text());
  });
  await writeNotice(owner, {
    title: 'The reading room closes',
    content: '<p>From <b>noon</b> on.</p><script>top.document.title = "taken"</script><img src="x">',
    content_type: 'html',
  });
  const dialog = guest.getByRole('dialog');
  await expect(dialog).toHaveAccessibleName('The reading room closes');
  const frame = guest.frameLocator('iframe');
  await expect(frame.getByText('noon')).toHaveCSS('font-family', /Inter/);
  await expect(frame.locator('script, img')).toHaveCount(0);
  await expectAccessible(guest);
  await guest.keyboard.press('Escape');
  await expect(dialog).toBeVisible();
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(dialog).toHaveCount(0);

  await guest.reload();
  await dialog.getByLabel("Don't show this notice again").check();
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await guest.reload();
  await expect(bell(guest)).toBeVisible();
  await writeNotice(owner, { content: 'Plain <b>text</b>' });
  await expect(dialog).toHaveAccessibleName('Service Notice');
  await expect(dialog).toContainText('Plain <b>text</b>');
  await expect(dialog.getByLabel("Don't show this notice again")).not.toBeChecked();
  await dialog.getByLabel("Don't show this notice again").check();
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(dialog).toHaveCount(0);
  expect(refused).toEqual([]);
});

test('counting waits for consent, and ends with it (desktop-shell.md §2, §4)', async ({ page }) => {
  const counted: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/usage/page-view/')) counted.push(request.postData() ?? '');
  });
  const banner = page.getByRole('region', { name: 'Cookie Preferences' });
  await signUp(page, server.url);
  await expect(banner).toBeVisible();
  await expectAccessible(page);
  expect(counted).toEqual([]);
  await banner.getByRole('button', { name: 'Customize settings' }).click();
  await expect(banner.getByRole('switch', { name: 'Essential' })).toBeDisabled();
  await expect(banner.getByRole('switch', { name: 'Performance & analytics' })).toBeChecked();
  await banner.getByRole('button', { name: 'Save Preferences' }).click();
  await expect(banner).toHaveCount(0);
  await expect.poll(() => counted).toEqual(['{"screen":"library"}']);
  await page.reload();
  await expect.poll(() => counted).toHaveLength(2);
  await page.getByRole('button', { name: 'Cookie settings' }).click();
  await banner.getByRole('button', { name: 'Use necessary cookies only' }).click();
  expect(await page.evaluate("localStorage.getItem('cookie_consent')")).toBe('{"necessary":true,"analytics":false}');
  await page.reload();
  await expect(bell(page)).toBeVisible();
  await expect(banner).toHaveCount(0);
  expect(counted).toHaveLength(2);
});

test('signing out in one tab signs out the others; a session that ended says so (web-and-phone.md §4)', async ({
  page,
  context,
}) => {
  const who = await signUp(page, server.url);
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(bell(other)).toBeVisible();
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await expect(other).toHaveURL(`${server.url}/`);
  await expect(other.getByRole('button', { name: 'Login / Signup' }).first()).toBeVisible();

  await page.getByRole('button', { name: 'Login / Signup' }).first().click();
  await page.getByLabel('Email address').fill(who.email);
  await page.getByLabel('Password').fill(who.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(other.getByRole('heading', { name: who.library, level: 1 })).toBeVisible();

  await createShelf(page, 'Drafts');
  await page.getByRole('tab', { name: 'Comments' }).click();
  await composer(page).fill('Half a thought');
  await context.clearCookies();
  await page.getByRole('button', { name: 'Comment', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Session Expired' });
  await expect(dialog).toContainText('Your session has expired. Please log in again.');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await page.getByRole('button', { name: 'Login / Signup' }).first().click();
  await page.getByLabel('Email address').fill(who.email);
  await page.getByLabel('Password').fill(who.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Drafts', level: 1 })).toBeVisible();
  await expect(composer(page)).toHaveValue('Half a thought');
});
