import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Locator, type Page, test } from '@playwright/test';
import { expectAccessible } from '../../helpers/browser/accessible.ts';
import { type RunningServer, runServer } from '../../helpers/browser/runServer.ts';
import { documentFile, results, signUpWithShelf, textFile } from '../../helpers/browser/steps.ts';

// What is just fading in has not its contrast yet.
test.use({ contextOptions: { reducedMotion: 'reduce' } });

let server: RunningServer;
test.beforeAll(async () => {
  server = await runServer();
});
test.afterAll(() => server.close());

async function openDocument(page: Page, name: string): Promise<void> {
  await page.getByRole('grid').getByRole('link', { name }).first().click();
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
}

/** Finds in files what was committed just now: the index takes it in beside. */
async function search(page: Page, query: string): Promise<void> {
  await expect(async () => {
    await page.goto(`${server.url}/search?q=${query}`);
    await expect(results(page)).toHaveCount(1, { timeout: 3000 });
  }).toPass();
}

const field = (page: Page): Locator => page.getByRole('textbox', { name: 'Find in document' });
const status = (page: Page): Locator => page.getByRole('search', { name: 'Find in document' }).getByRole('status');
const text = (page: Page): Locator => page.getByRole('region', { name: 'Text of the document' });
const active = (page: Page): Locator => text(page).locator('mark[data-active="true"]');

/** A contract of a thousand lines with ten of what is sought, in several cases. */
const CONTRACT = Array.from({ length: 1000 }, (_, at) =>
  at % 100 === 50 ? `Line ${at + 1}: the Term of TERMination` : `Line ${at + 1}: nothing else`,
).join('\n');

test('a match from Find in files arrives found, and next and previous go round the ends', async ({ page }) => {
  await signUpWithShelf(page, server.url, 'Papers', ['a contract', textFile('contract.txt', CONTRACT)]);
  await search(page, 'term');
  await expect(page.getByRole('tabpanel')).toContainText('20 matches');
  await results(page).first().dblclick();
  await expect(status(page)).toHaveText('1 of 20');
  await expect(active(page)).toBeInViewport();
  await expect(active(page)).toHaveText('Term');
  await expectAccessible(page);

  await field(page).focus();
  await page.keyboard.press('Shift+Enter');
  await expect(status(page)).toHaveText('20 of 20');
  await expect(active(page)).toHaveText('TERM');
  await expect(text(page)).toContainText('Line 951');
  // The lock between two steps is short, but it is there.
  await expect(async () => {
    await page.keyboard.press('F3');
    await expect(status(page)).toHaveText('1 of 20', { timeout: 100 });
  }).toPass();

  await page.keyboard.press('Escape');
  await expect(field(page)).toBeHidden();
  await expect(text(page).locator('mark')).toHaveCount(0);
});

test('an address opens a document at a line, with what is found there', async ({ page }) => {
  await signUpWithShelf(page, server.url, 'Papers', ['a contract', textFile('contract.txt', CONTRACT)]);
  await openDocument(page, 'contract.txt');
  await page.goto(`${page.url()}?find=term&line=551`);
  await expect(status(page)).toHaveText('11 of 20');
  await expect(active(page)).toBeInViewport();
  await expect(text(page)).toContainText('Line 551');
});

test('the find bar is used by keyboard alone: it opens, counts, says when there is nothing, and gives the focus back', async ({
  page,
}) => {
  await signUpWithShelf(page, server.url, 'Papers', ['many', textFile('many.txt', 'word and word\n'.repeat(400))]);
  await openDocument(page, 'many.txt');
  await text(page).focus();
  await page.keyboard.press('ControlOrMeta+f');
  await expect(field(page)).toBeFocused();
  await page.keyboard.type('w');
  await expect(status(page)).toHaveText('');
  await page.keyboard.type('ord');
  await expect(status(page)).toHaveText('1 of 500+');
  await page.keyboard.type('less');
  await expect(status(page)).toHaveText('No matches');
  await expect(page.getByRole('button', { name: 'Next match' })).toBeDisabled();
  await page.keyboard.press('Escape');
  await expect(text(page)).toBeFocused();
  await page.goto(`${page.url()}?find=word`);
  await expect(status(page)).toHaveText('1 of 800');
});

