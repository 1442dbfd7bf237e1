import { LIMITS } from '../../shared/rules/limits.ts';

export type ToastKind = 'success' | 'info' | 'warning' | 'error';

/** Says something in passing. The library loads with the first toast. */
export function notify(text: string, kind: ToastKind = 'success'): void {
  void import('./ToastHost.tsx').then(({ showToast }) => showToast(text, kind, LIMITS.toastMs));
}
