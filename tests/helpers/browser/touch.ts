import type { Locator, Page } from '@playwright/test';

/** Where a finger is, in CSS pixels. */
export interface Finger {
  readonly x: number;
  readonly y: number;
}

const STEPS = 6;

/** A finger of which the browser is told by the system. */
async function openTouch(page: Page) {
  const session = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: readonly Finger[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: [...points] });
  return { session, touch };
}

/** Keeps a finger on something until `isPressed` has come true. */
export async function press(page: Page, place: Locator, isPressed: () => Promise<void>): Promise<void> {
  const { session, touch } = await openTouch(page);
  const box = await place.boundingBox();
  if (box === null) throw new Error('what is to be pressed is not on the screen');
  await touch('touchStart', [{ x: box.x + box.width / 2, y: box.y + box.height / 2 }]);
  await isPressed();
  await touch('touchEnd', []);
  await session.detach();
}

/** Moves one finger over the screen. */
export async function swipe(page: Page, from: Finger, to: Finger): Promise<void> {
  const { session, touch } = await openTouch(page);
  await touch('touchStart', [from]);
  for (let step = 1; step <= STEPS; step += 1) {
    const part = step / STEPS;
    await touch('touchMove', [{ x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part }]);
  }
  await touch('touchEnd', []);
  await session.detach();
}
