import type { Page } from '@playwright/test';

/** Where a finger is, in CSS pixels. */
export interface Finger {
  readonly x: number;
  readonly y: number;
}

const STEPS = 6;

/** Moves one finger over the screen, as the browser is told of it by the system. */
export async function swipe(page: Page, from: Finger, to: Finger): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: readonly Finger[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: [...points] });
  await touch('touchStart', [from]);
  for (let step = 1; step <= STEPS; step += 1) {
    const part = step / STEPS;
    await touch('touchMove', [{ x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part }]);
  }
  await touch('touchEnd', []);
  await session.detach();
}
