import { AppError } from '../../shared/errors.ts';

const unavailable = (cause: unknown) =>
  new AppError('storage-unavailable', 'the browser keeps nothing for this page', { cause });

/** The result of a request of the browser's database. @throws AppError `storage-unavailable` */
export function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(unavailable(request.error));
  });
}

/** Resolves once everything is written, and will be there after a restart. */
function written(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(unavailable(transaction.error));
  });
}

/** Works on the store in one transaction; resolves once it is written. @throws AppError `storage-unavailable` */
export type UseStore = <T>(work: (store: IDBObjectStore) => Promise<T>) => Promise<T>;

/** One store of records, by their `key`, in a database of the browser's own. Opened when it is first used. */
export function createBrowserStore(database: string, name: string): UseStore {
  let opened: Promise<IDBDatabase> | null = null;
  const open = async () => {
    const request = indexedDB.open(database, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(name, { keyPath: 'key' });
    const found = await settled(request);
    // Phones close databases of pages in the background; the next use opens it again.
    found.onclose = () => {
      opened = null;
    };
    return found;
  };
  return async (work) => {
    opened ??= open().catch((error: unknown) => {
      opened = null;
      throw error;
    });
    const transaction = (await opened).transaction(name, 'readwrite');
    const [result] = await Promise.all([work(transaction.objectStore(name)), written(transaction)]);
    return result;
  };
}
