import { createBrowserStore, settled } from '../api/browserStore.ts';

/** A file that another application shared with this one, until it is on its way to a shelf. */
export interface ReceivedFile {
  readonly key: string;
  readonly file: File;
  readonly at: number;
}

/** What nobody came for within a day is dropped. */
const KEPT_MS = 24 * 60 * 60 * 1000;

const use = createBrowserStore('armarium.received', 'files');

/** Keeps files that were shared. Resolves once they would survive a restart. */
export async function receive(files: readonly File[], now = Date.now()): Promise<void> {
  await use((store) =>
    Promise.all(files.map((file) => settled(store.put({ key: crypto.randomUUID(), file, at: now })))),
  );
}

/** The files that wait for a shelf, as they came. */
export async function received(now = Date.now()): Promise<readonly ReceivedFile[]> {
  const all: readonly ReceivedFile[] = await use(async (store) => {
    const found: readonly ReceivedFile[] = await settled(store.getAll());
    await Promise.all(found.filter(({ at }) => now - at > KEPT_MS).map(({ key }) => settled(store.delete(key))));
    return found;
  });
  return all.filter(({ at }) => now - at <= KEPT_MS).sort((a, b) => a.at - b.at);
}

/** Lets go of files: they are on their way, or not wanted. */
export async function letGo(keys: readonly string[]): Promise<void> {
  await use((store) => Promise.all(keys.map((key) => settled(store.delete(key)))));
}

/** Lets go of all of them. */
export async function letGoOfAll(): Promise<void> {
  await use((store) => settled(store.clear()));
}
