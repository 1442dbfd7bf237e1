import { expect, test } from '@playwright/test';
import { api } from '../../../src/shared/api/index.ts';
import { expectAccessible } from '../../helpers/browser/accessible.ts';
import { type RunningServer, runServer } from '../../helpers/browser/runServer.ts';
import { commitFiles, textFile } from '../../helpers/browser/steps.ts';
import { addMember } from '../../helpers/members.ts';
import { createAccount, uploadFiles } from '../../helpers/server.ts';

// What is just fading in has not its contrast yet.
test.use({ contextOptions: { reducedMotion: 'reduce' } });

/** More than come with the first call. */
const COUNT = 300;
const LONG_NAME = `letter0 ${'about a very long winter in the reading room '.repeat(4)}.txt`;

let server: RunningServer;
test.beforeAll(async () => {
  server = await runServer();
});
test.afterAll(() => server.close());

test('a long shelf is sorted, filtered, selected and followed as a whole', async ({ page, context }) => {
  const client = await createAccount(server.url);
  const params = { lib: client.account.library };
  const shelf = await client.call(api.shelves.create, { params, body: { name: 'Letters' } });
  const numbered = Array.from({ length: COUNT - 1 }, (_, index) => `letter${index + 1}.txt`);
  await uploadFiles(
    client,
    shelf,
    [LONG_NAME, ...numbered].map((name) => ({ name, content: name })),
  );
  await context.addCookies([...client.cookies].map(([name, value]) => ({ name, value, url: server.url })));
  const grid = page.getByRole('grid', { name: 'Documents' });
  const rows = grid.locator('tbody tr');
  const link = (name: string) => rows.getByRole('link', { name, exact: true });

  await test.step('its beginning shows at once, as long as it will be', async () => {
    const rest = Promise.withResolvers<void>();
    await page.route(/\/detail\/.*after=/u, async (route) => {
      await rest.promise;
      await route.continue();
    });
    await page.goto(`${server.url}/${encodeURIComponent(shelf.library)}/${shelf.id}`);
    await expect(rows.nth(1)).toContainText('letter1.txt');
    await expect(rows.nth(2)).toContainText('letter2.txt');
    await expect(grid).toHaveAttribute('aria-rowcount', String(COUNT + 1));
    await expect(page.getByText(`${COUNT} documents`)).toBeVisible();
    await expect(page.getByRole('checkbox', { name: 'Select all' })).toBeDisabled();
    const { height } = (await grid.boundingBox()) ?? { height: 0 };
    rest.resolve();
    await expect(page.getByRole('checkbox', { name: 'Select all' })).toBeEnabled();
    expect((await grid.boundingBox())?.height).toBe(height);
  });

  await test.step('only what is in sight is drawn, by numbers within the names', async () => {
    await expect(grid).toHaveAttribute('aria-rowcount', String(COUNT + 1));
    await expect(rows.nth(1)).toContainText('letter1.txt');
    await expect(rows.nth(2)).toContainText('letter2.txt');
    expect(await rows.count()).toBeLessThan(60);
    await expectAccessible(page);
  });

  await test.step('a long name is cut and shows whole on hover; every row is as tall', async () => {
    await expect(rows.first().getByRole('link')).toHaveAttribute('title', LONG_NAME);
    const heights = await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height));
    expect(new Set(heights).size).toBe(1);
  });

  await test.step('keys reach the ends and every name', async () => {
    await rows.first().getByRole('link').focus();
    await page.keyboard.press('End');
    await expect(link(`letter${COUNT - 1}.txt`)).toBeFocused();
    await expect(link(`letter${COUNT - 1}.txt`)).toBeInViewport();
    await page.keyboard.type('letter150');
    await expect(link('letter150.txt')).toBeFocused();
    await expect(link('letter150.txt')).toBeInViewport();
    await page.keyboard.press('Shift+Home');
    await expect(page.getByRole('region', { name: 'Selection' })).toContainText('151 selected');
    await page.keyboard.press('Escape');
    await page.getByRole('checkbox', { name: 'Select all' }).check();
    await expect(page.getByRole('region', { name: 'Selection' })).toContainText(`${COUNT} selected`);
    await page.getByRole('checkbox', { name: 'Select all' }).uncheck();
  });

  await test.step('another order and a filter are those of all documents', async () => {
    await grid.getByRole('button', { name: 'Name' }).click();
    await expect(rows.first()).toContainText(`letter${COUNT - 1}.txt`);
    await page.getByRole('searchbox', { name: 'Filter documents' }).fill('LETTER29');
    await expect(rows).toHaveCount(11);
    await expect(rows.first()).toContainText('letter299.txt');
    await page.getByRole('searchbox', { name: 'Filter documents' }).fill('');
    await expect(grid).toHaveAttribute('aria-rowcount', String(COUNT + 1));
  });

  await test.step('what others commit comes in at its place, and the list stays where it was', async () => {
    await page.mouse.wheel(0, 6000);
    await expect(link('letter195.txt')).toBeInViewport();
    const place = await page.evaluate(() => scrollY);
    await uploadFiles(client, shelf, [{ name: 'letter1000.txt', content: 'the latest' }]);
    await expect(grid).toHaveAttribute('aria-rowcount', String(COUNT + 2));
    expect(await page.evaluate(() => scrollY)).toBe(place);
    await page.evaluate(() => scrollTo(0, 0));
    await expect(rows.first()).toContainText('letter1000.txt');
  });

  await test.step('what anybody changes comes in without the whole list', async () => {
    const reads: string[] = [];
    page.on('request', (request) => {
      if (/\/(detail|changes)\//u.test(request.url())) reads.push(request.url());
    });
    const member = await createAccount(server.url);
    addMember(server, shelf.id, member.account.username, 'editor');
    const at = { lib: shelf.library, id: shelf.id };
    const { documents } = await client.call(api.documents.shelfDetail, { params: at });
    const idOf = (wanted: string) => documents.find(({ name }) => name === wanted)?.id ?? '';
    const lastCommit = page.getByRole('region', { name: 'Last commit' });

    await member.call(api.documents.rename, {
      params: { id: idOf('letter1.txt') },
      body: { name: 'letter2000.txt', message: 'another number' },
    });
    await expect(rows.first()).toContainText('letter2000.txt');
    await expect(lastCommit).toContainText('another number');
    await member.call(api.documents.remove, {
      params: { id: idOf('letter1000.txt') },
      body: { message: 'not needed' },
    });
    await expect(grid).toHaveAttribute('aria-rowcount', String(COUNT + 1));
    await expect(rows.nth(1)).toContainText('letter299.txt');
    await expect(lastCommit).toContainText('not needed');

    await rows.first().getByRole('link').focus();
    await page.keyboard.press('Delete');
    await expect(grid).toHaveAttribute('aria-rowcount', String(COUNT));
    await page.getByRole('alert').getByRole('button', { name: 'Undo' }).click();
    await expect(rows.first()).toContainText('letter2000.txt');
    await rows.first().getByRole('link').focus();
    await page.keyboard.press('F2');
    await page.getByLabel('New name of letter2000.txt').fill('letter1000.txt');
    await page.keyboard.press('Enter');
    await expect(rows.first()).toContainText('letter1000.txt');
    await commitFiles(page, [textFile('letter999.txt', 'mine')], 'one more');
    await expect(rows.nth(1)).toContainText('letter999.txt');
    await expect(grid).toHaveAttribute('aria-rowcount', String(COUNT + 2));

    expect(reads.length).toBeGreaterThan(0);
    expect(reads.filter((url) => url.includes('/detail/'))).toEqual([]);
  });

  await test.step('on a phone each row is taller, and as tall as the others', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    const heights = () => rows.evaluateAll((all) => new Set(all.map((row) => row.getBoundingClientRect().height)).size);
    await expect.poll(heights).toBe(1);
    await expect(rows.first()).toContainText('letter1000.txt');
    await expectAccessible(page);
  });
});
