import type {
  FolderIgnoreRules,
  NativeNotification,
  Opened,
  RecentShelf,
  ServerState,
  SessionState,
  WindowState,
  WorkspaceState,
} from '../../shared/bridge/index.ts';
import type {
  IndexStatus,
  SearchLogItem,
  SearchQuery,
  SearchResult,
  SearchSummary,
  SkippedFile,
} from '../../shared/model/search.ts';
import type { AppState, UpdateState } from '../../shared/model/update.ts';

/** Ends a subscription. */
export type Unsubscribe = () => void;

/** What the shell is, for the title bar and About. */
export interface ShellInfo {
  readonly name: string;
  readonly version: string;
  readonly platform: string;
  readonly isMac: boolean;
  readonly company: string;
  readonly website: string;
}

/** The window around the page. */
export interface WindowControls {
  info(): Promise<ShellInfo>;
  state(): Promise<WindowState>;
  onChanged(listener: (state: WindowState) => void): Unsubscribe;
  onMenuChosen(listener: (item: 'find-in-files' | 'about') => void): Unsubscribe;
  minimize(): Promise<void>;
  toggleMaximize(): Promise<void>;
  toggleFullscreen(): Promise<void>;
  zoom(direction: 'in' | 'out' | 'reset'): Promise<void>;
  reload(force: boolean): Promise<void>;
  close(): Promise<void>;
  quit(): Promise<void>;
}

/** What the system around the window offers, and asks of the application. */
export interface ShellServices {
  /** What a link, a file or another start asked to open, and was not taken yet. */
  takeOpened(): Promise<Opened>;
  onOpened(listener: () => void): Unsubscribe;
  /** Offers a shelf in tray, dock or jump list. */
  rememberShelf(shelf: RecentShelf): Promise<void>;
  /** A notification of the system's, unless the window is looked at. */
  notify(notification: NativeNotification): Promise<void>;
  /** Of menus and dialogs outside the page. */
  setLanguage(language: 'en' | 'de'): Promise<void>;
  /** Report a problem; false when the person thought better of it. */
  saveReport(): Promise<boolean>;
}

/** The choice between this computer and a server. */
export interface ServerCapability {
  state(): Promise<ServerState>;
  onChanged(listener: (state: ServerState) => void): Unsubscribe;
  /** Use on this computer: starts the embedded server. */
  chooseLocal(): Promise<ServerState>;
  connect(url: string): Promise<ServerState>;
  disconnect(): Promise<ServerState>;
}

/** Signing in through the system's browser, with tokens that the page never sees. */
export interface ShellSession {
  state(): Promise<SessionState>;
  onChanged(listener: (state: SessionState) => void): Unsubscribe;
  cancelSignIn(): Promise<void>;
}

/** Signing in and out on any host. */
export interface SessionCapability {
  /** Resolves once signed in, where the page stays; never, where the browser leaves for the sign-in page. */
  signIn(returnTo: string | null): Promise<void>;
  /** Succeeds locally whatever the server answers. */
  signOut(): Promise<void>;
  /** Null where the page itself is sent to the sign-in page. */
  readonly shell: ShellSession | null;
}

/** The folders on this machine that are indexed. */
export interface WorkspaceCapability {
  state(): Promise<WorkspaceState>;
  onChanged(listener: (state: WorkspaceState) => void): Unsubscribe;
  chooseFolder(): Promise<WorkspaceState>;
  addLocalFolder(): Promise<WorkspaceState>;
  removeLocalFolder(folder: string): Promise<WorkspaceState>;
  /** What is left out of the index: everywhere, and by a file of each folder's own. */
  ignoreRules(): Promise<{ readonly defaults: readonly string[]; readonly folders: readonly FolderIgnoreRules[] }>;
  saveIgnoreRules(folder: string, text: string): Promise<void>;
  showInFolder(path: string): Promise<void>;
}

/** The index on this machine. */
export interface IndexCapability {
  status(): Promise<IndexStatus>;
  onProgressed(listener: (status: IndexStatus) => void): Unsubscribe;
  skipped(): Promise<readonly SkippedFile[]>;
  /** Reads those files again; resolves when that is done. */
  retrySkipped(): Promise<void>;
  /** Puts indexing off until `resume`; searching goes on. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  rebuild(): Promise<void>;
  /** Resolves when it has nothing to do, or to false when that takes longer. */
  waitUntilIdle(timeoutMs: number): Promise<boolean>;
}

/** Updates of the application itself. */
export interface UpdatesCapability {
  state(): Promise<UpdateState>;
  onChanged(listener: (state: UpdateState) => void): Unsubscribe;
  check(): Promise<void>;
  download(): Promise<void>;
  /** Keeps where the person is for the start after the update. */
  saveState(state: AppState): Promise<void>;
  /** Ends this application and starts the new one. */
  install(): Promise<void>;
  dismiss(): Promise<void>;
  /** What was kept was taken up. */
  restored(): Promise<void>;
  setAutomatic(automatic: boolean): Promise<void>;
}

export interface SearchOptions {
  readonly signal: AbortSignal;
  /** Results as they are found; an id may come again with more in it. */
  readonly onResults: (results: readonly SearchResult[]) => void;
}

export type SearchOutcome = SearchSummary & { readonly results: readonly SearchResult[] };

/** A query as the panel asks it. */
export type SearchRequest = SearchQuery;

/** Past queries. */
export interface SearchLog {
  page(
    page: number,
    pageSize: number,
  ): Promise<{ readonly items: readonly SearchLogItem[]; readonly hasMore: boolean }>;
  save(query: string): Promise<void>;
  remove(id: string): Promise<void>;
  clear(): Promise<void>;
}

/** Find in files: over the local index on the desktop, over the server in a browser; one shape. */
export interface SearchCapability {
  run(query: SearchRequest, options: SearchOptions): Promise<SearchOutcome>;
  /** No more results than this are listed at once. */
  readonly mostResults: number;
  readonly log: SearchLog;
}

/**
 * What the host can do. A missing capability is null, so that the compiler makes each caller decide; features ask for a
 * capability, never for the host's name.
 */
export interface Platform {
  readonly windowControls: WindowControls | null;
  readonly shell: ShellServices | null;
  readonly server: ServerCapability | null;
  readonly session: SessionCapability;
  readonly workspace: WorkspaceCapability | null;
  readonly index: IndexCapability | null;
  readonly updates: UpdatesCapability | null;
  readonly search: SearchCapability;
}
