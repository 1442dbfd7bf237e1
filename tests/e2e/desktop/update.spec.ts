import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { type DesktopApp, desktopKind, launchDesktop } from '../../helpers/electron/desktop.ts';
import { signUpHere } from '../../helpers/electron/steps.ts';

test.describe.configure({ mode: 'serial' });
// An Electron that is not packaged has no installation to replace.
test.skip(desktopKind() === 'electron', 'needs an installation that updates itself, which the stand-in plays');

/** A program that says that it was started, with something to fetch behind it. */
const NEW_APP = `#!/bin/sh\ntouch "$(dirname "$0")/started"\nexit 0\n${'# the new application\n'.repeat(40_000)}`;

let home: string;
let app: DesktopApp;
let page: Page;

async function launch(version: string): Promise<void> {
  app = await launchDesktop({
    userData: join(home, 'user'),
    env: {
      STAND_IN_VERSION: version,
      STAND_IN_RESOURCES: join(home, 'resources'),
      STAND_IN_KEYCHAIN_SECRET: 'of this test',
      // No keychain of the machine that runs the test.
      DBUS_SESSION_BUS_ADDRESS: 'disabled:',
      APPIMAGE: join(home, 'Armarium-0.1.0.AppImage'),
      XDG_CACHE_HOME: join(home, 'cache'),
    },
  });
  page = app.page;
}

test.beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'armarium-updating-'));
  await mkdir(join(home, 'resources'));
  await writeFile(join(home, 'resources', 'app-update.yml'), 'provider: generic\nupdaterCacheDirName: updates\n');
  await writeFile(join(home, 'Armarium-0.1.0.AppImage'), 'the old application');
  await chmod(join(home, 'Armarium-0.1.0.AppImage'), 0o755);
  await mkdir(join(home, 'user'));
  await writeFile(join(home, 'user', 'settings.json'), JSON.stringify({ automaticUpdates: false }));
  await launch('0.1.0');
});
test.afterAll(async () => {
  await app.close();
  await rm(home, { recursive: true, force: true });
});

/** Publishes a version on the server that the application uses, by the administrator who is signed in. */
async function publish(version: string, notes: string): Promise<void> {
  const draft = { version, platform: 'linux', release_notes: notes };
  await page.evaluate(
    async ({ draft: body, name, content }) => {
      const send = async (method: string, path: string, json: unknown) => {
        const answer = await fetch(`/api/v1/appinfo/app-versions/${path}`, {
          method,
          headers: { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
          body: typeof json === 'string' ? json : JSON.stringify(json),
        });
        if (!answer.ok) throw new Error(await answer.text());
        return (await answer.json()) as { id: string };
      };
      const { id } = await send('POST', '', body);
      await send('PUT', `${id}/files/${name}`, content);
      await send('PUT', `${id}/`, { ...body, published: true });
    },
    { draft, name: `Armarium-${version}.AppImage`, content: NEW_APP },
  );
}

const toast = () => page.locator('.update-toast');
const settings = () => page.getByRole('region', { name: 'Updates' });
const preference = (name: string) => settings().getByRole('radio', { name });

/** Chooses what happens unasked; the shell's answer shows it. */
async function prefer(name: string): Promise<void> {
  await preference(name).click();
  await expect(preference(name)).toBeChecked();
}

/** Says that data is to be saved, as Chromium tells a page. */
async function saveData(isSaving: boolean): Promise<void> {
  await page.evaluate((value) => {
    const { connection } = navigator as unknown as { connection: EventTarget };
    Object.defineProperty(connection, 'saveData', { value, configurable: true });
    connection.dispatchEvent(new Event('change'));
  }, isSaving);
}

test('a person looks for updates by hand, and there is none', async ({ browser }) => {
  await signUpHere(app, browser);
  await page.getByRole('link', { name: 'Settings' }).click();
  await expect(page.getByText('Encrypted with a key of this operating system.')).toBeVisible();
  // Kept from a version that knew on and off.
  await expect(preference('Never')).toBeChecked();
  await settings().getByRole('button', { name: 'Check for updates' }).click();
  await expect(page.locator('.Toastify')).toContainText('You are using the latest version.');
  await expect(settings()).toContainText('You are using the latest version.');
});

test('an update is offered with its notes, closed, asked for again, and fetched (desktop-shell.md §2, §4)', async () => {
  await publish('0.2.0', '## Quicker\n\nSearches are **quicker**. <script>alert(1)</script>');
  await settings().getByRole('button', { name: 'Check for updates' }).click();
  await expect(toast()).toContainText('Update available');
  await expect(toast()).toContainText('Version 0.2.0');
  const notes = page.frameLocator('iframe[title="What is new in version 0.2.0"]');
  await expect(notes.getByRole('heading', { name: 'Quicker' })).toBeVisible();
  await expect(notes.locator('script')).toHaveCount(0);
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).include('.update-toast').analyze();
  expect(violations.map(({ id }) => id)).toEqual([]);
  await toast().getByRole('button', { name: 'Close' }).click();
  await expect(toast()).toHaveCount(0);
  await expect(settings().getByRole('button', { name: 'Update', exact: true })).toBeVisible();
  await prefer('Notify only');
  await expect(settings()).toContainText('Version 0.2.0 is available.');
  // It fetches by itself what was found, unless data is to be saved.
  await saveData(true);
  await prefer('Automatic');
  await expect(settings()).toContainText('Version 0.2.0 is available.');
  await expect(settings().getByRole('button', { name: 'Update', exact: true })).toBeVisible();
  await saveData(false);
  await prefer('Notify only');
  await prefer('Automatic');
  await expect(settings()).toContainText('Version 0.2.0 is ready to be installed.');
  await expect(settings().getByRole('button', { name: 'Restart to apply update' })).toBeVisible();
});

test('it is installed where the person was, and the new version goes on there', async () => {
  await page.getByRole('link', { name: 'Overview' }).first().click();
  await page
    .getByRole('link', { name: /^Library / })
    .first()
    .click();
  await expect(page.getByRole('heading', { level: 1, name: /^Library / })).toBeVisible();
  const place = new URL(page.url()).pathname;
  await page.keyboard.press('Control+Alt+F');
  const input = page.getByRole('searchbox', { name: 'Find in files' });
  await input.fill('clause nine');
  await input.press('Enter');
  await page.getByRole('tab', { name: /History/ }).click();
  await page.getByRole('button', { name: 'Match case' }).click();
  const ended = page.waitForEvent('close');
  await toast().getByRole('button', { name: 'Update now' }).click();
  await ended;
  await app.close();
  await expect.poll(() => existsSync(join(home, 'started'))).toBe(true);
  expect(await readFile(join(home, 'Armarium-0.2.0.AppImage'), 'utf8')).toBe(NEW_APP);
  expect(existsSync(join(home, 'Armarium-0.1.0.AppImage'))).toBe(false);

  await launch('0.2.0');
  await expect(toast()).toHaveText('Update complete');
  await expect(toast()).toHaveCount(0);
  await expect(page.getByRole('searchbox', { name: 'Find in files' })).toHaveValue('clause nine');
  await expect(page.getByRole('tab', { name: /History/ })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('button', { name: 'Match case' })).toHaveAttribute('aria-pressed', 'true');
  expect(new URL(page.url()).pathname).toBe(place);
});
