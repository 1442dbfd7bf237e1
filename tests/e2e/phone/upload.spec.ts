import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from '../../helpers/browser/accessible.ts';
import { type Network, network, slowDown } from '../../helpers/browser/network.ts';
import { type RunningServer, runServer } from '../../helpers/browser/runServer.ts';
import { createShelf, type GivenFile, signUp } from '../../helpers/browser/steps.ts';

// The width that row 50 of the field names; what is fading in has not its contrast yet.
test.use({ viewport: { width: 375, height: 667 }, contextOptions: { reducedMotion: 'reduce' } });

let server: RunningServer;
let between: Network;
test.beforeAll(async () => {
  server = await runServer();
  between = await network(server.url);
});
test.afterAll(async () => {
  await between.close();
  await server.close();
});

const tray = (page: Page) => page.getByRole('region', { name: 'Uploads' });
/** What a camera gives: the same name whatever it is of. */
const photo = (bytes: number, fill: number): GivenFile => ({
  name: 'image.jpg',
  mimeType: 'image/jpeg',
  buffer: Buffer.alloc(bytes, fill),
});

async function commit(page: Page, files: number): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: `Commit ${files} file${files === 1 ? '' : 's'}` }).click();
}

declare global {
  interface Window {
    /** What stood in the place of content, as the page itself saw it: no test looks often enough. */
    stoodIn?: string[];
  }
}

const watchPlaces = (page: Page) =>
  page.addInitScript(() => {
    const seen: string[] = [];
    window.stoodIn = seen;
    new MutationObserver(() => {
      if (document.querySelector('.loading') !== null) seen.push('skeleton');
      if (document.querySelector('.spinner') !== null) seen.push('spinner');
    }).observe(document, { childList: true, subtree: true });
  });
const stoodIn = (page: Page) => page.evaluate(() => window.stoodIn ?? []);

test('over 3G lists open by their shape, and uploads outlive a break and the page (field.md rows 65, 66)', async ({
  page,
  context,
}) => {
  test.slow();
  const who = await signUp(page, between.url);
  const library = page.url();
  await createShelf(page, 'Field notes');
  const shelf = page.url();
  const fast = await slowDown(page);
  await watchPlaces(page);
  await page.goto(library);
  await expect(page.getByRole('link', { name: /Field notes/ })).toBeVisible();
  expect(await stoodIn(page)).toContain('skeleton');
  await page.goto(shelf);
  await expect(page.getByRole('tab', { name: 'Files' })).toBeVisible();
  // Its first call begins with the top bar: it may be answered before the screen's own code is there.
  expect((await stoodIn(page)).length).toBeGreaterThan(0);

  // Photos of one name, none of which takes the place of another, and one just taken.
  await page.getByRole('link', { name: 'Upload', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Take a photo' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Choose folder' })).toBeHidden();
  await expectAccessible(page);
  await expect(page.getByTestId('upload-camera')).toHaveAttribute('capture', 'environment');
  await page.getByTestId('upload-camera').setInputFiles([photo(10, 1)]);
  await expect(page.getByRole('dialog').getByText(/^Photo \d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d\.jpg$/)).toBeVisible();
  await commit(page, 1);
  await expect(tray(page).getByText('1 file committed')).toBeVisible({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Dismiss' }).click();

  await page.getByTestId('upload-photos').setInputFiles([photo(300_000, 2), photo(300_000, 3)]);
  await expect(page.getByRole('dialog').getByText('image (2).jpg')).toBeVisible();
  await expectAccessible(page);
  await commit(page, 2);
  await expect(tray(page).getByText('Uploading')).toBeVisible({ timeout: 60_000 });
  between.cut();
  await expect(tray(page).getByText('Waiting for a connection')).toBeVisible({ timeout: 60_000 });
  await expectAccessible(page);
  between.restore();
  await expect(tray(page).getByText('Uploading')).toBeVisible({ timeout: 60_000 });

  // The system takes the page away, and another finds the files again.
  await page.close();
  await fast().catch(() => undefined);
  const next = await context.newPage();
  await next.goto(shelf);
  const left = next.getByRole('complementary', { name: 'Uploads' });
  await expect(left.getByText('An upload was interrupted')).toBeVisible();
  await left.getByRole('button', { name: 'Resume' }).click();
  await expect(left.getByText('2 files committed')).toBeVisible();
  await expect(next.getByRole('grid').locator('tbody tr')).toHaveCount(3);
  await expect(next.getByText(who.library).first()).toBeAttached();

  // Another application shares two files with this one.
  await expect
    .poll(() => next.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.active?.state))
    .toBe('activated');
  await next.goto(shelf);
  await next.evaluate(() => {
    const form = document.createElement('form');
    Object.assign(form, { method: 'POST', action: '/receive', enctype: 'multipart/form-data' });
    const input = Object.assign(document.createElement('input'), { type: 'file', name: 'files', multiple: true });
    const data = new DataTransfer();
    data.items.add(new File(['one\n'], 'shared note.txt', { type: 'text/plain' }));
    data.items.add(new File(['two\n'], 'A very long name of a document that somebody gave it on another phone.txt'));
    input.files = data.files;
    form.append(input);
    document.body.append(form);
    form.submit();
  });
  await expect(next.getByRole('heading', { name: 'Shared with this app' })).toBeVisible();
  await expect(next.getByRole('list', { name: 'Files that wait' }).getByRole('listitem')).toHaveCount(2);
  await expectAccessible(next);
  await next.reload();
  await next.getByLabel('Shelf').selectOption({ label: 'Field notes' });
  await next.getByRole('button', { name: 'Continue' }).click();
  await commit(next, 2);
  await expect(tray(next).getByText('2 files committed')).toBeVisible();
  await next.goto(`${between.url}/receive`);
  await expect(next.getByText('Nothing waits for a shelf')).toBeVisible();
});

