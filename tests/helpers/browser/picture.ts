import { type Page, test } from '@playwright/test';

/** Keeps a picture of a screen in the test's folder for whoever asks for them by `ARMARIUM_TEST_PICTURES`; no check needs them. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (process.env.ARMARIUM_TEST_PICTURES === undefined) return;
  await page.screenshot({ path: test.info().outputPath(`${name.slice(0, 60)}.png`), scale: 'css' });
}
