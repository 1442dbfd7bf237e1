import { AppError } from '../../../../shared/errors.ts';
import { type FileSource, sourceOf } from './fileHandles.ts';
import type { AnnouncedUpload, UploadItem } from './uploadEngine.ts';
import type { BatchTarget, UploadKeeper } from './uploadStore.ts';

/** A file of an upload that was interrupted: what to know it by, and where it is, if the browser may say so. */
export interface SavedFile {
  readonly name: string;
  readonly size: number;
  readonly mime: string;
  readonly modified: number;
  readonly source: FileSource | null;
}

/** An upload that the page was left with. */
export interface SavedUpload {
  readonly key: string;
  readonly userId: string;
  readonly target: BatchTarget;
  readonly files: readonly SavedFile[];
  readonly announced: AnnouncedUpload | null;
}

/** Uploads in the browser's own database, until they end. */
export interface SavedUploads extends UploadKeeper<File> {
  /** Those of a person that no other window is at. */
  list(userId: string): Promise<readonly SavedUpload[]>;
}

const DATABASE = 'armarium.uploads';
const STORE = 'uploads';
const lockOf = (key: string) => `upload ${key}`;

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () =>
      reject(new AppError('storage-unavailable', 'the browser keeps no uploads', { cause: request.error }));
  });
}

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'key' });
  return settled(request);
}

/** Makes the store. Where the browser keeps nothing, as in some private windows, uploads work but are not resumed. */
export function createSavedUploads(userId: () => string): SavedUploads {
  let database: Promise<IDBDatabase> | null = null;
  let last: Promise<unknown> = Promise.resolve();
  const held = new Map<string, () => void>();

  async function use<T>(work: (store: IDBObjectStore) => Promise<T>): Promise<T> {
    database ??= open();
    return work((await database).transaction(STORE, 'readwrite').objectStore(STORE));
  }

  /** One after the other, so that what was announced is not written before what it belongs to. */
  function write(work: (store: IDBObjectStore) => Promise<unknown>): void {
    last = last
      .then(() => use(work))
      // The upload itself goes on; only a reload would not find it again.
      .catch(() => undefined);
  }

  /** Tells other windows that an upload is in hands, until it ends or this window closes. */
  function hold(key: string): Promise<boolean> {
    if (held.has(key)) return Promise.resolve(true);
    return new Promise((resolve) => {
      void navigator.locks.request(lockOf(key), { ifAvailable: true }, (lock) => {
        resolve(lock !== null);
        if (lock === null) return undefined;
        return new Promise<void>((release) => held.set(key, release));
      });
    });
  }

  return {
    keep(key, target, items: readonly UploadItem<File>[]) {
      const files = items.map(({ name, size, mime, content }) => ({
        name,
        size,
        mime,
        modified: content.lastModified,
        source: sourceOf(content),
      }));
      const saved: SavedUpload = { key, userId: userId(), target, files, announced: null };
      void hold(key);
      write((store) => settled(store.put(saved)));
    },
    announced(key, announced) {
      write(async (store) => {
        const saved: SavedUpload | undefined = await settled(store.get(key));
        if (saved !== undefined) await settled(store.put({ ...saved, announced }));
      });
    },
    forget(key) {
      write((store) => settled(store.delete(key)));
      held.get(key)?.();
      held.delete(key);
    },
    async list(person) {
      const all: readonly SavedUpload[] = await use((store) => settled(store.getAll()));
      const own = all.filter((saved) => saved.userId === person && !held.has(saved.key));
      const free = await Promise.all(own.map(({ key }) => hold(key)));
      return own.filter((_, index) => free[index]);
    },
  };
}
