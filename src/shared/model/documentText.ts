import { z } from 'zod';

/** Why there is no text of a document. */
export const TextProblem = z.enum([
  'binary',
  'too-large',
  'password-protected',
  'damaged',
  'no-text',
  'limit-reached',
  'not-readable',
  'not-a-file',
  'vanished',
  'unsupported',
]);
export type TextProblem = z.infer<typeof TextProblem>;

/** The text of a document from a place on, as much of it as one answer has. */
export const TextPart = z.object({
  /** Pages, sheets or slides; one that is cut goes on under the same label. */
  sections: z.array(z.object({ label: z.string(), text: z.string() })),
  /** Where the next answer begins; null at the end. */
  next: z.number().int().nullable(),
  /** Characters of the whole text. */
  length: z.number().int(),
  /** Why there is no text. */
  problem: TextProblem.nullable(),
});
export type TextPart = z.infer<typeof TextPart>;

/** Where an answer begins. */
export const TextPlace = z.object({ from: z.coerce.number().int().min(0).default(0) });
