import { AppError, isAppError } from '../../../../shared/errors.ts';
import type { TextProblem } from '../../../../shared/model/documentText.ts';
import { extensionOf } from '../../../ui/fileKind.ts';

/** Why a document is not shown though there is a view of its kind. */
export type Refusal =
  | 'damaged'
  | 'encrypted'
  | 'tooLarge'
  | 'unpacksTooLarge'
  | 'tiff'
  | 'notPlayable'
  | 'legacy'
  | 'large'
  | 'noText'
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

/** Old formats out of which nothing of ours takes text. */
const LEGACY: ReadonlySet<string> = new Set('doc xls ppt msg'.split(' '));

const OF_PROBLEMS: Partial<Record<TextProblem, Refusal>> = {
  'password-protected': 'encrypted',
  damaged: 'damaged',
  'limit-reached': 'unpacksTooLarge',
  'too-large': 'large',
  'no-text': 'noText',
};

/** Why a document of which the text is shown has none to show. */
export function whyNoText(problem: TextProblem, name: string): Refusal {
  return LEGACY.has(extensionOf(name)) ? 'legacy' : (OF_PROBLEMS[problem] ?? 'unknown');
}
