import type { PaceName } from '../core/watch/pace.ts';
import type { IndexStatus, SearchQuery, SearchResult, SearchSummary, SkippedFile } from '../shared/model/search.ts';
import type { WorkspaceEvents, WorkspaceMethods } from './workspaceProtocol.ts';

/** What the index process answers to the main process. */
export type IndexMethods = WorkspaceMethods & {
  /** Opens the index; must be called first, once. */
  readonly open: (input: { readonly file: string }, signal: AbortSignal) => Promise<void>;
  /** The folders to index and follow. */
  readonly setRoots: (input: { readonly folders: readonly string[] }, signal: AbortSignal) => Promise<void>;
  /** The server whose history is brought into the index; null forgets the history at hand. */
  readonly setServer: (input: { readonly url: string | null }, signal: AbortSignal) => Promise<void>;
  /** The history may have moved: brings it over again. */
  readonly syncHistory: (input: null, signal: AbortSignal) => Promise<void>;
  /** The first results arrive as `found` events with the run's id, then all as `listed`, before the summary is answered. */
  readonly search: (
    input: { readonly runId: string; readonly query: SearchQuery },
    signal: AbortSignal,
  ) => Promise<SearchSummary>;
  readonly skipped: (input: null, signal: AbortSignal) => Promise<readonly SkippedFile[]>;
  readonly retrySkipped: (input: null, signal: AbortSignal) => Promise<void>;
  readonly hasFile: (input: { readonly path: string }, signal: AbortSignal) => Promise<boolean>;
  /** Whether work in the background is put off, and how hard it goes on. */
  readonly setPaused: (input: { readonly paused: boolean }, signal: AbortSignal) => Promise<void>;
  readonly setPace: (input: { readonly pace: PaceName }, signal: AbortSignal) => Promise<void>;
  readonly rebuild: (input: null, signal: AbortSignal) => Promise<void>;
  readonly waitForIdle: (input: { readonly timeoutMs: number }, signal: AbortSignal) => Promise<boolean>;
  readonly close: (input: null, signal: AbortSignal) => Promise<void>;
};

/** Some results of a run. */
export interface FoundResults {
  readonly runId: string;
  readonly results: readonly SearchResult[];
}

/** What the main process answers to the index process. */
export type IndexHostMethods = {
  /** A valid access token for the server, refreshed first when `stale` is the one that was refused; null when signed out. */
  readonly accessToken: (input: { readonly stale: string | null }, signal: AbortSignal) => Promise<string | null>;
  /** A part of all results of a run in their order; answered when it was passed on. */
  readonly listed: (input: FoundResults, signal: AbortSignal) => Promise<void>;
};

export type IndexEvents = WorkspaceEvents & {
  readonly status: IndexStatus;
  /** More results of a run. */
  readonly found: FoundResults;
  /** Something that the log should know; never document text. */
  readonly warning: { readonly message: string };
};
