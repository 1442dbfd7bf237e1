import { LIMITS } from '../../../shared/rules/limits.ts';
import { isPhoneLayout } from '../../ui/layoutKind.ts';

/** How many characters a query may have: on phones fewer (web-and-phone.md §5). */
export function longestQuery(): number {
  return isPhoneLayout() ? LIMITS.phoneSearchMaxLength : LIMITS.searchMaxLength;
}
