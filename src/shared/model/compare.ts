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

/** A page of the older text and the one that it became. */
export const PagePair = z.object({ base: z.number().int().nullable(), other: z.number().int().nullable() });
export type PagePair = z.infer<typeof PagePair>;

/** What two texts differ in. */
export const TextComparison = z.object({
  changes: z.array(ComparedHunk),
  /** Lines, of the whole texts. */
  added: z.number().int(),
  removed: z.number().int(),
  /** What the pages are called, in order (`Page 1`, `Slide 2`, `Sheet Budget`); empty where a text has none. */
  base_pages: z.array(z.string()),
  other_pages: z.array(z.string()),
  /** Which pages belong together, from 1, in order; null beside a page that only the other text has. Empty without pages. */
  page_pairs: z.array(PagePair),
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
export type ComparedVersion = z.infer<typeof ComparedVersion>;

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

/** A column of a comparison: of both tables, or of one. */
export const ComparedColumn = z.object({
  kind: z.enum(['equal', 'added', 'removed']),
  /** What the first row with cells says above it. */
  heading: z.string(),
  /** Its number in the older table, from 1; null for an added column. */
  base: z.number().int().nullable(),
  other: z.number().int().nullable(),
});
export type ComparedColumn = z.infer<typeof ComparedColumn>;

/** A row of a comparison. */
export const ComparedRow = z.object({
  kind: z.enum(['equal', 'changed', 'added', 'removed']),
  /** Its number in the older table, from 1; null for an added row. */
  base_row: z.number().int().nullable(),
  other_row: z.number().int().nullable(),
  /** By the columns of the comparison: as the newer table has it, and where that has no such cell, the older one. */
  cells: z.array(z.string()),
  /** Cells that both tables have and that changed: index of the column, and what stood there before. */
  changed: z.array(z.tuple([z.number().int(), z.string()])),
});
export type ComparedRow = z.infer<typeof ComparedRow>;

/** A table of one version beside that of the other: a file of rows, or a sheet of a workbook. */
export const ComparedTable = z.object({
  /** Of the sheet in each version, null where it has none; empty for a file that is one table. */
  base_name: z.string().nullable(),
  other_name: z.string().nullable(),
  kind: z.enum(['equal', 'changed', 'added', 'removed']),
  columns: z.array(ComparedColumn),
  /** Rows that changed with unchanged ones around them, in order; between rows whose numbers do not follow others are left out. */
  rows: z.array(ComparedRow),
  rows_added: z.number().int(),
  rows_removed: z.number().int(),
  cells_changed: z.number().int(),
});
export type ComparedTable = z.infer<typeof ComparedTable>;

/** What the tables of two files differ in. */
export const TableComparison = z.object({
  tables: z.array(ComparedTable),
  /** Some rows could not be told to belong together in the time there is: they count as removed and added. */
  coarse: z.boolean(),
  /** There are more changes than are listed; counts are of all. */
  truncated: z.boolean(),
});
export type TableComparison = z.infer<typeof TableComparison>;

/** The tables of two versions side by side. */
export const ComparedTables = TableComparison.extend({
  /** Null when the tables were compared. */
  unavailable: Unavailable.nullable(),
});
export type ComparedTables = z.infer<typeof ComparedTables>;
