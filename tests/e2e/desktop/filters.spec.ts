import { mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import Papa from 'papaparse';
import { commitFiles, createShelf, results, textFile } from '../../helpers/browser/steps.ts';
import { type DesktopApp, launchDesktop } from '../../helpers/electron/desktop.ts';
import { findInFiles, signUpHere } from '../../helpers/electron/steps.ts';

test.describe.configure({ mode: 'serial' });

const DAY_MS = 24 * 3600_000;

let home: string;
let workspace: string;
let app: DesktopApp;
let page: Page;

async function write(name: string, content: string, daysAgo = 0): Promise<void> {
  const file = join(workspace, name);
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(file, content);
  const then = new Date(Date.now() - daysAgo * DAY_MS);
  await utimes(file, then, then);
}

test.beforeAll(async ({ browser }) => {
  home = await mkdtemp(join(tmpdir(), 'armarium-filters-'));
  workspace = join(home, 'workspace');
  await write('Legal/Leases/old.md', 'The clause stands.\n', 400);
  await write('Legal/Letters/letter.txt', 'Many clauses, and one clause.\n', 3);
  await write('Tax/2025/form.csv', 'part,subclause 7\n');
  await write('loose.txt', 'CLAUSE\n');
  // What an expression can try in so many ways that none comes to an end.
  await write('slow.txt', `b${'a'.repeat(60)}!\n`);
  app = await launchDesktop({ userData: join(home, 'user') });
  page = app.page;
  await signUpHere(app, browser);
  await app.answerDialog('showOpenDialog', { canceled: false, filePaths: [workspace] });
  await page.getByRole('button', { name: 'Choose folder' }).click();
  await expect(page.getByText('5 of 5 files searchable')).toBeVisible();
  await page
    .getByRole('link', { name: /^Library / })
    .first()
    .click();
  await createShelf(page, 'Contracts');
  await commitFiles(page, [textFile('sent.txt', 'a clause that was sent\n')], 'As sent');
});
test.afterAll(async () => {
  await app.close();
  await rm(home, { recursive: true, force: true });
});

const find = (query: string) => findInFiles(page, query);
const expectCount = (count: number, tab = 'Current Workspace') =>
  expect(page.getByRole('tab', { name: new RegExp(`^${tab} ${count}$`, 'u') })).toBeVisible();

test('each filter and each switch changes the count, and both tabs keep them (field.md row 72)', async () => {
  await find('clause');
  await expectCount(4);
  await expectCount(1, 'History');
  await page.getByRole('button', { name: 'Filters' }).click();
  const words = (label: string) => page.getByLabel(label, { exact: true });
  for (const [label, value, workspaceCount, historyCount] of [
    ['Library', 'legal', 2, 0],
    ['Shelf', 'Leases', 1, 0],
    ['Shelf', 'Contracts', 0, 1],
    ['Author (in History)', 'Ana', 4, 1],
    ['Author (in History)', 'Nobody', 4, 0],
    ['Only in', '*.md, *.csv', 2, 0],
    ['Not in', 'Legal', 2, 1],
  ] as const) {
    await words(label).fill(value);
    await expectCount(workspaceCount);
    await expectCount(historyCount, 'History');
    await words(label).fill('');
    await expectCount(4);
  }
  for (const [label, option, workspaceCount] of [
    ['Type', 'Text', 3],
    ['Type', 'Spreadsheets', 1],
    ['Date', 'Past year', 3],
    ['Date', 'Past day', 2],
  ] as const) {
    const choice = page.getByRole('combobox', { name: label, exact: true });
    await choice.selectOption(option);
    await expectCount(workspaceCount);
    await choice.selectOption('');
    await expectCount(4);
  }
  for (const [name, workspaceCount] of [
    ['Match whole word', 3],
    ['Match case', 3],
  ] as const) {
    await page.getByRole('button', { name }).click();
    await expectCount(workspaceCount);
    await page.getByRole('button', { name }).click();
    await expectCount(4);
  }
  await page.getByRole('button', { name: 'Use regular expression' }).click();
  await find('clause \\d');
  await expectCount(1);
});

test('an expression that takes too long is given up with a message (field.md row 72)', async () => {
  await find('(a+)+b');
  await expect(page.getByRole('alert')).toContainText('This expression takes too long. Make it more specific.');
  // The next one is answered all the same.
  await find('clause$');
  await expectCount(1);
  await page.getByRole('button', { name: 'Use regular expression' }).click();
});

test('the exported list is the list (field.md row 72)', async () => {
  await find('clause');
  await expectCount(4);
  const names = await results(page).locator('.result__name').allTextContents();
  expect(names).toHaveLength(4);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export list' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('clause.csv');
  const { data } = Papa.parse<{ name: string }>(await readFile(await file.path(), 'utf8'), { header: true });
  expect(data.map(({ name }) => name)).toEqual(names);
});
