import { randomUUID } from 'node:crypto';
import { type BrowserContext, devices, expect, type Page, test } from '@playwright/test';
import { expectAccessible } from '../../helpers/browser/accessible.ts';
import { takePicture } from '../../helpers/browser/picture.ts';
import { runServer } from '../../helpers/browser/runServer.ts';
import { commitFiles, createShelf, documentFile, person, signUp, textFile } from '../../helpers/browser/steps.ts';

/** The phones that every screen has to fit (issue 8), each in CSS pixels. The page takes itself for the iPhone's. */
const { defaultBrowserType: _webkit, ...IPHONE } = devices['iPhone 15'];
const SIZES = {
  small: { width: 320, height: 658 },
  iphone: IPHONE.viewport,
  large: { width: 430, height: 932 },
  landscape: devices['iPhone 15 landscape'].viewport,
} as const;
type Size = keyof typeof SIZES;

const LONG_WORD = 'Grundstücksverkehrsgenehmigungszuständigkeitsübertragungsverordnung';
const SHELF = `Contracts of the northern reading room, ${LONG_WORD}`.slice(0, 64);
const DOCUMENT = `leases/2026/${LONG_WORD}_as_it_was_signed_by_all_of_them.txt`;

declare global {
  interface Window {
    /** What the page asked of the phone about which way up it is. */
    turned?: string[];
  }
}

/** Lets the page believe that it may decide which way up it is, which only installed ones may. */
const installed = (context: BrowserContext) =>
  context.addInitScript(() => {
    window.turned = [];
    Object.assign(screen.orientation, {
      lock: async (to: string) => void window.turned?.push(to),
      unlock: () => void window.turned?.push('free'),
    });
  });

/** What a thumb cannot hit well. Links within a text are as high as its lines, and a field goes with its label. */
const smallTargets = (page: Page) =>
  page.evaluate(() => {
    const pressed =
      'a[href], button, input, select, textarea, summary, [role="tab"], [role="option"], [role="menuitem"]';
    /** With what is laid over it or around it for the thumb. */
    const sizeOf = (element: Element) => {
      const { width, height } = element.getBoundingClientRect();
      const around = getComputedStyle(element, '::after');
      if (around.position !== 'absolute') return [width, height] as const;
      return [
        Math.max(width, Number.parseFloat(around.width)),
        Math.max(height, Number.parseFloat(around.height)),
      ] as const;
    };
    return [...document.querySelectorAll<HTMLElement>(pressed)].flatMap((element) => {
      const [width, height] = sizeOf(element.closest('label') ?? element);
      const { bottom } = element.getBoundingClientRect();
      const isSeen = element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
      const isThere = isSeen && bottom + scrollY > 0 && element.closest('[inert]') === null;
      const isInText = getComputedStyle(element).display === 'inline' && element.closest('p, dd') !== null;
      if (!isThere || isInText || Math.min(width, height) <= 1 || Math.min(width, height) >= 43.5) return [];
      return `${Math.round(width)}×${Math.round(height)} ${element.outerHTML.slice(0, 140)}`;
    });
  });

/** What reaches beyond the right edge, where something does. */
const tooWide = (page: Page) =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    return [...document.querySelectorAll('body *')]
      .filter((element) => element.getBoundingClientRect().right > clientWidth + 1)
      .map((element) => `${element.tagName}.${element.className}`.slice(0, 80))
      .slice(-4);
  });

/** Looks at a screen in every size, for barriers in the smallest, in the dark too. */
async function look(page: Page, name: string, sizes = Object.keys(SIZES) as Size[]): Promise<void> {
  await expect(page.locator('.loading, .state > .spinner')).toHaveCount(0);
  expect.soft(await page.title(), `title of ${name}`).not.toBe('');
  for (const size of sizes) {
    await page.setViewportSize(SIZES[size]);
    expect.soft(await tooWide(page), `${name}, ${size}: beside the screen`).toEqual([]);
    expect.soft(await smallTargets(page), `${name}, ${size}: too small`).toEqual([]);
    await takePicture(page, `${name} ${size}`);
  }
  await page.setViewportSize(SIZES.small);
  await expectAccessible(page, name);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page, `${name} in the dark`, ['color-contrast']);
  await takePicture(page, `${name} dark`);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(IPHONE.viewport);
}

