import { type Browser, expect, type Page, test } from '@playwright/test';
import { TOTP } from 'otpauth';
import { expectAccessible } from '../../helpers/browser/accessible.ts';
import { linkInMail } from '../../helpers/browser/mails.ts';
import { type RunningServer, runServer } from '../../helpers/browser/runServer.ts';
import { commitFiles, createShelf, type Person, person, signUp, textFile } from '../../helpers/browser/steps.ts';

interface Somebody extends Person {
  readonly page: Page;
}

let server: RunningServer;
let owner: Somebody;
test.beforeAll(async ({ browser }) => {
  server = await runServer();
  // The first account administers the server, and its address needs no proof.
  owner = await newcomer(browser);
});
test.afterAll(() => server.close());

/** Somebody with an account, in a browser of their own. */
async function newcomer(browser: Browser): Promise<Somebody> {
  const who = person();
  const page = await (await browser.newContext()).newPage();
  await signUp(page, server.url, who);
  return { ...who, page };
}

async function verified(browser: Browser): Promise<Somebody> {
  const somebody = await newcomer(browser);
  const mail = await somebody.page.context().newPage();
  await verify(mail, await linkInMail(server, somebody.email, '/verify-email'));
  return somebody;
}

async function verify(mail: Page, link: string): Promise<void> {
  await mail.goto(link);
  await mail.getByRole('button').click();
  await expect(mail.getByText('Your email address is verified.')).toBeVisible();
  // A second time it says that it is used up.
  await mail.goto(link);
  await expect(mail).toHaveURL(`${server.url}/expired`);
  await expect(mail.getByRole('heading', { name: 'This link has expired' })).toBeVisible();
  await mail.close();
}

async function signIn(page: Page, { email, password }: Person): Promise<void> {
  await page.goto(server.url);
  await page.getByRole('button', { name: 'Login / Signup' }).first().click();
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

const settings = (page: Page, tab: string) => page.goto(`${server.url}/settings?tab=${tab}`);
const said = (page: Page, text: string | RegExp) =>
  expect(page.getByRole('alert').filter({ hasText: text }).first()).toBeVisible();
const openLibrary = (page: Page, library: string) => page.goto(`${server.url}/${encodeURIComponent(library)}`);
const member = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name });

async function invite(page: Page, who: string, role: 'Editor' | 'Viewer' = 'Editor'): Promise<void> {
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('User names or email addresses').fill(who);
  await dialog.getByRole('radio', { name: role }).check({ force: true });
  await dialog.getByRole('button', { name: /^Invite \d/ }).click();
}

