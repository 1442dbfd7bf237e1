import { LIMITS } from './limits.ts';

/** Which rule of decisions.md §3 a name breaks. */
export type NameProblem =
  | 'empty'
  | 'too-long'
  | 'forbidden-character'
  | 'control-character'
  | 'leading-or-trailing'
  | 'device-name'
  | 'reserved'
  | 'empty-folder';

/**
 * First path segments that belong to the application, so no library and no user may take them (web-and-phone.md §2,
 * decisions.md §3). Compared in folded form.
 */
export const RESERVED_NAMES: ReadonlySet<string> = new Set(
  (
    'm api auth assets updates desktop dashboard shared accounts callback redirect plans favorites trash settings billing ' +
    'search terms privacy security refund cookie contact company download open-source expired sign-in sign-up storage ' +
    'forgot-password reset-password verify-email second-step receive ' +
    'health ready metrics static favicon.ico robots.txt manifest.webmanifest index.html service-worker.js'
  ).split(' '),
);

const FORBIDDEN = /[/\\:*?"<>|]/u;
const FORBIDDEN_IN_PATH = /[\\:*?"<>|]/u;
// Control characters, bidirectional overrides and isolates, and lone surrogates.
const CONTROL = /[\p{Cc}\p{Cs}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u;
const DEVICE = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)/iu;

/** The form in which names are stored: NFC. */
export function normalizeName(name: string): string {
  return name.normalize('NFC');
}

/**
 * The form in which names are compared: NFKC and case-folded. Upper-casing in between makes the fold independent of
 * contextual lower-case forms (final sigma) and of one-way pairs (long s, Kelvin sign); lower-casing first, of the one capital
 * that is its own upper case (sharp s).
 */
export function nameKey(name: string): string {
  return name.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().normalize('NFKC');
}

/** As much of a name as an index holds, whatever it is written in. */
const ORDER_LENGTH = 200;

/** Digits after their count, so that of two numbers the larger one comes later, however many digits they have. */
function counted(digits: string): string {
  const value = digits.replace(/^0+/u, '');
  return '9'.repeat(Math.floor(value.length / 9)) + (value.length % 9) + value;
}

/**
 * The form by which lists are sorted, character by character: without case and accents, numbers by their value. Names that are
 * the same in it stand by their {@link nameKey}.
 */
export function nameOrder(name: string): string {
  const plain = nameKey(name)
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '');
  return plain.replace(/\d+/gu, counted).slice(0, ORDER_LENGTH).toWellFormed();
}

/** The same things in the order of their names. */
export function inNameOrder<T extends { readonly name: string }>(things: readonly T[]): T[] {
  return things
    .map((thing) => ({ thing, keys: [nameOrder(thing.name), nameKey(thing.name)] as const }))
    .sort(({ keys: [a, x] }, { keys: [b, y] }) => (a === b ? Number(x > y) - Number(x < y) : a < b ? -1 : 1))
    .map(({ thing }) => thing);
}

function segmentProblem(segment: string, maxLength: number): NameProblem | null {
  if (segment.length === 0) return 'empty';
  if ([...segment].length > maxLength) return 'too-long';
  if (CONTROL.test(segment)) return 'control-character';
  if (/^[\s.]|[\s.]$/u.test(segment)) return 'leading-or-trailing';
  if (DEVICE.test(segment)) return 'device-name';
  return null;
}

/** The rule that a library, user or shelf name breaks, or null when it is fine. One answer for form, server and desktop. */
export function nameProblem(name: string): NameProblem | null {
  const normal = normalizeName(name);
  const problem = segmentProblem(normal, LIMITS.nameMaxLength);
  if (problem !== null) return problem;
  if (FORBIDDEN.test(normal)) return 'forbidden-character';
  return RESERVED_NAMES.has(nameKey(normal)) ? 'reserved' : null;
}

/** The rule that a document name breaks, or null. A document name may hold `/` to place it in folders (decisions.md §3). */
export function documentNameProblem(name: string): NameProblem | null {
  const normal = normalizeName(name);
  if (normal.length === 0) return 'empty';
  if ([...normal].length > LIMITS.documentNameMaxLength) return 'too-long';
  if (FORBIDDEN_IN_PATH.test(normal)) return 'forbidden-character';
  for (const segment of normal.split('/')) {
    if (segment.length === 0) return 'empty-folder';
    const problem = segmentProblem(segment, 255);
    if (problem !== null) return problem;
  }
  return null;
}