test('source code has colours and line numbers, in light and in dark, also on a phone', async ({ page }) => {
  const code = [
    '/** Counts the reading rooms. */',
    'export function countRooms(rooms: readonly string[], floor = 3): number {',
    "  const quiet = rooms.filter((room) => room !== 'hall');",
    '  // The hall is no room of its own.',
    `  return quiet.length + floor; ${'x'.repeat(300)}`,
    '}',
  ].join('\n');
  await signUpWithShelf(page, server.url, 'Papers', ['code', textFile('rooms.ts', `${code}\n`.repeat(40))]);
  await openDocument(page, 'rooms.ts');
  await expect(text(page).locator('.hljs-keyword').first()).toHaveText('export');
  await expect(page.getByText('240 lines')).toBeVisible();
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.keyboard.press('ControlOrMeta+f');
    await page.keyboard.type('room');
    await expect(status(page)).toContainText('of');
    await expectAccessible(page, scheme);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await text(page).scrollIntoViewIfNeeded();
  await expect(field(page)).toBeVisible();
  await expectAccessible(page, 'phone');
  await page.setViewportSize({ width: 1280, height: 832 });

  await page.getByLabel('Go to line').fill('200');
  await page.getByLabel('Go to line').press('Enter');
  await expect(text(page).locator('.text-view__row--target')).toBeInViewport();
  const wrap = page.getByRole('button', { name: 'Wrap long lines' });
  await expect(wrap).toHaveAttribute('aria-pressed', 'true');
  await wrap.click();
  expect(await text(page).evaluate((box) => box.scrollWidth > box.clientWidth)).toBe(true);

  await page.getByRole('button', { name: 'Full screen' }).click();
  const frame = await page.locator('.viewer').boundingBox();
  const size = await page.evaluate(() => [innerWidth, innerHeight]);
  expect([frame?.width, frame?.height]).toEqual(size);
  await page.getByRole('button', { name: 'Leave full screen' }).click();
});

test('a match on a slide arrives there, and a document that is not drawn is read as text', async ({ page }) => {
  const unknown = { name: 'lease.unknown', mimeType: '', buffer: Buffer.from('Clause four\nClause five\n') };
  await signUpWithShelf(page, server.url, 'Papers', ['papers', documentFile('deck.pptx'), unknown]);
  const shelf = page.url();
  await search(page, '2026');
  await results(page).first().dblclick();
  await expect(page).toHaveURL(/find=2026&at=Slide\+2&line=1/u);
  await expect(status(page)).toHaveText('1 of 1');

  await page.goto(shelf);
  await openDocument(page, 'lease.unknown');
  await expect(text(page)).toContainText('Clause four');
  await page.keyboard.press('ControlOrMeta+f');
  await page.keyboard.type('clause');
  await expect(active(page)).toHaveText('Clause');
  await expectAccessible(page);
});

test('a hundred megabytes open at once, scroll to their end, and are found through', async ({ page }) => {
  const folder = await mkdtemp(join(tmpdir(), 'armarium-log-'));
  const file = join(folder, 'server.log');
  const line = (at: number) =>
    `2026-03-01T09:00:00Z INFO request ${String(at).padStart(8, '0')} was answered in 12 ms, as ever`;
  const parts = Array.from({ length: 13 }, (_, part) =>
    Array.from({ length: 110_000 }, (_each, at) => line(part * 110_000 + at)).join('\n'),
  );
  await writeFile(file, `${parts.join('\n')}\nthe very last line: needle\n`);
  await signUpWithShelf(page, server.url, 'Papers');
  await page.getByTestId('upload-files').setInputFiles(file);
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Commit message').fill('a log');
  await dialog.getByRole('button', { name: /^Commit \d+ files?$/ }).click();
  await expect(page.getByText(/\d+ files? committed/).first()).toBeVisible({ timeout: 60_000 });
  await rm(folder, { recursive: true });

  await page.getByRole('grid').getByRole('link', { name: 'server.log' }).first().click();
  await expect(text(page)).toContainText('request 00000000');
  await expect(page.getByText('1,430,001 lines')).toBeVisible({ timeout: 30_000 });
  await text(page).focus();
  await page.keyboard.press('End');
  await expect(text(page)).toContainText('the very last line: needle');
  await page.keyboard.press('Home');
  await expect(text(page)).toContainText('request 00000000');

  await page.keyboard.press('ControlOrMeta+f');
  await page.keyboard.type('NEEDLE');
  await expect(status(page)).toHaveText('1 of 1');
  await expect(active(page)).toBeInViewport();
  // A query that is typed anew ends the one before.
  await field(page).fill('nowhere in it');
  await field(page).fill('request 00700000');
  await expect(status(page)).toHaveText('1 of 1');
  await expect(active(page)).toBeInViewport();
  await page.getByLabel('Go to line').fill('1000000');
  await page.getByLabel('Go to line').press('Enter');
  await expect(text(page)).toContainText('request 00999999');
});
