import type {
  FolderIgnoreRules,
  LocalMediaFile,
  NativeNotification,
  Opened,
  RecentShelf,
  ServerState,
  SessionState,
  WindowState,
  WorkspaceState,
} from '../../shared/bridge/index.ts';
import type { TextPart } from '../../shared/model/documentText.ts';
import type {
  IndexStatus,
  SearchLogItem,
  SearchQuery,
  SearchResult,
  SearchSummary,
  SkippedFile,
} from '../../shared/model/search.ts';
import type { AppState, UpdatePreference, UpdateState } from '../../shared/model/update.ts';
import type { Checkout, ConflictAction, WorkspaceDocument } from '../../shared/model/workspace.ts';

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
  /** Where a picture or video lies for the page; null for other files. */
  preview(path: string): Promise<LocalMediaFile | null>;
  readonly checkouts: CheckoutsCapability;
}

/** Shelves that are kept on this computer, each named by its folder (decisions.md §8). */
export interface CheckoutsCapability {
  state(): Promise<readonly Checkout[]>;
  onChanged(listener: (checkouts: readonly Checkout[]) => void): Unsubscribe;
  /** Keeps a shelf on this computer from now on. */
  checkOut(shelfId: string): Promise<Checkout>;
  /** Ends that; the files stay. */
  release(folder: string): Promise<void>;
  /** What is not the same here and there; of very many the first, and how many they are. */
  changes(folder: string): Promise<{ readonly documents: readonly WorkspaceDocument[]; readonly count: number }>;
  /** Commits all of these or none; null when nothing had changed after all. */
  commit(folder: string, names: readonly string[], message: string): Promise<{ readonly commit: string | null }>;
  resolve(folder: string, name: string, action: ConflictAction): Promise<void>;
  /** Takes back what was done here; copies go to the trash of the system. */
  discard(folder: string, names: readonly string[]): Promise<void>;
  /** Looks now. */
  sync(): Promise<void>;
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
  setPreference(preference: UpdatePreference): Promise<void>;
  /** Tells the shell whether data is to be saved on this connection. */
  setMetered(metered: boolean): Promise<void>;
}

export interface SearchOptions {
  readonly signal: AbortSignal;
  /** Results as they are found; an id may come again with more in it. */
  readonly onResults: (results: readonly SearchResult[]) => void;
}

export type SearchOutcome = SearchSummary & { readonly results: readonly SearchResult[] };

/** A query as the panel asks it. */
export type SearchRequest = SearchQuery;

/** What is known of a document that is kept on this device. */
export interface KeptDocument {
  readonly versionId: string;
  readonly name: string;
  readonly library: string;
  readonly shelfId: string;
  /** Of its content, in bytes. */
  readonly size: number;
}

/** All that a document is shown from, and found in. */
export interface KeptContent {
  readonly content: Blob;
  /** Its text in the parts that the server gives it in. */
  readonly text: readonly TextPart[];
  /** The PDF that the server made of it, where somebody looked at that. */
  readonly pages: Blob | null;
}

/** What is kept of it all. */
export interface KeptState {
  /** Whether what is opened is kept from now on. */
  readonly isOn: boolean;
  /** The last opened first. */
  readonly documents: readonly (KeptDocument & { readonly openedAt: number })[];
  /** In bytes, with texts and pages. */
  readonly size: number;
}

/**
 * Copies of the documents that were opened lately, for each account its own. They are had without a network; who may see a
 * document no more has none of it as soon as the server says so.
 */
export interface KeptDocuments {
  state(owner: string): Promise<KeptState>;
  /** Turned off, it lets go of all. */
  setOn(isOn: boolean): Promise<void>;
  /** Null for what is not kept. */
  find(owner: string, versionId: string): Promise<KeptContent | null>;
  /** Keeps what was opened while the server answered, unless it is too large or nothing is to be kept. */
  keep(owner: string, document: KeptDocument, load: () => Promise<Omit<KeptContent, 'pages'>>): Promise<void>;
  /** Adds its pages to what is kept of a document. */
  addPages(owner: string, versionId: string, load: () => Promise<Blob>): Promise<void>;
  empty(): Promise<void>;
}

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
  /** Opens it: its code loads when it is first asked for. */
  readonly keptDocuments: (() => Promise<KeptDocuments>) | null;
}
