import { expect, test } from '@playwright/test';
import { api } from '../../../src/shared/api/index.ts';
import { expectAccessible } from '../../helpers/browser/accessible.ts';
import { type RunningServer, runServer } from '../../helpers/browser/runServer.ts';
import { createAccount } from '../../helpers/server.ts';

// What is just fading in has not its contrast yet.
test.use({ contextOptions: { reducedMotion: 'reduce' } });

let server: RunningServer;
test.beforeAll(async () => {
  server = await runServer();
});
test.afterAll(() => server.close());

test('a library of many shelves has a filter, a short one has none', async ({ page, context }) => {
  const client = await createAccount(server.url);
  const params = { lib: client.account.library };
  await context.addCookies([...client.cookies].map(([name, value]) => ({ name, value, url: server.url })));
  const filter = page.getByRole('searchbox', { name: 'Filter shelves' });
  const tiles = page.getByRole('region', { name: 'Shelves' }).getByRole('listitem');
  const make = (name: string) => client.call(api.shelves.create, { params, body: { name } });
  for (let number = 1; number < 12; number += 1) await make(`Letters of ${1900 + number}`);
  await page.goto(`${server.url}/${encodeURIComponent(client.account.library)}`);
  await expect(tiles).toHaveCount(11);
  await expect(filter).toBeHidden();
  await make('Straße');
  await page.reload();
  await expect(tiles).toHaveCount(12);
  await filter.fill('STRASSE');
  await expect(tiles).toHaveText([/Straße/u]);
  await expect(page.getByRole('status').filter({ hasText: '1 shelf' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(tiles).toHaveCount(12);
  await filter.fill('nothing like it');
  await expect(page.getByText('No shelf is named like “nothing like it”.')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Clear the filter' }).click();
  await expect(tiles).toHaveCount(12);
});
