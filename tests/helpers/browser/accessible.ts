import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { takePicture } from './picture.ts';

let pictures = 0;

/**
 * Looks at a screen as it stands for barriers to people who do not use it by eye and mouse alone, with a picture of it for
 * those who do.
 * @param rules looks by these alone
 */
export async function expectAccessible(page: Page, message?: string, rules?: readonly string[]): Promise<void> {
  await page.evaluate(async () => {
    // Axe takes a dialog over a page that is scrolled for hidden, and so it does one that is still fading in.
    scrollTo(0, 0);
    const isBrief = ({ effect }: Animation) => Number(effect?.getComputedTiming().endTime) <= 1000;
    await Promise.allSettled(
      document
        .getAnimations()
        .filter(isBrief)
        .map(({ finished }) => finished),
    );
  });
  pictures += 1;
  const name = `${pictures} ${await page.title()}`.replaceAll(/[^\p{L}\p{N} .-]+/gu, ' ');
  await takePicture(page, name);
  // The frame of a notice runs no scripts, so none that looks at it either.
  const axe = new AxeBuilder({ page }).exclude('iframe').options({ resultTypes: ['violations'] });
  if (rules !== undefined) axe.withRules([...rules]);
  // Frames are left out, so that all is found within the page; otherwise each look opens another page to put it together.
  const { violations } = await axe.setLegacyMode(true).analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
  expect(found, message).toEqual([]);
}
