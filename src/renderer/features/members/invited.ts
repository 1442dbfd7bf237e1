import { isEmail } from '../../../shared/rules/email.ts';

/** As many as one call takes of each kind. */
export const MOST_INVITED = 50;

/** Who is to be invited, as the call takes them. */
export interface Invited {
  readonly members: readonly string[];
  readonly emails: readonly string[];
  /** Written like an address, but none. */
  readonly invalid: readonly string[];
}

/**
 * Reads what was typed or pasted: user names and email addresses apart by commas, semicolons or lines, since a user name may
 * hold spaces. What holds an `@` is meant as an address.
 */
export function readInvited(text: string): Invited {
  const entries = [...new Set(text.split(/[,;\n]/u).map((entry) => entry.trim()))].filter((entry) => entry !== '');
  const addresses = entries.filter((entry) => entry.includes('@'));
  return {
    members: entries.filter((entry) => !entry.includes('@')),
    emails: addresses.filter(isEmail),
    invalid: addresses.filter((entry) => !isEmail(entry)),
  };
}
