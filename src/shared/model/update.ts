import { z } from 'zod';
import { ERROR_CODES } from '../errors.ts';
import { SearchScope } from './search.ts';

/**
 * How an update stands (desktop-shell.md §4): what the shell tells of, in the specification's words, and the two states that
 * a person's own check begins with. `restore-app-state` is the first start after an update.
 */
export const UpdateStatus = z.enum([
  'idle',
  'checking',
  'update-available-prompt',
  'download-progress',
  'update-downloaded',
  'update-ready',
  'installing',
  'update-not-available',
  'update-error',
  'restore-app-state',
]);
export type UpdateStatus = z.infer<typeof UpdateStatus>;

/**
 * What happens unasked (field.md row 87): updates are looked for and fetched, looked for and told of, or neither. `never` makes
 * no request at all.
 */
export const UpdatePreference = z.enum(['automatic', 'notify', 'never']);
export type UpdatePreference = z.infer<typeof UpdatePreference>;

const Flag = z.boolean();

/** How Find in files stood, so that it can be opened the same again. */
export const SavedSearch = z.object({
  text: z.string().max(200),
  tab: SearchScope,
  showMatches: Flag,
  switches: z.object({ matchCase: Flag, wholeWord: Flag, regex: Flag }),
  filters: z.record(z.string().max(20), z.string().max(200)),
  selectedId: z.string().max(5000).nullable(),
});
export type SavedSearch = z.infer<typeof SavedSearch>;

/** Where the person was when an update was installed, and what was begun (field.md row 85). */
export const AppState = z.object({
  /** Path and query of the screen. */
  path: z.string().max(4000).startsWith('/'),
  scroll: z.number().nonnegative(),
  /** Null where the panel was closed. */
  search: SavedSearch.nullable(),
  /** Texts that were being written, under the keys of the page's own storage. */
  drafts: z.record(z.string().max(500), z.string().max(50_000)),
});
export type AppState = z.infer<typeof AppState>;

export const UpdateState = z.object({
  /** Why this installation does not update itself; null where it does. */
  unsupported: z.enum(['development', 'package-manager']).nullable(),
  preference: UpdatePreference,
  status: UpdateStatus,
  /** Whether the person asked for what is under way. */
  isManual: z.boolean(),
  isDismissed: z.boolean(),
  version: z.string().nullable(),
  releaseDate: z.string().nullable(),
  /** Whole percents, rounded down. */
  percent: z.number().int().min(0).max(100),
  error: z.enum(ERROR_CODES).nullable(),
  /** Set in `restore-app-state`, and where an update was not installed. */
  appState: AppState.nullable(),
});
export type UpdateState = z.infer<typeof UpdateState>;
