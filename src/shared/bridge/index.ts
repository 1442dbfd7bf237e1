import { z } from 'zod';
import { UPLOAD_FILES_MAX } from '../api/upload.ts';
import { Id, Sha256 } from '../model/common.ts';
import { IndexStatus, SearchLogItem, SearchQuery, SearchResult, SearchSummary, SkippedFile } from '../model/search.ts';
import { AppState, UpdatePreference, UpdateState } from '../model/update.ts';
import { Checkout, ConflictAction, WorkspaceDocument } from '../model/workspace.ts';
import { LIMITS } from '../rules/limits.ts';
import { event, procedure } from './contract.ts';

const RunId = z.string().min(1).max(64);

export const ServerState = z.object({
  /** `none` until the person chose between this computer and a server. */
  mode: z.enum(['none', 'local', 'remote']),
  url: z.string().nullable(),
  status: z.enum(['stopped', 'starting', 'ready', 'failed']),
  message: z.string().nullable(),
});
export type ServerState = z.infer<typeof ServerState>;

export const SessionState = z.object({
  signedIn: z.boolean(),
  /** A sign-in is under way in the system's browser. */
  signingIn: z.boolean(),
  /** Where the tokens are kept: `memory` lasts until the application quits. */
  storage: z.enum(['keyring', 'safe-storage', 'memory']),
});
export type SessionState = z.infer<typeof SessionState>;

export const WorkspaceState = z.object({
  folder: z.string().nullable(),
  /** Folders indexed and searched besides the workspace, never uploaded. */
  localFolders: z.array(z.string()),
  /** Folders of the two above that are not there at present. */
  missing: z.array(z.string()),
});
export type WorkspaceState = z.infer<typeof WorkspaceState>;

/** What is left out of one indexed folder, in the syntax of .gitignore. */
export const FolderIgnoreRules = z.object({ folder: z.string(), text: z.string() });
export type FolderIgnoreRules = z.infer<typeof FolderIgnoreRules>;

/** A picture or a video of this machine, by an address that only the application's page can read. */
export const LocalMediaFile = z.object({ kind: z.enum(['image', 'video']), url: z.string() });
export type LocalMediaFile = z.infer<typeof LocalMediaFile>;

/** A path inside the application, with its query. */
const AppPath = z
  .string()
  .max(2000)
  .regex(/^\/(?![/\\])[^\\\p{Cc}]*$/u);

/** What the application was asked to open from outside: a place in it, files, or both. */
export const Opened = z.object({
  path: AppPath.nullable(),
  /** The contents of a file are at `/opened/{id}`, for this page alone. */
  files: z.array(z.object({ id: z.string(), name: z.string(), size: z.number().int() })),
});
export type Opened = z.infer<typeof Opened>;

/** A shelf as tray, dock and jump list offer it. */
export const RecentShelf = z.object({ path: AppPath, name: z.string().min(1).max(200), library: z.string().max(200) });
export type RecentShelf = z.infer<typeof RecentShelf>;

/** A notification of the operating system's. */
export const NativeNotification = z.object({
  title: z.string().min(1).max(300),
  body: z.string().max(300),
  /** Where a click leads. */
  path: AppPath,
});
export type NativeNotification = z.infer<typeof NativeNotification>;

export const WindowState = z.object({ maximized: z.boolean(), fullscreen: z.boolean(), focused: z.boolean() });
export type WindowState = z.infer<typeof WindowState>;

/** A checked-out shelf, by its folder. */
const InCheckout = z.object({ folder: z.string().max(4096) });
const DocumentNames = z.array(z.string().max(4096)).min(1).max(UPLOAD_FILES_MAX);
/** What may come of changing something in a checked-out shelf. */
const WRITE_ERRORS = [
  'not-found',
  'folder-unavailable',
  'conflict',
  'archived',
  'forbidden',
  'unauthenticated',
  'server-unreachable',
  'timed-out',
] as const;

