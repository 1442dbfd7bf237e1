import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { results } from '../../helpers/browser/steps.ts';
import { type DesktopApp, launchDesktop } from '../../helpers/electron/desktop.ts';
import { findInFiles, signUpHere } from '../../helpers/electron/steps.ts';

const FILES = 12_000;

test.describe.configure({ mode: 'serial' });

let home: string;
let workspace: string;
let app: DesktopApp;
let page: Page;

test.beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'armarium-indexing-'));
  workspace = join(home, 'workspace');
  await mkdir(workspace);
  await writeFile(join(workspace, 'early.txt'), 'an early word\n');
  app = await launchDesktop({ userData: join(home, 'user') });
  page = app.page;
});
test.afterAll(async () => {
  await app.close();
  await rm(home, { recursive: true, force: true });
});

/** Many files at once, by the renaming of a folder that was filled elsewhere. */
async function addFiles(folder: string): Promise<void> {
  await mkdir(join(home, folder));
  for (let at = 0; at < FILES; at += 500) {
    await Promise.all(
      Array.from({ length: 500 }, (_, more) =>
        writeFile(join(home, folder, `${at + more}.txt`), `${folder} number ${at + more}\n`.repeat(400)),
      ),
    );
  }
  await rename(join(home, folder), join(workspace, folder));
}

async function expectAccessible(): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).include('main').analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
}

test('a person pauses indexing, finds what is there already, and resumes it', async ({ browser }) => {
  await signUpHere(app, browser);
  await app.answerDialog('showOpenDialog', { canceled: false, filePaths: [workspace] });
  await page.getByRole('button', { name: 'Choose folder' }).click();
  await expect(page.getByText('1 of 1 files searchable')).toBeVisible();

  await addFiles('late');
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByText(/Indexing is paused at [\d,]+ of [\d,]+ files/)).toBeVisible();
  await expectAccessible();
  await findInFiles(page, 'early');
  await expect(results(page)).toContainText(['early.txt']);
  await expect(page.getByText(/Indexing is paused at/).last()).toBeVisible();
  await page.getByRole('button', { name: 'Resume' }).last().click();
  await page.keyboard.press('Escape');
  await expect(page.getByText('12,001 of 12,001 files searchable')).toBeVisible({ timeout: 30_000 });
  await expect(page.getByText('Up to date')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Pause' })).toHaveCount(0);
});
