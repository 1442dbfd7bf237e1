import { isAppError } from '../../shared/errors.ts';

/**
 * What web-and-phone.md §8 has logged and no more. Builds for users have a silent console (decisions.md §11), so this
 * is for developers; never document text or names of people.
 */
export function logFailure(what: string, error: unknown): void {
  if (isAppError(error, 'cancelled')) return;
  // biome-ignore lint/suspicious/noConsole: the one place that writes there
  console.warn(`${what}: ${isAppError(error) ? error.code : 'unexpected'}`);
}
