import { AppError, isAppError } from '../../../../shared/errors.ts';

/** Why a document is not shown though there is a view of its kind. */
export type Refusal =
  | 'damaged'
  | 'encrypted'
  | 'tooLarge'
  | 'unpacksTooLarge'
  | 'tiff'
  | 'notPlayable'
  | 'legacy'
  | 'unknown';

/** The error of a view that cannot show what it was given: trying again would not help. */
export function refused(why: Refusal, cause?: unknown): AppError {
  return new AppError('unsupported', `the document is not shown: ${why}`, { details: { why }, cause });
}

/** Why an error says that a document is not shown; null for any other error. */
export function refusalOf(error: unknown): Refusal | null {
  if (!isAppError(error, 'unsupported')) return null;
  const why = error.details?.why;
  return typeof why === 'string' ? (why as Refusal) : null;
}
