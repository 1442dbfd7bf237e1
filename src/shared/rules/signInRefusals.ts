/** Why somebody whom another provider sent back is not signed in: what the callback screen says (web-and-phone.md §2). */
export const SIGN_IN_REFUSALS = [
  'ended',
  'other-browser',
  'unknown-person',
  'unverifiable',
  'no-address',
  'address-unproven',
  'account-unproven',
  'no-sign-up',
  'disabled',
] as const;
export type SignInRefusal = (typeof SIGN_IN_REFUSALS)[number];
