import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Locator, type Page, test } from '@playwright/test';
import { api } from '../../../src/shared/api/index.ts';
import type { Shelf } from '../../../src/shared/model/library.ts';
import { expectAccessible } from '../../helpers/browser/accessible.ts';
import { person } from '../../helpers/browser/steps.ts';
import { type DesktopApp, launchDesktop } from '../../helpers/electron/desktop.ts';
import { signUpHere } from '../../helpers/electron/steps.ts';
import { addMember } from '../../helpers/members.ts';
import { createAccount, signIn, TestClient, uploadFiles } from '../../helpers/server.ts';

test.describe.configure({ mode: 'serial' });

const who = person();
let home: string;
let app: DesktopApp;
let page: Page;
let mine: TestClient;
/** Somebody else who may commit to the shelf. */
let other: TestClient;
let otherName: string;
let shelf: Shelf;
/** Where the shelf is kept. */
let folder: string;

test.beforeAll(async ({ browser }) => {
  home = await mkdtemp(join(tmpdir(), 'armarium-workspace-'));
  await mkdir(join(home, 'workspace'));
  app = await launchDesktop({ userData: join(home, 'user') });
  page = app.page;
  const origin = await signUpHere(app, browser, who);
  await expect(page.getByRole('heading', { name: /Good to see you/ })).toBeVisible();

  mine = new TestClient(origin);
  await signIn(mine, who);
  shelf = await mine.call(api.shelves.create, { params: { lib: who.library }, body: { name: 'Contracts' } });
  const files = ['lease', 'plan', 'away'].map((name) => ({ name: `${name}.txt`, content: `${name} as it was\n` }));
  await uploadFiles(mine, shelf, [...files, { name: 'Old/deed.txt', content: 'a deed\n' }], 'first');
  const created = await createAccount(origin);
  other = created;
  otherName = created.account.username;
  addMember({ dataDir: join(home, 'user', 'server') }, shelf.id, otherName, 'editor');
});
test.afterAll(async () => {
  await app.close();
  await rm(home, { recursive: true, force: true });
});

const onDisk = (name: string) => readFile(join(folder, name), 'utf8').catch(() => null);
const state = (text: string | RegExp) => page.getByRole('link', { name: text });
const dialog = () => page.getByRole('dialog', { name: 'Changes in Contracts' });
const row = (name: string): Locator => dialog().getByRole('listitem').filter({ hasText: name });
const codeOf = (name: string) => row(name).locator('abbr');
const close = async () => {
  await dialog().getByRole('button', { name: 'Close' }).last().click();
  await expect(dialog()).toHaveCount(0);
};

test('a shelf is kept on this computer, in a folder that is chosen on the way', async () => {
  await app.answerDialog('showOpenDialog', { canceled: true, filePaths: [] });
  const keep = page.getByRole('button', { name: /^Keep on this computer.*Contracts$/ });
  await keep.click();
  await expect.poll(async () => (await app.recorded()).dialogs.length).toBe(1);
  await expect(keep).toBeEnabled();
  await app.answerDialog('showOpenDialog', { canceled: false, filePaths: [join(home, 'workspace')] });
  await keep.click();
  await expect(state(/^In step.*Contracts$/)).toBeVisible();
  folder = await page.evaluate(
    "window.armarium.invoke('workspace.checkouts').then((answer) => answer.value[0].folder)",
  );
  expect(folder.startsWith(join(home, 'workspace'))).toBe(true);
  expect(await onDisk('lease.txt')).toBe('lease as it was\n');
  expect(await onDisk(join('Old', 'deed.txt'))).toBe('a deed\n');
  await expectAccessible(page);
});

test('what is edited, added and deleted on the disk is listed with its code', async () => {
  await writeFile(join(folder, 'lease.txt'), 'lease, edited on my desk\n');
  await writeFile(join(folder, 'new.txt'), 'new on my desk\n');
  await writeFile(join(folder, 'draft.txt'), 'not ready yet\n');
  await rm(join(folder, 'away.txt'));
  await state(/^4 changes.*Contracts$/).click();
  await expect(codeOf('lease.txt')).toHaveText('M');
  await expect(codeOf('new.txt')).toHaveText('A');
  await expect(codeOf('draft.txt')).toHaveText('A');
  await expect(codeOf('away.txt')).toHaveText('D');
  await expect(row('lease.txt')).toContainText('Changed here');
  await expectAccessible(page);
});

test('ticks and message stay while files change, and when the dialog was closed', async () => {
  await dialog().getByRole('checkbox', { name: 'Commit draft.txt' }).uncheck();
  await dialog().getByLabel('Commit message').fill('from my desk');
  await writeFile(join(folder, 'more.txt'), 'more of it\n');
  await expect(codeOf('more.txt')).toHaveText('A');
  await close();
  await expect(state(/^5 changes/)).toBeFocused();
  await state(/^5 changes/).click();
  await expect(dialog().getByRole('checkbox', { name: 'Commit draft.txt' })).not.toBeChecked();
  await expect(dialog().getByLabel('Commit message')).toHaveValue('from my desk');
  await expect(dialog()).toContainText('4 of 5 selected');
});

