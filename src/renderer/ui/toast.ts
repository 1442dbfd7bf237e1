import { LIMITS } from '../../shared/rules/limits.ts';

export type ToastKind = 'success' | 'info' | 'warning' | 'error';

/** The one thing that a toast offers to do, as a rule to undo what it tells of. */
export interface ToastAction {
  readonly label: string;
  readonly run: () => void;
}

/** Says something in passing, under a title where it has one. The library loads with the first toast. */
export function notify(text: string, kind: ToastKind = 'success', action?: ToastAction, title?: string): void {
  void import('./ToastHost.tsx').then(({ showToast }) => showToast(text, kind, LIMITS.toastMs, action, title));
}

/** Says something that stays until it is done or closed. */
export function notifyUntilDone(text: string, kind: ToastKind, action: ToastAction): void {
  void import('./ToastHost.tsx').then(({ showToast }) => showToast(text, kind, 0, action));
}

/** Says that something is under way, for as long as it is. */
export async function notifyDuring(text: string, work: Promise<unknown>): Promise<void> {
  const { showToast } = await import('./ToastHost.tsx');
  const close = showToast(text, 'info', 0);
  await Promise.allSettled([work]);
  close();
}
