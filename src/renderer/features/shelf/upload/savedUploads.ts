import type { AnnouncedUpload, UploadItem } from '../../../../shared/upload/uploadEngine.ts';
import { createBrowserStore, settled } from '../../../api/browserStore.ts';
import { type FileSource, sourceOf } from './fileHandles.ts';
import type { BatchTarget, UploadKeeper } from './uploadStore.ts';

/** A file of an upload that was interrupted: what to know it by, and where it is, if the browser may say so. */
export interface SavedFile {
  readonly name: string;
  readonly size: number;
  readonly mime: string;
  readonly modified: number;
  readonly source: FileSource | null;
  /** The file itself, where it could not be read again from where it is: phones tell no page where that was. */
  readonly content: File | null;
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
  /** Keeps no contents any longer: their person signed out. Their files can be chosen again. */
  forgetContents(): Promise<void>;
}

/** Contents of one upload that are kept; the files of a larger one are chosen again. */
const CONTENTS_MAX_BYTES = 256 * 1024 * 1024;
const lockOf = (key: string) => `upload ${key}`;

/** What a file is known by later, and its content where nothing else leads back to it. */
function savedFile({ name, size, mime, content }: UploadItem<File>, keepsContents: boolean): SavedFile {
  const source = sourceOf(content);
  return {
    name,
    size,
    mime,
    modified: content.lastModified,
    source,
    content: source === null && keepsContents ? content : null,
  };
}

const withoutContents = (saved: SavedUpload): SavedUpload => ({
  ...saved,
  files: saved.files.map((file) => ({ ...file, content: null })),
});

/** Makes the store. Where the browser keeps nothing, as in some private windows, uploads work but are not resumed. */
export function createSavedUploads(userId: () => string): SavedUploads {
  const use = createBrowserStore('armarium.uploads', 'uploads');
  let last: Promise<unknown> = Promise.resolve();
  const held = new Map<string, () => void>();

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
      const total = items.reduce((sum, { size, content }) => sum + (sourceOf(content) === null ? size : 0), 0);
      const files = items.map((item) => savedFile(item, total <= CONTENTS_MAX_BYTES));
      const saved: SavedUpload = { key, userId: userId(), target, files, announced: null };
      void hold(key);
      write((store) => settled(store.put(saved)));
      // There may be no room for the contents; if there was, this changes nothing.
      write(async (store) => {
        if ((await settled(store.getKey(key))) === undefined) await settled(store.put(withoutContents(saved)));
      });
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
    forgetContents: () =>
      use(async (store) => {
        const all: readonly SavedUpload[] = await settled(store.getAll());
        await Promise.all(all.map((saved) => settled(store.put(withoutContents(saved)))));
      }),
    async list(person) {
      const all: readonly SavedUpload[] = await use((store) => settled(store.getAll()));
      const own = all.filter((saved) => saved.userId === person && !held.has(saved.key));
      const free = await Promise.all(own.map(({ key }) => hold(key)));
      return own.filter((_, index) => free[index]);
    },
  };
}