test('the chosen changes are committed with their message, and are on the shelf', async () => {
  await dialog().getByRole('button', { name: 'Commit 4 changes' }).click();
  await expect(dialog().getByRole('listitem')).toHaveCount(1);
  await expect(codeOf('draft.txt')).toHaveText('A');
  await expect(dialog().getByLabel('Commit message')).toHaveValue('');
  await close();
  await expect(page.getByRole('link', { name: /from my desk/ })).toContainText('4 changes');
  await page.getByRole('link', { name: /^Contracts/ }).click();
  await expect(page.getByRole('heading', { name: 'Contracts', level: 1 })).toBeVisible();
  await expect(page.getByRole('row', { name: /lease\.txt/ })).toContainText('v2');
  await expect(page.getByRole('row', { name: /away\.txt/ })).toHaveCount(0);
  await expect(page.getByRole('row', { name: /draft\.txt/ })).toHaveCount(0);
  await page.getByRole('banner').getByRole('link', { name: 'Overview' }).click();
});

test('what others commit comes by itself', async () => {
  await uploadFiles(other, shelf, [{ name: 'theirs.txt', content: 'by somebody else\n' }], 'another desk');
  await expect.poll(() => onDisk('theirs.txt')).toBe('by somebody else\n');
  await uploadFiles(other, shelf, [{ name: 'theirs.txt', content: 'by somebody else, again\n' }], 'another desk');
  await expect.poll(() => onDisk('theirs.txt')).toBe('by somebody else, again\n');
});

test('a document that was changed here and there is a conflict; to keep both loses neither', async () => {
  await writeFile(join(folder, 'plan.txt'), 'my plan\n');
  await expect(state(/^2 changes/)).toBeVisible();
  await uploadFiles(other, shelf, [{ name: 'plan.txt', content: 'their plan\n' }], 'another plan');
  await state(/^1 conflict/).click();
  await expect(codeOf('plan.txt')).toHaveText('C');
  await expect(row('plan.txt').getByRole('link', { name: 'Version 2 on the shelf' })).toBeVisible();
  await expect(row('plan.txt')).toContainText(`by ${otherName}`);
  expect(await onDisk('plan.txt')).toBe('my plan\n');
  await expectAccessible(page);
  await row('plan.txt').getByRole('button', { name: 'Keep both' }).click();
  await expect.poll(() => onDisk('plan.txt')).toBe('their plan\n');
  await expect(dialog().getByRole('region', { name: 'Conflicts' })).toHaveCount(0);
  const copies = (await readdir(folder)).filter((name) => name.startsWith('plan') && name !== 'plan.txt');
  expect(copies).toHaveLength(1);
  expect(await onDisk(copies[0] ?? '')).toBe('my plan\n');
  await expect(codeOf(copies[0] ?? '')).toHaveText('A');
});

test('what was done here is discarded after a question, one by one and all at once', async () => {
  await writeFile(join(folder, 'lease.txt'), 'a mistake\n');
  await expect(codeOf('lease.txt')).toHaveText('M');
  await row('lease.txt').getByRole('button', { name: 'Discard the changes of lease.txt' }).click();
  const question = page.getByRole('dialog', { name: 'Discard the change of lease.txt?' });
  await expect(question).toContainText('trash of this computer');
  await question.getByRole('button', { name: 'Discard 1 change' }).click();
  await expect.poll(() => onDisk('lease.txt')).toBe('lease, edited on my desk\n');
  await expect(row('lease.txt')).toHaveCount(0);
  await rm(join(folder, 'new.txt'));
  await expect(codeOf('new.txt')).toHaveText('D');
  await dialog()
    .getByRole('checkbox', { name: /selected$/ })
    .check();
  await dialog().getByRole('button', { name: 'Discard 3 changes' }).click();
  await page
    .getByRole('dialog', { name: 'Discard 3 changes?' })
    .getByRole('button', { name: /^Discard/ })
    .click();
  await expect(dialog()).toContainText('Everything is as on the shelf.');
  expect(await onDisk('new.txt')).toBe('new on my desk\n');
  expect(await onDisk('draft.txt')).toBeNull();
});

test('a file is shown in its folder, and the folder itself', async () => {
  await writeFile(join(folder, 'Old', 'deed.txt'), 'a newer deed\n');
  await row('deed.txt').getByRole('button', { name: 'Show deed.txt in its folder' }).click();
  await expect.poll(async () => (await app.recorded()).shownItems).toEqual([join(folder, 'Old', 'deed.txt')]);
  await dialog().getByRole('button', { name: 'Open folder' }).click();
  await expect.poll(async () => (await app.recorded()).shownItems.at(-1)).toBe(folder);
});

test('a shelf is kept no longer, and its files stay', async () => {
  await dialog().getByRole('button', { name: 'Stop keeping' }).click();
  const question = page.getByRole('dialog', { name: 'Stop keeping Contracts on this computer?' });
  await question.getByRole('button', { name: 'Stop keeping' }).click();
  await expect(page.getByRole('button', { name: /^Keep on this computer.*Contracts$/ })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(await onDisk(join('Old', 'deed.txt'))).toBe('a newer deed\n');
});
