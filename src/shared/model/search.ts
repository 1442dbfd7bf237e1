import { z } from 'zod';
import { LIMITS } from '../rules/limits.ts';
import { Timestamp } from './common.ts';

/** A half-open range of UTF-16 code units in the text it stands beside. */
export const Range = z.tuple([z.number().int().nonnegative(), z.number().int().nonnegative()]);
export type Range = z.infer<typeof Range>;

/** A place where a result matches: a line of the text with every match in it, or a piece of a very long line. */
export const MatchItem = z.object({
  /** `Content`, `Filename`, `Page 3`, `Sheet Budget`, `Slide 2`, `Message`, `Label` or `Comment` (decisions.md §9). */
  type: z.string(),
  /** 1-based number, within the file, of the first match in this item. */
  number: z.number().int().positive(),
  /** 1-based line within the file, or within the page, sheet or slide that `type` names; null for names and messages. */
  line: z.number().int().positive().nullable(),
  text: z.string(),
  ranges: z.array(Range),
});
export type MatchItem = z.infer<typeof MatchItem>;

/** The version in which a text is gone that the version before it held. */
export const Removal = z.object({
  versionId: z.string(),
  versionNumber: z.number().int(),
  commitHash: z.string(),
  commitMessage: z.string(),
});
export type Removal = z.infer<typeof Removal>;

/** What both tabs of Find in files list, from the local index and from the server alike. */
export const SearchResult = z.object({
  /** Stable for a file or version, so that a list can be keyed and re-ranked by it. */
  id: z.string(),
  filename: z.string(),
  filenameRanges: z.array(Range),
  /** Workspace: the absolute path. Server: the document's name within its shelf, folders included. */
  path: z.string(),
  libraryName: z.string().nullable(),
  shelfName: z.string().nullable(),
  shelfId: z.string().nullable(),
  documentId: z.string().nullable(),
  versionId: z.string().nullable(),
  versionNumber: z.number().int().nullable(),
  /** Set where the document of a version is in the trash. */
  deleted: z.boolean().optional(),
  lastModified: Timestamp,
  /** Bytes. */
  size: z.number().int().nonnegative(),
  /** The exact number of matches in the content; 0 when only the name or the message matches. */
  matches: z.number().int().nonnegative(),
  commitHash: z.string().nullable(),
  commitMessage: z.string().nullable(),
  author: z.string().nullable(),
  /** Set where the next version of the document no longer holds in its text what was found. */
  removedIn: Removal.optional(),
  items: z.array(MatchItem),
});
export type SearchResult = z.infer<typeof SearchResult>;

/** `current`: files of the workspace, or current versions on a server. `history`: every version. */
export const SearchScope = z.enum(['current', 'history']);
export type SearchScope = z.infer<typeof SearchScope>;

export const SearchQuery = z.object({
  /** A literal, unless `regex`. Counted in code points. */
  text: z.string().refine((text) => {
    const length = [...text].length;
    return length >= LIMITS.searchMinLength && length <= LIMITS.searchMaxLength;
  }, `${LIMITS.searchMinLength} to ${LIMITS.searchMaxLength} characters`),
  scope: SearchScope,
  matchCase: z.boolean().default(false),
  wholeWord: z.boolean().default(false),
  regex: z.boolean().default(false),
  /** Globs over the path below the workspace, folder or shelf. */
  include: z.array(z.string().max(500)).max(50).default([]),
  exclude: z.array(z.string().max(500)).max(50).default([]),
  library: z.string().nullable().default(null),
  shelf: z.string().nullable().default(null),
  /** File types as extensions without the dot, in any case; none stands for all. */
  types: z.array(z.string().min(1).max(20)).max(50).default([]),
  /** Username of who committed the version; the files of a workspace have none. */
  author: z.string().max(200).nullable().default(null),
  /** Only what was committed, or changed on disk, from the first moment on and before the second. */
  since: Timestamp.nullable().default(null),
  until: Timestamp.nullable().default(null),
  /** Results listed at the most; counts stay exact beyond it. */
  limit: z.number().int().min(1).max(100_000).default(200),
  /** Match items per result at the most. */
  itemsPerResult: z.number().int().min(0).max(10_000).default(50),
});
export type SearchQuery = z.infer<typeof SearchQuery>;

export const SearchSummary = z.object({
  /** Exact number of content matches in all files, listed or not. */
  total: z.number().int(),
  /** Exact number of files (or versions) that match, listed or not. */
  files: z.number().int(),
  /** More files match than were listed. */
  limitHit: z.boolean(),
  milliseconds: z.number(),
  /** Files whose text could not be read, so that nothing is left out in silence. */
  notSearched: z.number().int(),
  /** Nothing waits to be read: asked again, the answer stays until something changes. */
  complete: z.boolean(),
});
export type SearchSummary = z.infer<typeof SearchSummary>;

/** A file that is not searched by content, and why. */
export const SkippedFile = z.object({ path: z.string(), reason: z.string() });
export type SkippedFile = z.infer<typeof SkippedFile>;

export const IndexStatus = z.object({
  /** `paused`: by the person, until the person resumes; searching goes on. */
  state: z.enum(['off', 'scanning', 'indexing', 'paused', 'ready', 'failed']),
  /** Files known, and those whose text is searchable. */
  files: z.number().int(),
  indexed: z.number().int(),
  /** Files of the work under way: those that are through, and those still waiting. */
  done: z.number().int(),
  pending: z.number().int(),
  skipped: z.number().int(),
  /** Versions of the history whose text is searchable, and those still waiting. */
  versions: z.number().int(),
  pendingVersions: z.number().int(),
  /** Bytes of the index on disk. */
  indexBytes: z.number().int(),
  /** By how fast it went lately; null while that cannot be told, and when nothing is under way. */
  secondsLeft: z.number().nullable(),
  message: z.string().nullable(),
});
export type IndexStatus = z.infer<typeof IndexStatus>;

/** The status of an index that is not running. */
export const INDEX_OFF: IndexStatus = {
  state: 'off',
  files: 0,
  indexed: 0,
  done: 0,
  pending: 0,
  skipped: 0,
  versions: 0,
  pendingVersions: 0,
  indexBytes: 0,
  secondsLeft: null,
  message: null,
};

/** A past query (desktop-shell.md §3). */
export const SearchLogItem = z.object({ id: z.string(), query: z.string(), timestamp: Timestamp });
export type SearchLogItem = z.infer<typeof SearchLogItem>;
