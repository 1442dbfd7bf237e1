import { expect, test } from '@playwright/test';
import { type RunningServer, runServer } from '../../helpers/browser/runServer.ts';
import { commitFiles, createShelf, signUp, textFile } from '../../helpers/browser/steps.ts';
import { press } from '../../helpers/browser/touch.ts';

// What is answered by a service worker cannot be held back.
test.use({ serviceWorkers: 'block' });

let server: RunningServer;
test.beforeAll(async () => {
  server = await runServer();
});
test.afterAll(() => server.close());

test('nothing moves when the font comes, and what can be done with a selection stays above the banner', async ({
  page,
}) => {
  await signUp(page, server.url);
  await createShelf(page, 'Letters');
  const letters = Array.from({ length: 20 }, (_, index) => textFile(`letter ${index + 1}.txt`, `${index}`));
  await commitFiles(page, letters, 'letters');
  const banner = page.getByRole('region', { name: 'Cookie Preferences' });
  const rows = page.getByRole('grid').locator('tbody tr');

  await test.step('the font comes after the page', async () => {
    const font = Promise.withResolvers<void>();
    await page.route(/\.woff2$/u, async (route) => {
      await font.promise;
      await route.continue();
    });
    await page.addInitScript(() => {
      Object.assign(window, { moved: [] });
      new PerformanceObserver((list) => {
        for (const { sources = [] } of list.getEntries() as (PerformanceEntry & { sources?: { node: Node }[] })[]) {
          for (const { node } of sources) {
            const part = (node instanceof Element ? node : node?.parentElement)?.closest('.cookies');
            if (part) (window as unknown as { moved: string[] }).moved.push(node.textContent ?? '');
          }
        }
      }).observe({ type: 'layout-shift', buffered: true });
    });
    await page.reload();
    await expect(rows.first()).toBeVisible();
    font.resolve();
    await expect(banner).toBeVisible();
    await page.evaluate(() => document.fonts.ready);
    expect(await page.evaluate(() => (window as unknown as { moved: string[] }).moved)).toEqual([]);
  });

  await test.step('the bar of a selection stands above the banner', async () => {
    const bar = page.getByRole('region', { name: 'Selection' });
    await rows.nth(2).evaluate((row) => row.scrollIntoView({ block: 'center' }));
    await press(page, rows.nth(2).getByRole('link'), () => expect(bar).toBeVisible());
    const [above, below] = [await bar.boundingBox(), await banner.boundingBox()];
    expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0);
    await bar.getByRole('button', { name: 'Delete' }).tap();
    await expect(page.getByRole('alert').filter({ hasText: 'in the trash' })).toBeVisible();
  });
});
