import type { TFunction } from 'i18next';
import { ERROR_CODES } from '../../shared/errors.ts';

/** Why one of several changes was not made, by the code that the server gives. */
export function outcomeText(t: TFunction, code: string): string {
  return t(`errors.${ERROR_CODES.find((each) => each === code) ?? 'internal'}`);
}
