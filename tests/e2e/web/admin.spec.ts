import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { DASHBOARD_CHILDREN, type DashboardChild } from '../../../src/renderer/app/routes.ts';
import { expectAccessible } from '../../helpers/browser/accessible.ts';
import { type RunningServer, runServer } from '../../helpers/browser/runServer.ts';
import { commitFiles, createShelf, type Person, signUp, textFile } from '../../helpers/browser/steps.ts';

// What is just fading in has not its contrast yet.
test.use({ contextOptions: { reducedMotion: 'reduce' } });

const TITLES: Readonly<Record<DashboardChild, string>> = {
  overview: 'Overview',
  notices: 'Notices',
  'app-versions': 'App versions',
  users: 'Users',
  shelves: 'Shelves',
  settings: 'Server settings',
  documents: 'Documents',
  analytics: 'Analytics',
  storage: 'Storage',
};

let server: RunningServer;
let context: BrowserContext;
let admin: Person;
let page: Page;
/** Somebody who is no administrator. */
let ben: Person;
let bens: Page;

test.beforeAll(async ({ browser }) => {
  server = await runServer();
  context = await browser.newContext({ reducedMotion: 'reduce' });
  page = await context.newPage();
  // The first account administers the server.
  admin = await signUp(page, server.url);
  await createShelf(page, 'Letters');
  await commitFiles(
    page,
    [textFile('alpha.txt', 'the same text'), textFile('beta.txt', 'the same text')],
    'Two letters',
  );
  bens = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
  ben = await signUp(bens, server.url);
});
test.afterAll(() => server.close());

async function open(child: DashboardChild): Promise<void> {
  await page.goto(`${server.url}/dashboard/${child}`);
  await expect(page.getByRole('heading', { name: TITLES[child], level: 1 })).toBeVisible();
  await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0);
}

const said = (text: string | RegExp) => expect(page.getByRole('alert').filter({ hasText: text }).first()).toBeVisible();
const row = (name: string | RegExp) => page.getByRole('row').filter({ hasText: name });
const dialog = () => page.getByRole('dialog');

