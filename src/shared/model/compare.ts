import { z } from 'zod';
import { Id } from './common.ts';
import { TextProblem } from './documentText.ts';
import { Version } from './library.ts';

/** Part of a line, from its first character to behind its last, in UTF-16 code units. */
export const TextRange = z.tuple([z.number().int(), z.number().int()]);
export type TextRange = z.infer<typeof TextRange>;

/** A line of a comparison: plain text, whatever it looks like. */
export const ComparedLine = z.object({
  kind: z.enum(['equal', 'added', 'removed']),
  text: z.string(),
  /** Its number in the older text, from 1; null for an added line. */
  base_line: z.number().int().nullable(),
  /** Its number in the newer text; null for a removed line. */
  other_line: z.number().int().nullable(),
  /** Page, slide or sheet, from 1: of the older text for a removed line, else of the newer. Null where there are none. */
  page: z.number().int().nullable(),
  /**
   * Which words of the line changed. Null: the line as a whole did (or did not, for an equal one). Empty: the other text has
   * the same words in this place, and only line breaks or white space differ.
   */
  changed: z.array(TextRange).nullable(),
});
export type ComparedLine = z.infer<typeof ComparedLine>;

/** One place that changed, with unchanged lines around it. */
export const ComparedHunk = z.object({
  /** Number of its first line in each text, from 1. Without lines of a text: the number of the line that it stands before. */
  base_start: z.number().int(),
  other_start: z.number().int(),
  lines: z.array(ComparedLine),
});
export type ComparedHunk = z.infer<typeof ComparedHunk>;

/** What two texts differ in. */
export const TextComparison = z.object({
  changes: z.array(ComparedHunk),
  /** Lines, of the whole texts. */
  added: z.number().int(),
  removed: z.number().int(),
  /** What the pages are called, in order (`Page 1`, `Slide 2`, `Sheet Budget`); empty where a text has none. */
  base_pages: z.array(z.string()),
  other_pages: z.array(z.string()),
  /** Pages of each text on which something was removed or added, from 1. */
  base_pages_changed: z.array(z.number().int()),
  pages_changed: z.array(z.number().int()),
  /** The texts were too different to be compared line by line: all between their common beginning and end counts as changed. */
  coarse: z.boolean(),
  /** There are more changes than are listed; counts and pages are of all. */
  truncated: z.boolean(),
});
export type TextComparison = z.infer<typeof TextComparison>;

/** Why texts cannot be compared. */
export const Unavailable = z.object({
  /** Whose text is not at hand. */
  version: z.enum(['base', 'other', 'both']),
  code: TextProblem,
  reason: z.string(),
});
export type Unavailable = z.infer<typeof Unavailable>;

/** A version with where it stands. */
export const ComparedVersion = Version.extend({ library: z.string(), shelf: z.string(), shelf_id: Id });

/** Two versions side by side. */
export const Comparison = TextComparison.extend({
  base: ComparedVersion,
  other: ComparedVersion,
  /** The contents are the same, byte by byte. */
  identical: z.boolean(),
  /** Null when the texts were compared. */
  unavailable: Unavailable.nullable(),
});
export type Comparison = z.infer<typeof Comparison>;
