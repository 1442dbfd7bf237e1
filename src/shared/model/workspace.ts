import { z } from 'zod';
import { Id, Timestamp } from './common.ts';
import { ChangeCode } from './library.ts';

/** How a document of a checked-out shelf stands on this computer and on the shelf (web-and-phone.md §3, decisions.md §8). */
export const WorkspaceDocument = z.object({
  name: z.string(),
  /**
   * A new here, M changed here, D deleted here, UC as on the shelf, C changed here and there, U a file that the shelf cannot take
   * (`reason` says why), T a newer version is on the shelf and has not come yet.
   */
  code: ChangeCode,
  /** Number of the version that the copy is, or will be once it is committed; 0 where there is no copy. */
  current_version: z.number().int(),
  /** Number of the newest version on the shelf as far as it is known here; null where it is not on the shelf. */
  remoteVersionNumber: z.number().int().nullable(),
  conflictStatus: z.enum(['none', 'conflict']),
  /** The version in conflict. */
  conflictVersionNumber: z.number().int().nullable(),
  /** Bytes of the copy; null where there is none. */
  size: z.number().int().nullable(),
  /** When the copy was changed last; null where there is none, or nothing was changed. */
  modified_at: Timestamp.nullable(),
  /** The document on the shelf and its newest version, to open and to compare with. */
  document_id: Id.nullable(),
  current_version_id: Id.nullable(),
  /** The document was on the shelf and somebody deleted it there; to commit the copy puts it back as a new document. */
  deleted_there: z.boolean(),
  /** Who has it locked on the shelf, when that is somebody else. */
  locked_by: z.string().nullable(),
  /** Why a file is of code U, or why the newest version could not be fetched: a code that the interface has words for. */
  reason: z.enum(['name', 'twin', 'not-a-file', 'unreadable', 'unwritable']).nullable(),
});
export type WorkspaceDocument = z.infer<typeof WorkspaceDocument>;

/** A shelf that is kept on this computer. */
export const Checkout = z.object({
  /** Where it is: an absolute path, by which calls name it. */
  folder: z.string(),
  shelf_id: Id,
  library: z.string(),
  shelf: z.string(),
  /**
   * `waiting` until it was looked at for the first time, `working` while versions are fetched or sent, `ready` when the shelf
   * was asked and has been taken in, `offline` while the server cannot be reached or nobody is signed in, `elsewhere` when
   * it belongs to another server than the present one, `gone` when the shelf is not there for this person any more, `failed` with
   * a message.
   */
  state: z.enum(['waiting', 'working', 'ready', 'offline', 'elsewhere', 'gone', 'failed']),
  /** What failed, for people who look into it; never shown without words of the interface's own. */
  message: z.string().nullable(),
  /** Files fetched or sent, of all that are to be; null unless `working`. */
  progress: z.object({ done: z.number().int(), total: z.number().int() }).nullable(),
  /** How many documents have each code. */
  counts: z.record(ChangeCode, z.number().int()),
  /** Whether this person may commit: an editor's or owner's role, and nothing archived. */
  is_writable: z.boolean(),
  /** When the shelf was last asked with success. */
  checked_at: Timestamp.nullable(),
});
export type Checkout = z.infer<typeof Checkout>;

/** How a conflict is settled (decisions.md §7). */
export const ConflictAction = z.enum(['keep-mine', 'keep-theirs', 'keep-both']);
export type ConflictAction = z.infer<typeof ConflictAction>;
