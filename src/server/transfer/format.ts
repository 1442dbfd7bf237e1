import { z } from 'zod';
import { Sha256, Timestamp } from '../../shared/model/common.ts';

/**
 * An exported library: plain folders and JSON, readable without this program (field.md row 97).
 *
 *     library.json                     what this is, and its shelves
 *     shelves/NAME/history.json        documents, versions, commits and comments of a shelf
 *     shelves/NAME/current/…           its documents as they are now, for people; dated by their versions
 *     versions/SHA256                  every content that there ever was, once
 *
 * An import reads `library.json`, the `history.json` files and `versions`. Ids are those of the server that it came from; times
 * are ISO 8601 in UTC; people are told by their username, and by their id where a commit's name is made of it.
 */
export const FORMAT_VERSION = 1;

export const LIBRARY_FILE = 'library.json';
export const historyPath = (folder: string) => `shelves/${folder}/history.json`;
export const currentPath = (folder: string) => `shelves/${folder}/current`;
export const contentPath = (sha256: string) => `versions/${sha256}`;

/** `library.json`. */
export const LibraryFile = z.object({
  format: z.literal('armarium-library'),
  version: z.literal(FORMAT_VERSION),
  exported_at: Timestamp,
  /** False while an export is under way: it can be gone on with, and not be imported. */
  finished: z.boolean(),
  library: z.object({
    id: z.string(),
    name: z.string(),
    owner: z.string(),
    archived: z.boolean(),
    created_at: Timestamp,
  }),
  /** `folder`: where the shelf stands below `shelves`. */
  shelves: z.array(z.object({ id: z.string(), name: z.string(), folder: z.string() })),
});
export type LibraryFile = z.infer<typeof LibraryFile>;

const size = z.number().int().nonnegative();
const number = z.number().int().positive();

export const HistoryDocument = z.object({
  id: z.string(),
  name: z.string(),
  original_filename: z.string(),
  current_version: number,
  deleted: z.boolean(),
  deleted_at: Timestamp.nullable(),
  deleted_by: z.string().nullable(),
});
export type HistoryDocument = z.infer<typeof HistoryDocument>;

export const HistoryVersion = z.object({
  id: z.string(),
  document_id: z.string(),
  number,
  name: z.string(),
  sha256: Sha256,
  size,
  mime: z.string(),
  author: z.string(),
  commit_hash: Sha256,
  created_at: Timestamp,
  label: z.string().nullable(),
});
export type HistoryVersion = z.infer<typeof HistoryVersion>;

export const HistoryCommit = z.object({
  hash: Sha256,
  parent: Sha256.nullable(),
  message: z.string(),
  author: z.string(),
  /** The commit's name is made of it; see `canonicalCommit`. */
  author_id: z.string(),
  created_at: Timestamp,
  changes: z.array(
    z.object({
      code: z.enum(['A', 'M', 'D']),
      document_id: z.string(),
      name: z.string(),
      version_number: number.nullable(),
      sha256: Sha256.nullable(),
    }),
  ),
});
export type HistoryCommit = z.infer<typeof HistoryCommit>;

export const HistoryComment = z.object({
  id: z.string(),
  document_id: z.string().nullable(),
  version_id: z.string().nullable(),
  parent_id: z.string().nullable(),
  /** Empty for an account that is gone. */
  author: z.string(),
  comment: z.string(),
  resolved_at: Timestamp.nullable(),
  resolved_by: z.string().nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type HistoryComment = z.infer<typeof HistoryComment>;

/** `history.json`. Commits are the oldest first. Versions that the trash let go of are in the commits alone. */
export const HistoryFile = z.object({
  format: z.literal('armarium-history'),
  version: z.literal(FORMAT_VERSION),
  shelf: z.object({
    id: z.string(),
    name: z.string(),
    archived: z.boolean(),
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
  /** For people: an import gives nobody access but the library's owner. */
  members: z.array(z.object({ username: z.string(), role: z.enum(['owner', 'editor', 'viewer']) })),
  documents: z.array(HistoryDocument),
  versions: z.array(HistoryVersion),
  commits: z.array(HistoryCommit),
  comments: z.array(HistoryComment),
});
export type HistoryFile = z.infer<typeof HistoryFile>;

/** The file's text in pieces, a row a line, so that programs that compare texts can work with it. */
export function* historyText(history: HistoryFile): Generator<string> {
  const entries = Object.entries(history);
  yield '{\n';
  for (const [index, [key, value]] of entries.entries()) {
    const comma = index === entries.length - 1 ? '' : ',';
    if (!Array.isArray(value)) yield `${JSON.stringify(key)}: ${JSON.stringify(value)}${comma}\n`;
    else {
      yield `${JSON.stringify(key)}: [\n`;
      for (const [at, row] of value.entries()) yield `${JSON.stringify(row)}${at === value.length - 1 ? '' : ','}\n`;
      yield `]${comma}\n`;
    }
  }
  yield '}\n';
}