/** The IPC contract: what only the desktop can do. Data calls go over HTTP on every platform. */
export const bridge = {
  app: {
    info: procedure({
      summary: 'What the shell is.',
      output: z.object({
        name: z.string(),
        version: z.string(),
        platform: z.string(),
        isMac: z.boolean(),
        company: z.string(),
        website: z.string(),
      }),
    }),
  },
  window: {
    state: procedure({ summary: 'How the window stands.', output: WindowState }),
    changed: event('The window was maximised, restored, focused or left.', WindowState),
    minimize: procedure({ summary: 'Minimises the window.' }),
    toggleMaximize: procedure({ summary: 'Maximises or restores the window.' }),
    toggleFullscreen: procedure({ summary: 'Enters or leaves full screen.' }),
    zoom: procedure({ summary: 'Changes the zoom.', input: z.enum(['in', 'out', 'reset']) }),
    reload: procedure({ summary: 'Reloads the page.', input: z.object({ force: z.boolean() }) }),
    close: procedure({ summary: 'Closes the window.' }),
    quit: procedure({ summary: 'Quits the application.' }),
    menuChosen: event('A menu item or shortcut of the native menu was chosen.', z.enum(['find-in-files', 'about'])),
  },
  shell: {
    opened: event('The application was asked to open something; `takeOpened` says what.', z.void()),
    takeOpened: procedure({ summary: 'What is to be opened and was not taken yet.', output: Opened }),
    rememberShelf: procedure({
      summary: 'A shelf was opened: offers it in tray, dock or jump list.',
      input: RecentShelf,
    }),
    notify: procedure({
      summary: 'Shows a notification of the operating system, unless somebody looks at the window already.',
      input: NativeNotification,
    }),
    setLanguage: procedure({ summary: 'The language of menus and dialogs of the shell.', input: z.enum(['en', 'de']) }),
    saveReport: procedure({
      summary: 'Report a problem: asks where to, and saves logs and settings without secrets as a ZIP.',
      output: z.object({ saved: z.boolean() }),
    }),
  },
  server: {
    state: procedure({ summary: 'Which server the application uses.', output: ServerState }),
    changed: event('The server was chosen, started, stopped or failed.', ServerState),
    useLocal: procedure({
      summary: 'Use on this computer: starts the embedded server on a loopback port.',
      output: ServerState,
      errors: ['server-unreachable'],
    }),
    connect: procedure({
      summary: 'Connect to a server, after asking it whether it is one.',
      input: z.object({ url: z.url().max(2000) }),
      output: ServerState,
      errors: ['server-unreachable', 'unsupported'],
    }),
    disconnect: procedure({ summary: 'Back to the choice; signs out locally.', output: ServerState }),
  },
  session: {
    state: procedure({ summary: 'Whether tokens are at hand, and where they are kept.', output: SessionState }),
    changed: event('Signed in, signed out, or the session expired.', SessionState),
    signIn: procedure({
      summary: "Opens the sign-in page in the system's browser and waits for its loopback redirect (RFC 8252).",
      output: SessionState,
      errors: ['sign-in-failed', 'cancelled', 'server-unreachable'],
    }),
    cancelSignIn: procedure({ summary: 'Gives a sign-in up.' }),
    signOut: procedure({
      summary: 'Revokes and forgets the tokens; succeeds locally without the server.',
      output: SessionState,
    }),
  },
  workspace: {
    state: procedure({ summary: 'The folders that are indexed.', output: WorkspaceState }),
    changed: event('A folder was chosen, added, removed, lost or found again.', WorkspaceState),
    chooseFolder: procedure({
      summary: 'Asks for the workspace folder.',
      output: WorkspaceState,
      errors: ['folder-unavailable'],
    }),
    addLocalFolder: procedure({
      summary: 'Asks for a folder to index besides.',
      output: WorkspaceState,
      errors: ['folder-unavailable'],
    }),
    removeLocalFolder: procedure({
      summary: 'Takes a folder out of the index; its files are not touched.',
      input: z.object({ folder: z.string() }),
      output: WorkspaceState,
    }),
    ignoreRules: procedure({
      summary: 'What is left out everywhere, and what each indexed folder leaves out by a file of its own.',
      output: z.object({ defaults: z.array(z.string()), folders: z.array(FolderIgnoreRules) }),
    }),
    saveIgnoreRules: procedure({
      summary: 'Writes the rules of an indexed folder into its `.armariumignore`.',
      input: z.object({ folder: z.string().max(4096), text: z.string().max(65_536) }),
      errors: ['folder-unavailable'],
    }),
    showInFolder: procedure({
      summary: 'Shows an indexed file in the file manager.',
      input: z.object({ path: z.string().max(4096) }),
      errors: ['not-found'],
    }),
    preview: procedure({
      summary: 'Where the page finds an indexed picture or video; null for other files.',
      input: z.object({ path: z.string().max(4096) }),
      output: LocalMediaFile.nullable(),
      errors: ['not-found'],
    }),
    checkouts: procedure({ summary: 'The shelves that are kept on this computer.', output: z.array(Checkout) }),
    synced: event('Something moved in the shelves that are kept on this computer, or on them.', z.array(Checkout)),
    checkOut: procedure({
      summary: 'Keeps a shelf on this computer from now on, in a folder of the workspace; its documents come beside.',
      input: z.object({ shelfId: Id }),
      output: Checkout,
      errors: ['folder-unavailable', 'not-found', 'unauthenticated', 'server-unreachable', 'timed-out'],
    }),
    release: procedure({
      summary: 'Ends keeping a shelf on this computer; its files stay where they are.',
      input: InCheckout,
      errors: ['not-found', 'folder-unavailable'],
    }),
    changes: procedure({
      summary: 'What is not the same here and on the shelf, by name; of very many the first.',
      input: InCheckout,
      output: z.object({ documents: z.array(WorkspaceDocument), count: z.number().int() }),
      errors: ['not-found', 'folder-unavailable'],
    }),
    commit: procedure({
      summary: 'Commits the copies of these documents onto the shelf, deletions too: all of them or none.',
      input: InCheckout.extend({ names: DocumentNames, message: z.string().max(LIMITS.commitMessageMaxLength) }),
      output: z.object({ commit: Sha256.nullable() }),
      errors: [
        ...WRITE_ERRORS,
        'locked',
        'plan-limit-reached',
        'content-mismatch',
        'upload-incomplete',
        'name-invalid',
      ],
    }),
    resolve: procedure({
      summary:
        'Settles a conflict: the copy is committed on top later, goes to the trash for their version, or stays beside it under a name of its own.',
      input: InCheckout.extend({ name: z.string(), action: ConflictAction }),
      errors: WRITE_ERRORS,
    }),
    discard: procedure({
      summary:
        'Takes back what was done here: copies go to the trash of the system, and the versions of the shelf come.',
      input: InCheckout.extend({ names: DocumentNames }),
      errors: WRITE_ERRORS,
    }),
    sync: procedure({ summary: 'Looks now at what is on the shelves and here.' }),
  },
  index: {
    status: procedure({ summary: 'How far the index is.', output: IndexStatus }),
    progressed: event('The index moved on.', IndexStatus),
    skipped: procedure({ summary: 'Files that are not searched by content, and why.', output: z.array(SkippedFile) }),
    retrySkipped: procedure({
      summary: 'Reads the files again that are not searched by content; ends when that is done.',
    }),
    pause: procedure({ summary: 'Puts indexing off until `resume` or the next start; searching goes on.' }),
    resume: procedure({ summary: 'Goes on with indexing.' }),
    rebuild: procedure({ summary: 'Throws the index away and builds it again.' }),
    waitUntilIdle: procedure({
      summary: 'Waits until the index has nothing to do; false where that took too long.',
      input: z.object({ timeoutMs: z.number().int().min(0).max(LIMITS.waitForIndexMs) }),
      output: z.boolean(),
    }),
  },
  search: {
    run: procedure({
      summary: 'Runs a query; results arrive as `found` events with the same run id, then the summary.',
      input: z.object({ runId: RunId, query: SearchQuery }),
      output: SearchSummary,
      errors: ['query-invalid', 'query-too-slow', 'index-unavailable', 'cancelled'],
    }),
    found: event(
      'Results of a run: more of them, or, just before its summary, all that are listed in their order, in parts.',
      z.object({ runId: RunId, results: z.array(SearchResult), isWhole: z.boolean() }),
    ),
    cancel: procedure({ summary: 'Ends a run.', input: z.object({ runId: RunId }) }),
    logs: procedure({
      summary: 'Past queries, newest first.',
      input: z.object({ page: z.number().int().min(1), pageSize: z.number().int().min(1).max(200) }),
      output: z.object({ items: z.array(SearchLogItem), hasMore: z.boolean() }),
    }),
    saveLog: procedure({
      summary: 'Remembers a query; a repeated one moves to the top.',
      input: z.object({ query: z.string().min(1).max(50) }),
    }),
    removeLog: procedure({ summary: 'Forgets one past query.', input: z.object({ id: z.string().max(100) }) }),
    clearLogs: procedure({ summary: 'Forgets all past queries.' }),
  },
  updates: {
    state: procedure({ summary: 'How the update of this installation stands.', output: UpdateState }),
    changed: event('The update moved on.', UpdateState),
    check: procedure({ summary: 'Looks for an update because the person asked.' }),
    download: procedure({ summary: 'Fetches the update that was found.' }),
    saveState: procedure({ summary: 'Keeps where the person is for the start after the update.', input: AppState }),
    install: procedure({
      summary: 'Replaces the application with the update that is ready, and starts it anew.',
      errors: ['conflict'],
    }),
    dismiss: procedure({ summary: 'Closes the notice.' }),
    restored: procedure({ summary: 'What was kept before the update was taken up.' }),
    setPreference: procedure({
      summary: 'Whether updates are looked for, and fetched, unasked.',
      input: z.object({ preference: UpdatePreference }),
    }),
    setMetered: procedure({
      summary: 'Whether the connection is one on which data is to be saved: only the page is told.',
      input: z.object({ metered: z.boolean() }),
    }),
  },
};
export type Bridge = typeof bridge;