test('every screen of a phone fits small, large and turned phones (web-and-phone.md §2)', async ({ browser }) => {
  test.setTimeout(600_000);
  const server = await runServer();
  // Answers that are made up here are not seen by pages that a service worker stands before.
  const phone = { ...IPHONE, deviceScaleFactor: 1, reducedMotion: 'reduce', serviceWorkers: 'block' } as const;
  const context = await browser.newContext(phone);
  await installed(context);
  const page = await context.newPage();
  const bar = page.getByRole('banner');
  const turned = () => page.evaluate(() => window.turned?.at(-1));
  try {
    // What there is to see.
    const unique = person();
    const who = await signUp(page, server.url, { ...unique, library: `Library of ${LONG_WORD}`.slice(0, 64) });
    await page.getByRole('button', { name: 'Use necessary cookies only' }).tap();
    const library = new URL(page.url()).pathname;
    await createShelf(page, 'Empty');
    const empty = new URL(page.url()).pathname;
    await page.goto(server.url + library);
    await createShelf(page, SHELF);
    const shelf = new URL(page.url()).pathname;
    const text = `The tenant of the ${LONG_WORD} pays.\n`.repeat(60);
    await commitFiles(
      page,
      [textFile(DOCUMENT, text), documentFile('lease.pdf'), documentFile('lease.docx'), textFile('gone.txt', 'gone\n')],
      `the first draft, for the ${LONG_WORD}`,
    );
    const ofShelf = `/api/v1/library/${library.split('/').at(-1)}/shelf/${shelf.split('/').at(-1)}`;
    const call = async (path: string, data: object): Promise<Record<string, unknown>> => {
      const headers = { origin: server.url, 'idempotency-key': randomUUID() };
      const answer = await page.request.post(server.url + path, { headers, data });
      expect(answer.ok(), `${path} ${await answer.text()}`).toBe(true);
      return (await answer.json()) as Record<string, unknown>;
    };
    const detail = await page.request.get(`${server.url}${ofShelf}/detail/`);
    const { documents } = (await detail.json()) as {
      documents: { id: string; name: string; current_version_id: string }[];
    };
    const named = (name: string) => documents.find((each) => each.name === name);
    await call(`/api/v1/documents/${named('gone.txt')?.id}/delete/`, {});
    await call(`${ofShelf}/comments/`, { comment: `Who signs the ${LONG_WORD}?` });
    await call(`${ofShelf}/members/invite/`, {
      members: [],
      emails: [`${'long.'.repeat(8)}name@example.org`],
      role: 'viewer',
    });
    const open = await call(`${ofShelf}/share-links/`, {
      kind: 'document',
      document_id: named('lease.pdf')?.id,
      label: LONG_WORD.slice(0, 60),
    });
    const locked = await call(`${ofShelf}/share-links/`, { kind: 'shelf', password: 'a long enough password' });

    // The screens of somebody who is signed in, with what the bar calls them.
    const version = (name: string) => `${shelf}/version/${named(name)?.current_version_id}`;
    const short = (name: string) => name.slice(0, 12);
    const screens: readonly (readonly [name: string, address: string, title: string])[] = [
      ['library', library, short(who.library)],
      ['libraries', `/m/${who.username}`, 'Library'],
      ['library settings', `${library}/settings`, short(who.library)],
      ['shelf', shelf, short(SHELF)],
      ['shelf empty', empty, 'Empty'],
      ['shelf comments', `${shelf}?tab=comments`, short(SHELF)],
      ['shelf members', `${shelf}?tab=members`, short(SHELF)],
      ['shelf history', `${shelf}?tab=history`, short(SHELF)],
      ['shelf settings', `${shelf}/settings`, short(SHELF)],
      ['upload', `${shelf}/upload`, short(SHELF)],
      ['share', `${shelf}/share`, short(SHELF)],
      ['share statistics', `${shelf}/share/stat`, short(SHELF)],
      ['version text', version(DOCUMENT), 'Document'],
      ['version pdf', version('lease.pdf'), 'Document'],
      ['version docx', version('lease.docx'), 'Document'],
      ['favorites', '/m/favorites', 'Favorites'],
      ['trash', '/m/trash', 'Trash'],
      ['search', '/m/search', 'Search'],
      ['search results', '/m/search?q=tenant', 'Search'],
      ['search without results', '/m/search?q=nowhere', 'Search'],
      ...['profile', 'security', 'notifications', 'invitations', 'appearance', 'offline'].map(
        (tab) => [`settings ${tab}`, `/m/settings?tab=${tab}`, 'Settings'] as const,
      ),
      ['not found', `${library}/nowhere/at/all`, 'Armarium'],
      ['terms', '/m/terms', 'Armarium'],
    ];
    for (const [name, address, title] of screens) {
      await page.goto(server.url + address);
      await expect(bar, name).toContainText(title);
      await expect(page.getByRole('heading', { level: 1 }), name).toHaveCount(1);
      if (name === 'version pdf') await expect(page.locator('.pdf__canvas canvas').first()).toBeVisible();
      if (name === 'search results') await expect(page.getByRole('option').first()).toBeVisible();
      // Lists are held upright, documents either way.
      if (name === 'library' || name === 'shelf') expect.soft(await turned(), name).toBe('portrait');
      if (name === 'version text') expect.soft(await turned(), name).toBe('free');
      await look(page, name);
    }

    // What opens over them.
    await page.goto(server.url + version('lease.pdf'));
    for (const name of ['Version history', 'Comments']) {
      await page.getByRole('button', { name }).tap();
      await expect(page.getByRole('dialog', { name })).toBeVisible();
      await look(page, `sheet ${name}`);
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
    }
    // The layer's entry in the history is left a moment after the layer, which would end the way to another address.
    await page.waitForFunction(() => history.state?.isGuard !== true);
    await page.goto(server.url + library);
    await bar.getByRole('button', { name: 'Menu' }).tap();
    await expect(page.getByRole('dialog', { name: 'Menu' })).toBeVisible();
    await look(page, 'sidebar');
    await page.keyboard.press('Escape');
    await bar.getByRole('button', { name: /^Notifications/u }).tap();
    await expect(page.getByRole('dialog', { name: 'Notifications' })).toContainText('No notifications');
    await look(page, 'notifications');

    // A server that does not do what it should.
    await page.route(`**${ofShelf}/detail/**`, (route) =>
      route.fulfill({ status: 500, json: { error: { code: 'internal', message: 'broken' } } }),
    );
    await page.goto(server.url + shelf);
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
    await look(page, 'error');

    // Guests: the start, signing in, and what was shared with them.
    await context.clearCookies();
    await page.unrouteAll();
    await page.evaluate(() => localStorage.removeItem('session.signedIn'));
    const path = (link: Record<string, unknown>) => `/m${new URL(String(link.url)).pathname}`;
    for (const [name, address, text] of [
      ['home', '/', 'Login / Signup'],
      ['shared document', path(open), 'lease.pdf'],
      ['shared locked', path(locked), 'assword'],
      ['shared not found', '/m/shared/not-found', 'Armarium'],
      ['shared expired', '/m/shared/expired', 'Armarium'],
    ] as const) {
      await page.goto(server.url + address);
      await expect(page.locator('body'), name).toContainText(text);
      await look(page, name);
    }
    await page.goto(server.url);
    await page.getByRole('button', { name: 'Login / Signup' }).first().tap();
    await expect(page.getByLabel('Password')).toBeVisible();
    await look(page, 'sign in');
  } finally {
    await context.close();
    await server.close();
  }
});
