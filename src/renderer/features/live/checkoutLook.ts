import { logFailure } from '../../api/log.ts';
import type { CheckoutsCapability, Unsubscribe, WindowControls } from '../../platform/types.ts';
import type { LiveEvent } from './liveStream.ts';

/** Whether something was committed to a shelf, or who may commit there changed: kept shelves are looked at then, not minutes later. */
export function movesCheckouts({ type }: LiveEvent): boolean {
  return type === 'commit' || type === 'members' || type === 'resumed';
}

/** Looks at the kept shelves now; how that went shows in their states. */
export function lookAt(checkouts: Pick<CheckoutsCapability, 'sync'>): void {
  checkouts.sync().catch((error: unknown) => logFailure('checkouts', error));
}

/** Calls back whenever somebody comes back to the window: they may have worked in a kept folder meanwhile. */
export function onComeBack({ onChanged }: Pick<WindowControls, 'onChanged'>, comeBack: () => void): Unsubscribe {
  let wasFocused = true;
  return onChanged(({ focused }) => {
    if (focused && !wasFocused) comeBack();
    wasFocused = focused;
  });
}