test('a shelf gains an editor by mail and a viewer by name, who see what their role allows, and go again', async ({
  browser,
}) => {
  const { page } = owner;
  await openLibrary(page, owner.library);
  await createShelf(page, 'Minutes');
  const address = page.url();
  await expect(page.getByText('Nobody else sees this shelf.')).toBeVisible();
  const [editor, viewer] = [await verified(browser), await verified(browser)];

  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await expectAccessible(page);
  await dialog.getByLabel('User names or email addresses').fill('not@an-address');
  await dialog.getByRole('button', { name: 'Invite' }).click();
  await expect(dialog.getByText('“not@an-address” is not an email address.')).toBeVisible();
  await dialog.getByLabel('User names or email addresses').fill(`${editor.email}; nobody-of-this-name`);
  await dialog.getByRole('button', { name: 'Invite 2 people' }).click();
  await expect(dialog.getByRole('status')).toContainText('There is no such user');
  await expect(dialog.getByLabel('User names or email addresses')).toHaveValue('nobody-of-this-name');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await invite(page, viewer.username, 'Viewer');
  await said(page, '1 invitation sent');
  await expect(member(page, editor.email)).toContainText('Sent');

  await editor.page.goto(await linkInMail(server, editor.email, '/settings'));
  await expect(editor.page.getByText(`Minutes in ${owner.library}`)).toBeVisible();
  await expectAccessible(editor.page);
  await editor.page.getByRole('button', { name: 'Accept', exact: true }).click();
  await expect(editor.page.getByRole('heading', { name: 'Minutes', level: 1 })).toBeVisible();
  await expect(editor.page.getByRole('button', { name: 'Upload', exact: true })).toBeVisible();
  await expect(editor.page.getByRole('button', { name: 'Invite' })).toHaveCount(0);

  await settings(viewer.page, 'invitations');
  await viewer.page.getByRole('button', { name: 'Accept', exact: true }).click();
  await expect(viewer.page.getByRole('heading', { name: 'Minutes', level: 1 })).toBeVisible();
  await expect(viewer.page.getByRole('button', { name: 'Upload', exact: true })).toHaveCount(0);

  await page.goto(`${address}?tab=members`);
  await expect(page.getByRole('list').filter({ hasText: viewer.email }).first()).toContainText('Viewer');
  await expectAccessible(page);
  await member(page, viewer.email).getByRole('button').first().click();
  await page.getByRole('menuitem', { name: 'Editor' }).click();
  await said(page, 'is now: Editor');
  await viewer.page.reload();
  await expect(viewer.page.getByRole('button', { name: 'Upload', exact: true })).toBeVisible();

  await viewer.page.getByRole('button', { name: 'Leave shelf' }).click();
  await viewer.page.getByRole('dialog').getByRole('button', { name: 'Leave shelf' }).click();
  await expect(viewer.page).toHaveURL(`${server.url}/${viewer.username}`);

  await page.reload();
  await member(page, editor.email).getByRole('button').first().click();
  await page.getByRole('menuitem', { name: 'Remove from the shelf…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await said(page, 'was removed');
  await editor.page.reload();
  await expect(editor.page.getByRole('heading', { name: 'There is no such shelf' })).toBeVisible();
});

test('an invitation is sent again, cancelled and declined', async ({ browser }) => {
  const { page } = owner;
  await openLibrary(page, owner.library);
  await createShelf(page, 'Letters');
  const guest = await verified(browser);
  await invite(page, guest.email);
  const row = page.getByRole('listitem').filter({ hasText: guest.email });
  await row.getByRole('button').click();
  await page.getByRole('menuitem', { name: 'Send again' }).click();
  await said(page, `The invitation was sent to ${guest.email} again`);
  await row.getByRole('button').click();
  await page.getByRole('menuitem', { name: 'Cancel invitation' }).click();
  await expect(row).toContainText('Cancelled');
  const link = await linkInMail(server, guest.email, '/settings');
  await guest.page.goto(link);
  await expect(guest.page.getByText('This invitation is no longer open')).toBeVisible();
  await expect(guest.page.getByRole('heading', { name: 'No open invitations' })).toBeVisible();

  await invite(page, guest.username);
  await expect(row.or(member(page, guest.username)).first()).toContainText('Sent');
  await guest.page.reload();
  await guest.page.getByRole('button', { name: 'Decline' }).click();
  await said(guest.page, 'The invitation to Letters was declined');
  await page.reload();
  await expect(page.getByText('Declined')).toBeVisible();
});

test('somebody whose address is not verified is asked to verify it, and sees the invitation after that', async ({
  browser,
}) => {
  const { page } = owner;
  await openLibrary(page, owner.library);
  await createShelf(page, 'Drafts');
  const guest = await newcomer(browser);
  await invite(page, guest.email);
  await settings(guest.page, 'invitations');
  await expect(
    guest.page.getByText(`Invitations show once you have verified that ${guest.email} is yours.`),
  ).toBeVisible();
  const link = () => linkInMail(server, guest.email, '/verify-email');
  const first = await link();
  await guest.page.getByRole('button', { name: 'Send the mail again' }).click();
  await said(guest.page, `A mail is on its way to ${guest.email}`);
  await expect.poll(link).not.toBe(first);
  await verify(await guest.page.context().newPage(), await link());
  await guest.page.reload();
  await expect(guest.page.getByRole('button', { name: 'Accept', exact: true })).toBeVisible();
});

test('a library and its shelf are renamed, archived, handed over and deleted by their owner alone', async ({
  browser,
}) => {
  const founder = await verified(browser);
  const heir = await verified(browser);
  const { page } = founder;
  await createShelf(page, 'Floor plans');
  await commitFiles(page, [textFile('plan.txt', 'a plan\n')], 'first');
  await invite(page, heir.username);
  await settings(heir.page, 'invitations');
  await heir.page.getByRole('button', { name: 'Accept', exact: true }).click();
  await expect(heir.page.getByRole('heading', { name: 'Floor plans', level: 1 })).toBeVisible();

  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Shelf settings', level: 1 })).toBeVisible();
  await expect(page.getByText('All versions are kept.')).toBeVisible();
  await page.getByLabel('Name', { exact: true }).fill('Old plans');
  await page.getByRole('button', { name: 'Rename' }).click();
  await said(page, 'Saved');
  await expect(page.getByRole('navigation', { name: 'Breadcrumb' })).toContainText('Old plans');
  await page.getByRole('button', { name: 'Archive shelf' }).click();
  await expect(page.getByText('This shelf is archived: it can be read, not changed.')).toBeVisible();
  await expect(page.getByLabel('Name', { exact: true })).toBeDisabled();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Bring back from the archive' }).click();
  await expect(page.getByRole('button', { name: 'Archive shelf' })).toBeVisible();

  await heir.page.getByRole('link', { name: 'Settings', exact: true }).click();
  await expect(heir.page.getByText('Only its owner can change it.')).toBeVisible();
  await expect(heir.page.getByRole('button', { name: 'Delete shelf' })).toHaveCount(0);

  await openLibrary(page, founder.library);
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await expect(page.getByText('1 of the 20 shelves of your plan are in use.')).toBeVisible();
  const renamed = `${founder.library} of old`;
  await page.getByLabel('Name', { exact: true }).fill(heir.library);
  await expect(page.getByText('This name is already taken.')).toBeVisible();
  await page.getByLabel('Name', { exact: true }).fill(renamed);
  await page.getByRole('button', { name: 'Rename' }).click();
  await expect(page).toHaveURL(`${server.url}/${encodeURIComponent(renamed)}/settings`);
  await page.getByRole('button', { name: 'Archive library' }).click();
  await said(page, 'was archived');
  await page.goto(`${server.url}/${founder.username}`);
  await expect(page.getByRole('region', { name: 'Archived' }).getByRole('link')).toContainText(renamed);
  await openLibrary(page, renamed);
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.getByRole('button', { name: 'Bring back from the archive' }).click();
  await expect(page.getByRole('button', { name: 'Archive library' })).toBeVisible();
  await expectAccessible(page);

  await page.getByLabel('New owner').selectOption({ index: 1 });
  await page.getByRole('button', { name: 'Hand over' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Hand over' }).click();
  await expect(page.getByText('Only its owner can change it.')).toBeVisible();
  // Whoever gave away the last library is asked for another one at the start.
  await page.evaluate(() => localStorage.removeItem('session.currentLibrary'));
  await page.goto(server.url);
  await expect(page.getByRole('heading', { name: 'Create a library' })).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Name', { exact: true }).fill(`${founder.library} anew`);
  await page.getByRole('button', { name: 'Create library' }).click();
  await expect(page.getByRole('heading', { name: `${founder.library} anew`, level: 1 })).toBeVisible();

  await openLibrary(heir.page, renamed);
  await heir.page.getByRole('link', { name: 'Old plans' }).click();
  await heir.page.getByRole('link', { name: 'Settings', exact: true }).click();
  await heir.page.getByRole('button', { name: 'Delete shelf' }).click();
  const dialog = heir.page.getByRole('dialog');
  await expect(dialog.getByRole('button', { name: 'Delete shelf' })).toBeDisabled();
  await dialog.getByLabel('Type “Old plans” to go on').fill('Old plans');
  await dialog.getByRole('button', { name: 'Delete shelf' }).click();
  await expect(heir.page.getByRole('heading', { name: 'No shelves yet' })).toBeVisible();
  await heir.page.getByRole('link', { name: 'Settings', exact: true }).click();
  await expect(heir.page.getByText('Invite somebody to one of its shelves first.')).toBeVisible();
  await heir.page.getByRole('button', { name: 'Delete library' }).click();
  await dialog.getByLabel(`Type “${renamed}” to go on`).fill(renamed);
  await dialog.getByRole('button', { name: 'Delete library' }).click();
  await expect(heir.page).toHaveURL(`${server.url}/${heir.username}`);
  await expect(heir.page.getByRole('link', { name: new RegExp(heir.library) })).toBeVisible();
  await expect(heir.page.getByRole('link', { name: new RegExp(renamed) })).toHaveCount(0);
  await heir.page.goto(server.url);
  await expect(heir.page.getByRole('heading', { name: heir.library, level: 1 })).toBeVisible();
});

test('a plan tells its limits and its use, and a full one says so first (web-and-phone.md §9)', async ({ browser }) => {
  const { page, library } = await newcomer(browser);
  await page.getByRole('button', { name: 'Account' }).click();
  await expect(page.getByRole('menuitem', { name: 'Plans' })).toBeDisabled();
  await page.keyboard.press('Escape');
  await page.goto(`${server.url}/plans`);
  const own = page.getByRole('listitem').filter({ hasText: 'Your plan' });
  await expect(own).toContainText('Unverified');
  await expect(own).toContainText('2 shelves');
  await expect(page.getByRole('listitem').filter({ hasText: 'Enterprise Plan' })).toContainText('Unlimited documents');
  await expect(page.getByRole('listitem').filter({ hasText: 'Pro Plan' })).toContainText('100,000 documents');
  await expectAccessible(page);
  for (const name of ['One', 'Two']) {
    await openLibrary(page, library);
    await createShelf(page, name);
  }
  await openLibrary(page, library);
  await page.getByRole('button', { name: 'New shelf' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('No room for another shelf');
  await expect(dialog).toContainText('Your plan allows 2 shelves in all libraries, and 2 are in use.');
  await expectAccessible(page);
  await dialog.getByRole('link', { name: 'Compare plans' }).click();
  await expect(page).toHaveURL(`${server.url}/plans`);
  await page.getByRole('link', { name: 'Show use' }).click();
  await expect(page).toHaveURL(`${server.url}/billing`);
  await expect(page.getByRole('listitem').filter({ hasText: /^Shelves/ })).toContainText('2 of 2');
  await expect(page.getByRole('listitem').filter({ hasText: /^Documents/ })).toContainText('0 of 50');
  await expectAccessible(page);
});

test('somebody changes their name, password, mails and second step, and signs other devices out', async ({
  browser,
}) => {
  const somebody = await verified(browser);
  const { page } = somebody;
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('menuitem', { name: 'Settings' }).click();
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible();
  await page.getByLabel('Your name').fill('Berta Binder');
  await page.getByRole('button', { name: 'Save' }).click();
  await said(page, 'Saved');
  await expect(page.getByText('Berta Binder')).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('link', { name: 'Notifications' }).click();
  await page.getByLabel('One mail a day with what is new').check();
  await said(page, 'Saved');
  await page.reload();
  await expect(page.getByLabel('One mail a day with what is new')).toBeChecked();
  await expectAccessible(page);

  const other = await (await browser.newContext()).newPage();
  await signIn(other, somebody);
  await expect(other.getByRole('heading', { name: somebody.library, level: 1 })).toBeVisible();
  await page.getByRole('link', { name: 'Sign-in and security' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'Web browser' })).toHaveCount(2);
  await expectAccessible(page);
  await page.getByLabel('Present password').fill('not the present one');
  await page.getByLabel('New password').fill('short');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText('Use at least 8 characters.')).toBeVisible();
  await page.getByLabel('New password').fill('five quiet reading rooms');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText('This is not your present password.')).toBeVisible();
  await page.getByLabel('Present password').fill(somebody.password);
  await page.getByRole('button', { name: 'Change password' }).click();
  await said(page, 'Password changed. Other devices were signed out.');
  await expect(page.getByRole('listitem').filter({ hasText: 'Web browser' })).toHaveCount(1);
  await expect(page.getByText('This device')).toBeVisible();

  await page.getByRole('button', { name: 'Set up' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('img', { name: 'QR code with the key for an authenticator app' })).toBeVisible();
  await expectAccessible(page);
  const secret = (await dialog.locator('.second-step__key').innerText()).replaceAll(' ', '');
  await dialog.getByLabel('Code of the app').fill('000000');
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  await expect(dialog.getByText('This code is not right.')).toBeVisible();
  await dialog.getByLabel('Code of the app').fill(new TOTP({ secret }).generate());
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  await expect(dialog.getByRole('listitem')).toHaveCount(10);
  await expectAccessible(page);
  const code = await dialog.getByRole('listitem').first().innerText();
  await dialog.getByRole('button', { name: 'I have kept them' }).click();
  await expect(page.getByText('10 recovery codes left.')).toBeVisible();
  await page.getByRole('button', { name: 'Turn off' }).click();
  await dialog.getByLabel('Password, or a code').fill(code);
  await dialog.getByRole('button', { name: 'Turn off' }).click();
  await expect(page.getByRole('button', { name: 'Set up' })).toBeVisible();

  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await dialog.getByRole('button', { name: 'Sign out everywhere' }).click();
  await expect(page).toHaveURL(`${server.url}/`);
  await expect(page.getByRole('button', { name: 'Login / Signup' }).first()).toBeVisible();
});

test('an account is deleted after its name was typed, and signed out (web-and-phone.md §4)', async ({ browser }) => {
  const somebody = await newcomer(browser);
  const { page } = somebody;
  await settings(page, 'profile');
  await page.getByRole('button', { name: 'Delete account' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText(somebody.library);
  await expectAccessible(page);
  await dialog.getByLabel(`Type “${somebody.username}” to go on`).fill(somebody.username);
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await expect(page).toHaveURL(`${server.url}/`);
  await expect(page.getByRole('button', { name: 'Login / Signup' }).first()).toBeVisible();
  await signIn(page, somebody);
  await expect(page.getByText(/wrong/)).toBeVisible();

  await settings(owner.page, 'profile');
  await owner.page.getByRole('button', { name: 'Delete account' }).click();
  const refusal = owner.page.getByRole('dialog');
  await refusal.getByLabel(/^Type/).fill(owner.username);
  await refusal.getByRole('button', { name: 'Delete account' }).click();
  await expect(refusal.getByRole('alert')).toContainText('You are the only administrator of this server.');
});