test('the application is installable, and what nobody takes in is said', async ({ page, request }) => {
  await page.goto(between.url);
  const href = await page.locator('link[rel="manifest"]').getAttribute('href');
  const manifest = (await (await request.get(between.url + (href ?? ''))).json()) as {
    readonly name: string;
    readonly start_url: string;
    readonly display: string;
    readonly icons: readonly { readonly src: string; readonly sizes: string; readonly purpose: string }[];
  };
  expect(manifest).toMatchObject({ name: 'Armarium', start_url: '/', display: 'standalone' });
  const touch = (await page.locator('link[rel="apple-touch-icon"]').getAttribute('href')) ?? '';
  const icons = [...manifest.icons, { src: touch, sizes: '180x180', purpose: 'touch' }];
  expect(icons.map(({ sizes, purpose }) => `${purpose} ${sizes}`)).toEqual([
    'any 192x192',
    'any 512x512',
    'maskable 512x512',
    'touch 180x180',
  ]);
  for (const { src, sizes } of icons) {
    const size = await page.evaluate(async (address) => {
      const image = new Image();
      image.src = address;
      await image.decode();
      return `${image.naturalWidth}x${image.naturalHeight}`;
    }, src);
    expect(size).toBe(sizes);
  }
  // Chromium's own opinion.
  const devtools = await page.context().newCDPSession(page);
  const { errors } = await devtools.send('Page.getAppManifest');
  expect(errors).toEqual([]);
  const worker = await request.get(`${between.url}/service-worker.js`);
  expect(worker.headers()['content-security-policy']).toBe("default-src 'none'; connect-src 'self'");
  expect(worker.headers()['cache-control']).toBe('no-cache');
  // Without the service worker the server leads on to a page that says so.
  const shared = await request.post(`${between.url}/receive`, {
    multipart: { files: { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') } },
    maxRedirects: 0,
  });
  expect([shared.status(), shared.headers().location]).toEqual([303, '/receive?failed']);
});
