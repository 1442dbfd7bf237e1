import type { IndexStatus, SearchQuery, SearchResult, SearchSummary, SkippedFile } from '../../shared/model/search.ts';
import type { WatchFolder } from '../watch/folderWatcher.ts';
import type { PaceName } from '../watch/pace.ts';

/** A version of a document, as the history is fed to the index. A content is fetched once for a document, however many versions carry it. */
export interface VersionRecord {
  readonly versionId: string;
  readonly documentId: string;
  readonly shelfId: string;
  readonly libraryName: string;
  readonly shelfName: string;
  /** Name within the shelf, folders included. */
  readonly documentName: string;
  readonly number: number;
  /** False for earlier versions and for all versions of a deleted document. */
  readonly isCurrent: boolean;
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
  readonly commitHash: string;
  readonly commitMessage: string;
  readonly author: string;
  /** ISO 8601, UTC. */
  readonly committedAt: string;
}

/** Gives the content of a blob that the index does not hold yet. */
export type ReadBlob = (sha256: string, record: VersionRecord) => Promise<Uint8Array>;

/** What a search runs over: the files on disk, the current versions, or every version. */
export type Corpus = 'files' | 'current-versions' | 'all-versions';

export interface RunOptions {
  readonly corpus: Corpus;
  /** Versions of other shelves are not looked at; absent means all. */
  readonly shelfIds?: readonly string[];
  /** Versions of other documents are not looked at; absent means all. */
  readonly documentIds?: readonly string[];
  readonly signal?: AbortSignal;
  /** Receives results as they are verified; an id may come again when its rank or counts were refined. */
  readonly onResults?: (results: readonly SearchResult[]) => void;
}

/** How one of the folders stands. */
export interface FolderStatus {
  readonly folder: string;
  /** It is not there at present, such as on a drive that is not mounted: its files are not found, and kept in the index. */
  readonly isAway: boolean;
  /** The system does not tell of all changes in it: it is looked through within a minute instead. */
  readonly isPolled: boolean;
  /** What people should know of it; null when all is well. */
  readonly note: string | null;
}

export interface OpenOptions {
  /** The index database; further shards stand beside it as `FILE.1`, `FILE.2`, …. Created when missing. */
  readonly file: string;
  /** Number of shards, each with its own thread; default min(cores, 4). An existing index keeps its own. */
  readonly shards?: number;
  /** Entries of the threads (src/worker/entries.ts): core does not know its hosts. */
  readonly threads: { readonly shard: URL; readonly extract: URL };
  /** Globs in gitignore syntax that are left out besides the defaults and ignore files. */
  readonly ignore?: readonly string[];
  /** How folders are watched; by chokidar when nobody says. */
  readonly watchFolder?: WatchFolder;
  /** Told of what went wrong in the background; never document text. */
  readonly onWarning?: (message: string) => void;
}

/** The index: a cache over files and versions that can always be rebuilt. It never writes to what it indexes. */
export interface SearchIndex {
  /** The folders to index; files of folders no longer named leave the index. Resolves when the scan has queued its work. */
  setRoots(folders: readonly string[]): Promise<void>;
  /** Brings the index right against the disk by size, times and inode, in doubt by content, for every root. Resolves when all found changes are searchable. */
  reconcile(): Promise<void>;
  /** Starts following changes of the roots; an edited file is searchable within a second. */
  watch(): Promise<void>;
  /** Adds or replaces versions; resolves when they are searchable. */
  putVersions(records: readonly VersionRecord[], readBlob: ReadBlob): Promise<void>;
  /** Ids of all versions at hand, to tell what is missing. */
  versionIds(): Promise<ReadonlySet<string>>;
  /** Takes versions out, e.g. of a shelf that the user may no longer read. */
  removeVersions(versionIds: readonly string[]): Promise<void>;
  /** Current library and shelf names of a shelf, after a rename. */
  renameShelf(shelfId: string, libraryName: string, shelfName: string): Promise<void>;
  /**
   * Finds every file or version that contains the query.
   * @throws AppError `query-invalid`, `query-too-slow` (a regular expression), `cancelled`, `index-unavailable`.
   */
  search(
    query: SearchQuery,
    options: RunOptions,
  ): Promise<SearchSummary & { readonly results: readonly SearchResult[] }>;
  /** Stops all work in the background within a second, except for a document that is being parsed; searching goes on. */
  pause(): void;
  resume(): void;
  /** `gentle` leaves most of the machine to others. */
  setPace(pace: PaceName): void;
  status(): IndexStatus;
  folders(): readonly FolderStatus[];
  onStatus(listener: (status: IndexStatus) => void): () => void;
  skipped(): Promise<readonly SkippedFile[]>;
  /** Reads the files that are not searched by content again; resolves when that is done. */
  retrySkipped(): Promise<void>;
  /** Bytes of all files whose text is searchable. */
  indexedBytes(): Promise<number>;
  /** Whether a path is a file that the index knows: the guard for what the page may ask to be shown. */
  hasFile(path: string): Promise<boolean>;
  /** Resolves true when nothing waits, false after `timeoutMs`. */
  waitForIdle(timeoutMs: number): Promise<boolean>;
  /** Throws everything away and builds anew from the roots; versions have to be put again. */
  rebuild(): Promise<void>;
  close(): Promise<void>;
}
