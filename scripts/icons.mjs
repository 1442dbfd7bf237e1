/** Draws the icons of the installed web application from the logo, after a change of it: `npm run icons`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, withSetup } from './setup.mjs';
import { CHROMIUM_FLAGS, ensureSystemTools } from './systemTools.mjs';

const FOLDER = join(root, 'resources', 'icons');

/**
 * Each with its size, and the part of it that the logo takes. Where the ground is drawn, the system cuts a shape of its own
 * out of it: what must stay lies within four fifths of its breadth.
 */
const ICONS = [
  { name: 'icon-192.png', size: 192, part: 1, hasGround: false },
  { name: 'icon-512.png', size: 512, part: 1, hasGround: false },
  { name: 'maskable-512.png', size: 512, part: 0.88, hasGround: true },
  { name: 'apple-touch-180.png', size: 180, part: 1, hasGround: true },
];

await withSetup(import.meta.url, async () => {
  const { chromium } = await import('@playwright/test');
  const { CHROMIUM_PATH } = await ensureSystemTools();
  const { colors } = JSON.parse(readFileSync(join(root, 'resources', 'brand.json'), 'utf8'));
  const logo = readFileSync(join(FOLDER, 'armarium.svg'), 'utf8');
  const browser = await chromium.launch({ executablePath: CHROMIUM_PATH, args: CHROMIUM_FLAGS });
  for (const { name, size, part, hasGround } of ICONS) {
    const page = await browser.newPage({ viewport: { width: size, height: size } });
    const ground = hasGround ? colors.accent : 'transparent';
    await page.setContent(
      `<style>body { margin: 0; background: ${ground}; display: grid; place-items: center; height: 100vh }
      svg { width: ${part * 100}vw }</style>${logo}`,
    );
    await page.screenshot({ path: join(FOLDER, 'web', name), omitBackground: true });
    await page.close();
  }
  await browser.close();
  return 0;
});