async function actOn(name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

test('leads an administrator from the menu through its nine pages, and back', async () => {
  await page.goto(server.url);
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('menuitem', { name: 'Dashboard' }).click();
  await expect(page).toHaveURL(`${server.url}/dashboard/overview`);
  const navigation = page.getByRole('navigation', { name: 'Dashboard' });
  for (const child of DASHBOARD_CHILDREN) {
    await navigation.getByRole('link', { name: TITLES[child] }).click();
    await expect(page).toHaveURL(`${server.url}/dashboard/${child}`);
    await expect(page.getByRole('heading', { name: TITLES[child], level: 1 })).toBeVisible();
  }
  await page.goBack();
  await expect(page.getByRole('heading', { name: TITLES.analytics, level: 1 })).toBeVisible();
  await page.goto(`${server.url}/dashboard`);
  await expect(page).toHaveURL(`${server.url}/dashboard/overview`);
  await page.goto(`${server.url}/dashboard/nothing`);
  await expect(page.getByRole('link', { name: 'To the overview' })).toBeVisible();
});

test('is closed to everybody else', async ({ browser }) => {
  for (const path of ['/dashboard', '/dashboard/users', '/dashboard/nothing']) {
    await bens.goto(server.url + path);
    await expect(bens.getByRole('heading', { name: ben.library, level: 1 })).toBeVisible();
  }
  await bens.getByRole('button', { name: 'Account' }).click();
  await expect(bens.getByRole('menuitem', { name: 'Log out' })).toBeVisible();
  await expect(bens.getByRole('menuitem', { name: 'Dashboard' })).toHaveCount(0);
  const guest = await (await browser.newContext()).newPage();
  await guest.goto(`${server.url}/dashboard/users`);
  await expect(guest).toHaveURL(`${server.url}/`);
  await guest.context().close();
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`has no barriers in ${colorScheme} colours, nor in a narrow window`, async () => {
    await page.emulateMedia({ colorScheme });
    for (const child of DASHBOARD_CHILDREN) {
      await open(child);
      await expectAccessible(page);
      await page.setViewportSize({ width: 390, height: 844 });
      const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
      expect(await fits(), `${child} fits`).toBe(true);
      await expectAccessible(page);
      await page.setViewportSize({ width: 1280, height: 720 });
    }
    await page.emulateMedia({ colorScheme: null });
  });
}

test('overview: every figure leads to its rows, and who did what stands below', async () => {
  await open('overview');
  const counts = page.getByRole('list', { name: 'How much there is' });
  await expect(counts.getByRole('link', { name: 'Users' })).toContainText('2');
  await expect(counts.getByRole('link', { name: 'Documents' })).toContainText('2');
  await page.getByText('As a table').first().click();
  await expect(page.getByRole('table', { name: 'New users, 30 days' }).getByRole('cell')).toHaveText('2');
  await page.getByRole('link', { name: /failed$/ }).click();
  await expect(dialog().getByText(ben.email).first()).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(`${server.url}/dashboard/overview`);
  await counts.getByRole('link', { name: 'Libraries' }).click();
  await expect(row(ben.library)).toContainText(ben.username);
  await page.goBack();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('audit.csv');
});

test('notices: writes one with a preview, which everybody sees, changes it and deletes it', async () => {
  await open('notices');
  await page.getByRole('button', { name: 'New notice' }).click();
  await dialog().getByRole('button', { name: 'Save' }).click();
  await expect(dialog().getByText('A notice has to say something.')).toBeVisible();
  await dialog().getByLabel('Title').fill('Closed on Sunday');
  await dialog().getByRole('radio', { name: 'HTML' }).check({ force: true });
  await dialog().getByLabel('Content', { exact: true }).fill('<p>We <b>move</b>.<script>alert(1)</script></p>');
  const preview = dialog().getByRole('region', { name: 'Preview' });
  await expect(preview.getByRole('heading', { name: 'Closed on Sunday' })).toBeVisible();
  await expect(preview.frameLocator('iframe').getByText('We move.')).toBeVisible();
  await expectAccessible(page);
  await dialog().getByLabel('Shows until').fill('2001-01-01T10:00');
  await dialog().getByRole('button', { name: 'Save' }).click();
  await expect(dialog().getByText('A notice ends after it begins.')).toBeVisible();
  await dialog().getByLabel('Shows from').fill('2001-01-01T10:00');
  await dialog().getByLabel('Shows until').fill('2101-01-01T10:00');
  await dialog().getByRole('button', { name: 'Save' }).click();
  await said('Notice saved');
  await expect(row('Closed on Sunday')).toContainText('Showing');

  await bens.goto(server.url);
  await page.reload();
  for (const reader of [bens, page]) {
    await expect(reader.getByRole('dialog', { name: 'Closed on Sunday' })).toBeVisible();
    const told = reader.waitForResponse(/service-notices\/.*\/read/);
    await reader.getByRole('button', { name: 'Confirm' }).click();
    await told;
  }
  await page.reload();
  await page.getByLabel("Don't show this notice again").check();
  await page.getByRole('button', { name: 'Confirm' }).click();

  await page.getByRole('button', { name: 'Edit Closed on Sunday' }).click();
  await dialog().getByLabel('Active').uncheck();
  await dialog().getByRole('button', { name: 'Save' }).click();
  await expect(row('Closed on Sunday')).toContainText('Off');
  await expect(row('Closed on Sunday').getByRole('cell', { name: '2', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Delete Closed on Sunday' }).click();
  await dialog().getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('No notices')).toBeVisible();
});

test('users: finds, sorts, changes plans, disables, enables and signs out, but never the own account', async () => {
  await open('users');
  await page.getByRole('button', { name: `Actions for ${admin.username}` }).click();
  await expect(page.getByRole('menuitem')).toHaveText(['Unverified', 'Basic Plan', 'Pro Plan', 'Enterprise Plan']);
  await page.keyboard.press('Escape');
  await page.getByRole('columnheader', { name: 'Documents' }).getByRole('button').click();
  await expect(page.getByRole('rowheader').first()).toContainText(admin.email);
  await page.getByRole('columnheader', { name: 'Documents' }).getByRole('button').click();
  await expect(page.getByRole('rowheader').first()).toContainText(ben.email);
  await page.goBack();
  await expect(page.getByRole('rowheader').first()).toContainText(admin.email);

  await row(admin.email).getByRole('link').last().click();
  await expect(page.getByRole('button', { name: `Of ${admin.username}: show all instead` })).toBeVisible();
  await expect(page.getByRole('rowheader')).toHaveCount(2);
  await page.goBack();

  await page.getByRole('searchbox', { name: 'Search names and email addresses' }).fill(ben.email.toUpperCase());
  await expect(page.getByRole('rowheader')).toHaveCount(1);
  await actOn(ben.username, 'Pro Plan');
  await said(`${ben.username}: Pro Plan`);
  await expect(row(ben.email)).toContainText('Pro Plan');
  await page.getByRole('combobox', { name: 'Plan' }).selectOption('Enterprise Plan');
  await expect(page.getByText('Nothing matches')).toBeVisible();
  await page.getByRole('combobox', { name: 'Plan' }).selectOption('Pro Plan');

  await actOn(ben.username, 'Disable…');
  await expectAccessible(page);
  await dialog().getByRole('button', { name: 'Disable' }).click();
  await expect(row(ben.email)).toContainText('Disabled');
  await bens.reload();
  await expect(bens.getByRole('button', { name: 'Login / Signup' }).first()).toBeVisible();
  await actOn(ben.username, 'Enable');
  await expect(row(ben.email)).not.toContainText('Disabled');

  await actOn(ben.username, 'Sign out everywhere…');
  await dialog().getByRole('button', { name: 'Sign out everywhere' }).click();
  await said(`${ben.username} is signed out everywhere`);
  await actOn(ben.username, 'Mail a link');
  await said(`on its way to ${ben.username}`);
  await actOn(ben.username, 'Make administrator…');
  await dialog().getByRole('button', { name: 'Make administrator' }).click();
  await expect(row(ben.email)).toContainText('Administrator');
  await actOn(ben.username, 'Administrator no longer…');
  await dialog().getByRole('button', { name: 'Take it away' }).click();
  await expect(row(ben.email)).not.toContainText('Administrator');
});

test('shelves and documents: lead from library to shelf to documents, and back', async () => {
  await open('shelves');
  await page.getByRole('searchbox', { name: 'Search shelves' }).fill('lett');
  await expect(page).toHaveURL(/search=lett/);
  await expect(row('Letters')).toContainText(admin.library);
  await row('Letters').getByRole('link', { name: '2', exact: true }).click();
  await expect(page.getByRole('button', { name: `${admin.library} / Letters: show all instead` })).toBeVisible();
  await expect(page.getByRole('rowheader')).toHaveText([/alpha\.txt/, /beta\.txt/]);
  await page.getByRole('columnheader', { name: 'Document' }).getByRole('button').click();
  await expect(page.getByRole('rowheader')).toHaveText([/beta\.txt/, /alpha\.txt/]);
  await page.getByRole('searchbox', { name: 'Search names of documents' }).fill('gamma');
  await expect(page.getByText('Nothing matches')).toBeVisible();
  await page.goBack();
  await page.goBack();
  await expect(page.getByRole('searchbox', { name: 'Search shelves' })).toHaveValue('lett');
  await page.getByRole('radio', { name: 'Libraries' }).check({ force: true });
  await expect(row(ben.library)).toContainText(ben.username);
});

test('storage: tells what single storage saves, and collects', async () => {
  await open('storage');
  await expect(page.getByText('Saved by single storage').locator('..')).toContainText('13 Bytes');
  await expect(row(admin.library)).toContainText('26 Bytes');
  await page.getByRole('button', { name: 'Collect' }).click();
  await said('Collecting has begun.');
});

test('analytics: shows what was used, by period', async () => {
  await open('analytics');
  await expect(page.getByRole('table', { name: 'By kind' })).toContainText('Commits1');
  await page.getByRole('radio', { name: '7 days' }).check({ force: true });
  await expect(page.getByRole('region', { name: 'Uploads' })).toBeVisible();
});

test('app versions: records one, takes its installer, publishes it to the feed and deletes it', async () => {
  await open('app-versions');
  await page.getByRole('button', { name: 'New version' }).click();
  await dialog().getByRole('button', { name: 'Record' }).click();
  await expect(dialog().getByText('Enter three numbers')).toBeVisible();
  await dialog().getByRole('textbox', { name: 'Version' }).fill('1.2.3');
  await dialog().getByRole('radio', { name: 'Linux' }).check({ force: true });
  await dialog().getByLabel('Release notes').fill('- faster');
  await dialog().getByRole('button', { name: 'Record' }).click();
  await expect(dialog().getByText('Add the installers before the version is published.')).toBeVisible();
  await expectAccessible(page);
  await page.getByTestId('installers').setInputFiles(textFile('Armarium-1.2.3.AppImage', 'an installer'));
  await expect(dialog().getByText('Armarium-1.2.3.AppImage')).toBeVisible();
  await dialog().getByLabel('Published: clients update to it').check();
  await dialog().getByRole('button', { name: 'Publish' }).click();
  await said('Version 1.2.3 is published');
  expect(await (await fetch(`${server.url}/updates/latest-linux.yml`)).text()).toContain('"1.2.3"');

  await page.getByRole('button', { name: 'Edit 1.2.3' }).click();
  await expect(dialog().getByRole('textbox', { name: 'Version' })).toBeDisabled();
  await expect(dialog().getByRole('button', { name: 'Add files' })).toHaveCount(0);
  await dialog().getByLabel('Mandatory').check();
  await dialog().getByRole('button', { name: 'Save' }).click();
  await expect(row('1.2.3')).toContainText('Mandatory');
  await page.getByRole('button', { name: 'Delete 1.2.3' }).click();
  await expect(dialog().getByText('Clients can no longer update to it.')).toBeVisible();
  await dialog().getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('No versions')).toBeVisible();
});

test('settings: limits, sign-up, keeping, mail and providers are saved, and secrets never shown', async () => {
  await open('settings');
  await page.getByRole('radio', { name: 'Invited' }).click({ force: true });
  await expect(page.getByText('Only who was invited to a shelf may make an account.')).toBeVisible();
  const section = (name: string) => page.getByRole('region', { name, exact: true });

  const limits = section('Plan limits');
  await limits.getByLabel('Basic Plan: Shelves').fill('many');
  await expect(limits.getByRole('alert')).toBeVisible();
  await limits.getByLabel('Basic Plan: Shelves').fill('21');
  await limits.getByLabel('Pro Plan: Documents').fill('');
  await limits.getByRole('button', { name: 'Save' }).click();
  await said('Saved');

  const keeping = section('Keeping');
  await keeping.getByLabel('Days in the trash').fill('10');
  await keeping.getByRole('button', { name: 'Save' }).click();
  await expect(dialog()).toContainText('Keep less than before?');
  await dialog().getByRole('button', { name: 'Save' }).click();
  await expect(dialog()).toHaveCount(0);

  const mail = section('Mail');
  await mail.getByRole('button', { name: 'Send a test mail' }).click();
  await said(`A test mail is on its way to ${admin.email}`);
  await mail.getByLabel('Send mails by a mail server').check();
  await mail.getByRole('button', { name: 'Save' }).click();
  await expect(mail.getByText('This is needed.').first()).toBeVisible();
  await mail.getByLabel('Server', { exact: true }).fill('smtp.example.org');
  await mail.getByLabel('User', { exact: true }).fill('post');
  await expect(mail.getByText('Not set.')).toBeVisible();
  await mail.getByLabel('Password').fill('canary-password');
  await mail.getByLabel('Sender').fill('post@example.org');
  await mail.getByRole('button', { name: 'Save' }).click();
  await expect(mail.getByText('Set. It is never shown')).toBeVisible();

  const providers = section('Social providers');
  await providers.getByRole('button', { name: 'Add provider' }).click();
  await dialog().getByLabel('Client id').fill('armarium');
  await dialog().getByRole('button', { name: 'Save' }).click();
  await expect(dialog().getByText('This is needed.')).toBeVisible();
  await expectAccessible(page);
  await dialog().getByLabel('Client secret').fill('canary-secret');
  await dialog().getByRole('button', { name: 'Save' }).click();
  await expect(providers.getByRole('listitem')).toContainText('Secret set');

  await page.reload();
  await expect(page.getByLabel('Basic Plan: Shelves')).toHaveValue('21');
  await expect(page.getByLabel('Pro Plan: Documents')).toHaveValue('');
  await expect(page.getByLabel('Days in the trash')).toHaveValue('10');
  await expect(section('Mail').getByText('Set. It is never shown')).toBeVisible();
  expect(await page.content()).not.toContain('canary');
  await section('Social providers').getByRole('button', { name: 'Delete Google' }).click();
  await dialog().getByRole('button', { name: 'Delete' }).click();
  await expect(section('Social providers').getByRole('listitem')).toHaveCount(0);
  await section('Mail').getByLabel('Send mails by a mail server').uncheck();
  await section('Mail').getByRole('button', { name: 'Save' }).click();
  await said('Saved');
});

test('users: deletes an account with all it owns once its name is typed', async () => {
  await open('users');
  await actOn(ben.username, 'Delete account…');
  const confirm = dialog().getByRole('button', { name: 'Delete for good' });
  await expect(confirm).toBeDisabled();
  await dialog().getByRole('textbox').fill(ben.username);
  await confirm.click();
  await said(`${ben.username} is deleted`);
  await expect(row(ben.email)).toHaveCount(0);
});
