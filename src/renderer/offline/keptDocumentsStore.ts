import { createBrowserStore, settled } from '../api/browserStore.ts';
import type { KeptContent, KeptDocument } from '../platform/types.ts';

/** What is known of a copy. */
export interface Copy extends KeptDocument {
  readonly owner: string;
  /** When it was opened last while the server answered. */
  readonly openedAt: number;
  /** All that it takes, its text and pages with it. */
  readonly bytes: number;
}

/** Copies of documents in the browser's own database; what is in them is read for itself, when it is shown. */
export interface KeptDocumentsStore {
  all(): Promise<readonly Copy[]>;
  content(versionId: string): Promise<KeptContent | null>;
  /** Both are there, or neither. @param content left out where it stays as it is */
  put(copy: Copy, content?: KeptContent): Promise<void>;
  drop(versionIds: readonly string[]): Promise<void>;
  clear(): Promise<void>;
}

const COPY = 'copy ';
const CONTENT = 'content ';

/** Opens it. */
export function createKeptDocumentsStore(): KeptDocumentsStore {
  const use = createBrowserStore('armarium.documents', 'documents');
  return {
    all: () =>
      use(async (store) => {
        const range = IDBKeyRange.bound(COPY, `${COPY}\uffff`);
        const records: readonly { readonly copy: Copy }[] = await settled(store.getAll(range));
        return records.map(({ copy }) => copy);
      }),
    content: (versionId) =>
      use(async (store) => {
        const record: { readonly content: KeptContent } | undefined = await settled(store.get(CONTENT + versionId));
        return record?.content ?? null;
      }),
    put: (copy, content) =>
      use(async (store) => {
        await settled(store.put({ key: COPY + copy.versionId, copy }));
        if (content !== undefined) await settled(store.put({ key: CONTENT + copy.versionId, content }));
      }),
    drop: (versionIds) =>
      use((store) =>
        Promise.all(
          versionIds.flatMap((id) => [settled(store.delete(COPY + id)), settled(store.delete(CONTENT + id))]),
        ),
      ).then(() => undefined),
    clear: () => use((store) => settled(store.clear())),
  };
}
